package rest_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/rest"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/api/submission/token"
	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// key returns the newest key of the server.
func (b *bench) key() (key token.Key) {
	b.t.Helper()
	var bytes []byte
	const newest = "select key from token_key order by made_at desc limit 1"
	if err := b.connect().QueryRow(b.t.Context(), newest).Scan(&bytes); err != nil || len(bytes) != len(key) {
		b.t.Fatal(bytes, err)
	}
	copy(key[:], bytes)
	return key
}

// asked returns the token that the server issues for a run.
func (b *bench) asked(id string) string {
	b.t.Helper()
	r := b.request(http.MethodPost, "/v1/tokens", strings.NewReader(`{"id":"`+id+`"}`))
	r.Header.Set("Content-Type", "application/json")
	a := b.do(r)
	var given struct {
		Token     string
		ExpiresAt time.Time `json:"expires_at"`
	}
	if err := json.Unmarshal(a.body, &given); err != nil || a.status != http.StatusOK || given.Token == "" ||
		time.Until(given.ExpiresAt) > token.Lasts || time.Until(given.ExpiresAt) < token.Lasts-time.Hour {
		b.t.Fatalf("%d %s, %v", a.status, a.body, err)
	}
	return given.Token
}

// withToken returns the example under a fresh id, as if measured with a token.
func withToken(t testing.TB, give func(id string) string) (id string, doc *result.Document) {
	t.Helper()
	id, body := fresh(t)
	doc = new(result.Document)
	if err := json.Unmarshal(body, doc); err != nil {
		t.Fatal(err)
	}
	doc.Token = give(id)
	for i := range doc.Tests {
		if t := &doc.Tests[i]; t.IsRandom() {
			order := result.BlockOrder(result.OrderSeed(doc.Token, t.Name, t.BlockBytes), t.AreaBytes/t.BlockBytes)
			t.Order = result.OrderSum(order[:t.Ops+t.WarmupOps])
		}
	}
	return id, doc
}

// uploaded uploads a document, and returns what the server says about its token, as a code and in words.
func (b *bench) uploaded(doc *result.Document) (state, fault string) {
	b.t.Helper()
	body, err := json.Marshal(doc)
	if err != nil {
		b.t.Fatal(err)
	}
	a := b.do(b.upload(doc.ID, body))
	var receipt struct {
		Token string
		Fault string `json:"token_fault"`
	}
	if err := json.Unmarshal(a.body, &receipt); err != nil || a.status != http.StatusCreated {
		b.t.Errorf("%d %s, %v", a.status, a.body, err)
	}
	return receipt.Token, receipt.Fault
}

// Even if something is wrong with a token, the result is stored and shown. Its contributor learns that it doesn't
// count.
func TestUploadTellsWhetherItsTokenCounts(t *testing.T) {
	t.Parallel()
	b := start(t)
	key := b.key()
	given := func(age time.Duration) func(id string) string {
		return func(id string) string { return token.New(key, id, time.Now().Add(-age)) }
	}
	for name, c := range map[string]struct {
		give  func(id string) string
		spoil func(doc *result.Document)
		want  string
	}{
		"measured with it": {given(time.Hour), nil, submission.TokenValid},
		"just asked for":   {b.asked, nil, submission.TokenYoung},
		"whose samples claim more time": {given(2 * time.Hour), func(doc *result.Document) {
			doc.Tests[0].OverheadNS += int64(3 * time.Hour)
		}, submission.TokenYoung},
		"too old": {given(token.Lasts + time.Minute), nil, submission.TokenExpired},
		"in another order": {given(3 * time.Hour), func(doc *result.Document) {
			for i := range doc.Tests {
				if doc.Tests[i].Order != "" {
					doc.Tests[i].Order = result.OrderSum([]int32{0, 1, 2})
				}
			}
		}, submission.TokenOrder},
		"used for another result": {func(string) string { return given(time.Hour)(result.NewID()) }, nil,
			submission.TokenForeign},
		"of another site": {func(id string) string {
			return token.New(token.Key{1}, id, time.Now().Add(-time.Hour))
		}, nil, submission.TokenForeign},
		"of nobody": {func(string) string { return strings.Repeat("A", 60) }, nil, submission.TokenForeign},
		"without": {func(string) string { return "" }, func(doc *result.Document) {
			for i := range doc.Tests {
				doc.Tests[i].Order = ""
			}
		}, "none"},
	} {
		id, doc := withToken(t, c.give)
		if c.spoil != nil {
			c.spoil(doc)
		}
		state, fault := b.uploaded(doc)
		if state != c.want || fault != submission.TokenFaults[c.want] {
			t.Errorf("%s: %s, %q; want %s", name, state, fault, c.want)
		}
		stored, page := string(b.get("/v1/results/"+id).body), string(b.get("/r/"+id).body)
		if !strings.Contains(stored, `"token":"`+c.want+`"`) || doc.Token != "" && strings.Contains(stored, doc.Token) {
			t.Errorf("%s: the result is answered as %.300s; want its token's state and never the token", name, stored)
		}
		told := map[string]string{submission.TokenValid: "<dd>valid", "none": "<dd>none"}
		if !strings.Contains(page, "Run token") || !strings.Contains(page, cmp.Or(told[c.want], "<dd>not valid</dd>")) {
			t.Errorf("%s: the page doesn't tell %s:\n%s", name, c.want, page)
		}
	}
}

