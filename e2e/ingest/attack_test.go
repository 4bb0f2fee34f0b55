package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/submission/token"
	"flashdex/result"
)

// target is a real server with its default daily limits, and people who attack it.
type target struct {
	*testing.T
	*server
	url      string        // of the server's database
	operator *http.Client  // who is signed in
	key      token.Key     // of the server
	people   *atomic.Int64 // who have a secret
}

func newTarget(t *testing.T) *target {
	t.Helper()
	notAtMidnight()
	s := startServer(t, t.TempDir(), "--trusted-proxies=127.0.0.0/8,::1/128", "--public-url=http://localhost",
		"--daily-modules=80", "--daily-contributors=200", "--daily-megabytes=64")
	a := &target{T: t, server: s, url: s.database(t), people: new(atomic.Int64)}
	copy(a.key[:], value[[]byte](t, a.url, "select key from token_key order by made_at desc limit 1"))
	jar, _ := cookiejar.New(nil) // never fails
	a.operator = &http.Client{Jar: jar}
	a.operate("sign-in", "token", strings.TrimSpace(run(t, "operator", "add", "carol", "--database-url", a.url)))
	return a
}

// notAtMidnight waits if a day, UTC, is about to begin or has just begun. The key of the networks' labels changes then,
// and wait moves results that were received minutes ago to the day before.
func notAtMidnight() {
	const margin = 10 * time.Minute
	time.Sleep(time.Until(time.Now().Add(margin).UTC().Truncate(24 * time.Hour).Add(margin)))
}

// attacker is somebody with any number of secrets and addresses.
type attacker struct {
	*target
	requests           int
	answers            map[int]int // by status
	secrets, addresses map[string]bool
	waited             time.Duration
	sent               []string // ids of the results that were stored
}

func (a *target) attacker() *attacker {
	return &attacker{target: a, answers: map[int]int{}, secrets: map[string]bool{}, addresses: map[string]bool{}}
}

// secret returns another secret. It costs nothing.
func (a *target) secret() string {
	return secretOf(int(a.people.Add(1)))
}

// stored is the server's answer about a result.
type stored struct {
	ID, State, Rule, Token string
	NotRanked              []string `json:"not_ranked"`
	Module                 struct{ Slug string }
	Type                   string // of a problem
}

func (s stored) counts() bool { return s.State == "accepted" && len(s.NotRanked) == 0 }

// request sends a request from an address, through the proxy in front of the server.
func (f *attacker) request(method, path, address, secret string, body []byte) (status int, answer []byte) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), method, f.site+path, bytes.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", address)
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
		f.secrets[secret] = true
	}
	f.requests++
	f.addresses[address] = true
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		f.Fatal(err)
	}
	defer a.Body.Close()
	answer, err = io.ReadAll(a.Body)
	if err != nil {
		f.Fatal(err)
	}
	return a.StatusCode, answer
}

// upload uploads a document.
func (f *attacker) upload(address, secret string, doc *result.Document) (status int, of stored) {
	f.Helper()
	body, err := json.Marshal(doc)
	if err != nil {
		f.Fatal(err)
	}
	status, answer := f.request(http.MethodPut, "/v1/results/"+doc.ID, address, secret, body)
	f.answers[status]++
	if err := json.Unmarshal(answer, &of); err != nil {
		f.Fatalf("%d %s", status, answer)
	}
	if status == http.StatusCreated {
		f.sent = append(f.sent, doc.ID)
	}
	return status, of
}

// token asks for a run token, and returns the one that the server would have given out that long ago.
func (f *attacker) token(address, id string, ago time.Duration) string {
	f.Helper()
	if status, answer := f.request(http.MethodPost, "/v1/tokens", address, "", []byte(`{"id":"`+id+`"}`)); status !=
		http.StatusOK {
		f.Fatalf("%d %s", status, answer)
	}
	return token.New(f.key, id, time.Now().Add(-ago))
}

// timed gives a document a token that was given out as long ago as the document's samples claim.
func (f *attacker) timed(address string, doc *result.Document) *result.Document {
	doc.Token = f.token(address, doc.ID, took(doc))
	ordered(doc)
	return doc
}

// wait lets time pass: everything stored becomes that much older. The database then looks as it would by then, and each
// fold sees it so. After a night, the server labels networks under another key.
func (a *target) wait(d time.Duration) {
	a.Helper()
	const earlier = `
		update submission set received_at = received_at - $1::interval, begun_at = begun_at - $1::interval,
			ended_at = ended_at - $1::interval%s;`
	night := ""
	if d >= 24*time.Hour {
		night = `, network = case network when '' then '' else
			substr(sha256(substr(network, 1, 4)), 1, 4) || substr(sha256(network), 1, 16) end`
	}
	execute(a, a.url, fmt.Sprintf(earlier, night), d)
	execute(a, a.url, `update submission_network set at = at - $1::interval`, d)
	if night != "" {
		execute(a, a.url, `update submission_network set networks = array(select substr(sha256(n), 1, 16) from
			unnest(networks) with ordinality as t (n, i) order by i)`)
	}
	execute(a, a.url, `update contributor set first_seen = first_seen - $1::interval,
		confirmed_at = confirmed_at - $1::interval`, d)
	execute(a, a.url, `insert into outbox (submission_id, id, created_at) select id, gen_random_uuid(), now() from submission`)
}

