package plausible_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/api/submission/plausible"
)

func TestDeviates(t *testing.T) {
	t.Parallel()
	alike := slices.Repeat([]float64{100}, plausible.MinOthers)
	wide := []float64{6.7, 6.9, 7.3, 18.7, 20.5, 23.6, 21} // linear writes of six cards of one product, and one more
	limit := math.Exp(plausible.MaxScore * plausible.MinSpread)
	cases := []struct {
		name   string
		value  float64
		others []float64
		want   bool
	}{
		{"too few others", 100_000, alike[1:], false},
		{"the same", 100, alike, false},
		{"5 % beside others that agree", 105, alike, false},
		{"three times as fast", 300, alike, false},
		{"just inside", 100 * limit * 0.999, alike, false},
		{"just outside", 100 * limit * 1.001, alike, true},
		{"as far below", 100 / limit / 1.001, alike, true},
		{"just inside below", 100 / limit / 0.999, alike, false},
		{"a thousandth", 0.1, alike, true},
		{"two kinds under one name, the slower", 6.7, wide, false},
		{"two kinds under one name, the faster", 24, wide, false},
		{"a hundred times either", 2000, wide, true},
		{"one liar among the others", 100, append([]float64{1e6}, alike...), false},
		{"three liars among ten others", 1e6, append([]float64{1e6, 1e6, 1e6}, alike...), true},
		{"others that are no figures", 100_000, append([]float64{0, -1, math.Inf(1), math.NaN()}, alike[1:]...), false},
		{"no figure", 0, alike, false},
		{"not a number", math.NaN(), alike, false},
		{"infinite", math.Inf(1), alike, false},
	}
	for _, c := range cases {
		before := slices.Clone(c.others)
		found, got := plausible.Deviates(c.value, c.others)
		if got != c.want {
			t.Errorf("%s: %t, want %t: %s", c.name, got, c.want, found.Reason)
		}
		if got && (found.Rule != "deviates" || found.Severity != plausible.Quarantine || found.Reason == "") || !got &&
			found != (plausible.Finding{}) {
			t.Errorf("%s: %+v", c.name, found)
		}
		if fmt.Sprint(before) != fmt.Sprint(c.others) {
			t.Errorf("%s: the others were changed", c.name)
		}
	}
}

// The simulation counts how often an honest figure is quarantined, and how often honest figures fall into two groups, if
// the figures of a module are lognormal with a given standard deviation of their logarithm. docs/moderation.md has the
// same table.
func TestSimulatedHonestFiguresSeldomDeviate(t *testing.T) {
	t.Parallel()
	const runs = 10_000
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{plausible.MinOthers, 10, 20, 50} {
		line := fmt.Sprintf("| %d |", n)
		for _, spread := range []float64{0.1, 0.2, 0.35, 0.5, 0.8} {
			deviating, divided := 0, 0
			for range runs {
				all := make([]float64, n+1)
				for i := range all {
					all[i] = math.Exp(spread * r.NormFloat64())
				}
				if _, two := plausible.Divide(all); two {
					divided++
				} else if _, deviates := plausible.Deviates(all[0], all[1:]); deviates {
					deviating++
				}
			}
			line += fmt.Sprintf(" %.1f %%, %.1f %% |", 100*float64(deviating)/runs, 100*float64(divided)/runs)
		}
		documented(t, line)
	}
}

// The simulation counts how often two products under one name are found, or liars among honest contributors. The faster
// ones are this many times as fast, and one in four, three or two. The logarithms within each group have a standard
// deviation of 0.2.
func TestSimulatedTwoGroupsAreFound(t *testing.T) {
	t.Parallel()
	const runs, spread = 5_000, 0.2
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{8, 12, 24, 48} {
		for _, part := range []int{4, 3, 2} {
			if n%part > 0 {
				continue
			}
			line := fmt.Sprintf("| %d of %d |", n/part, n)
			for _, times := range []float64{2, 3.4, 5, 10} {
				found := 0
				for range runs {
					all := make([]float64, n)
					for i := range all {
						all[i] = math.Exp(spread * r.NormFloat64())
						if i < n/part {
							all[i] *= times
						}
					}
					if _, two := plausible.Divide(all); two {
						found++
					}
				}
				line += fmt.Sprintf(" %.1f %% |", 100*float64(found)/runs)
			}
			documented(t, line)
		}
	}
}

// documented checks that docs/moderation.md has a line.
func documented(t *testing.T, line string) {
	t.Helper()
	document, err := os.ReadFile("../../../docs/moderation.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(document), line+"\n") {
		t.Errorf("docs/moderation.md lacks the line\n%s", line)
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	repeat := func(n int, value float64) []float64 { return slices.Repeat([]float64{value}, n) }
	cases := []struct {
		name   string
		values []float64
		want   bool
	}{
		{"all alike", repeat(20, 100), false},
		{"too few", slices.Concat(repeat(3, 20), repeat(4, 900)), false},
		{"eight early ones and three honest ones", slices.Concat(repeat(8, 20), repeat(3, 900)), true},
		{"two against eight", slices.Concat(repeat(8, 20), repeat(2, 900)), false},
		{"15 % liars", slices.Concat(repeat(17, 20), repeat(3, 900)), false},
		{"one more far away from both", slices.Concat(repeat(8, 20), repeat(3, 900), repeat(1, 1e6)), true},
		{"a few more far away to either side", slices.Concat(repeat(8, 20), repeat(4, 900), []float64{0.01, 1e6}), true},
		{"three times as fast", slices.Concat(repeat(8, 20), repeat(8, 60)), false},
		{"what is no figure", slices.Concat(repeat(7, 20), []float64{0, math.NaN(), math.Inf(1), -1}), false},
	}
	for _, c := range cases {
		before := slices.Clone(c.values)
		border, got := plausible.Divide(c.values)
		if got != c.want || got && (border <= 20 || border >= 900) {
			t.Errorf("%s: %t at %v, want %t", c.name, got, border, c.want)
		}
		if fmt.Sprint(before) != fmt.Sprint(c.values) {
			t.Errorf("%s: the values were changed", c.name)
		}
	}
}
