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

// The simulation counts how often an honest figure is quarantined if the figures of a module are lognormal with a given
// standard deviation of their logarithm. docs/moderation.md has the same table.
func TestSimulatedHonestFiguresSeldomDeviate(t *testing.T) {
	t.Parallel()
	const runs = 20_000
	spreads := []float64{0.1, 0.2, 0.35, 0.5, 0.8}
	document, err := os.ReadFile("../../../docs/moderation.md")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{plausible.MinOthers, 10, 20, 50} {
		line := fmt.Sprintf("| %d |", n)
		for _, spread := range spreads {
			deviating := 0
			for range runs {
				others := make([]float64, n)
				for i := range others {
					others[i] = math.Exp(spread * r.NormFloat64())
				}
				if _, deviates := plausible.Deviates(math.Exp(spread*r.NormFloat64()), others); deviates {
					deviating++
				}
			}
			line += fmt.Sprintf(" %.1f %% |", 100*float64(deviating)/runs)
		}
		if !strings.Contains(string(document), line+"\n") {
			t.Errorf("docs/moderation.md lacks the line\n%s", line)
		}
	}
}
