package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"flashdex/api/figure/model"
)

// confoundedWorld is the world of most tests: hosts correlate with modules, and a tenth of the uploads is wrong.
var confoundedWorld = confounded("confounded", world{})

func (w world) at(modules, table int) drawn {
	w.modules = modules
	return w.draw(rand.New(rand.NewPCG(uint64(modules), uint64(table))))
}

// verdicts counts three-way verdicts on promises, by contributors: two, three and more.
func verdicts(w world, tables int) (told, wrong [2]int) {
	w.spread = 0.5
	for table := range tables {
		f := fit(w.at(200, table), model.RandomWrites)
		for i, e := range f.estimates {
			at := min(f.modules[i].Contributors-2, 1)
			if f.island[i] || at < 0 {
				continue
			}
			for _, promise := range []float64{-0.4, 0, 0.4} {
				switch e.Verdict(promise) {
				case model.Reached:
					if told[at]++; f.truth[i] < promise {
						wrong[at]++
					}
				case model.NotReached:
					if told[at]++; f.truth[i] >= promise {
						wrong[at]++
					}
				}
			}
		}
	}
	return told, wrong
}

func acceptVerdicts(b *testing.B) {
	fmt.Println("\n| world | contributors | verdicts told | of these false |\n|---|---|---|---|")
	for _, w := range []world{{name: "independent", wrong: 0.1}, confoundedWorld} {
		told, wrong := verdicts(w, 15)
		for i, most := range []float64{0.06, 0.025} {
			part := float64(wrong[i]) / float64(told[i])
			fmt.Printf("| %s | %s | %d | %.1f %% |\n", w.name, []string{"2", "3 and more"}[i], told[i], 100*part)
			atMost(b, w.name, "verdicts told that are false", part, most)
		}
	}
}

// inHosts sums up figures in single classes: measured there, foretold from one or two contributors, from three or more.
func inHosts(tables int) (bins [3]bin) {
	for table := range tables {
		f := fit(confoundedWorld.at(200, table), model.RandomWrites)
		for i := range f.modules {
			if f.island[i] {
				continue
			}
			for h := 0; h < known; h += 3 {
				e, measured := f.In(&f.modules[i], h)
				at := 0
				if !measured {
					at = 1 + min(f.modules[i].Contributors/model.RankedFrom, 1)
				}
				bins[at].add(e, f.inHost[i][h])
			}
		}
	}
	return bins
}

func acceptHosts(b *testing.B) {
	fmt.Println("\n| figure in one class of hosts | figures | covered | bias | error | width |\n|---|---|---|---|---|---|")
	for i, x := range inHosts(15) {
		name := []string{"measured there", "foretold from one or two contributors", "foretold from three or more"}[i]
		fmt.Printf("| %s | %d | %.1f %% | %+.2f | %.2f | %.2f |\n", name, x.n, 100*x.coverage(), x.bias(), x.error(),
			x.width())
		if i != 1 {
			atLeast(b, name, "coverage", x.coverage(), 0.95)
		}
	}
}

// linear sums up linear rates that hosts hold back, by how many of a module's shares they hold back: under a third,
// more, all. holds counts the figures whose lower end is below the truth.
func linear(together float64, tables int) (bins [3]bin, holds [3]int) {
	w := world{confounded: together, spread: 0.7, plain: true}
	for _, carried := range []float64{19, 45, 45, 90, 23, 38, 35, 90, 150, 85, 19, 45} {
		w.carries = append(w.carries, math.Log(carried/40))
	}
	for table := range tables {
		f := fit(w.at(100, table), model.LinearRates)
		for i, e := range f.estimates {
			if !f.ranked[i] {
				continue
			}
			at := 0
			if f.modules[i].AtLeast() {
				at = 1
			}
			if f.modules[i].HeldBack == 1 {
				at = 2
			}
			bins[at].add(e, f.truth[i])
			if low, _ := e.Interval(0.95); low <= f.truth[i] {
				holds[at]++
			}
		}
	}
	return bins, holds
}

func acceptLinear(b *testing.B) {
	fmt.Println("\n| linear rates | held back | modules | covered | bias | lower end holds |\n|---|---|---|---|---|---|")
	for i, together := range []float64{0, 0.85} {
		bins, holds := linear(together, 15)
		for at, x := range bins {
			name := []string{"under a third", "a third and more", "all"}[at]
			part := float64(holds[at]) / float64(x.n)
			fmt.Printf("| %s | %s | %d | %.1f %% | %+.2f | %.1f %% |\n", []string{"independent", "confounded"}[i], name, x.n,
				100*x.coverage(), x.bias(), 100*part)
			if at > 0 {
				atLeast(b, name, "at least", part, 0.97)
			}
		}
	}
}

