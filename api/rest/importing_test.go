package rest_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/rest"
	"flashdex/api/submission"
	"flashdex/client/transcript"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

var (
	reHidden = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)">`)
	reKept   = regexp.MustCompile(`href="/r/([0-9a-f-]{36})"`)
)

func outputOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../client/transcript/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The form shows what it understood, and stores nothing before that. Then it stores what the client would.
func TestAPastedOutputIsShownFirstAndThenKeptAsTheClientWould(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Version = "9.8.7" })
	anybody := &visitor{bench: b}
	form := anybody.visit("/import/", nil)
	if form.status != http.StatusOK || !strings.Contains(string(form.body), "Show what is understood") {
		t.Fatalf("%d %s", form.status, form.body)
	}
	for _, one := range result.Forms {
		if !strings.Contains(string(form.body), `<option value="`+one+`">`) {
			t.Errorf("it doesn't offer the form %s", one)
		}
	}
	text := outputOf(t, "session.txt")
	sent := url.Values{"text": {strings.ReplaceAll(text, "\n", "\r\n")}, "keep": {"yes"}} // as browsers send it
	first := anybody.visit("/import/", sent)
	page := string(first.body)
	for _, part := range []string{
		"1,310 IOPS", "108", "cached reads come from the computer", "say above which module it is",
	} {
		if first.status != http.StatusOK || !strings.Contains(page, part) {
			t.Errorf("%d, the page lacks %q", first.status, part)
		}
	}
	if strings.Contains(page, `name="keep"`) {
		t.Error("it offers to keep results of no module")
	}
	of := map[string]string{"vendor": "SanDisk", "product": "Ultra", "capacity": "32", "form": "microsd"}
	for name, value := range of {
		sent.Set(name, value)
	}
	page = string(anybody.visit("/import/", sent).body) // somebody pressed "keep" although nothing was shown
	if reKept.MatchString(page) || !strings.Contains(page, "Keep these 7 results") {
		t.Fatalf("kept, or not offered: %s", page)
	}
	for _, hidden := range reHidden.FindAllStringSubmatch(page, -1) {
		sent.Set(hidden[1], hidden[2])
	}
	changed := url.Values{}
	for name, values := range sent {
		changed[name] = values
	}
	changed.Set("text", strings.Replace(text, "5236", "9236", 1))
	if page := string(anybody.visit("/import/", changed).body); reKept.MatchString(page) {
		t.Error("another text than the shown one was kept")
	}
	answer := string(anybody.visit("/import/", sent).body)
	kept := reKept.FindAllStringSubmatch(answer, -1)
	again := reKept.FindAllStringSubmatch(string(anybody.visit("/import/", sent).body), -1)
	if len(kept) != 7 || gocmp.Diff(kept, again) != "" {
		t.Fatalf("kept %v, and the same form again %v", kept, again)
	}
	if !strings.Contains(html.UnescapeString(answer), "' "+b.URL+"/v1/results/"+kept[0][1]+"<") {
		t.Errorf("no command that deletes the first:\n%s", answer)
	}
	const plain = "sandisk-ultra-32gb-microsd"
	command := regexp.MustCompile("curl -X PUT [^<]+").FindString(html.UnescapeString(answer))
	named, err := exec.Command("sh", "-c", strings.Replace(command, "MODULE", plain, 1)).Output()
	if err != nil || !strings.Contains(string(named), `"`+plain+`"`) {
		t.Errorf("%q says which module the first is of: %s, %v", command, named, err)
	}
	read, err := transcript.Read(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range kept {
		var answer struct{ Document result.Document }
		if err := json.Unmarshal(b.get("/v1/results/"+one[1]).body, &answer); err != nil {
			t.Fatal(err)
		}
		want := answer.Document
		read.Outputs[i].Fill(&want)
		if diff := gocmp.Diff(want, answer.Document); diff != "" || want.Module.CapacityGB != 32 ||
			want.Client.Version != "9.8.7" {
			t.Errorf("result %d, of version %s (-client +form):\n%s", i, want.Client.Version, diff)
		}
	}
}

