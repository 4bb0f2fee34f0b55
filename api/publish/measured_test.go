package publish

import (
	"math"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/sign"

	"github.com/google/go-cmp/cmp"
)

// pageOf returns the page of a module with these summaries.
func pageOf(t *testing.T, m catalogue.Module, sums ...figure.Summary) *modulePage {
	t.Helper()
	for i := range sums {
		sums[i].ModuleSlug, sums[i].Method = m.Slug, result.MethodFlashdex1
	}
	s := newSite(t.TempDir(), &figure.Overview{Modules: []catalogue.Module{m}, Summaries: sums}, nil, load(t), nil)
	return s.module(m, &moduleResults{})
}

var a1 = catalogue.Module{Slug: "acme-turbo", Vendor: "SanDisk", Product: "Turbo", CapacityGB: 16, Form: "microsd",
	Classes: []string{"A1", "80x"}}

func estimate(v float64) figure.Set {
	low, high := v*0.9, v*1.1
	return figure.SetOf(map[string]figure.Figure{
		figure.RandWriteIOPS: {Value: v, Low: &low, High: &high, Confidence: 0.95, N: 9, Runs: 12, Contributors: 4},
		figure.RandReadIOPS:  {Value: 1800, N: 9}, figure.SeqWriteMBPerS: {Value: 20, N: 9},
	})
}

func key(manfid, oemid, name string) string {
	return figure.Variant{Bus: "sd", Manfid: manfid, OEMID: oemid, Name: name, Revision: "0x8 0x0"}.Key()
}

