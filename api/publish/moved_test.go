package publish

import (
	"encoding/xml"
	"maps"
	"slices"
	"strings"
	"testing"

	"flashdex/api/ranking"
)

// Worked out by hand: places that lie apart are a move, unless equally many modules came or went.
func TestAModuleMovesWhenItsPlacesLieApart(t *testing.T) {
	t.Parallel()
	place := func(first, last int) ranking.Place { return ranking.Place{First: first, Last: last} }
	stood := rankRecord{Place: place(3, 5), Of: 20}
	for _, c := range []struct {
		name  string
		was   rankRecord
		place ranking.Place
		of    int
		want  rankRecord
	}{
		{"is new", rankRecord{}, place(3, 5), 20, stood},
		{"has no rank", rankRecord{}, place(0, 0), 20, rankRecord{}},
		{"stays", stood, place(3, 5), 20, stood},
		{"overlaps", stood, place(5, 9), 20, stood},
		{"falls", stood, place(6, 9), 20, rankRecord{place(6, 9), 20, place(3, 5), "2026-11-26"}},
		{"rises", stood, place(1, 2), 20, rankRecord{place(1, 2), 20, place(3, 5), "2026-11-26"}},
		{"is pushed by one that came", stood, place(6, 6), 21, stood},
		{"is pulled by one that went", stood, place(2, 2), 19, stood},
		{"falls further than that", stood, place(7, 7), 21, rankRecord{place(7, 7), 21, place(3, 5), "2026-11-26"}},
		{"loses its rank", stood, place(0, 0), 20, rankRecord{place(0, 0), 20, place(3, 5), "2026-11-26"}},
		{"is ranked again", rankRecord{place(0, 0), 20, place(3, 5), "2026-11-20"}, place(3, 5), 20, stood},
	} {
		if got := c.was.next(c.place, c.of, "2026-11-26"); got != c.want {
			t.Errorf("a module that %s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A move is in the feed of ranks, with its day, from the publication that found it until the module moves again.
func TestTheFeedOfRanksTellsMoves(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	publish := func(previous manifest, on string) (string, manifest) {
		s := newSite(t.TempDir(), snapshot, results, load(t), nil)
		s.siteURL, s.builtOn, s.reuse.previous = feedSite, on, previous
		if err := s.writeFeeds(t.Context()); err != nil {
			t.Fatal(err)
		}
		kept := t.TempDir() + "/publication"
		if err := s.reuse.manifest.write(kept); err != nil {
			t.Fatal(err)
		}
		return read(t, s.destination, feedOfRanked), readManifest(kept)
	}
	first, places := publish(manifest{}, "2026-11-20")
	if strings.Contains(first, "#moved-") || len(places.Ranks) < 5 {
		t.Fatalf("without a publication before, of %d ranked modules:\n%s", len(places.Ranks), first)
	}
	if same, _ := publish(places, "2026-11-26"); same != first {
		t.Errorf("the same data makes another feed:\n%s", same)
	}
	of := slices.Sorted(maps.Keys(places.Ranks))[0]
	slug, method, _ := strings.Cut(of, " ")
	now := places.Ranks[of]
	places.Ranks[of] = rankRecord{Place: ranking.Place{First: now.Place.Last + 1, Last: now.Place.Last + 4}, Of: now.Of}
	lost := hostileModule.Slug + " " + method
	places.Ranks[lost] = rankRecord{Place: ranking.Place{First: 2, Last: 2}, Of: now.Of}
	moved, places := publish(places, "2026-11-26")
	if later, _ := publish(places, "2026-12-24"); later != moved {
		t.Errorf("the next publication tells it otherwise:\n%s", later)
	}
	var feed readFeed
	if err := xml.Unmarshal([]byte(moved), &feed); err != nil {
		t.Fatal(err)
	}
	e, _ := feed.entry("/modules/" + slug + "/#moved-" + method + "-2026-11-26")
	before := ranking.Place{First: now.Place.Last + 1, Last: now.Place.Last + 4}
	if !strings.HasSuffix(e.Title, ": now "+wherePlaced(now.Place)) || e.Updated != "2026-11-26T00:00:00Z" ||
		!strings.HasPrefix(e.Summary, "Before, it stood "+wherePlaced(before)+" by 4K random write") {
		t.Errorf("the move of %s: %+v", of, e)
	}
	e, _ = feed.entry("/modules/" + hostileModule.Slug + "/#moved-" + method + "-2026-11-26")
	if !strings.HasSuffix(e.Title, ": no rank any more") || !strings.Contains(e.Summary, "at place 2 by") {
		t.Errorf("the lost rank: %+v", e)
	}
}
