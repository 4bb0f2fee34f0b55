package publish

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

// structureOf returns a run on a unit that writes to this number of places at once; 0: the run doesn't tell.
func structureOf(unit string, places int64) figure.ProfiledRun {
	t := result.Test{Name: result.TurnWrite, BlockBytes: 4096, AreaBytes: 2 << 30}
	for _, n := range []int64{1, places, places + 1} {
		ns := int64(2e6)
		if n > places {
			ns = 60e6
		}
		for range 12 {
			t.Intervals = append(t.Intervals, result.Interval{
				Kind: result.Kind{Places: n}, Ops: result.StructureOps, NS: result.StructureOps * ns, MaxNS: ns,
			})
		}
	}
	run := figure.ProfiledRun{Method: result.MethodStructure1, Unit: unit, Counts: true}
	run.Tests = []result.Test{t}
	return run
}

// keptOf returns a run on a unit of which so many units can be open if they are chosen, each of 4 MiB.
func keptOf(unit string, places int64) figure.ProfiledRun {
	run := structureOf(unit, 0)
	kept := result.Test{Name: result.KeptWrite, BlockBytes: 4096, AreaBytes: 2 << 30}
	add := func(n int, kind result.Kind, ms int64) {
		for range n {
			kept.Intervals = append(kept.Intervals, result.Interval{
				Kind: kind, Ops: result.StructureOps, NS: result.StructureOps * ms * 1e6, MaxNS: ms * 1e6,
			})
		}
	}
	add(24, result.Kind{Places: 1}, 2)
	add(24, result.Kind{Places: places}, 2)
	add(int(result.BesideOps(places)/result.StructureOps), result.Kind{Places: places + 1}, 60)
	at := int64(100 << 20)
	for range 3 {
		add(12, result.Kind{Places: places + 1, AtBytes: at, GapBytes: 4<<20 - 256<<10}, 2)
		add(12, result.Kind{Places: places + 1, AtBytes: at, GapBytes: 4<<20 - 128<<10}, 60)
		at += 4<<20 - 128<<10 + result.GapSlackBytes
	}
	run.Tests = append(run.Tests, kept)
	return run
}

// Each unit's newest run that tells something counts, and the table has the range over the units.
func TestTablesSayWhatIsInside(t *testing.T) {
	t.Parallel()
	other := structureOf("d", 9)
	other.Method = result.MethodSweep1
	early := structureOf("e", 1)
	early.Counts = false
	text := func(n int64) string { return result.Count(int(n)) }
	for name, c := range map[string]struct {
		runs []figure.ProfiledRun
		want page.Cell
	}{
		"nothing":    {nil, page.Cell{Class: "number"}},
		"can't tell": {[]figure.ProfiledRun{structureOf("a", 0), other}, page.Cell{Class: "number"}},
		"one unit": {[]figure.ProfiledRun{structureOf("a", 5), structureOf("a", 7)},
			page.Cell{Class: "number", Value: "5", N: "1", Sort: "5"}},
		"a contributor on probation": {[]figure.ProfiledRun{early, structureOf("a", 5)},
			page.Cell{Class: "number", Value: "5", N: "1", Sort: "5"}},
		"units differ": {[]figure.ProfiledRun{structureOf("a", 5), structureOf("b", 2)},
			page.Cell{Class: "number", Value: "2 to 5", N: "2", Sort: "2"}},
		"chosen places": {[]figure.ProfiledRun{keptOf("a", 6), structureOf("a", 3)},
			page.Cell{Class: "number", Value: "6", N: "1", Sort: "6"}},
		"an older run tells": {[]figure.ProfiledRun{structureOf("a", 0), structureOf("a", 3)},
			page.Cell{Class: "number", Value: "3", N: "1", Sort: "3"}},
	} {
		if got := unitsCell(insideOf(c.runs).openUnits, text); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := insideOf([]figure.ProfiledRun{keptOf("a", 6), structureOf("a", 3)}).unitBytes; len(got) != 1 ||
		got[0] != 4<<20 {
		t.Errorf("the allocation units of chosen places are %d", got)
	}
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	s := newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)
	if err := s.readProfiled(t.Context()); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"database": "open-units allocation-unit", "home-assistant": "rounds open-units allocation-unit",
	} {
		if got := extrasOf(t, s, key); got != want {
			t.Errorf("the table of %s has %q, want %q", key, got, want)
		}
	}
	if got := extrasOf(t, fresh, "database"); got != "" {
		t.Errorf("without runs, the table of databases has %q", got)
	}
	if got := s.insides["toshiba-class-10-uhs-i-8gb-microsd"]; len(got.openUnits) != 1 || got.openUnits[0] != 5 ||
		len(got.unitBytes) != 1 || got.unitBytes[0] != 4<<20 {
		t.Errorf("the fixture's module with 5 open units of 4 MiB is %+v", got)
	}
	row := ranking.Row{Module: catalogue.Module{Slug: "toshiba-class-10-uhs-i-8gb-microsd"}}
	if of := s.besides(&row); of["open_units"] != 5 || of["allocation_unit_mib"] != 4 {
		t.Errorf("in the table of everything they are %v", of)
	}
}