// The form asks for missing facts and says what is wrong. Nothing in the text becomes HTML.
func TestAPastedOutputIsDataAndWhatItLacksIsAsked(t *testing.T) {
	t.Parallel()
	b := start(t)
	anybody := &visitor{bench: b}
	bare := url.Values{"text": {outputOf(t, "dd-bare.txt")}, "vendor": {"SanDisk"}, "product": {"Ultra"},
		"capacity": {"32 GB"}, "form": {"sd"}}
	page := string(anybody.visit("/import/", bare).body)
	if !strings.Contains(page, `<select id="direct"`) || !strings.Contains(page, `<select id="test"`) ||
		strings.Contains(page, `name="keep"`) {
		t.Errorf("it doesn't ask: %s", page)
	}
	bare.Set("direct", "yes")
	bare.Set("test", "seq-write")
	bare.Set("sync", "none")
	if page = string(anybody.visit("/import/", bare).body); !strings.Contains(page, "Keep this result") {
		t.Errorf("with all answers: %s", page)
	}
	bare.Set("direct", "unknown") // which holds back only this output
	bare.Set("text", outputOf(t, "dd-bare.txt")+outputOf(t, "hdparm-direct.txt"))
	page = string(anybody.visit("/import/", bare).body)
	for _, part := range []string{`<option value="unknown" selected>I don’t know</option>`, "Keep this result",
		"dd: nobody knows this of it: direct", "<h3>hdparm"} {
		if !strings.Contains(page, part) {
			t.Errorf("with an output of which nobody knows all, the page lacks %q: %s", part, page)
		}
	}
	bare.Set("direct", "perhaps")
	if a := anybody.visit("/import/", bare); a.status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong answer: %d", a.status)
	}
	for _, capacity := range []string{"-3", "thirty", "2000000", "NaN"} {
		bare.Set("capacity", capacity)
		a := anybody.visit("/import/", bare)
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), "is no number of GB") ||
			strings.Contains(string(a.body), `name="keep"`) || !strings.Contains(string(a.body), `value="SanDisk"`) {
			t.Errorf("with a capacity of %s: %d %s", capacity, a.status, a.body)
		}
	}
	hostile := url.Values{"text": {"</textarea><script>alert(1)</script> 5 MB/s"}, "vendor": {`"><img src=x>`}}
	a := anybody.visit("/import/", hostile)
	if page = string(a.body); a.status != http.StatusUnprocessableEntity || strings.Contains(page, "<script>alert") ||
		strings.Contains(page, "<img") || !strings.Contains(page, "belongs to no output") {
		t.Errorf("%d %s", a.status, page)
	}
	many := url.Values{"text": {strings.Repeat(outputOf(t, "iozone-subset.txt"), 60)}}
	if page = string(anybody.visit("/import/", many).body); !strings.Contains(page, "60 results, and the form takes 50") {
		t.Errorf("60 results at once: %.300s", page)
	}
	lines := url.Values{"text": {outputOf(t, "hdparm-direct.txt") + strings.Repeat("5 MB/s\n", 600)}}
	if page = string(anybody.visit("/import/", lines).body); !strings.Contains(page, "100 more lines") {
		t.Error("600 lines that belong to nothing are not all counted")
	}
	other := b.request(http.MethodPost, "/import/", strings.NewReader("text=x"))
	other.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	other.Header.Set("Sec-Fetch-Site", "cross-site")
	if a := b.do(other); a.status != http.StatusForbidden {
		t.Errorf("from a page of another site: %d", a.status)
	}
}

// If a later result fails, the answer still shows the earlier ones and the secret that deletes them, even when the form
// is sent again.
func TestWhatAFormStoredIsShownThoughTheRestFails(t *testing.T) {
	t.Parallel()
	var away *leaving
	for _, c := range []struct {
		name, why string
		status    int
		change    func(*rest.Config)
	}{
		// A result has about 4.6 kB.
		{"a limit", "as much data", http.StatusTooManyRequests, func(c *rest.Config) { c.Limits.Daily.Bytes = 6000 }},
		{"no database", "can&#39;t be reached", http.StatusServiceUnavailable, func(c *rest.Config) {
			away = &leaving{Store: c.Store}
			c.Store = away
		}},
	} {
		anybody := &visitor{bench: start(t, c.change)}
		sent := url.Values{"text": {strings.Repeat(outputOf(t, "iozone-subset.txt"), 3)}, "vendor": {"SanDisk"},
			"product": {"Ultra"}, "capacity": {"32"}, "form": {"microsd"}, "keep": {"yes"}}
		for _, hidden := range reHidden.FindAllStringSubmatch(string(anybody.visit("/import/", sent).body), -1) {
			sent.Set(hidden[1], hidden[2])
		}
		shows := func(status, notKept int) {
			t.Helper()
			a := anybody.visit("/import/", sent)
			page, kept := string(a.body), reKept.FindAllStringSubmatch(string(a.body), -1)
			if a.status != status || len(kept) != 3-notKept || strings.Count(page, c.why) != notKept ||
				!strings.Contains(page, "<code>"+sent.Get("key")+"</code>") {
				t.Fatalf("%s: %d, not %d of 3 kept: %s", c.name, a.status, 3-notKept, page)
			}
			for _, one := range kept {
				anybody.get("/v1/results/"+one[1]).json(t, http.StatusOK)
			}
		}
		shows(c.status, 2)
		if away == nil {
			shows(c.status, 2)
			continue
		}
		if away.adds != 2 {
			t.Errorf("a database that is away was asked for %d results", away.adds)
		}
		away.adds = -3 // it is back
		shows(http.StatusOK, 0)
	}
}

// leaving is a database that stores one result.
type leaving struct {
	rest.Store
	adds int
}

func (l *leaving) AddSubmission(ctx context.Context, from [32]byte, doc *result.Document, body []byte,
	module catalogue.Module, verdict submission.Decision, origin submission.Origin) (submission.Added, error) {
	if l.adds++; l.adds > 1 {
		return submission.Added{}, problem.New(problem.Unavailable, "The database can't be reached.")
	}
	return l.Store.AddSubmission(ctx, from, doc, body, module, verdict, origin)
}
