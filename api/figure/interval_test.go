package figure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// docs/method.md has the shares.
func TestIntervalOfTheMedianCovers(t *testing.T) {
	t.Parallel()
	const trials = 4000
	random := rand.New(rand.NewPCG(2026, 11))
	logNormal := func() float64 { return 100 * math.Exp(random.NormFloat64()) }
	heavy := func() float64 { return 100 * math.Exp(random.NormFloat64()/math.Abs(random.NormFloat64())) }
	upToThree := func(int) int { return 1 + random.IntN(3) }
	oneHasTen := func(contributor int) int {
		if contributor == 0 {
			return 10
		}
		return 1
	}
	for _, tc := range []struct {
		name  string
		draw  func() float64 // of median 100
		cards func(contributor int) int
		alike bool // the cards of one contributor are alike
		least float64
	}{
		{"log-normal", logNormal, upToThree, true, 0.94},
		{"heavy tails", heavy, upToThree, true, 0.94},
		{"log-normal, cards that differ", logNormal, upToThree, false, 0.95},
		{"log-normal, one has ten that differ", logNormal, oneHasTen, false, 0.92},
	} {
		for _, n := range []int{3, 4, 5, 6, 9, 20, 60} {
			covered := 0
			for range trials {
				var values []UnitValue
				for contributor := range n {
					own := tc.draw()
					for range tc.cards(contributor) {
						v := own * math.Exp(0.05*random.NormFloat64())
						if !tc.alike {
							v = tc.draw()
						}
						values = append(values, UnitValue{v, contributor})
					}
				}
				if m, _ := MedianOf(values); *m.Low <= 100 && *m.High >= 100 {
					covered++
				}
			}
			share := float64(covered) / trials
			t.Logf("%s, %d contributors: %.3f", tc.name, n, share)
			if share < tc.least {
				t.Errorf("%s, %d contributors: the interval covers the median in %.3f of all trials, want %v", tc.name, n,
					share, tc.least)
			}
		}
	}
}

// This is the definition, as plainly as possible. It tries every value and sums the weights again, in units of a
// contributor that up to four cards divide without rounding.
func TestMedianIsItsDefinition(t *testing.T) {
	t.Parallel()
	const one = 12
	rapid.Check(t, func(t *rapid.T) {
		var values []UnitValue
		var weights []int
		n := rapid.IntRange(1, 10).Draw(t, "contributors")
		for contributor := range n {
			cards := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 4).Draw(t, "cards")
			for _, v := range cards {
				values, weights = append(values, UnitValue{float64(v), contributor}), append(weights, one/len(cards))
			}
		}
		m, _ := MedianOf(slices.Clone(values))
		// least is the least of all values (signed -1: of their negatives) up to which they weigh enough.
		least := func(sign float64, enough func(weight int) bool) float64 {
			found := math.Inf(1)
			for _, candidate := range values {
				weight := 0
				for i, v := range values {
					if sign*v.Value <= sign*candidate.Value {
						weight += weights[i]
					}
				}
				if enough(weight) {
					found = min(found, sign*candidate.Value)
				}
			}
			return sign * found
		}
		quantile := func(quarters int) float64 {
			bound := one * n * quarters
			return (least(1, func(w int) bool { return 4*w >= bound }) + least(1, func(w int) bool { return 4*w > bound })) / 2
		}
		if got, want := [3]float64{m.P25, m.Value, m.P75}, [3]float64{quantile(1), quantile(2), quantile(3)}; got != want {
			t.Fatalf("quartiles %v, want %v", got, want)
		}
		if k := []int{6: 1, 7: 1, 8: 1, 9: 2, 10: 2}; n >= 6 {
			reached := func(w int) bool { return w >= k[n]*one }
			if low, high := least(1, reached), least(-1, reached); *m.Low != low || *m.High != high {
				t.Fatalf("interval %v to %v, want %v to %v", *m.Low, *m.High, low, high)
			}
		}
	})
}

// Nothing depends on the order of the cards, or on how contributors are numbered, to the last bit. rapid draws too few
// cards whose logarithms would round differently.
func TestOrderOfCardsDoesNotMatter(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		var values, other []UnitValue
		number := random.Perm(8)
		for contributor := range 1 + random.IntN(8) {
			for range 1 + random.IntN(3) {
				v := 1.1 * float64(random.IntN(6))
				values, other = append(values, UnitValue{v, contributor}), append(other, UnitValue{v, number[contributor]})
			}
		}
		random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		m, _ := MedianOf(values)
		if again, _ := MedianOf(other); !cmp.Equal(m, again) {
			t.Fatalf("%+v, and in another order %+v", m, again)
		}
	}
}