// result returns the server's current answer about a result.
func (a *target) result(id string) (of stored) {
	a.Helper()
	a.read("/v1/results/"+id, &of)
	return of
}

func (a *target) read(path string, to any) {
	a.Helper()
	answer, err := http.Get(a.site + path)
	if err != nil {
		a.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(to); err != nil {
		a.Fatalf("%s: %v", path, err)
	}
}

// standing is a module's place in the ranking.
type standing struct {
	Rank, Contributors, Independent int
	RankTo                          int    `json:"rank_to"`
	RankNote                        string `json:"rank_note"`
	Figures                         struct {
		Writes struct {
			Value, Low, High float64
			Contributors     int
		} `json:"rand_write_iops"`
	}
}

func (s standing) String() string {
	w := s.Figures.Writes
	if s.Rank == 0 {
		return fmt.Sprintf("no rank, %.0f IOPS (%.0f to %.0f) of %d contributors", w.Value, w.Low, w.High, w.Contributors)
	}
	return fmt.Sprintf("rank %d to %d, %.0f IOPS (%.0f to %.0f) of %d contributors", s.Rank, s.RankTo, w.Value, w.Low,
		w.High, w.Contributors)
}

// standing returns a module's place once all uploads are folded.
func (a *target) standing(slug string) (of standing) {
	a.Helper()
	var module struct {
		Methods []struct {
			Method string
			standing
		}
	}
	eventually(a, "the ranking has every upload", func() bool {
		waiting, err := query[int](a.Context(), a.url, "select count(*) from outbox")
		folded, errFolded := query[int64](a.Context(), a.url, "select folded from publication")
		if errors.Join(err, errFolded) != nil || waiting > 0 {
			return false
		}
		var all struct{ Generation int64 }
		a.read("/v1/modules?limit=1", &all)
		return all.Generation == folded
	})
	a.read("/v1/modules/"+slug, &module)
	for _, m := range module.Methods {
		if m.Method == result.MethodFlashdex1 {
			return m.standing
		}
	}
	return standing{}
}

// states counts results by their state, and the results that count.
func (a *target) states(ids []string) (n map[string]int) {
	n = map[string]int{}
	for _, id := range ids {
		of := a.result(id)
		n[cmp.Or(of.Rule, of.State)]++
		if of.counts() {
			n["counts"]++
		}
	}
	return n
}

// operate sends a form of the operators' pages. Without fields, it reads one of these pages.
func (a *target) operate(page string, fields ...string) (text string) {
	a.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	answer, err := a.operator.Get(a.site + "/operate/" + page)
	if len(form) > 0 {
		answer, err = a.operator.PostForm(a.site+"/operate/"+page, form)
	}
	if err != nil {
		a.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		a.Fatalf("%s: %d, %v\n%s", page, answer.StatusCode, err, body)
	}
	return string(body)
}

var (
	reGroup     = regexp.MustCompile(`(?s)<h2>(\d+) contributors who ([^<]+)</h2>.*?name="id" value="([^"]*)"`)
	reConfirmed = regexp.MustCompile(`name="(decision|confirmed|until)" value="([^"]*)"`)
)

// largestGroup returns the group of similar contributors that holds the most of the results, in words, and the group's
// results.
func (a *target) largestGroup(of []string) (words string, ids []string) {
	a.Helper()
	most := 0
	for _, g := range reGroup.FindAllStringSubmatch(a.operate("groups"), -1) {
		theirs := strings.Fields(g[3])
		n := 0
		for _, id := range theirs {
			if slices.Contains(of, id) {
				n++
			}
		}
		if n > most || n == most && len(theirs) < len(ids) {
			most, ids, words = n, theirs, fmt.Sprintf("%s contributors who %s: %d results, %d of them theirs", g[1], g[2],
				len(theirs), n)
		}
	}
	return words, ids
}

// reject rejects the results that a condition picks, in one decision. The server shows the decision first.
func (a *target) reject(by, picked string) {
	a.Helper()
	about := []string{"verdict", "rejected", "reason", "Made up.", by, picked}
	for _, field := range reConfirmed.FindAllStringSubmatch(a.operate("decide", about...), -1) {
		about = append(about, field[1], field[2])
	}
	a.operate("decide", about...)
}

// cost says what the attack cost.
func (f *attacker) cost() string {
	var answers []string
	for _, status := range slices.Sorted(maps.Keys(f.answers)) {
		answers = append(answers, strconv.Itoa(f.answers[status])+" × "+strconv.Itoa(status))
	}
	return fmt.Sprintf("%d requests, %d secrets, %d addresses, at least %v; uploads answered %s", f.requests,
		len(f.secrets), len(f.addresses), f.waited.Round(time.Second), strings.Join(answers, ", "))
}