// withPublished adds published rows for 70 % of the modules, in four classes with an effect each.
func withPublished(d drawn, kept float64, r *rand.Rand) (shares [][]model.Share, classes []model.Class) {
	shares, classes = d.shares(), d.classes()
	for i := range shares {
		if r.Float64() >= kept {
			shares[i] = nil
		}
	}
	const published = 4
	var effects [published]float64
	for h := range effects {
		effects[h] = -0.1 + 0.45*r.NormFloat64()
		classes = append(classes, model.Class{Spread: 3, Published: true})
	}
	for i := range shares {
		if r.Float64() >= 0.7 {
			continue
		}
		for range 1 + int(math.Floor(r.Float64()+0.4)) {
			h := r.IntN(published)
			s := share(len(mix)+h, d.truth[i]+effects[h]+0.2*r.NormFloat64()+0.3*r.NormFloat64())
			s.Error2 = 0.2 * 0.2
			shares[i] = append(shares[i], s)
		}
	}
	return shares, classes
}

// dayOne sums up figures with only published rows, with one or two contributors, and with three or more.
func dayOne(kept float64, tables int) (bins [3]bin) {
	w := confoundedWorld
	w.spread = 1.2
	for table := range tables {
		d := w.at(200, table)
		shares, classes := withPublished(d, kept, rand.New(rand.NewPCG(7, uint64(table))))
		c := model.Calibrate(shares, classes, model.RandomWrites)
		for i := range shares {
			if m, ok := c.Module(shares[i]); ok {
				bins[min((m.Contributors+1)/2, 2)].add(c.Standard(&m), d.truth[i])
			}
		}
	}
	return bins
}

func acceptDayOne(b *testing.B) {
	fmt.Println("\n| uploads | modules with | modules | covered | error | factor each way |\n|---|---|---|---|---|---|")
	for _, kept := range []float64{0, 0.2, 0.5} {
		for i, x := range dayOne(kept, 15) {
			if x.n == 0 {
				continue
			}
			name := []string{"published rows alone", "one or two contributors", "three and more"}[i]
			factor := math.Exp(x.width() / 2)
			fmt.Printf("| of %.0f %% of the modules | %s | %d | %.1f %% | %.2f | %.1f |\n", 100*kept, name, x.n,
				100*x.coverage(), x.error(), factor)
			if i == 0 {
				atLeast(b, name, "coverage", x.coverage(), 0.95)
				atMost(b, name, "factor each way", factor, 3.2)
			}
		}
	}
}

// A liar's influence is bounded. The test checks how far a liar who multiplies by 2.7 moves the figure of a module with
// three contributors, and with ten.
func TestALiarMovesAFigureLittle(t *testing.T) {
	for _, of := range []struct {
		contributors int
		most         float64
	}{{3, 0.25}, {10, 0.07}} {
		moved := 0.0
		const tables = 8
		for table := range tables {
			d := world{confounded: 0.85, each: of.contributors}.at(60, table)
			honest, lied := d.shares(), d.shares()
			for i := 0; i < 60; i += 6 {
				lied[i][0].LogRate++
			}
			a := model.Calibrate(honest, d.classes(), model.RandomWrites)
			c := model.Calibrate(lied, d.classes(), model.RandomWrites)
			for i := 0; i < 60; i += 6 {
				m, _ := a.Module(honest[i])
				n, _ := c.Module(lied[i])
				moved += (c.Standard(&n).LogRate - a.Standard(&m).LogRate) / (10 * tables)
			}
		}
		if moved > of.most {
			t.Errorf("of %d contributors one liar moves the figure by %.2f", of.contributors, moved)
		}
	}
}

func TestVerdictsAreSeldomFalse(t *testing.T) {
	told, wrong := verdicts(confoundedWorld, 3)
	for i, most := range []float64{0.08, 0.035} {
		if part := float64(wrong[i]) / float64(told[i]); told[i] < 100 || part > most {
			t.Errorf("of %d verdicts %.1f %% are false", told[i], 100*part)
		}
	}
}

func TestFiguresInAClassOfHosts(t *testing.T) {
	for i, x := range inHosts(3) {
		if x.coverage() < 0.93 {
			t.Errorf("kind %d: %.1f %% covered", i, 100*x.coverage())
		}
	}
}

func TestLinearRatesAreAtLeast(t *testing.T) {
	_, holds := linear(0.85, 3)
	bins, _ := linear(0.85, 3)
	for i := 1; i < 3; i++ {
		if part := float64(holds[i]) / float64(bins[i].n); part < 0.96 {
			t.Errorf("of %d lower ends %.1f %% hold", bins[i].n, 100*part)
		}
	}
}

func TestPublishedRowsAlone(t *testing.T) {
	for _, kept := range []float64{0, 0.5} {
		x := dayOne(kept, 3)[0]
		if factor := math.Exp(x.width() / 2); x.coverage() < 0.95 || factor > 3.2 {
			t.Errorf("%.1f %% covered by a factor of %.1f each way", 100*x.coverage(), factor)
		}
	}
}