// A result that is sent again is the same result, so its token wasn't used twice.
func TestUploadSentAgainKeepsItsToken(t *testing.T) {
	t.Parallel()
	b := start(t)
	key := b.key()
	id, doc := withToken(t, func(id string) string {
		return token.New(key, id, time.Now().Add(-time.Hour))
	})
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	first := b.do(b.upload(id, body))
	again := b.do(b.upload(id, body))
	if again.status != http.StatusOK || !bytes.Equal(again.body, first.body) ||
		!bytes.Contains(again.body, []byte(`"token":"valid"`)) {
		t.Errorf("%s, and again: %d %s", first.body, again.status, again.body)
	}
	// After a deletion, neither its id nor its token can come back.
	r := b.upload(id, nil)
	r.Method = http.MethodDelete
	if a := b.do(r); a.status != http.StatusNoContent {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.do(b.upload(id, body)).problem(t, http.StatusGone, "deleted")
}

// A contributor with four readers loses nothing, however long a run takes. Somebody who asks for many tokens at once
// can't use all of them after a single wait, even if they upload at once.
func TestRunsOfOneContributorAtOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	key, now := b.key(), time.Now()
	begun := func(ago time.Duration, took time.Duration) *result.Document {
		_, doc := withToken(t, func(id string) string {
			return token.New(key, id, now.Add(-ago))
		})
		doc.Tests[0].OverheadNS += took.Nanoseconds()
		return doc
	}
	expect := func(what, want string, doc *result.Document) {
		t.Helper()
		if state, _ := b.uploaded(doc); state != want {
			t.Errorf("%s: %s, want %s", what, state, want)
		}
	}
	expect("a run of a day", submission.TokenValid, begun(30*time.Hour, 25*time.Hour))
	for n := range 10 { // besides it, one after the other
		expect("a run beside it", submission.TokenValid, begun(time.Duration(29-n)*time.Hour, 30*time.Minute))
	}
	var sending sync.WaitGroup
	states := make(chan string, 8)
	for range cap(states) { // within one minute
		doc := begun(time.Hour, 0)
		sending.Go(func() {
			state, _ := b.uploaded(doc)
			states <- state
		})
	}
	sending.Wait()
	close(states)
	count := map[string]int{}
	for state := range states {
		count[state]++
	}
	if count[submission.TokenValid] != 4 || count[submission.TokenCrowded] != 4 {
		t.Errorf("eight at once: %v", count)
	}
	expect("after them", submission.TokenValid, begun(50*time.Minute, 0))
}

