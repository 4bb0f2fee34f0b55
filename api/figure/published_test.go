package figure

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure/model"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

var loadedCatalogue = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(data.FS) })

func publishedRows(t testing.TB) []catalogue.Published {
	t.Helper()
	c, err := loadedCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	return c.Published
}

// modulesOf lists the shares of one metric by module, in the order of slugs.
func modulesOf(shares map[string]Shares, key string) (modules [][]KindShare) {
	for _, slug := range slices.Sorted(maps.Keys(shares)) {
		if of := shares[slug][key]; len(of) > 0 {
			modules = append(modules, of)
		}
	}
	return modules
}

// calibratedAlone makes a calibration only from published figures.
func calibratedAlone(key string, modules [][]KindShare) *model.Calibration {
	return Calibrated(key, modules, Contributors{}, StandardMix(0, nil))
}

// calibratedBy makes calibrations only from published figures.
func calibratedBy(shares map[string]Shares) *Calibrations {
	by := &Calibrations{Version: 1}
	for _, key := range MainFigures {
		by.Add(CalibrationKey{PublishedMethod, key}, calibratedAlone(key, modulesOf(shares, key)))
	}
	return by
}

// Figures worked out by hand from the tables of the sources.
func TestSharesOfPublishedFigures(t *testing.T) {
	t.Parallel()
	shares := PublishedShares(publishedRows(t))
	for _, tc := range []struct {
		slug, key string
		want      []string // kind, rate, k
	}{
		// One author's card in three hosts, in one of them also with a faster slot, and once more with an unknown area;
		// and two other people's cards.
		{"samsung-evo-plus-32gb-microsd", RandWriteIOPS, []string{
			"iozone, direct I/O, 100 MB, Helios4 (Armada 388, SDIO 4-bit), Armbian, Linux 4.14, UHS mode: 752.5 of 2",
			"iozone, direct I/O, 100 MB, Helios4 (Armada 388, SDIO 4-bit), Armbian, Linux 4.14, normal mode: 553.5 of 2",
			"iozone, direct I/O, 100 MB, Raspberry Pi 1: 586.2 of 1", // 2.29 MiB/s of 4 KiB
			"iozone, direct I/O, 100 MB, Raspberry Pi 2: 768.0 of 5", // 3.00
			"iozone, direct I/O, 100 MB, Raspberry Pi 3: 878.1 of 5", // 3.43
			"iozone, direct I/O, 100 MB, Raspberry Pi 3, slot overclocked: 960.0 of 5",
			"iozone, direct I/O, 100 MB, Raspberry Pi 4: 985.6 of 5",               // 3.85
			"iozone, direct I/O, area not stated, LEGO MINDSTORMS EV3: 161.3 of 1", // 0.63
			"iozone, direct I/O, area not stated, Raspberry Pi 4: 952.3 of 5",      // 3.72
		}},
		// Two editions of one author's table are two runs of one card. In another Pi it was measured by iozone, and by
		// fio with a queue that its slot doesn't have.
		{"samsung-pro-plus-32gb-microsd", RandWriteIOPS, []string{
			"fio, 64 in flight, 80 MB, Raspberry Pi, model not stated: 576.0 of 2",
			"iozone, direct I/O, 100 MB, Raspberry Pi 2: 524.8 of 4", // 2.35 and 1.75
			"iozone, direct I/O, 100 MB, Raspberry Pi 3: 553.0 of 4",
			"iozone, direct I/O, 100 MB, Raspberry Pi 3, slot overclocked: 471.0 of 4",
			"iozone, direct I/O, 100 MB, Raspberry Pi 4: 668.2 of 4",
			"iozone, direct I/O, 80 MB, Raspberry Pi, model not stated: 575.2 of 2",
		}},
		// 32 in flight count if the command queue is off. If it is on, the host passes all of them on at once.
		{"sandisk-extreme-64gb-microsd", RandWriteIOPS, []string{
			"fio, 32 in flight, command queue off, 256 MB, host not stated (bretmlw): 1145.3 of 1",
		}},
		// The medium itself reads faster than this host.
		{"sandisk-extreme-a1-32gb-microsd", SeqReadMBPerS, []string{
			"iozone, direct I/O, 100 MB, NanoPi M4: 69.2 of 3, held back",
			"iozone, direct I/O, 100 MB, Radxa ROCK 5B (RK3588): 66.9 of 3, held back",
			"iozone, direct I/O, 100 MB, Radxa ROCK 5B (RK3588), card clock raised: 85.0 of 3, held back",
			"iozone, direct I/O, 100 MB, host not stated (pastebin_2wxPWcWr): 66.0 of 1, held back", // 64,441 KiB/s at 1 MiB
		}},
		// Zeros and 32 in flight are left out.
		{"sandisk-extreme-compactflash-32gb-cf", RandWriteIOPS, []string{
			"CrystalDiskMark, 500 MB, PC, CF-to-IDE adapter: 223.6 of 1",
		}},
		// Three rounds in each of two nodes of a cluster.
		{"sandisk-ultra-128gb-microsd", SeqWriteMBPerS, []string{
			"dd, direct I/O, 1000 MB, Raspberry Pi cluster node RPi1 (Pi model not stated): 20.5 of 2, held back",
			"dd, direct I/O, 1000 MB, Raspberry Pi cluster node RPi2 (Pi model not stated): 6.9 of 2, held back",
		}},
	} {
		var got []string
		for _, s := range shares[tc.slug][tc.key] {
			label, _ := PublishedLabel(s.Kind)
			text := fmt.Sprintf("%s: %.1f of %d", label, math.Exp(s.LogRate), s.Classes)
			if s.HeldBack {
				text += ", held back"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", tc.key, tc.slug, diff)
		}
	}
}

// Every share of the data set is as the model assumes.
func TestSharesOfPublishedFiguresAreSound(t *testing.T) {
	t.Parallel()
	rows := publishedRows(t)
	shares := PublishedShares(rows)
	if n := len(shares); n < 70 {
		t.Errorf("published figures of %d modules, want at least 70", n)
	}
	for slug, of := range shares {
		for key, shares := range of {
			authors := 0.0
			for _, s := range shares {
				authors += 1 / float64(s.Classes)
				if math.IsNaN(s.LogRate) || math.IsInf(s.LogRate, 0) || s.Cards != 1 || s.Scatter != 0 || s.Error2 <= 0 ||
					s.Contributors != 1 || s.Classes < 1 || s.Class != 0 || s.HeldBack && !IsLinear(key) {
					t.Errorf("%s of %s: %+v", key, slug, s)
				}
			}
			if math.Abs(authors-math.Round(authors)) > 1e-9 {
				t.Errorf("%s of %s weighs %v contributors, want a whole number", key, slug, authors)
			}
			if !slices.IsSortedFunc(shares, compareShares) {
				t.Errorf("%s of %s is not sorted", key, slug)
			}
		}
	}
	for _, kind := range []string{"Microcontroller", "hdparm", "written out", "cache not ruled out", "block-size table",
		"mixed", "zeros", "command queue on"} {
		for _, class := range publishedClasses(modulesOf(shares, RandReadIOPS)) {
			if strings.Contains(class.Key, kind) {
				t.Errorf("the class %q takes part in the model", class.Key)
			}
		}
	}
}

// The order of the rows makes no difference. Nor do figures that a source prints twice, rows without a module, or rows
// of 0.
func TestSharesDontDependOnTheOrderOfRows(t *testing.T) {
	t.Parallel()
	rows := publishedRows(t)
	want := PublishedShares(rows)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		shuffled := slices.Clone(rows)
		for range 300 {
			again := shuffled[r.IntN(len(rows))]
			switch r.IntN(5) {
			case 0:
				again.Restates = again.Line
			case 1:
				again.Contributor = ""
			case 2:
				again.ModuleSlug, again.DeviceSlug = "", "disk"
			case 3:
				again.IOPS, again.MBPerS = nil, nil
			default:
				again.IOPS, again.MBPerS = new(float64), new(float64)
			}
			shuffled = append(shuffled, again)
		}
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want, PublishedShares(shuffled)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}

// A weak figure is no evidence for anything: it has no cell, no share and no part in expected figures. The same holds
// for figures of reads and writes at once, of slowest calls and of times.
func TestWeakFiguresAreEvidenceForNothing(t *testing.T) {
	t.Parallel()
	weak, weakRates, others := 0, 0, map[string]int{}
	for _, p := range publishedRows(t) {
		key, value, _ := PublishedFigure(&p)
		switch {
		case p.Quality == catalogue.QualityWeak:
			if weak++; p.Test == result.SeqWrite || p.Test == result.RandWrite {
				weakRates++
			}
			if key != "" || value != nil || p.Contributor != "" {
				t.Errorf("%s:%d is weak, and evidence for %q, by %q", p.Source, p.Line, key, p.Contributor)
			}
		case p.Quality != "A" && p.Quality != "B":
			t.Errorf("%s:%d has the quality %q", p.Source, p.Line, p.Quality)
		}
		for _, of := range []string{"mixed_", "_latency_max", "mount_time", "access_time"} {
			if strings.Contains(p.Test, of) {
				if others[of]++; key != "" {
					t.Errorf("%s:%d, %s, is evidence for %s", p.Source, p.Line, p.Test, key)
				}
			}
		}
	}
	if weak < 300 || weakRates < 50 || len(others) != 4 {
		t.Errorf("%d weak figures, %d of them writes; %v of other tests: this tests too little", weak, weakRates, others)
	}
	rows := []catalogue.Published{{ModuleSlug: "a", Contributor: "c", Kind: "k", Test: result.RandWrite, BlockBytes: 4096,
		IOPS: new(100.0), Quality: catalogue.QualityWeak}}
	if shares := PublishedShares(rows); len(shares) > 0 {
		t.Errorf("a weak figure has the shares %v", shares)
	}
}

// A unit that was measured in three hosts counts once.
func TestExpectedFiguresCountUnits(t *testing.T) {
	t.Parallel()
	row := func(unit, host string) catalogue.Published {
		return catalogue.Published{ModuleSlug: "a", Contributor: "c", OfUnit: unit, Kind: host, Test: result.RandWrite,
			BlockBytes: 4096, IOPS: new(100.0)}
	}
	rows := []catalogue.Published{row("c", "Pi 3"), row("c", "Pi 4"), row("c", "Pi 5"), row("c, second", "Pi 5")}
	f := Expected(rows, calibratedBy(PublishedShares(rows)))["a"].Figures.At(RandWriteIOPS)
	if f.N != 2 {
		t.Errorf("n is %d, want 2: four rows of two units", f.N)
	}
}

// If a rate was measured with several block sizes, only the one nearest to 1 MiB counts.
func TestPublishedLinearRatesAreOfTheNearestBlockSize(t *testing.T) {
	t.Parallel()
	row := func(blockBytes int64, rate float64) catalogue.Published {
		return catalogue.Published{ModuleSlug: "a", Contributor: "c", Kind: "k", Test: result.SeqWrite, BlockBytes: blockBytes,
			MBPerS: &rate, Method: "iozone-direct-100m", HostMBPerS: 50}
	}
	shares := PublishedShares([]catalogue.Published{row(16<<20, 99), row(1<<20, 39), row(512<<10, 30), row(1<<20, 41),
		row(4096, 2)})["a"][SeqWriteMBPerS]
	if len(shares) != 1 || math.Abs(math.Exp(shares[0].LogRate)-40) > 1e-9 || !shares[0].HeldBack {
		t.Errorf("shares %+v, want one of 40 MB/s, which is 80 %% of what the host carries", shares)
	}
}

func TestClassesOfPublishedFigures(t *testing.T) {
	t.Parallel()
	classes := publishedClasses([][]KindShare{
		{{Kind: "published/b"}, {Kind: "pi-5"}}, {{Kind: "published/a"}, {Kind: "published/b"}}})
	want := []model.Class{
		{Key: "published/a", Spread: 3, Published: true}, {Key: "published/b", Spread: 3, Published: true}}
	if diff := cmp.Diff(want, classes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Calibrated only by published figures, a Raspberry Pi 4 does what it did with the eight cards that one author measured
// in it and in a Pi 2: 1.16 times the random writes (+0.15), 1.28 times the reads (+0.25).
func TestEffectsOfHostsFromPublishedFigures(t *testing.T) {
	t.Parallel()
	by := calibratedBy(PublishedShares(publishedRows(t)))
	for key, want := range map[string]float64{RandWriteIOPS: 0.15, RandReadIOPS: 0.25} {
		c := by.Of(PublishedMethod, key)
		at := func(host string) int {
			return ClassOf(publishedClass+"iozone, direct I/O, 100 MB, Raspberry Pi "+host, c.Classes)
		}
		pi2, pi4 := at("2"), at("4")
		got := c.Effects[pi4] - c.Effects[pi2]
		sure := math.Sqrt(c.Covariance[pi4][pi4] + c.Covariance[pi2][pi2] - 2*c.Covariance[pi4][pi2])
		t.Logf("%s: %+.2f ± %.2f; φ %.2f, τ %.2f, σ %.2f, %d classes, %d modules", key, got, sure, math.Sqrt(c.Phi2),
			math.Sqrt(c.Tau2), math.Sqrt(c.Sigma2), len(c.Classes), c.Modules)
		if math.Abs(got-want) > 0.1 {
			t.Errorf("%s in a Pi 4 against a Pi 2: %+.2f, want about %+.2f", key, got, want)
		}
	}
}

// Each figure is foretold from all others, if other figures connect its module and its kind. docs/method.md has the
// results.
func TestPublishedFiguresForetellEachOther(t *testing.T) {
	t.Parallel()
	all := PublishedShares(publishedRows(t))
	for key, most := range map[string]float64{RandWriteIOPS: 0.5, RandReadIOPS: 0.2} {
		modules := modulesOf(all, key)
		inKind := map[string]int{}
		for _, shares := range modules {
			for _, s := range shares {
				if len(shares) > 1 {
					inKind[s.Kind]++
				}
			}
		}
		var n, within, squares float64
		var offs []float64
		for i, shares := range modules {
			for j, s := range shares {
				if len(shares) < 2 || inKind[s.Kind] < 2 {
					continue
				}
				others := slices.Clone(modules)
				others[i] = slices.Delete(slices.Clone(shares), j, j+1)
				c := calibratedAlone(key, others)
				m, _ := c.Module(inClasses(others[i], c.Classes))
				e, _ := c.In(&m, ClassOf(s.Kind, c.Classes))
				off := s.LogRate - e.LogRate
				n, squares, offs = n+1, squares+off*off, append(offs, math.Abs(off))
				if math.Abs(off) <= 1.96*math.Sqrt(e.Variance()+c.Phi2+s.Error2) {
					within++
				}
			}
		}
		t.Logf("%s: %.0f shares, error %.2f (median %.2f), %.0f %% within the 95 %% interval", key, n, math.Sqrt(squares/n),
			result.Median(offs), 100*within/n)
		if n < 20 || math.Sqrt(squares/n) > most || within/n < 0.9 {
			t.Errorf("%s of %v shares: error %.2f, %.0f %% within the interval", key, n, math.Sqrt(squares/n), 100*within/n)
		}
	}
}

// A figure expected only from published ones is never surer than a factor of 1.4 each way, and mostly not vaguer than
// 4. For linear rates it is a lower end.
func TestExpectedFigures(t *testing.T) {
	t.Parallel()
	rows := publishedRows(t)
	expected := Expected(rows, calibratedBy(PublishedShares(rows)))
	factors := map[string][]float64{}
	for slug, sum := range expected {
		if sum.ModuleSlug != slug || sum.Method != catalogue.MethodExpected {
			t.Errorf("%s: a summary of %s by %s", slug, sum.ModuleSlug, sum.Method)
		}
		for key, f := range sum.Figures.All() {
			if _, has := sum.Model.Find(key); !has || f.N == 0 || !(f.Value > 0) {
				t.Errorf("%s of %s: %+v, model %v", key, slug, f, has)
			}
			if IsLinear(key) {
				if !f.AtLeast || f.HasInterval() {
					t.Errorf("%s of %s: %+v, want a lower end alone", key, slug, f)
				}
				continue
			}
			factors[key] = append(factors[key], *f.High/f.Value)
		}
	}
	for key, of := range factors {
		slices.Sort(of)
		least, middle, most := of[0], of[len(of)/2], of[len(of)-1]
		t.Logf("%s of %d modules: a factor of %.2f to %.2f each way, median %.2f", key, len(of), least, most, middle)
		if least < 1.4 || middle > 4 {
			t.Errorf("%s: a factor of %.2f to %.2f each way, median %.2f", key, least, most, middle)
		}
	}
	if n := len(factors[RandWriteIOPS]); n < 60 {
		t.Errorf("4K random writes of %d modules are expected, want at least 60", n)
	}
}

// A calibration that knows none of the kinds, such as one from before the figures, leads to no expected figures.
func TestNothingIsExpectedByAnOlderCalibration(t *testing.T) {
	t.Parallel()
	if expected := Expected(publishedRows(t), new(Calibrations)); len(expected) > 0 {
		t.Errorf("%d modules", len(expected))
	}
}

// From three contributors on, published figures have no part in a module's figure, whatever they say. Before that, they
// have one.
func TestPublishedFiguresLeaveAtThreeContributors(t *testing.T) {
	t.Parallel()
	all := PublishedShares(publishedRows(t))
	by := calibratedBy(all)
	fitted := func(key string, contributors int, published Shares) Figure {
		sum := &Summary{Method: PublishedMethod, Figures: Set{}, Shares: Shares{}}
		for i := range contributors {
			share := model.Share{LogRate: 3 + float64(i)/10, Cards: 1, Classes: 1, Contributors: 1}
			sum.Shares[key] = append(sum.Shares[key], KindShare{"pi-4", share})
		}
		sum.Fit(by, published)
		return sum.Figures.At(key)
	}
	for _, key := range MainFigures {
		for contributors := 1; contributors <= 4; contributors++ {
			without, with := fitted(key, contributors, nil), fitted(key, contributors, all["sandisk-extreme-a1-32gb-microsd"])
			if same := cmp.Equal(without, with); same != (contributors >= model.RankedFrom) {
				t.Errorf("%s of %d contributors: %+v, with published figures %+v", key, contributors, without, with)
			}
		}
	}
}

// A board is a class of its own once modules connect it with other hosts. Figures that somebody published of these
// modules years ago don't connect it.
func TestPublishedFiguresMakeNoBoardAClass(t *testing.T) {
	t.Parallel()
	const board, other = "pi-5/-/Raspberry Pi 5 Model B", "pi-4/-/Raspberry Pi 4 Model B"
	has := func(elsewhere string) bool {
		var modules [][]KindShare
		for range 10 {
			share := model.Share{LogRate: 5, Cards: 1, Classes: 1, Contributors: 1}
			modules = append(modules, []KindShare{{board, share}, {elsewhere, share}})
		}
		by := Contributors{20, map[string]int{board: 10, other: 10}}
		c := Calibrated(RandWriteIOPS, modules, by, StandardMix(0, nil))
		return slices.ContainsFunc(c.Classes, func(class model.Class) bool { return class.Key == board })
	}
	if !has(other) || has(publishedClass+"iozone, Raspberry Pi 4") {
		t.Errorf("beside another board %v, want true; beside a published figure %v, want false", has(other),
			has(publishedClass+"iozone, Raspberry Pi 4"))
	}
}
