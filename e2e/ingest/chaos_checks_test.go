package ingest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/publish"

	"github.com/jackc/pgx/v5"
)

// settle lets people finish what they began, and waits until the site and the data set show it.
func (c *city) settle() {
	t := c.t
	c.postgres.Lock()
	c.revive()
	c.postgres.Unlock()
	for _, s := range c.servers {
		s.ready(t)
	}
	for _, p := range c.everybody() {
		eventually(t, "a client has nothing left to do", func() bool {
			pending, err := p.spool.Pending()
			if err != nil {
				t.Error(err)
			}
			waits := len(pending) > 0
			kept := p.kept()
			asked := slices.DeleteFunc(slices.Clone(kept), func(id string) bool { return !c.ledger.asked(id) })
			if len(asked) > 1 && len(asked) == len(kept) { // for people who left
				asked = []string{doesDeleteAll}
			}
			for _, what := range asked {
				waits = true
				if exitCode, said := p.act(t, what); exitCode == exitRefused {
					t.Errorf("of what was confirmed, this can't be deleted: %s: %s", what, said)
					return true
				}
			}
			if exitCode, said := p.act(t, doesUpload); exitCode == exitRefused && !strings.Contains(said, "(410)") {
				t.Errorf("a client can't go on: %s", said)
				return true
			}
			return !waits
		})
	}
	t.Log("every client is done")
	eventually(t, "the site shows every upload", func() bool {
		generation, _, _ := publish.CurrentGeneration(c.publications())
		folded, err := query[int64](t.Context(), c.pair.url, "select folded from publication")
		waiting, errWaiting := query[int](t.Context(), c.pair.url, "select count(*) from outbox")
		return errors.Join(err, errWaiting) == nil && generation == folded && waiting == 0
	})
	t.Log("the site is up to date")
	eventually(t, "the data set shows every upload", func() bool {
		folded, err := query[int64](t.Context(), c.pair.url, "select folded from publication")
		return err == nil && c.snapshots().Latest.Generation == folded
	})
	t.Log("the data set is up to date")
}

func (c *city) shared() string       { return filepath.Join(c.disks["data"], "shared") }
func (c *city) publications() string { return filepath.Join(c.shared(), "site") }

// dataset returns the folder that the server serves as /data/.
func (c *city) dataset() string { return filepath.Join(c.shared(), "dataset", dataset.Served) }

// snapshots reads the list of the data set's snapshots.
func (c *city) snapshots() (index struct{ Latest struct{ Generation int64 } }) {
	text, _ := os.ReadFile(filepath.Join(c.dataset(), "snapshots.json"))
	_ = json.Unmarshal(text, &index) // else it is not there yet
	return index
}

// check checks whether every promise was kept.
func (c *city) check() {
	for _, check := range []struct {
		promise string
		holds   func()
	}{
		{"nothing that was acknowledged is missing, changed or doubled", c.checkStored},
		{"each secret manages its results, and nobody else's", c.checkSecrets},
		{"decisions stay", c.checkVerdicts},
		{"nothing deleted is in the API, the site or a file of the data set", c.checkDeleted},
		{"the current publication is whole", c.checkPublication},
		{"no two publishers had the same fence", c.checkFences},
		{"the only fault of a server is a 503 that says when to come again", c.checkAnswers},
		{"the figures are those of all results", c.checkFigures},
		{"everything happened that this test is about", c.checkCounts},
	} {
		begin := time.Now()
		check.holds()
		c.t.Logf("looked whether %s (%v)", check.promise, time.Since(begin).Round(time.Millisecond))
	}
}

// kept returns the files of all results that were confirmed and not deleted, and who owns each.
func (c *city) kept() (results map[string][]byte, of map[string]*person) {
	results, of = map[string][]byte{}, map[string]*person{}
	for _, p := range c.everybody() {
		for _, id := range p.kept() {
			text, err := os.ReadFile(p.spool.Find(id))
			if err != nil {
				c.t.Error(err)
			}
			results[id], of[id] = text, p
		}
	}
	return results, of
}