func TestTokensOutliveAChangeOfTheKey(t *testing.T) {
	t.Parallel()
	b := start(t)
	key := b.key()
	give := func(id string) string { return token.New(key, id, time.Now().Add(-time.Hour)) }
	change := func() {
		t.Helper()
		if _, err := b.connect().Exec(t.Context(), "select new_token_key()"); err != nil {
			t.Fatal(err)
		}
	}
	_, before := withToken(t, give)
	change()
	if b.key() == key {
		t.Error("the key is the old one")
	}
	if state, _ := b.uploaded(before); state != submission.TokenValid {
		t.Errorf("signed with the key before: %s", state)
	}
	_, after := withToken(t, b.asked)
	if state, _ := b.uploaded(after); state != submission.TokenYoung {
		t.Errorf("signed with the new key: %s", state)
	}
	change()
	_, late := withToken(t, give)
	if state, _ := b.uploaded(late); state != submission.TokenForeign {
		t.Errorf("signed with the key before the last: %s", state)
	}
}

// A file may be uploaded from another computer than the measuring one. A copy under another id has no valid token.
func TestTokenIsOfTheResultAndNotOfItsContributor(t *testing.T) {
	t.Parallel()
	b := start(t)
	_, doc := withToken(t, func(id string) string { return token.New(b.key(), id, time.Now().Add(-time.Hour)) })
	as := func(contributor string) answer {
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		r := b.upload(doc.ID, body)
		r.Header.Set("Authorization", "Bearer "+strings.Repeat(contributor, 32))
		return b.do(r)
	}
	if a := as("7c"); a.status != http.StatusCreated || !bytes.Contains(a.body, []byte(`"token":"valid"`)) {
		t.Errorf("from another computer: %d %s", a.status, a.body)
	}
	as("5a").problem(t, http.StatusConflict, "conflict")
	doc.ID = result.NewID()
	if a := as("5a"); a.status != http.StatusCreated || !bytes.Contains(a.body, []byte(`"token":"foreign"`)) {
		t.Errorf("a copy: %d %s", a.status, a.body)
	}
}

func TestBadRequestsForATokenAreExplained(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.Writes = rest.Rate{PerSecond: 0.001, Burst: 4} })
	post := func(body string) answer {
		r := b.request(http.MethodPost, "/v1/tokens", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		return b.do(r)
	}
	post("hello").problem(t, http.StatusBadRequest, "malformed")
	post(`{"secret":"x"}`).problem(t, http.StatusBadRequest, "malformed")
	p := post(`{"id":"12"}`).problem(t, http.StatusUnprocessableEntity, "bad-request")
	if !strings.Contains(p.Detail, "UUID") {
		t.Error(p.Detail)
	}
	b.asked(result.NewID())
	post("{}").problem(t, http.StatusTooManyRequests, "too-many")
}

// The client asks one server for a token, measures a module in the order that the token prescribes, and uploads to
// another server of the same database. If another site issued the token, the answer says so.
func TestRunOfTheClientCountsAtEveryServerOfTheSite(t *testing.T) {
	t.Parallel()
	url := clustertest.New(t)
	one, other, elsewhere := serve(t, url), serve(t, url), start(t)
	for range 2 { // test databases are copies of one, with its key
		if _, err := elsewhere.connect().Exec(t.Context(), "select new_token_key()"); err != nil {
			t.Fatal(err)
		}
	}
	kept := spool.Spool{Dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(kept.Dir, "secret"), []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	target, err := device.Running.Find(looptest.Mount(t, 32<<20, "").Dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	id, body := fresh(t)
	var doc result.Document
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Token, err = (spool.Site{URL: one.URL}).RunToken(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	plan := measure.Quick(1 << 30)
	plan.AreaBytes, plan.Look, plan.RandRead = 4<<20, 0, result.ReferenceRule
	run := measure.Run{Kernel: device.Running, Target: target, Plan: plan, Token: doc.Token}
	if doc.Tests, _, err = run.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	path, _, err := kept.Save(&doc)
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[*bench]string{other: "valid", elsewhere: "foreign"} {
		receipt, err := kept.Upload(t.Context(), spool.Site{URL: site.URL}, path)
		if err != nil || receipt.TokenFault != submission.TokenFaults[want] {
			t.Errorf("%q, %v; want %s", receipt.TokenFault, err, want)
		}
		if stored := site.get("/v1/results/" + id).body; !bytes.Contains(stored, []byte(`"token":"`+want+`"`)) {
			t.Errorf("%.400s; want %s", stored, want)
		}
	}
}
