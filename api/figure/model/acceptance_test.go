package model_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"flashdex/api/figure/model"
)

// worlds differ in what makes statistics hard. Each has bounds for modules with three or more contributors: the least
// coverage of intervals and of ranges of places, the greatest error, and the widest mean range of 50 places (0: none).
var worlds = []struct {
	world
	covered, holds, off, width float64
}{
	{world{name: "independent, hosts 0.1, nobody wrong", host: 0.1}, 0.94, 0.95, 0.18, 19},
	{world{name: "the same, modules 1.2 apart", host: 0.1, spread: 1.2}, 0.94, 0.95, 0.18, 11},
	{world{name: "the same, 3 contributors each", host: 0.1, spread: 1.2, each: 3}, 0.94, 0.95, 0.31, 14},
	{world{name: "independent, a tenth wrong", wrong: 0.1}, 0.94, 0.95, 0.24, 22},
	{world{name: "the same, 3 contributors each", wrong: 0.1, each: 3}, 0.94, 0.95, 0.31, 29},
	{world{name: "the same, modules 1.2 apart", wrong: 0.1, each: 3, spread: 1.2}, 0.94, 0.95, 0.31, 17.5},
	{confounded("confounded, hosts 0.1", world{host: 0.1}), 0.94, 0.95, 0.26, 25},
	{confounded("confounded, hosts 0.25", world{}), 0.94, 0.95, 0.26, 25},
	{confounded("confounded, hosts 0.4", world{host: 0.4}), 0.94, 0.95, 0.26, 25},
	{confounded("the same, 20 contributors each", world{host: 0.4, each: 20}), 0.94, 0.95, 0.15, 17.5},
	{confounded("confounded, hosts 0.25, modules 1.2 apart", world{spread: 1.2}), 0.94, 0.95, 0.26, 14.5},
	{confounded("confounded, hosts 0.25, 15 % liars", world{liars: 0.15}), 0.94, 0.95, 0, 0},
	{confounded("hosts 0.4, fast cards in fast hosts", world{host: 0.4, fastInFast: true}), 0.94, 0.95, 0.26, 25},
	{confounded("no module in two classes, 20 each", world{host: 0.4, confounded: 1, each: 20}), 0.94, 0.95, 0, 0},
	{confounded("confounded, hosts 0.4, told half as finely", world{host: 0.4, coarse: true}), 0.90, 0.93, 0, 0},
	{confounded("the same, refined by evidence", world{host: 0.4, refined: true}), 0.94, 0.95, 0.26, 25},
}

// confounded returns a world where a tenth is wrong, and where most contributors of a module have one class of hosts.
func confounded(name string, w world) world {
	w.name, w.wrong, w.confounded = name, 0.1, max(w.confounded, 0.85)
	return w
}

// tally sums up what tables of one world showed.
type tally struct {
	figures           bin            // of ranked modules, in connected classes
	bins              map[string]bin // by contributors
	ranges, atOnce    ranges
	told, falselyTold int
	best, named       int // best: tables in which the best is among the named ones; named: all named ones
}

// bin sums up figures.
type bin struct {
	n, covered        int
	off, square, wide float64
}

func (b *bin) add(e model.Estimate, truth float64) {
	low, high := e.Interval(0.95)
	off := e.LogRate - truth
	if b.n++; low <= truth && truth <= high {
		b.covered++
	}
	b.off, b.square, b.wide = b.off+off, b.square+off*off, b.wide+high-low
}

func (b bin) coverage() float64 { return float64(b.covered) / float64(b.n) }
func (b bin) bias() float64     { return b.off / float64(b.n) }
func (b bin) error() float64    { return math.Sqrt(b.square / float64(b.n)) }
func (b bin) width() float64    { return b.wide / float64(b.n) }

// ranges sums up ranges of places.
type ranges struct {
	n, hold, tables, whole int
	spans                  float64 // in places of 50
}

func (r *ranges) add(places []model.Place, truths map[int]int) {
	whole := true
	for i, truth := range truths {
		p := places[i]
		if r.n++; p.First <= truth && truth <= p.Last {
			r.hold++
		} else {
			whole = false
		}
		r.spans += float64(p.Last-p.First+1) / float64(len(truths)) * 50
	}
	if r.tables++; whole {
		r.whole++
	}
}

func (r ranges) holds() float64 { return float64(r.hold) / float64(r.n) }
func (r ranges) all() float64   { return float64(r.whole) / float64(r.tables) }
func (r ranges) span() float64  { return r.spans / float64(r.n) }