func (c *city) checkStored() {
	kept, _ := c.kept()
	deleted := c.deleted()
	conn, err := pgx.Connect(c.t.Context(), c.pair.url)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(c.t.Context())
	rows, _ := conn.Query(c.t.Context(), `
		select id::text, document, (select count(*) from measurement where submission_id = s.id), state,
			exists (select from module m left join module_alias a on a.into_slug = m.slug
				where s.module_slug in (m.slug, a.from_slug))
		from submission s`)
	stored := map[string]bool{}
	var id, state string
	var document []byte
	var tests int
	var module bool
	if _, err := pgx.ForEachRow(rows, []any{&id, &document, &tests, &state, &module}, func() error {
		stored[id] = true
		text, is := kept[id]
		switch {
		case is && (!bytes.Equal(document, text) || tests != 4 || !module):
			c.t.Errorf("%s (%s) has %d bytes, %d tests, a module: %v; the file has %d bytes", id, state, len(document), tests,
				module, len(text))
		case !is && (!deleted[id] || state != "deleted" || len(document) != 0 || tests != 0):
			c.t.Errorf("%s is there as %s with %d bytes and %d tests; deleted: %v", id, state, len(document), tests, deleted[id])
		}
		return nil
	}); err != nil {
		c.t.Fatal(err)
	}
	for id := range kept {
		if !stored[id] {
			c.t.Errorf("%s was confirmed, and is missing", id)
		}
	}
	c.t.Logf("%d results are there, %d were deleted", len(kept), len(deleted))
}

