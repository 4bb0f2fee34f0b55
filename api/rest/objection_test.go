package rest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"flashdex/api/rest"
	"flashdex/result"
)

func TestAnybodyObjectsAndOnlyOperatorsSeeIt(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, `href="/object/?result=`+id+`"`) {
		t.Error("the page of the result doesn't lead to the form")
	}
	anybody := &visitor{bench: b}
	form := anybody.visit("/object/?result="+id, nil)
	for _, part := range []string{"SanDisk Extreme 32 GB microSD", `value="wrong-module"`, `action="/object/" method="post"`} {
		if form.status != http.StatusOK || !strings.Contains(string(form.body), part) {
			t.Errorf("%d, the form lacks %s", form.status, part)
		}
	}
	const hostile = `<script>alert(1)</script> =cmd|'x'!A0 {{.}}`
	sent := url.Values{"result": {id}, "kind": {"wrong-module"}, "words": {hostile + "\r\nsecond line"},
		"should_be": {"<img src=x>"}, "website": {""}}
	if a := anybody.visit("/object/", sent); a.status != http.StatusOK || !strings.Contains(string(a.body), "Thank you") {
		t.Errorf("%d %s", a.status, a.body)
	}
	v := b.signIn("carol")
	for _, path := range []string{"/operate/objections", "/operate/results/" + id} {
		page := string(v.visit(path, nil).body)
		if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt; =cmd") || !strings.Contains(page, "A0 {{.}} second line") ||
			!strings.Contains(page, "&lt;img src=x&gt;") || strings.Contains(page, "<script>alert") ||
			strings.Contains(page, "<img") {
			t.Errorf("%s: %s", path, page)
		}
	}
	for _, path := range []string{"/r/" + id, "/v1/results/" + id, "/object/?result=" + id} {
		if strings.Contains(string(b.get(path).body), "second line") {
			t.Errorf("%s publishes an objection", path)
		}
	}
	if page := string(v.visit("/operate/", nil).body); !strings.Contains(page, ">Objections (1)</a>") {
		t.Error("the navigation doesn't show that one objection is open")
	}
	page := string(v.visit("/operate/objections", nil).body)
	_, path, _ := strings.Cut(page, `action="/operate/objections/`)
	path, _, _ = strings.Cut(path, `"`)
	if a := v.visit("/operate/objections/"+path, url.Values{"reason": {""}}); a.status != http.StatusUnprocessableEntity {
		t.Errorf("closed without a word: %d", a.status)
	}
	a := v.visit("/operate/objections/"+path, url.Values{"reason": {"It is right."}, "back": {"//evil.example"}})
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/operate/objections" {
		t.Errorf("%d %v", a.status, a.header)
	}
	if page := string(v.visit("/operate/", nil).body); !strings.Contains(page, ">Objections</a>") {
		t.Error("the navigation shows more than that no objection is open")
	}
	if page := string(v.visit("/operate/objections", nil).body); !strings.Contains(page, "No objection is open") {
		t.Errorf("after closing: %s", page)
	}
	if page := string(v.visit("/operate/results/"+id, nil).body); !strings.Contains(page, "Closed by operator carol") {
		t.Error("the result doesn't show that it was closed")
	}
	// A module that the site lists takes one, too.
	b.fold()
	b.eventually("the module is known", func() bool {
		return b.get("/object/?module=sandisk-extreme-32gb-microsd").status == http.StatusOK
	})
	for _, module := range []string{"sandisk-extreme-32gb-microsd", "no-such-module", "../x"} {
		want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[strings.HasPrefix(module, "sandisk")]
		if a := anybody.visit("/object/", url.Values{"module": {module}, "kind": {"other"}, "words": {"x"}}); a.status != want {
			t.Errorf("to the module %s: %d, want %d\n%s", module, a.status, want, a.body)
		}
	}
}

func TestAnObjectionThatCantBeTakenIsExplainedAndLosesNothing(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	v := &visitor{bench: b}
	for what, form := range map[string]url.Values{
		"no kind":      {"words": {"keep me"}},
		"another kind": {"kind": {"spam"}, "words": {"keep me"}},
		"no words":     {"kind": {"other"}, "words": {" \r\n "}},
		"too long":     {"kind": {"other"}, "words": {"keep me" + strings.Repeat("é", 1000)}},
		"control":      {"kind": {"other"}, "words": {"keep me\x1b[2J"}},
		"no UTF-8":     {"kind": {"other"}, "words": {"keep me \xff"}},
		"bidi":         {"kind": {"other"}, "words": {"keep me \u202e"}},
		"long name":    {"kind": {"other"}, "words": {"keep me"}, "should_be": {strings.Repeat("x", 201)}},
	} {
		form.Set("result", id)
		a := v.visit("/object/", form)
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), "Nothing was stored") ||
			what != "no words" && !strings.Contains(string(a.body), "keep me") {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	for path, want := range map[string]int{"/object/": 404, "/object/?result=x": 404, "/object/?module=no-such": 404,
		"/object/?x=1": 422, "/object/?result=" + result.NewID(): 404, "/object/?result=" + id + "&module=x": 404} {
		if a := v.visit(path, nil); a.status != want {
			t.Errorf("%s: %d, want %d", path, a.status, want)
		}
	}
	trap := url.Values{"result": {id}, "kind": {"other"}, "words": {"Buy!"}, "website": {"https://spam.example"}}
	if a := v.visit("/object/", trap); a.status != http.StatusOK {
		t.Errorf("a program is told: %d", a.status)
	}
	if n := count(b, "select count(*) from objection"); n != 0 {
		t.Errorf("%d objections are stored", n)
	}
	if a := v.visit("/object/", url.Values{"result": {id}, "words": {strings.Repeat("x", 20000)}}); a.status !=
		http.StatusRequestEntityTooLarge {
		t.Errorf("a form that is too large: %d", a.status)
	}
}