func (t *tally) add(f fitted) {
	if t.bins == nil {
		t.bins = map[string]bin{}
	}
	for i, e := range f.estimates {
		key := binOf(f.modules[i].Contributors, f.island[i])
		b := t.bins[key]
		b.add(e, f.truth[i])
		t.bins[key] = b
		if f.ranked[i] && !f.island[i] {
			t.figures.add(e, f.truth[i])
		}
	}
	truths := placesOfTruth(f)
	t.ranges.add(f.Places(f.estimates, f.ranked), truths)
	atOnce := slices.Repeat([]model.Place{{First: 1, Last: len(truths)}}, len(f.estimates))
	f.surely(0.025/float64(len(truths)), func(faster, slower int) {
		atOnce[slower].First++
		atOnce[faster].Last--
	})
	t.atOnce.add(atOnce, truths)
	best := f.Best(f.estimates, f.ranked, len(truths))
	for i, place := range atOnce {
		if slices.Contains(best, i) != (f.ranked[i] && place.First == 1) {
			panic(fmt.Sprintf("the best are %v, and the places at once of module %d are %v", best, i, place))
		}
	}
	t.named += len(best)
	if slices.ContainsFunc(best, func(i int) bool { return truths[i] == 1 }) {
		t.best++
	}
	f.surely(0.05, func(faster, slower int) {
		if t.told++; f.truth[faster] < f.truth[slower] {
			t.falselyTold++
		}
	})
}

// surely returns the pairs of ranked modules where one is surely faster.
func (f *fitted) surely(chance float64, tell func(faster, slower int)) {
	model.Surely(f.Calibration, f.estimates, chance, func(faster, slower int) {
		if f.ranked[faster] && f.ranked[slower] {
			tell(faster, slower)
		}
	})
}

// fitted is a table of a world, as the model sees it.
type fitted struct {
	drawn
	*model.Calibration
	modules   []model.Module
	estimates []model.Estimate
	ranked    []bool
}

func fit(d drawn, assumed model.Assumption) (f fitted) {
	shares := d.shares()
	f = fitted{drawn: d, Calibration: model.Calibrate(shares, d.classes(), assumed)}
	for _, s := range shares {
		m, _ := f.Module(s)
		f.modules = append(f.modules, m)
		f.estimates = append(f.estimates, f.Standard(&m))
		f.ranked = append(f.ranked, m.Contributors >= model.RankedFrom)
	}
	return f
}

func binOf(n int, island bool) string {
	switch {
	case island:
		return "in a class that nothing connects"
	case n == 1, n == 2:
		return fmt.Sprint(n)
	case n <= 5:
		return "3 to 5"
	case n <= 15:
		return "6 to 15"
	case n < 50:
		return "16 to 49"
	}
	return "50 and more"
}

