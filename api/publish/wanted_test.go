package publish

import (
	"fmt"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestWantedModulesAreThoseNearestToARank(t *testing.T) {
	t.Parallel()
	snapshot := &figure.Overview{Calibrations: new(figure.Calibrations)}
	for _, m := range []struct {
		name                            string
		contributors, independent, days int
	}{
		{"ranked", 3, 3, 2}, {"one person", 1, 1, 1}, {"two on one day", 2, 2, 1}, {"two on two days", 2, 2, 2},
		{"three in one network", 3, 1, 1}, {"three on one day", 3, 3, 1}, {"none counts", 0, 0, 0},
	} {
		sum := figure.Summary{ModuleSlug: m.name, Method: result.MethodFlashdex1, Contributors: m.contributors,
			Independent: m.independent, Days: m.days, Units: m.contributors, Results: 3}
		if m.contributors > 0 {
			sum.Figures = figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: 512}})
		}
		snapshot.Modules = append(snapshot.Modules, catalogue.Module{Slug: m.name, Product: m.name, Form: "sd"})
		other := sum
		other.Method = result.MethodAltechnative2012First // this method has a ranking of its own
		snapshot.Summaries = append(snapshot.Summaries, sum, other)
	}
	s := newSite(t.TempDir(), snapshot, uploads{}, load(t), nil)
	got := s.wanted()
	want := []string{
		"two on two days lacks one more contributor; 2 contributors, 512 IOPS",
		"three on one day lacks one more contributor, on another day; 3 contributors, 512 IOPS",
		"two on one day lacks one more contributor, on another day; 2 contributors, 512 IOPS",
		"three in one network lacks two more contributors, at least one of them on another day; 3 contributors, 512 IOPS",
		"one person lacks two more contributors, at least one of them on another day; 1 contributor, 512 IOPS",
		"none counts lacks three contributors on two days; no result that counts, ",
	}
	var near []string
	for _, r := range got.Near {
		near = append(near, fmt.Sprintf("%s lacks %s; %s, %s", r.Slug, r.Missing, r.Contributors, r.Speed))
	}
	if diff := gocmp.Diff(want, near); diff != "" || got.NearTotal != "" || !got.Measured {
		t.Errorf("of %q, measured %v (-want +got):\n%s", got.NearTotal, got.Measured, diff)
	}
	if len(got.Unmeasured) > 0 {
		t.Errorf("%+v were measured", got.Unmeasured)
	}
}

// The page is right about what is missing. It lists a measured module if and only if it has no rank, and says if its
// hosts can't be compared.
func TestWantedModulesOfTheFixtureHaveNoRank(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	wanted := s.wanted()
	unranked := 0
	for _, m := range snapshot.Modules {
		for _, p := range s.placed[m.Slug] {
			if p.method.ID != result.MethodFlashdex1 {
				continue
			}
			at := slices.IndexFunc(wanted.Near, func(r nearRow) bool { return r.Slug == m.Slug })
			if (at >= 0) != (p.First == 0) {
				t.Errorf("%s: place %v, on the page %v", m.Slug, p.Place, at >= 0)
			}
			if at >= 0 {
				unranked++
			}
		}
	}
	if unranked < 5 || unranked != len(wanted.Near) {
		t.Errorf("%d modules have no rank, the page lists %d", unranked, len(wanted.Near))
	}
	const hosts = "a run in a more common host: those so far can't be compared with others"
	at := slices.IndexFunc(wanted.Near, func(r nearRow) bool { return r.Slug == "transcend-133x-32gb-cf" })
	if at < 0 || wanted.Near[at].Missing != hosts {
		t.Errorf("a module that was measured in one kind of host: %+v", wanted.Near)
	}
	for _, r := range wanted.Unmeasured {
		if s.whole(r.Slug, result.MethodFlashdex1) != nil {
			t.Errorf("%s was measured", r.Slug)
		}
	}
	got := missingInWords(ranking.Missing{Contributors: 1, OtherHost: true})
	if got != "one more contributor; and "+hosts {
		t.Errorf("missing: %s", got)
	}
}

// Before anybody has uploaded anything, the page has the modules with the most published figures.
func TestWantedModulesOfAFreshStart(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	wanted := s.wanted()
	if wanted.Measured || len(wanted.Near) > 0 || wanted.Takes != "three contributors on two days" {
		t.Errorf("%+v", wanted)
	}
	if n := len(wanted.Unmeasured); n != maxUnmeasured {
		t.Errorf("%d modules that nobody has measured", n)
	}
	for i, r := range wanted.Unmeasured[1:] {
		if before := wanted.Unmeasured[i]; len(s.published[r.Slug]) > len(s.published[before.Slug]) {
			t.Errorf("%+v stands behind %+v", r, before)
		}
	}
}

func TestWantedModulesAreAtMostAPage(t *testing.T) {
	t.Parallel()
	snapshot := &figure.Overview{Calibrations: new(figure.Calibrations)}
	for i := range maxNear + 1 {
		slug := fmt.Sprint("module-", i)
		snapshot.Modules = append(snapshot.Modules, catalogue.Module{Slug: slug, Product: slug, Form: "sd"})
		snapshot.Summaries = append(snapshot.Summaries, figure.Summary{ModuleSlug: slug, Method: result.MethodFlashdex1,
			Contributors: 1, Independent: 1, Days: 1, Results: 1})
	}
	s := newSite(t.TempDir(), snapshot, uploads{}, load(t), nil)
	if wanted := s.wanted(); len(wanted.Near) != maxNear || wanted.NearTotal != "101" {
		t.Errorf("%d rows of %q", len(wanted.Near), wanted.NearTotal)
	}
}
