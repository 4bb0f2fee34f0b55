package publish

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	gocmp "github.com/google/go-cmp/cmp"
)

// readFeed is a feed as a reader sees it.
type readFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Entries []readEntry `xml:"entry"`
}

type readEntry struct {
	Title   string `xml:"title"`
	ID      string `xml:"id"`
	Updated string `xml:"updated"`
	Link    struct {
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Summary string `xml:"summary"`
}

const feedSite = "https://flashdex.example"

// feedsOf writes the feeds of a database, and returns them by path, and their bytes.
func feedsOf(t *testing.T, snapshot *figure.Overview, results uploads) (map[string]readFeed, map[string]string) {
	t.Helper()
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	s.siteURL = feedSite
	if err := s.writeFeeds(t.Context()); err != nil {
		t.Fatal(err)
	}
	feeds, texts := map[string]readFeed{}, map[string]string{}
	for _, path := range feedPaths {
		text := read(t, s.destination, path)
		var feed readFeed
		if err := xml.Unmarshal([]byte(text), &feed); err != nil {
			t.Fatalf("%s: %v\n%s", path, err, text)
		}
		feeds[path], texts[path] = feed, text
	}
	return feeds, texts
}

func (f readFeed) entry(ending string) (readEntry, bool) {
	at := slices.IndexFunc(f.Entries, func(e readEntry) bool { return strings.HasSuffix(e.ID, ending) })
	if at < 0 {
		return readEntry{}, false
	}
	return f.Entries[at], true
}

func TestFeedsOfTheFixture(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	feeds, texts := feedsOf(t, snapshot, results)
	ids := map[string]bool{}
	for path, feed := range feeds {
		if feed.ID != feedSite+path || feed.Author == "" || feed.Links[0].Rel != "self" ||
			feed.Links[0].Href != feed.ID || len(feed.Entries) == 0 || len(feed.Entries) > maxFeedEntries {
			t.Errorf("%s: %d entries of %+v", path, len(feed.Entries), feed)
		}
		if feed.Updated != feed.Entries[0].Updated {
			t.Errorf("%s was updated at %s, its newest entry at %s", path, feed.Updated, feed.Entries[0].Updated)
		}
		for i, e := range feed.Entries {
			if at, err := time.Parse(time.RFC3339, e.Updated); err != nil || !at.Equal(day(at)) {
				t.Errorf("%s tells more than the day: %s, %v", path, e.Updated, err)
			}
			if i > 0 && e.Updated > feed.Entries[i-1].Updated {
				t.Errorf("%s: %s stands behind an older one", path, e.ID)
			}
			if ids[e.ID] || !strings.HasPrefix(e.Link.Href, feedSite+"/") || !strings.Contains(e.Title, ": ") {
				t.Errorf("%s: the id is another's, or the link or the title is wrong: %+v", path, e)
			}
			ids[e.ID] = true
		}
	}
	again, made := fixture(t)
	if _, same := feedsOf(t, again, made); !maps.Equal(texts, same) {
		t.Errorf("the same data makes other feeds (-first +next):\n%s", gocmp.Diff(texts, same))
	}
	e, _ := feeds[feedOfModules].entry("/modules/" + hostileModule.Slug + "/#new")
	if !strings.HasPrefix(e.Title, hostileModule.Vendor) || !strings.HasSuffix(e.Title, " IOPS") ||
		strings.ContainsRune(e.Title, '\u202e') {
		t.Errorf("the module with a hostile name: %+v", e)
	}
	checkRanked(t, snapshot, results, feeds[feedOfRanked])
}

// checkRanked checks that the feed of ranked modules has exactly the modules that are ranked on the site.
func checkRanked(t *testing.T, snapshot *figure.Overview, results uploads, feed readFeed) {
	t.Helper()
	ranked := 0
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	for slug, all := range s.placed {
		for _, p := range all {
			e, has := feed.entry("/modules/" + slug + "/#ranked-" + p.method.ID)
			measured := p.First > 0 && p.row.Results > 0
			if has != measured {
				t.Errorf("%s by %s: ranked %v, in the feed %v", slug, p.method.ID, measured, has)
			}
			if has {
				ranked++
				if !strings.Contains(e.Summary, wherePlaced(p.Place)) {
					t.Errorf("%s: %+v", slug, e)
				}
			}
		}
	}
	if ranked < 5 || ranked != len(feed.Entries) {
		t.Errorf("%d modules are ranked, the feed has %d", ranked, len(feed.Entries))
	}
}

// A deleted result disappears from all feeds, and with it its module's rank and, in the end, the module.
func TestWhatIsTakenBackLeavesTheFeeds(t *testing.T) {
	t.Parallel()
	m, slug := hostileModule, hostileModule.Slug
	sp := specimen{contributors: 3, hosts: []string{"pc"}, writeIOPS: 500, readIOPS: 900, writeMBPerS: 9, readMBPerS: 21}
	all := sp.uploads(t, catalogue.Module{Slug: slug, Vendor: "Acme", Product: "Turbo", CapacityGB: 64, Form: "usb"}, 7)
	for i := range all {
		all[i].Host = hostileText + "]]>\x00"
	}
	slices.SortFunc(all, func(a, b upload) int { return b.ReceivedAt.Compare(a.ReceivedAt) })
	for left, want := range []string{
		3: "modules 1, results 3, ranked 1", 2: "modules 1, results 2, ranked 0", 1: "modules 1, results 1, ranked 0",
		0: "modules 0, results 0, ranked 0",
	} {
		results := uploads{slug: all[3-left:]} // the newest ones are deleted first
		feeds, _ := feedsOf(t, &figure.Overview{
			Modules: []catalogue.Module{m}, Summaries: results.summaries(slug), Calibrations: new(figure.Calibrations),
		}, results)
		if got := fmt.Sprintf("modules %d, results %d, ranked %d", len(feeds[feedOfModules].Entries),
			len(feeds[feedOfResults].Entries), len(feeds[feedOfRanked].Entries)); got != want {
			t.Errorf("with %d results: %s, want %s", left, got, want)
		}
		for _, up := range all[:3-left] {
			if _, there := feeds[feedOfResults].entry(up.ID); there {
				t.Errorf("with %d results: %s is still there", left, up.ID)
			}
		}
		for _, up := range all[3-left:] {
			e, _ := feeds[feedOfResults].entry("urn:uuid:" + up.ID)
			if !strings.HasPrefix(e.Title, m.Vendor) || !strings.Contains(e.Summary, hostileText+"]]>\ufffd") ||
				e.Link.Href != feedSite+"/r/"+up.ID {
				t.Errorf("a result with a hostile host: %+v", e)
			}
		}
		oldest, newest := day(all[2].ReceivedAt).Format(time.RFC3339), day(all[0].ReceivedAt).Format(time.RFC3339)
		if e := feeds[feedOfModules].Entries; left > 0 && e[0].Updated != oldest {
			t.Errorf("the module came on %s, want %s", e[0].Updated, oldest)
		}
		if e := feeds[feedOfRanked].Entries; left == 3 && e[0].Updated != newest {
			t.Errorf("the module was ranked on %s, want %s", e[0].Updated, newest)
		}
	}
}

// If there are many results, the feed has the newest ones, whether they are of one module or of many.
func TestFeedOfResultsHasTheNewest(t *testing.T) {
	t.Parallel()
	sp := specimen{contributors: 1, hosts: []string{"pi-4"}, writeIOPS: 500, readIOPS: 900, writeMBPerS: 9, readMBPerS: 21}
	of := func(slug string) catalogue.Module { return catalogue.Module{Slug: slug, Product: slug, Form: "sd"} }
	one := sp.uploads(t, of("a"), 1)[0]
	for modules, listed := range map[int]int{1: 1, 3: 3, 7: 7, 2 * maxFeedEntries: maxFeedEntries} {
		snapshot, results := &figure.Overview{Calibrations: new(figure.Calibrations)}, uploads{}
		var all []upload
		for i := range 2 * maxFeedEntries {
			up := one
			up.ModuleSlug = fmt.Sprintf("module-%d", i*i%modules)
			if modules > maxFeedEntries {
				up.ModuleSlug = fmt.Sprintf("module-%d", i)
			}
			up.ID, up.contributor = fmt.Sprintf("0198f2c4-7a3b-7c11-9d5e-%012d", i), i
			up.ReceivedAt = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, i*37%100)
			up.run.ID, up.run.ReceivedAt = up.ID, up.ReceivedAt
			all = append(all, up)
		}
		slices.SortFunc(all, func(a, b upload) int { return b.ReceivedAt.Compare(a.ReceivedAt) })
		for _, up := range all {
			if results[up.ModuleSlug] == nil {
				snapshot.Modules = append(snapshot.Modules, of(up.ModuleSlug))
			}
			results[up.ModuleSlug] = append(results[up.ModuleSlug], up)
		}
		for _, m := range snapshot.Modules {
			snapshot.Summaries = append(snapshot.Summaries, results.summaries(m.Slug)...)
		}
		feeds, _ := feedsOf(t, snapshot, results)
		for i, up := range all {
			if _, there := feeds[feedOfResults].entry(up.ID); there != (i < maxFeedEntries) {
				t.Errorf("of %d modules, result %d: in the feed %v", modules, i, there)
			}
		}
		if n := len(feeds[feedOfModules].Entries); n != min(listed, len(snapshot.Modules)) {
			t.Errorf("of %d modules %d are in the feed", modules, n)
		}
	}
}