// placesOfTruth returns the true places of the ranked modules.
func placesOfTruth(f fitted) map[int]int {
	var order []int
	for i, is := range f.ranked {
		if is {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(a, b int) bool { return f.truth[order[a]] > f.truth[order[b]] })
	places := map[int]int{}
	for place, i := range order {
		places[i] = place + 1
	}
	return places
}

// tabulate draws this many tables of a world.
func (w world) tabulate(modules, tables int) (t tally) {
	w.modules = modules
	for table := range tables {
		t.add(fit(w.draw(rand.New(rand.NewPCG(uint64(modules), uint64(table)))), model.RandomWrites))
	}
	return t
}

// TestWorlds checks the method's promises coarsely, with a few tables of each world.
func TestWorlds(t *testing.T) {
	for _, w := range worlds {
		sum := w.tabulate(50, 8)
		if got := sum.figures.coverage(); got < w.covered-0.02 {
			t.Errorf("%s: intervals cover %.1f %%", w.name, 100*got)
		}
		if got := sum.figures.error(); w.off > 0 && got > w.off*1.15 {
			t.Errorf("%s: figures are off by %.2f", w.name, got)
		}
		if got := sum.ranges.holds(); got < w.holds-0.02 {
			t.Errorf("%s: %.1f %% of the ranges hold", w.name, 100*got)
		}
		if got := sum.ranges.span(); w.width > 0 && got > w.width*1.1 {
			t.Errorf("%s: a range has %.1f of 50 places", w.name, got)
		}
		if got := float64(sum.falselyTold) / float64(sum.told); got > 0.04 {
			t.Errorf("%s: %.1f %% of the orders told are false", w.name, 100*got)
		}
	}
}

// BenchmarkAcceptance draws tables of every world, and fails if they miss what the method promises. It draws enough
// tables that chance moves the coverage of the least certain world by only half a percent.
func BenchmarkAcceptance(b *testing.B) {
	for b.Loop() {
		acceptWorlds(b)
		acceptVerdicts(b)
		acceptHosts(b)
		acceptLinear(b)
		acceptDayOne(b)
	}
}

func acceptWorlds(b *testing.B) {
	fmt.Println("| world | modules | covered | error | width | ranges hold | of 50 | orders told that are false " +
		"| all at once | of 50 | best among | so many |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
	all := make([]map[string]bin, len(worlds))
	for i, w := range worlds {
		var both tally // sizes
		for _, size := range []struct{ modules, tables int }{{50, 240}, {200, 80}} {
			t := w.tabulate(size.modules, size.tables)
			f, wrong := t.figures, float64(t.falselyTold)/float64(t.told)
			n := float64(size.tables)
			fmt.Printf("| %s | %d | %.1f %% | %.2f | %.2f | %.1f %% | %.1f | %.1f %% | %.0f %% | %.1f | %.1f %% | %.1f |\n", w.name,
				size.modules, 100*f.coverage(), f.error(), f.width(), 100*t.ranges.holds(), t.ranges.span(), 100*wrong,
				100*t.atOnce.all(), t.atOnce.span(), 100*float64(t.best)/n, float64(t.named)/n)
			both.merge(t)
		}
		all[i] = both.bins
		atLeast(b, w.name, "coverage", both.figures.coverage(), w.covered)
		atLeast(b, w.name, "ranges that hold", both.ranges.holds(), w.holds)
		atLeast(b, w.name, "tables whose ranges hold all at once", both.atOnce.all(), w.atOnce())
		atLeast(b, w.name, "tables whose best is among those named", float64(both.best)/float64(both.atOnce.tables), 0.95)
		atMost(b, w.name, "orders told that are false", float64(both.falselyTold)/float64(both.told), 0.03)
		if w.off > 0 {
			atMost(b, w.name, "error", both.figures.error(), w.off)
			atMost(b, w.name, "mean range of 50", both.ranges.span(), w.width)
		}
	}
	fmt.Println("\n| world | contributors | modules | covered | bias | error | width |\n|---|---|---|---|---|---|---|")
	for i, w := range worlds {
		for _, key := range slices.Sorted(maps.Keys(all[i])) {
			x := all[i][key]
			fmt.Printf("| %s | %s | %d | %.1f %% | %+.2f | %.2f | %.2f |\n", w.name, key, x.n, 100*x.coverage(), x.bias(),
				x.error(), x.width())
			if least, ok := leastCoverage[key]; ok && x.n >= 200 && !w.coarse {
				atLeast(b, w.name, "coverage with contributors: "+key, x.coverage(), least)
			}
			if w.liars == 0 && x.n >= 1000 {
				atMost(b, w.name, "bias with contributors: "+key, math.Abs(x.bias()), 0.04)
			}
		}
	}
}

// leastCoverage is the least acceptable coverage, by contributors.
var leastCoverage = map[string]float64{
	"1": 0.90, "2": 0.92, "50 and more": 0.93, "in a class that nothing connects": 0.94,
}

// atOnce is the least share of the tables whose ranges must all be right.
func (w world) atOnce() float64 {
	switch {
	case w.coarse:
		return 0
	case w.confounded > 0:
		return 0.90
	}
	return 0.95
}

// merge adds what tables of another size showed.
func (t *tally) merge(o tally) {
	if t.bins == nil {
		t.bins = map[string]bin{}
	}
	for key, b := range o.bins {
		t.bins[key] = merged(t.bins[key], b)
	}
	t.figures = merged(t.figures, o.figures)
	t.ranges, t.atOnce = t.ranges.and(o.ranges), t.atOnce.and(o.atOnce)
	t.told, t.falselyTold = t.told+o.told, t.falselyTold+o.falselyTold
	t.best, t.named = t.best+o.best, t.named+o.named
}

func merged(a, b bin) bin {
	return bin{a.n + b.n, a.covered + b.covered, a.off + b.off, a.square + b.square, a.wide + b.wide}
}

func (r ranges) and(o ranges) ranges {
	return ranges{r.n + o.n, r.hold + o.hold, r.tables + o.tables, r.whole + o.whole, r.spans + o.spans}
}

func atLeast(b *testing.B, world, what string, got, least float64) {
	b.Helper()
	if got < least {
		b.Errorf("%s: %s: %.3f, at least %.3f", world, what, got, least)
	}
}

func atMost(b *testing.B, world, what string, got, most float64) {
	b.Helper()
	if got > most {
		b.Errorf("%s: %s: %.3f, at most %.3f", world, what, got, most)
	}
}
