package rest_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/result"
)

// visitor is a browser that follows no redirects.
type visitor struct {
	*bench
	cookie string
}

// visit opens a page, or sends a form if there is one. headers are pairs of a name and a value.
func (v *visitor) visit(path string, form url.Values, headers ...string) answer {
	v.t.Helper()
	r := v.request(http.MethodGet, path, nil)
	if form != nil {
		r = v.request(http.MethodPost, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	r.Header.Set("Accept", "text/html")
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a := v.do(r)
	if set := a.header.Get("Set-Cookie"); set != "" {
		v.cookie, _, _ = strings.Cut(set, ";")
	}
	return a
}

func (b *bench) signIn(name string) *visitor {
	b.t.Helper()
	v := &visitor{bench: b}
	if a := v.visit("/operate/sign-in", url.Values{"token": {b.operator(name)}}); a.status != http.StatusSeeOther {
		b.t.Fatalf("%d %s", a.status, a.body)
	}
	return v
}

// held uploads an example that is held back, from a contributor, and returns its id.
func (b *bench) held(contributor string, change ...string) string {
	b.t.Helper()
	id, body := example(b.t)
	fresh := result.NewID()
	replaced := strings.NewReplacer(append([]string{id, fresh}, change...)...).Replace(string(body))
	r := b.upload(fresh, []byte(replaced))
	r.Header.Set("Authorization", "Bearer "+contributor)
	b.do(r).json(b.t, http.StatusCreated)
	conn := b.connect()
	if _, err := conn.Exec(b.t.Context(), `update submission set state = 'quarantined', state_rule = 'bus-ceiling',
		state_reason = 'Faster than its bus, by <i>far</i>.' where id = $1`, fresh); err != nil {
		b.t.Fatal(err)
	}
	return fresh
}

// hidden returns the fields of the form that confirms a decision.
func hidden(page []byte) url.Values {
	fields := url.Values{}
	for _, f := range regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`).FindAllStringSubmatch(
		string(page), -1) {
		fields.Add(f[1], html.UnescapeString(f[2]))
	}
	return fields
}

func TestOnlyATokenSignsIn(t *testing.T) {
	t.Parallel()
	b := start(t)
	id := b.held(secret)
	nobody := &visitor{bench: b}
	pages := []string{"/operate/results/" + id, "/operate/decisions", "/operate/groups", "/operate/objections",
		"/operate/waiting", "/operate/merges", "/operate/results/" + id + "/name"}
	for _, path := range pages {
		if a := nobody.visit(path, nil); a.status != http.StatusForbidden || strings.Contains(string(a.body), id) ||
			!strings.Contains(string(a.body), `name="token"`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	for _, token := range []string{"", "x", secret, strings.Repeat("0", 64), "' or ''='"} {
		if a := nobody.visit("/operate/sign-in", url.Values{"token": {token}}); a.status != http.StatusForbidden ||
			a.header.Get("Set-Cookie") != "" {
			t.Errorf("%q: %d %v", token, a.status, a.header)
		}
	}
	token := b.operator("carol")
	a := nobody.visit("/operate/sign-in", url.Values{"token": {" " + token + "\n"}})
	cookie := a.header.Get("Set-Cookie")
	for _, attribute := range []string{"; HttpOnly", "; SameSite=Strict", "; Path=/operate/", "; Max-Age=7200"} {
		if !strings.Contains(cookie, attribute) {
			t.Errorf("the cookie lacks %s: %s", attribute, cookie)
		}
	}
	if strings.Contains(cookie, token) || strings.Contains(cookie, "; Secure") {
		t.Errorf("without TLS the cookie is %s", cookie)
	}
	if a := nobody.visit("/operate/", nil); a.status != http.StatusOK || !strings.Contains(string(a.body), id) ||
		a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	for _, private := range []string{token, strings.TrimPrefix(nobody.cookie, "operator=")} {
		if strings.Contains(b.log.String(), private) {
			t.Error("the log holds a token")
		}
	}

	// A session can't be used again after it has ended or its operator was revoked.
	replayed := *nobody
	nobody.visit("/operate/sign-out", url.Values{})
	if a := replayed.visit("/operate/decide", url.Values{"id": {id}, "verdict": {"accepted"}, "reason": {"x"},
		"confirmed": {"1"}}); a.status != http.StatusForbidden {
		t.Errorf("after signing out: %d", a.status)
	}
	v := b.signIn("dave")
	db, err := store.Open(t.Context(), b.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.RevokeOperator(t.Context(), "dave"); err != nil {
		t.Fatal(err)
	}
	if a := v.visit("/operate/decide", url.Values{"id": {id}, "verdict": {"accepted"}, "reason": {"x"},
		"confirmed": {"1"}}); a.status != http.StatusForbidden || !strings.Contains(a.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("after a revocation: %d %v", a.status, a.header)
	}
	if state := b.get("/v1/results/"+id).json(t, http.StatusOK)["state"]; state != "quarantined" {
		t.Errorf("it is %v", state)
	}
}

func TestWithTLSTheSessionStaysBehindIt(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.PublicURL = "https://flashdex.example" })
	a := (&visitor{bench: b}).visit("/operate/sign-in", url.Values{"token": {b.operator("carol")}})
	if !strings.Contains(a.header.Get("Set-Cookie"), "; Secure") {
		t.Errorf("%v", a.header)
	}
}

func TestWrongTokensAreLimited(t *testing.T) {
	t.Parallel()
	b := start(t)
	v, token := &visitor{bench: b}, b.operator("carol")
	for range 12 { // right ones don't count
		if a := v.visit("/operate/sign-in", url.Values{"token": {token}}); a.status != http.StatusSeeOther {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for i := range 11 {
		a := v.visit("/operate/sign-in", url.Values{"token": {secret}})
		if want := map[bool]int{true: http.StatusTooManyRequests, false: http.StatusForbidden}[i == 10]; a.status != want {
			t.Errorf("wrong token %d: %d", i, a.status)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.PublicURL = "https://flashdex.example" })
	id := b.held(secret)
	v := b.signIn("carol")
	decide := url.Values{"id": {id}, "verdict": {"accepted"}, "reason": {"x"}, "confirmed": {"1"}}
	name := url.Values{"module": {"samsung-evo-32gb-microsd"}, "reason": {"x"}}
	object := url.Values{"result": {id}, "kind": {"other"}, "words": {"x"}}
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}, {"Sec-Fetch-Site", "", "Origin", "null"},
	} {
		for path, form := range map[string]url.Values{
			"/operate/decide": decide, "/operate/sign-out": {}, "/operate/sign-in": {}, "/object/": object,
			"/operate/results/" + id + "/name": name, "/operate/results/" + id + "/confirm-contributor": {"reason": {"x"}},
			"/operate/modules/confirm": name, "/operate/merges": name, "/operate/merges/undo": name,
			"/operate/modules/unconfirm": name, "/operate/results/" + id + "/unconfirm-contributor": {"reason": {"x"}},
		} {
			a := v.visit(path, form, headers...)
			if a.status != http.StatusForbidden || a.header.Get("Set-Cookie") != "" ||
				!strings.Contains(string(a.body), "another site") {
				t.Errorf("%v %s: %d", headers, path, a.status)
			}
		}
	}
	if state := b.get("/v1/results/"+id).json(t, http.StatusOK)["state"]; state != "quarantined" {
		t.Errorf("it is %v", state)
	}
	// Without Sec-Fetch-Site, which browsers leave out without TLS.
	a := v.visit("/operate/decide", decide, "Sec-Fetch-Site", "", "Origin", "https://flashdex.example")
	if a.status != http.StatusSeeOther {
		t.Errorf("our own form: %d %s", a.status, a.body)
	}
	if v.visit("/operate/", nil).header.Get("Referrer-Policy") != "same-origin" {
		t.Error("browsers send no origin with the form")
	}
}

func TestADecisionAboutManyIsShownThenConfirmedThenUndone(t *testing.T) {
	t.Parallel()
	b := start(t)
	one, two := b.held(secret), b.held(secret)
	other := b.held(strings.Repeat("ab", 32))
	v := b.signIn("carol")
	state := func(id string) string {
		t.Helper()
		return b.get("/v1/results/"+id).json(t, http.StatusOK)["state"].(string)
	}
	queue := string(v.visit("/operate/", nil).body)
	for _, part := range []string{one, two, other, "bus-ceiling", "by &lt;i&gt;far&lt;/i&gt;", "units: 0, modules: 0",
		"since 20"} {
		if !strings.Contains(queue, part) {
			t.Errorf("the queue lacks %q:\n%s", part, queue)
		}
	}
	proposed := v.visit("/operate/decide", url.Values{"like": {one}, "like_by": {"household"}, "reason": {"x"},
		"verdict": {"rejected"}})
	if !strings.Contains(string(proposed.body), "Reject 3 results?") {
		t.Errorf("of one household: %s", proposed.body)
	}
	proposed = v.visit("/operate/decide", url.Values{"like": {one}, "like_by": {"contributor"},
		"reason": {"Made <b>up</b>."}, "verdict": {"rejected"}})
	for _, part := range []string{"Reject 2 results?", "Nothing was changed yet", one, two, "Made &lt;b&gt;up"} {
		if !strings.Contains(string(proposed.body), part) {
			t.Errorf("the dry run lacks %q:\n%s", part, proposed.body)
		}
	}
	if strings.Contains(string(proposed.body), other) || state(one) != "quarantined" {
		t.Error("the dry run picks too much, or changes something")
	}
	confirm := hidden(proposed.body)
	late := b.held(secret) // a result that came after the dry run isn't in it
	a := v.visit("/operate/decide", confirm)
	decision := a.header.Get("Location")
	if a.status != http.StatusSeeOther || !strings.HasPrefix(decision, "/operate/decisions/") {
		t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	if state(one) != "rejected" || state(two) != "rejected" || state(other) != "quarantined" || state(late) != "quarantined" {
		t.Errorf("they are %s, %s, %s, %s", state(one), state(two), state(other), state(late))
	}
	// If the same form is sent again, there is nothing more to change.
	if a := v.visit("/operate/decide", confirm); a.status != http.StatusOK ||
		!strings.Contains(string(a.body), "nothing to change") {
		t.Errorf("%d %s", a.status, a.body)
	}
	v.visit("/operate/decide", url.Values{"id": {two}, "verdict": {"accepted"}, "reason": {"Is real."}, "confirmed": {"1"}})
	shown := string(v.visit(decision, nil).body)
	if !strings.Contains(shown, "operator carol") || strings.Count(shown, "gives back") != 1 ||
		!strings.Contains(shown, "changes nothing") {
		t.Errorf("the decision: %s", shown)
	}
	a = v.visit(decision+"/undo", url.Values{"reason": {"A mistake."}})
	if a.status != http.StatusSeeOther || a.header.Get("Location") != decision+"?left=1&undone=1" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if state(one) != "quarantined" || state(two) != "accepted" {
		t.Errorf("after the undoing they are %s and %s", state(one), state(two))
	}
	if list := string(v.visit("/operate/decisions", nil).body); !strings.Contains(list, "2 rejected") ||
		!strings.Contains(list, "1 accepted") {
		t.Errorf("the decisions: %s", list)
	}
	if reviewed := string(v.visit("/operate/results/"+one, nil).body); !strings.Contains(reviewed, "A mistake.") ||
		!strings.Contains(reviewed, "operator carol") {
		t.Errorf("the result: %s", reviewed)
	}
	// If the results differ from the confirmed ones, they are shown again, even if they are fewer or equally many.
	more := hidden(v.visit("/operate/decide", url.Values{"rule": {"bus-ceiling"}, "reason": {"x"},
		"verdict": {"accepted"}}).body)
	v.visit("/operate/decide", url.Values{"id": {late}, "verdict": {"rejected"}, "reason": {"x"}, "confirmed": {"1"}})
	if a := v.visit("/operate/decide", more); a.status != http.StatusOK || state(one) != "quarantined" ||
		!strings.Contains(string(a.body), "other results than those") {
		t.Errorf("%d %s", a.status, a.body)
	}
	again := hidden(v.visit("/operate/decide", more).body)
	late = b.held(secret)
	v.visit("/operate/decide", url.Values{"id": {one}, "verdict": {"accepted"}, "reason": {"x"}, "confirmed": {"1"}})
	again.Set("until", time.Now().UTC().Format(time.RFC3339Nano)) // so that it includes the new one
	if a := v.visit("/operate/decide", again); a.status != http.StatusOK || state(late) != "quarantined" {
		t.Errorf("%d, and the result that took another's place is %s", a.status, state(late))
	}
}

func TestFormsThatOperatorsDontSendChangeNothing(t *testing.T) {
	t.Parallel()
	b := start(t)
	id := b.held(secret)
	v := b.signIn("carol")
	good := func() url.Values {
		return url.Values{"id": {id}, "verdict": {"accepted"}, "reason": {"x"}, "confirmed": {"1"}}
	}
	for name, value := range map[string]string{
		"id": "x' or true", "verdict": "deleted", "reason": "a\u202eb", "since": "yesterday", "network_of": "x",
		"network_size": "planet", "contributor_of": "<b>",
	} {
		form := good()
		form.Set(name, value)
		if a := v.visit("/operate/decide", form); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s = %s: %d %s", name, value, a.status, a.body)
		}
	}
	for what, form := range map[string]url.Values{
		"nothing chosen": {"verdict": {"rejected"}, "reason": {"x"}, "network_size": {"household"}},
		"no reason":      {"verdict": {"rejected"}, "id": {id}},
		"too long":       {"verdict": {"rejected"}, "id": {id}, "reason": {strings.Repeat("x", 1001)}},
	} {
		if a := v.visit("/operate/decide", form); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	huge := url.Values{"id": {strings.Repeat(id+" ", 8000)}}
	if a := v.visit("/operate/decide", huge); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form that is too large: %d", a.status)
	}
	if a := v.visit("/operate/decide", good(), "Content-Type", "text/plain"); a.status != http.StatusUnsupportedMediaType {
		t.Errorf("another type: %d", a.status)
	}
	for path, want := range map[string]int{
		"/operate/?state=accepted": 422, "/operate/?after=x": 422, "/operate/?x=1": 422, "/operate/results/x": 404,
		"/operate/decisions/x": 404, "/operate/decisions/" + result.NewID(): 404, "/operate/results/" + result.NewID(): 404,
		"/operate/objections?after=%00": 422, "/operate/nothing": 404,
	} {
		if a := v.visit(path, nil); a.status != want {
			t.Errorf("%s: %d, want %d", path, a.status, want)
		}
	}
	if a := v.visit("/operate/decisions/"+result.NewID()+"/undo", url.Values{"reason": {"x"}}); a.status != 404 {
		t.Errorf("undoing nothing: %d", a.status)
	}
	if state := b.get("/v1/results/"+id).json(t, http.StatusOK)["state"]; state != "quarantined" {
		t.Errorf("it is %v", state)
	}
}

func TestTheQueueComesInPages(t *testing.T) {
	t.Parallel()
	b := start(t)
	const all = 27
	for range all {
		b.held(secret)
	}
	v := b.signIn("carol")
	seen := map[string]bool{}
	pages := 0
	for path := "/operate/"; path != ""; pages++ {
		page := string(v.visit(path, nil).body)
		for _, m := range regexp.MustCompile(`name="id" value="([^"]+)"`).FindAllStringSubmatch(page, -1) {
			seen[m[1]] = true
		}
		path = ""
		if next := regexp.MustCompile(`href="(/operate/\?state=[^"]+after=[^"]+)"`).FindStringSubmatch(page); next != nil {
			path = html.UnescapeString(next[1])
		}
	}
	if len(seen) != all || pages != 2 {
		t.Errorf("%d of %d results on %d pages", len(seen), all, pages)
	}
}

