package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/result"
)

var (
	demoSite   = flag.String("demo", "", "send the uploads of the fixture to the server at this address")
	demoFolder = flag.String("demo-folder", "", "that server's data folder")
)

// TestFillDemo fills the server of make demo. All contributors in the fixture upload what they measured, as their
// clients would. Then they are spread over days, because independent contributors must have measured a module before it
// is ranked.
func TestFillDemo(t *testing.T) {
	t.Parallel()
	if *demoSite == "" {
		t.Skip("make demo names the server")
	}
	_, results := fixture(t)
	await(t, "the server answers", func() bool {
		answer, err := http.Get(*demoSite + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	database := "postgres:///flashdex?user=flashdex&host=" +
		url.QueryEscape(filepath.Join(*demoFolder, "postgres", "socket"))
	db, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()

	d := demo{t: t, people: map[string]int{}}
	d.upload(results)
	d.uploadForOperators()
	clustertest.Spread(t, database)
	await(t, "the pages show all of it", func() bool {
		waiting, _, err := db.Waiting(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		generation, err := db.Generation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		shown, _, _ := CurrentGeneration(filepath.Join(*demoFolder, "site"))
		return waiting == 0 && shown >= generation
	})
}

// await fails the test after five minutes: a slow machine makes its first site in one or two.
func await(t *testing.T, what string, true func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for !true() {
		select {
		case <-ctx.Done():
			t.Fatalf("after five minutes still not: %s", what)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// demo sends uploads to the server of make demo.
type demo struct {
	t      *testing.T
	people map[string]int // number of each person who sent something
}

// upload sends the fixture's results. A result may get to another module than in the fixture: the fixture says which
// module it is, but the server only has its registers and what was typed.
func (d demo) upload(results uploads) {
	d.t.Helper()
	results[hostileModule.Slug] = hostileUploads(d.t, 2) // the second lists the module
	sent, elsewhere := 0, 0
	for _, slug := range slices.Sorted(maps.Keys(results)) {
		for _, up := range results[slug] {
			sent++
			if got := d.send(up.document, fmt.Sprint(slug, " ", up.contributor)); got != slug {
				elsewhere++
				d.t.Logf("%s of %s is a result of %s", up.ID, slug, got)
			}
		}
	}
	d.t.Logf("%d results, %d of them of other modules than in the fixture", sent, elsewhere)
	if elsewhere*10 > sent {
		d.t.Errorf("%d of %d results are of other modules than in the fixture", elsewhere, sent)
	}
}

// uploadForOperators sends things that operators decide about: a run in an overclocked slot, which is held back, a name
// that fits several modules, and an objection.
func (d demo) uploadForOperators() {
	d.t.Helper()
	module, _ := load(d.t).Module(specimens[0].slug)
	overclocked := computers["pi-4"]
	overclocked.mbPerS = 70
	held := specimens[0].document(module, overclocked, 102, 30, 0)
	d.send(held, "who overclocks")
	ambiguous := catalogue.Module{Vendor: "SanDisk", Product: "SDSQXA2-064G-GN6MA Extreme", CapacityGB: 64,
		Form: "microsd"}
	d.send(specimens[4].document(ambiguous, computers["pc"], 103, 0, 0), "who reads two names")
	answer, err := http.PostForm(*demoSite+"/object/", url.Values{"result": {held.ID}, "kind": {"wrong-module"},
		"words": {"The photo in the forum shows another card."}})
	d.answered(answer, err, nil)
}

// send uploads a document for a person with a secret and an address of their own. It returns the slug of the module
// that the server found. Sending a document again changes nothing.
func (d demo) send(document *result.Document, who string) (slug string) {
	d.t.Helper()
	body, err := json.Marshal(document)
	if err != nil {
		d.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(d.t.Context(), http.MethodPut, *demoSite+"/v1/results/"+document.ID,
		bytes.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	n, known := d.people[who]
	if !known {
		n = len(d.people)
		d.people[who] = n
	}
	networks := []string{"192.0.2", "198.51.100", "203.0.113"} // for documentation, RFC 5737
	secret := sha256.Sum256([]byte("made up: " + who))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+hex.EncodeToString(secret[:]))
	request.Header.Set("X-Forwarded-For", fmt.Sprint(networks[n%len(networks)], ".", 1+n/len(networks)))
	answer, err := http.DefaultClient.Do(request)
	var receipt struct {
		State  string
		Reason string
		Module struct{ Slug string }
	}
	d.answered(answer, err, &receipt)
	if receipt.State != "accepted" {
		d.t.Logf("%s of %s is %s: %s", document.ID, who, receipt.State, receipt.Reason)
	}
	return receipt.Module.Slug
}

// answered reads an answer, and fails the test if it is a refusal.
func (d demo) answered(answer *http.Response, err error, into any) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil || answer.StatusCode >= 300 {
		d.t.Fatalf("%s %s: %s, %v\n%s", answer.Request.Method, answer.Request.URL, answer.Status, err,
			strings.TrimSpace(string(text)))
	}
}