// The fixture's runs carry what documents say about the queue, so its pages show the same answer as the store's runs.
func TestTheFixtureAnswersWhetherQueueingWorks(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	for slug, want := range map[string]string{
		"raspberry-pi-sd-card-a2-64gb-microsd": figure.QueueWorks, "toshiba-class-10-uhs-i-8gb-microsd": figure.QueueCantTell,
	} {
		err := results.Profiled(t.Context(), []string{slug}, func(_ string, runs []figure.ProfiledRun) error {
			for _, p := range s.profiles(s.modules[slug], runs) {
				if p.Method == result.MethodQueue1 && p.Tables[0].Rows[0][1] != want {
					t.Errorf("the page of %s says %q, want %s", slug, p.Tables[0].Rows[0], want)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Below the answers of a few runs stand those of all that count, by the registers and the month.
func TestQueueAnswersOfAModuleAreCountedByRegisters(t *testing.T) {
	t.Parallel()
	one := figure.Variant{Bus: "sd", Manfid: "0x000003", OEMID: "0x5344", Name: "SN64G"}
	other := figure.Variant{Bus: "sd", Manfid: "0x00001b", OEMID: "0x534d", Name: "ED2S5"}
	s := newSite(t.TempDir(), &figure.Overview{Summaries: []figure.Summary{
		{ModuleSlug: "a", Method: result.MethodQueue1, Shown: map[string]int{"queue: yes": 9}}, // of both variants
		{ModuleSlug: "a", Method: result.MethodQueue1, Variant: other.Key(), Shown: map[string]int{"queue: no, 02/2022": 2}},
		{ModuleSlug: "a", Method: result.MethodQueue1, Variant: one.Key(), Shown: map[string]int{"queue: yes, 06/2021": 3,
			"queue: no gain, 06/2021": 1}},
		{ModuleSlug: "a", Method: result.MethodQueue1, HostClass: "pi-5", OnlyVariant: one.Key(),
			Shown: map[string]int{"queue: yes, 06/2021": 3}},
		{ModuleSlug: "b", Method: result.MethodQueue1, OnlyVariant: one.Key(), Shown: map[string]int{"queue: yes": 7}},
	}}, nil, load(t), nil)
	want := [][]string{{one.Label(), "06/2021", "3", "0", "1", "0"}, {other.Label(), "02/2022", "0", "2", "0", "0"}}
	if diff := gocmp.Diff(want, chart.QueueCounts(s.queueCounts("a")).Tables[0].Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if all := chart.QueueCounts(s.queueCounts("c")).Tables; len(all) > 0 {
		t.Errorf("a module that nobody measured has %+v", all)
	}
}