func TestGroupsShowWhoResemblesOthersAndNoName(t *testing.T) {
	t.Parallel()
	b := start(t)
	ids := []string{b.held(strings.Repeat("0a", 32)), b.held(strings.Repeat("0b", 32)), b.held(strings.Repeat("0c", 32))}
	v := b.signIn("carol")
	page := v.visit("/operate/groups", nil)
	for _, part := range []string{"<h2>3 contributors who sent from one household on one day</h2>",
		"same client, board, kernel and bus</h2>", "exactly the same modules</h2>",
		"<li>At least 5 contributors who sent from one organization’s network on one day.</li>"} {
		if !strings.Contains(string(page.body), part) {
			t.Errorf("the groups lack %q:\n%s", part, page.body)
		}
	}
	if strings.Contains(string(page.body), "organization’s network on one day</h2>") {
		t.Error("three are a group of an organization")
	}
	group := url.Values{"id": {strings.Join(ids, " ")}, "verdict": {"rejected"}, "reason": {"Made up."}}
	proposed := v.visit("/operate/decide", group)
	if a := v.visit("/operate/decide", hidden(proposed.body)); a.status != http.StatusSeeOther {
		t.Errorf("%d %s", a.status, a.body)
	}
	for _, id := range ids {
		if state := b.get("/v1/results/"+id).json(t, http.StatusOK)["state"]; state != "rejected" {
			t.Errorf("%s is %v", id, state)
		}
	}
}

func TestTheQueueBeginsWithModulesWhoseContributorsDisagree(t *testing.T) {
	t.Parallel()
	b := start(t)
	id := b.held(strings.Repeat("0a", 32))
	if _, err := b.connect().Exec(t.Context(), `insert into module_summary (module_slug, method, host_class, variant,
		contributors, summary) values ('two', 'flashdex-1', '', '', 11, '{"groups": [{"figure": "rand_write_iops",
		"slower": {"value": 20, "contributors": 8}, "faster": {"value": 900, "contributors": 3}}]}')`); err != nil {
		t.Fatal(err)
	}
	v := b.signIn("carol")
	first := string(v.visit("/operate/", nil).body)
	said := strings.Index(first, "around 20 IOPS (8 contributors) and around 900 IOPS (3)")
	if !strings.Contains(first, `href="/modules/two/"`) || said < 0 || said > strings.Index(first, id) {
		t.Errorf("%s", first)
	}
	for _, path := range []string{"/operate/?state=rejected", "/operate/?after=" + id} {
		if strings.Contains(string(v.visit(path, nil).body), "around 20 IOPS") {
			t.Errorf("%s lists it again", path)
		}
	}
}