func count(b *bench, query string) (n int) {
	b.t.Helper()
	if err := b.connect().QueryRow(b.t.Context(), query).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestObjectionsAreLimitedByNetworkAndDay(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.Daily.Objections = 2 })
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	v := &visitor{bench: b}
	for i, want := range []int{200, 200, 429} {
		a := v.visit("/object/", url.Values{"result": {id}, "kind": {"other"}, "words": {"x"}})
		if a.status != want || want == 429 && a.header.Get("Retry-After") == "" {
			t.Errorf("objection %d: %d, want %d", i, a.status, want)
		}
	}
	if n := count(b, "select count(*) from objection"); n != 2 {
		t.Errorf("%d are stored", n)
	}
}

// Ten objections to one page close it to others, so one household can't send them all.
func TestObjectionsToOneResultAreLimitedByHousehold(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.Daily.Objections = 3 })
	one, body := example(t)
	b.do(b.upload(one, body)).json(t, http.StatusCreated)
	other := b.held(secret)
	v := &visitor{bench: b}
	for i, c := range []struct {
		about string
		want  int
	}{{one, 200}, {one, 200}, {one, 429}, {other, 200}, {other, 429}} {
		a := v.visit("/object/", url.Values{"result": {c.about}, "kind": {"other"}, "words": {"x"}})
		if a.status != c.want || c.want == 429 && a.header.Get("Retry-After") == "" {
			t.Errorf("objection %d: %d, want %d", i, a.status, c.want)
		}
	}
}

func TestContributorsShowAsSinceWhenAndHowMuch(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	by := b.get("/v1/results/"+id).json(t, http.StatusOK)["contributor"].(map[string]any)
	if len(by) != 3 || len(by["since"].(string)) != len("2026-11") || by["units"] != "1" || by["modules"] != "1" {
		t.Errorf("the contributor is %v", by)
	}
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, "with 1 unit of 1 module</dd>") {
		t.Errorf("the page lacks the contributor:\n%s", page)
	}
}

func TestAProgramOfAnOperatorSeesAndClosesObjections(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	for _, words := range []string{"first", "second"} {
		(&visitor{bench: b}).visit("/object/", url.Values{"result": {id}, "kind": {"wrong-module"}, "words": {words},
			"should_be": {"SanDisk <Ultra>"}})
	}
	token, stranger := b.operator("carol"), strings.Repeat("77", 32)
	const list = "/v1/moderation/objections"
	page := b.as(token, http.MethodGet, list+"?limit=1", "").json(t, http.StatusOK)
	first := page["objections"].([]any)[0].(map[string]any)
	if first["result"] != id || first["words"] != "first" || first["should_be"] != "SanDisk <Ultra>" ||
		page["after"] != first["id"] {
		t.Errorf("%v", page)
	}
	of := func(query string) []any {
		return b.as(token, http.MethodGet, list+query, "").json(t, http.StatusOK)["objections"].([]any)
	}
	if rest := of("?after=" + page["after"].(string)); len(rest) != 1 || rest[0].(map[string]any)["words"] != "second" {
		t.Errorf("after the first: %v", rest)
	}
	end := list + "/" + first["id"].(string) + "/close"
	const reason = `{"reason":"It is right."}`
	for _, c := range []struct {
		token, path, body string
		want              int
	}{
		{stranger, list, "", http.StatusForbidden},
		{stranger, end, reason, http.StatusForbidden},
		{token, end, `{"reason":""}`, http.StatusUnprocessableEntity},
		{token, list + "/" + result.NewID() + "/close", reason, http.StatusNotFound},
		{token, list + "/x/close", reason, http.StatusNotFound},
		{token, end, reason, http.StatusNoContent},
		{token, end, reason, http.StatusNoContent},
	} {
		method := http.MethodGet
		if c.body != "" {
			method = http.MethodPost
		}
		if a := b.as(c.token, method, c.path, c.body); a.status != c.want {
			t.Errorf("%s %s: %d, want %d", c.path, c.body, a.status, c.want)
		}
	}
	if rest := of(""); len(rest) != 1 {
		t.Errorf("%d are open after one was closed", len(rest))
	}
}