func TestAModulesPageHoldsWhatItsSummariesSay(t *testing.T) {
	t.Parallel()
	whole := figure.Summary{
		Figures: estimate(90), Units: 9, Contributors: 4, Independent: 4, Days: 2, AllUnits: 11, Identified: 8,
		Results: 250, BusMBPerS: 25, USB: true,
		Shown: map[string]int{figure.EvidenceCRCWrong: 2, figure.EvidenceCapacity: 3, "capacity-checked": 4,
			sign.DateImpossible: 1, figure.EvidenceIdentified: 8},
		Prices:        []figure.PriceMedian{{Amount: 9, Currency: "EUR", On: "2026-10", N: 2}},
		AgeingPerYear: &ageing.Change{Units: 3, Contributors: 2, Percent: -8, Low: -14, High: -3, Says: ageing.Slower},
		AgeingPerTB:   &ageing.Change{Units: 1, Contributors: 1, Percent: -1, Low: -3, High: 2, Says: ageing.Steady},
	}
	usb, pi := figure.Summary{HostClass: "usb-3", Figures: estimate(80), Units: 5},
		figure.Summary{HostClass: "pi-4", Figures: estimate(95), Units: 4}
	unknown := figure.Summary{HostClass: "other", Results: 1} // if no run counts, it may have no ranking page
	genuine := figure.Summary{Variant: key("0x000003", "0x5344", "SL16G"), Figures: estimate(95), Units: 3, AllUnits: 3,
		Identified: 3, Shown: map[string]int{figure.EvidenceIdentified: 3}}
	other := figure.Summary{Variant: key("0x00001b", "0x534d", "EB1QT"), Figures: estimate(60), Units: 5, AllUnits: 5,
		Identified: 5, Shown: map[string]int{figure.EvidenceCRCWrong: 2, figure.EvidenceCapacity: 1,
			"capacity-checked": 1, sign.DateImpossible: 1, figure.EvidenceIdentified: 5},
		ShownBy: map[string]int{figure.EvidenceCapacity: 1, figure.EvidenceIdentified: 2}}
	p := pageOf(t, a1, usb, whole, pi, unknown, genuine, other)
	f := p.Measured[0]

	if len(f.HostClasses) != 2 || f.HostClasses[0].Label != "Raspberry Pi 4" || f.HostClasses[1].Label != "USB 3" ||
		f.HostClasses[0].Cells[0].Sort != "95" {
		t.Errorf("classes of hosts: %+v", f.HostClasses)
	}
	if len(f.Variants) != 2 || f.Variants[0].Label != "manufacturer 0x1b, OEM SM, name EB1QT, revision 8.0" ||
		f.Variants[0].Units != "5" || !strings.Contains(f.Variants[0].Text, "Samsung") ||
		len(f.Variants[0].Makers)+len(f.Variants[0].Others) == 0 {
		t.Errorf("variants: %+v", f.Variants)
	}
	if len(f.Verdicts) != 1 || f.Verdicts[0].Class != "A1" || f.Verdicts[0].State != speedclass.NotReached ||
		f.Verdicts[0].Margins[0].Percent != "18 %" || !f.Judged {
		t.Errorf("verdicts: %+v", f.Verdicts)
	}
	if f.Ageing != "gets slower: 8 % per year (3 to 14), 3 units of 2 contributors" {
		t.Errorf("it ages: %q", f.Ageing)
	}
	if f.AgeingPerTB != "shows no change: −1 % per TB (−3 to +2), by one unit of one contributor" {
		t.Errorf("by each TB it ages: %q", f.AgeingPerTB)
	}
	if f.Checked != "4 of 11 units" {
		t.Errorf("the capacity of %q was checked", f.Checked)
	}
	if p.RunsTotal != "250" || len(f.Prices) != 1 {
		t.Errorf("%s results, prices %+v", p.RunsTotal, f.Prices)
	}
	got := map[string]page.Sign{}
	for _, of := range f.Signs {
		name, _, _ := strings.Cut(strings.TrimPrefix(of.Variant, "manufacturer "), ",")
		got[of.Name+", "+name] = of
		if of.Name == "" || of.What == "" || of.Explanation == "" || of.Caveat == "" {
			t.Errorf("%s is told without its explanation", of.Name)
		}
	}
	for name, want := range map[string]string{
		"Checksum wrong, 0x1b":                 "2 of 5 units whose registers were read, by 2 contributors",
		"Impossible date of manufacture, 0x1b": "1 of 5 units whose registers were read, by 2 contributors",
		"Ids of another maker, 0x1b":           "5 of 5 units, by 2 contributors",
		"Less capacity than claimed, 0x1b":     "1 unit, by 1 contributor",
		"Less capacity than claimed, ":         "2 units",
		"Far below its class, ":                "",
	} {
		if of, ok := got[name]; !ok || of.Seen != want {
			t.Errorf("the sign %s: %+v, want %q", name, of, want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("signs that nobody saw: %+v", got)
	}
}

// A page doesn't say of the module what only one contributor's units do.
func TestAgeingIsTheModulesFromTwoContributorsOn(t *testing.T) {
	t.Parallel()
	const slower = "gets slower: 8 % per year (3 to 14)"
	for _, c := range []struct {
		units, contributors, independent int
		want                             string
	}{
		{1, 1, 4, slower + ", by one unit of one contributor"},
		{3, 1, 1, slower + ", by 3 units of one contributor"},
		{3, 2, 1, slower + ", by 3 units of 2 contributors who may be one person"},
		{3, 2, 2, slower + ", 3 units of 2 contributors"},
	} {
		change := ageing.Change{Units: c.units, Contributors: c.contributors, Percent: -8, Low: -14, High: -3,
			Says: ageing.Slower}
		got := ageingWords(&figure.Summary{Independent: c.independent}, &change, "year")
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestTheOnlyVariantsClaimsAreShown(t *testing.T) {
	t.Parallel()
	f := pageOf(t, a1, figure.Summary{Figures: estimate(600), Units: 3, AllUnits: 4, Identified: 2,
		OnlyVariant: key("0x000003", "0x5344", "SL16G")}).Measured[0]
	if len(f.Variants) != 1 || f.Variants[0].AllUnits != "2 units" ||
		!strings.Contains(f.Variants[0].Text, "0x03: claimed to be SanDisk by") || len(f.Signs) != 0 {
		t.Errorf("%+v", f)
	}
}

// Nothing counts: no verdict claims more than that, and no performance is a sign.
func TestWhatDoesNotCountIsNotJudged(t *testing.T) {
	t.Parallel()
	f := pageOf(t, a1, figure.Summary{AllUnits: 1, Results: 1,
		NotRanked: []string{"the system runs from the module"}}).Measured[0]
	if len(f.Verdicts) != 1 || f.Verdicts[0].State != speedclass.CantTell ||
		!strings.Contains(f.Verdicts[0].Reason, "the system runs from the module") || f.Judged || len(f.Signs) != 0 {
		t.Errorf("%+v", f)
	}
}

// The same run reaches a class, misses it or decides nothing, depending on its host and on whether it counts.
func TestARunStandsByItself(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	for name, tc := range map[string]struct {
		write float64
		spoil []string
		want  string
	}{
		"fast":        {900, nil, speedclass.Reached},
		"slow":        {20, nil, speedclass.NotReached},
		"not ranked":  {900, []string{"the test area is not 256 MiB"}, speedclass.CantTell},
		"in a reader": {300, nil, speedclass.CantTell},
	} {
		read, low, high := 4000.0, tc.write*0.99, tc.write*1.01
		sub := submission.Submission{Method: result.MethodFlashdex1, NotRanked: tc.spoil, BusMBPerS: 104, HostClass: "pi-5",
			Tests: []result.Figures{
				{Test: result.RandWrite, BlockBytes: 4096, IOPS: &tc.write, IOPSLow: &low,
					IOPSHigh: &high}, {Test: result.RandRead, BlockBytes: 4096, IOPS: &read},
				{Test: result.SeqWrite, BlockBytes: 1 << 20, MBPerS: 40}, {Test: result.SeqRead, BlockBytes: 1 << 20, MBPerS: 80},
			}}
		for i := range sub.Tests {
			sub.Tests[i].QueueDepth = 1
		}
		if name == "in a reader" {
			sub.HostClass = "usb-3"
		}
		rows, judged := s.runRows(catalogue.Module{Form: "microsd", Classes: []string{"A1"}}, []submission.Submission{sub})
		if want := "A1\u00a0" + page.StateTexts[tc.want]; !judged || rows[0].Classes != want {
			t.Errorf("%s: %+v, want %s", name, rows, want)
		}
	}
}

// A card that misses A1 in a slot counts. If a card misses it behind a reader or on an unknown bus, nobody can tell.
func TestUnitsAreHeldAgainstClassesEachByItself(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, uploads{}, load(t), nil)
	unit := func(iops float64, hostClass string, busMBPerS float64) figure.Unit {
		values := figure.Padded([]float64{iops, 4000, 40})
		return figure.Unit{Values: values, HostClass: hostClass, BusMBPerS: busMBPerS}
	}
	d := figure.ChartData{Method: result.MethodFlashdex1, Units: []figure.Unit{unit(501, "pi-4", 50),
		unit(499, "pi-4", 50), unit(499, "usb-3", 0), unit(499, "", 50), unit(700, "usb-3", 0)}}
	got := s.unitVerdicts(catalogue.Module{Form: "microsd", Classes: []string{"A1"}}, d)
	if diff := cmp.Diff(map[string]unitVerdicts{"A1": {Of: 5, Reached: 2, NotReached: 1}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The sentence is about the promise that the fewest cards reach. There is none for one contributor's card, nor if the
// reader may be the reason for a miss.
func TestOfAHundredCardsSoManyReachAPromise(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	low, high := 400.0, 600.0
	write := speedclass.Margin{Measure: "4K random write", Key: figure.RandWriteIOPS, Promised: 500,
		Measured: figure.Figure{Value: 500, Low: &low, High: &high}}
	read := write
	read.Measure, read.Key = "4K random read", figure.RandReadIOPS
	excused := write
	excused.Promised = 1000
	missed := excused
	missed.Missed = true
	for _, tc := range []struct {
		contributors int
		margins      []speedclass.Margin
		want         string
	}{
		{2, []speedclass.Margin{read, write}, "Of 100 cards, about 50 reach the promised 4K random write."},
		{1, []speedclass.Margin{read, write}, ""},
		{2, []speedclass.Margin{excused}, ""},
		{2, []speedclass.Margin{missed}, "Of 100 cards, about 2 reach the promised 4K random write."},
	} {
		whole := &figure.Summary{Method: result.MethodFlashdex1, Contributors: tc.contributors,
			Independent: tc.contributors}
		whole.Model.Put(figure.RandWriteIOPS, model.Module{LogRate: math.Log(500), Contributors: tc.contributors})
		whole.Model.Put(figure.RandReadIOPS, model.Module{LogRate: math.Log(2000), Contributors: tc.contributors})
		if got := s.ofHundred(whole, speedclass.Verdict{Margins: tc.margins}); got != tc.want {
			t.Errorf("%d contributors, %d promises: %q, want %q", tc.contributors, len(tc.margins), got, tc.want)
		}
	}
}

// queueRun returns a run with a full queue on a unit of a card, under the conditions of A2.
func queueRun(unit string, readIOPS, writeIOPS int64) figure.ProfiledRun {
	run := figure.ProfiledRun{
		Method: result.MethodQueue1, Unit: unit, Counts: true, BusMBPerS: 104, Target: result.Target{WriteCache: "write back"},
		Queue: figure.QueueEvidence{HostUses: result.QueueOn},
	}
	run.Tests = []result.Test{{
		Name: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Bytes: 300e6, DurationNS: 10e9, Direct: true,
		AreaBytes: result.StandardAreaBytes,
	}}
	for name, iops := range map[string]int64{result.QueuedRead: readIOPS, result.QueuedWrite: writeIOPS} {
		t := result.Test{
			Name: name, BlockBytes: 4096, QueueDepth: result.MostDepth, Direct: true, AreaBytes: result.StandardAreaBytes,
		}
		for range 20 {
			t.Intervals = append(t.Intervals, result.Interval{
				Kind: result.Kind{Depth: result.MostDepth}, Ops: iops / 2, NS: 500_000_000,
			})
		}
		run.Tests = append(run.Tests, t)
	}
	return run
}

// A run with a full queue answers what figures of one operation at a time can't. One contributor's run gives no sign
// against a module, and doesn't outweigh another contributor's.
func TestAFullQueueAnswersWhatFiguresCant(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	m := catalogue.Module{Form: "microsd", CapacityGB: 64, Classes: []string{"A2"}}
	fast, slow := queueRun("a", 9000, 5000), queueRun("b", 500, 300)
	for name, c := range map[string]struct {
		runs  []figure.ProfiledRun
		state string
	}{
		"no run":         {nil, speedclass.CantTell},
		"reached":        {[]figure.ProfiledRun{fast}, speedclass.Reached},
		"close":          {[]figure.ProfiledRun{queueRun("a", 5000, 3000)}, speedclass.CantTell},
		"not reached":    {[]figure.ProfiledRun{slow}, speedclass.NotReached},
		"disagree":       {[]figure.ProfiledRun{slow, fast}, speedclass.CantTell},
		"disagree twice": {[]figure.ProfiledRun{slow, fast, queueRun("c", 500, 300)}, speedclass.CantTell},
		"newest of one":  {[]figure.ProfiledRun{fast, queueRun("a", 500, 300)}, speedclass.Reached},
	} {
		whole := &figure.Summary{Method: result.MethodFlashdex1, Contributors: 3, Independent: 3, BusMBPerS: 104}
		for key, rate := range map[string]float64{
			figure.RandWriteIOPS: 700, figure.RandReadIOPS: 2000, figure.SeqWriteMBPerS: 30,
		} {
			low, high := rate*0.9, rate*1.1
			whole.Figures.Put(key, figure.Figure{Value: rate, Low: &low, High: &high})
			whole.Model.Put(key, model.Module{LogRate: math.Log(rate), Own: 0.01, Units: 0.01, Contributors: 3, Rows: 3})
		}
		shown := s.measured(m, []*figure.Summary{whole}, &moduleResults{queued: s.queued(m, c.runs)})
		if len(shown.Verdicts) != 1 || shown.Verdicts[0].State != c.state {
			t.Errorf("%s: %+v, want %s", name, shown.Verdicts, c.state)
			continue
		}
		if v := shown.Verdicts[0]; v.Units != "" {
			t.Errorf("%s: A2 is %s, and beside it stands %q", name, v.State, v.Units)
		}
		if len(shown.Signs) > 0 {
			t.Errorf("%s: the sign %+v", name, shown.Signs)
		}
	}
}

func TestAModuleIsComparedWithWhatABuyerMayTakeInstead(t *testing.T) {
	t.Parallel()
	var ranked []*ranking.Row
	for _, m := range []catalogue.Module{
		{Slug: "a", Form: "sd", CapacityGB: 32}, {Slug: "b", Form: "usb", CapacityGB: 32},
		{Slug: "c", Form: "sd", CapacityGB: 32}, {Slug: "d", Form: "sd", CapacityGB: 64},
		{Slug: "e", Form: "sd", CapacityGB: 32}, {Slug: "f", Form: "other"},
		{Slug: "g", Form: "cf"}, {Slug: "h", Form: "cf"},
	} {
		ranked = append(ranked, &ranking.Row{Module: m})
	}
	got := map[string]string{}
	for _, key := range []string{figure.RandWriteIOPS, figure.SeqWriteMBPerS} {
		for slug, list := range neighboursOf(ranked, key) {
			for _, other := range list {
				got[slug] += other.Slug + " " + other.Why + ", "
			}
		}
	}
	want := map[string]string{
		"a": "c next slower, ", "c": "a next faster, e next slower, ", "d": "a fastest SD, ",
		"e": "c next faster, a fastest SD, ",
		"g": "h next slower by linear write, ", "h": "g next faster by linear write, ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The newest month comes first, and currencies aren't mixed.
func TestPricesMonthByMonth(t *testing.T) {
	t.Parallel()
	var units []figure.Unit
	for _, p := range []result.Price{
		{Amount: 10, Currency: "EUR", On: "2026-03-31"}, {Amount: 12, Currency: "EUR", On: "2026-03"}, {},
		{Amount: 9, Currency: "USD", On: "2026-03-01"}, {Amount: 8.5, Currency: "EUR", On: "2026-04-02"},
	} {
		units = append(units, figure.Unit{Price: p})
	}
	want := []monthPrice{
		{"2026-04", "EUR", "8.50", "1 unit"}, {"2026-03", "EUR", "11", "2 units"}, {"2026-03", "USD", "9", "1 unit"},
	}
	if diff := cmp.Diff(want, monthPrices(units)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