func (c *city) checkSecrets() {
	for _, p := range c.everybody() {
		want := p.kept()
		if len(want) == 0 {
			continue
		}
		// As the client does, find out first which secret is in force.
		if exitCode, said := p.act(c.t, doesUpload); exitCode != 0 {
			c.t.Errorf("sender %d: %s", p.number, said)
		}
		if _, err := os.Stat(filepath.Join(p.spool.Dir, "secret.next")); err == nil {
			p.act(c.t, doesRotate)
		}
		secret, err := p.spool.Secret()
		if err != nil {
			c.t.Error(err)
			continue
		}
		var got []string
		for after := ""; ; {
			request, _ := http.NewRequest(http.MethodGet, p.site+"/v1/contributor/results?limit=100&after="+after, nil)
			request.Header.Set("Authorization", "Bearer "+hex.EncodeToString(secret))
			if after == "" {
				request.URL.RawQuery = "limit=100"
			}
			answer, err := patient.Do(request)
			if err != nil {
				c.t.Error(err)
				break
			}
			var page struct {
				Results []struct{ ID string }
				After   string
			}
			err = json.NewDecoder(answer.Body).Decode(&page)
			answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK {
				c.t.Errorf("sender %d has %d results, and their secret is answered with %d, %v", p.number, len(want),
					answer.StatusCode, err)
				break
			}
			for _, result := range page.Results {
				got = append(got, result.ID)
			}
			if after = page.After; after == "" {
				break
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			c.t.Errorf("sender %d manages %d results, and uploaded %d", p.number, len(got), len(want))
		}
	}
}

func (c *city) checkVerdicts() {
	states := map[string]string{"reject": "rejected", "accept": "accepted"}
	for id, verdict := range c.ledger.verdicts {
		state, err := query[string](c.t.Context(), c.pair.url, "select state from submission where id = $1", id)
		if err != nil || state != states[verdict] && !(state == "deleted" && c.ledger.asked(id)) {
			c.t.Errorf("%s was decided to %s, and is %s, %v", id, verdict, state, err)
		}
	}
	for from, into := range c.ledger.merges { // into may have been merged in turn
		one, err := query[bool](c.t.Context(), c.pair.url, `
			select exists (select from module_name f join module_name i using (module_slug)
				where f.slug = $1 and i.slug = $2)`, from, into)
		if err != nil || !one {
			c.t.Errorf("%s was merged into %s, and is another module, %v", from, into, err)
		}
	}
}

var reLoc = regexp.MustCompile(`<loc>https?://[^/<]*([^<]*)</loc>`)

// checkPublication reads every page that the sitemap lists.
func (c *city) checkPublication() {
	current := publish.Current(c.publications())
	sitemap, err := os.ReadFile(filepath.Join(current, "sitemap.xml"))
	if err != nil {
		c.t.Error(err)
	}
	pages := reLoc.FindAllSubmatch(sitemap, -1)
	if len(pages) < 10 {
		c.t.Errorf("the sitemap lists %d pages", len(pages))
	}
	for _, page := range pages {
		path := html.UnescapeString(string(page[1]))
		if strings.HasPrefix(path, "/data/") {
			continue // the server answers it
		}
		if _, err := os.Stat(filepath.Join(current, path, "index.html")); err != nil {
			if _, err := os.Stat(filepath.Join(current, path)); err != nil {
				c.t.Errorf("a page that the sitemap lists is missing: %v", err)
			}
		}
	}
	c.t.Logf("%d pages are there", len(pages))
}

// checkFences compares the publications of both workers. If the clock was stepped, their order isn't known, so it
// compares only the holders of fences.
func (c *city) checkFences() {
	owner := map[int64]int{}
	for _, made := range published(c.t, c.workers) {
		if before, known := owner[made.Fence]; known && before != made.process {
			c.t.Errorf("two publishers had the lease with the fence %d", made.Fence)
		}
		owner[made.Fence] = made.process
	}
	c.t.Logf("%d holders of the lease published", len(owner))
}

func (c *city) checkAnswers() {
	for what, n := range c.balancer.wrong {
		c.t.Errorf("%d times %s", n, what)
	}
	c.t.Logf("answers by status: %v", c.balancer.statuses)
	for _, process := range slices.Concat(c.servers, c.workers) {
		output, err := os.ReadFile(filepath.Join(process.dir, "output.log"))
		if err != nil {
			c.t.Error(err)
		}
		if i := bytes.Index(output, []byte("panic: ")); i >= 0 {
			c.t.Errorf("a process panicked: %s", output[i:min(i+2000, len(output))])
		}
	}
	if c.balancer.statuses[http.StatusCreated] == 0 {
		c.t.Error("nothing was uploaded: the test tests nothing")
	}
}

// checkCounts prints what happened. A run that is long enough must have seen every kind of event.
func (c *city) checkCounts() {
	var publications, snapshots, killed int
	for _, w := range c.workers {
		log, err := os.ReadFile(filepath.Join(w.dir, "api.log"))
		if err != nil {
			c.t.Error(err)
		}
		publications += bytes.Count(log, []byte(`"msg":"published"`))
		snapshots += bytes.Count(log, []byte(`"msg":"wrote the data set"`))
	}
	for _, p := range c.everybody() {
		killed += int(p.killed.Load())
	}
	seen := func(what string, happened, tried int) {
		c.t.Logf("%6d of %6d: %s", happened, tried, what)
		if happened == 0 && *chaos >= wholeRun {
			c.t.Errorf("in %v this never happened: %s", *chaos, what)
		}
	}
	seen("publish", publications, publications)
	seen("write the data set", snapshots, snapshots)
	seen("a client's process ends by a signal", killed, killed)
	for _, status := range []int{201, 204, 408, 410, 429, 503} {
		seen(fmt.Sprint("an answer with the status ", status), c.balancer.statuses[status], c.balancer.statuses[status])
	}
	kinds := []string{rejects, accepts, merges}
	for _, a := range actions {
		kinds = append(kinds, a.what)
	}
	for _, f := range faults {
		kinds = append(kinds, f.what)
	}
	for _, what := range kinds {
		seen(what, c.ledger.happened[what], c.ledger.tried[what])
	}
}

// checkFigures makes a worker compute all figures again from the results, and compares them.
func (c *city) checkFigures() {
	figures := func() map[string]string {
		all, err := query[map[string]string](c.t.Context(), c.pair.url, `
			select coalesce(json_object_agg(key, value), '{}') from (
				select 'unit ' || module_slug || encode(contributor, 'hex') || method || tag || host_class || variant as key,
					u::text as value from unit u
				union all
				select 'summary ' || module_slug || method || host_class || variant, s::text from module_summary s) f`)
		if err != nil {
			c.t.Fatal(err)
		}
		return all
	}
	folded := figures()
	execute(c.t, c.pair.url, "update publication set unit_version = 0, summary_version = 0")
	eventually(c.t, "all figures are computed again", func() bool {
		again, err := query[bool](c.t.Context(), c.pair.url,
			"select unit_version > 0 and summary_version > 0 from publication")
		return err == nil && again
	})
	computed := figures()
	for key := range maps.Keys(computed) {
		if folded[key] != computed[key] {
			c.t.Errorf("%s\nwas    %s\nand is %s", key, folded[key], computed[key])
		}
	}
	if len(folded) != len(computed) || len(folded) == 0 {
		c.t.Errorf("%d figures were there, %d are when computed again", len(folded), len(computed))
	}
	c.t.Logf("%d figures are the same when computed again", len(folded))
}
