package model_test

import (
	"fmt"
	"math"
	"testing"

	"flashdex/api/figure/model"
	"flashdex/api/submission/plausible"
)

// lie is the logarithm by which a forger raises a figure: what the rule deviates lets pass however closely others agree.
const lie = plausible.MaxScore * plausible.MinSpread

// boldest returns the logarithms by which so many liars may raise a figure and count. Where deviates holds nobody back,
// because there are too few others or the liars make a group of their own, they may also say ten and a hundred times the
// truth.
func boldest(honest, liars int) []float64 {
	if honest+liars > plausible.MinOthers && 4*liars < honest+liars {
		return []float64{lie}
	}
	return []float64{lie, math.Log(10), math.Log(100)}
}

// lies bound how many of 100 places a module of average speed gains if so many of its contributors lie about it, and how
// many modules more it is then surely faster than.
var lies = []struct {
	honest, liars int
	gained, surer float64
}{
	{3, 1, 12, 9}, {3, 3, 40, 30}, {10, 1, 5, 4}, {10, 3, 13, 11}, {30, 1, 2, 2}, {30, 3, 4, 4}, {30, 10, 15, 14},
}

// forged counts the places that modules in the middle of a table gain by the lie that gains most, and how many more
// modules each is then surely faster than, at most.
func forged(honest, liars, tables int) (gained, surer float64) {
	for _, lie := range boldest(honest, liars) {
		g, s := forgedBy(lie, honest, liars, tables)
		gained, surer = max(gained, g), max(surer, s)
	}
	return gained, surer
}

func forgedBy(lie float64, honest, liars, tables int) (gained, surer float64) {
	n := 0.0
	for table := range tables {
		d := world{confounded: 0.85, each: honest}.at(100, table)
		c := model.Calibrate(d.shares(), d.classes(), model.RandomWrites)
		before, ranked := placed(c, d.shares())
		for target, place := range before {
			if !ranked[target] || place.order < 41 || place.order > 60 || target%4 != 0 {
				continue
			}
			shares := d.shares()
			for i := range liars {
				s := shares[target][i%len(shares[target])]
				s.LogRate, s.Cards, s.Scatter, s.Contributors, s.Classes = d.truth[target]+lie, 1, 0, 1, 1
				shares[target] = append(shares[target], s)
			}
			after, _ := placed(c, shares) // calibrations are made once a night
			gained += float64(place.order - after[target].order)
			surer += float64(place.Last - after[target].Last)
			n++
		}
	}
	return gained / n, surer / n
}

type orderedPlace struct {
	model.Place
	order int
}

func placed(c *model.Calibration, shares [][]model.Share) (places []orderedPlace, ranked []bool) {
	estimates := make([]model.Estimate, len(shares))
	ranked = make([]bool, len(shares))
	for i := range shares {
		m, _ := c.Module(shares[i])
		estimates[i], ranked[i] = c.Standard(&m), m.Contributors >= model.RankedFrom
	}
	for i, place := range c.Places(estimates, ranked) {
		p := orderedPlace{Place: place, order: 1}
		for j := range estimates {
			if ranked[j] && estimates[j].LogRate > estimates[i].LogRate {
				p.order++
			}
		}
		places = append(places, p)
	}
	return places, ranked
}

// The more honest contributors a module has, the more a lie costs. docs/trust.md has the figures of 20 tables.
func TestALieGainsFewPlacesWhereManyAreHonest(t *testing.T) {
	for _, of := range lies {
		gained, surer := forged(of.honest, of.liars, 2)
		t.Logf("| %d | %d | %.0f | %.0f |", of.honest, of.liars, gained, surer)
		if gained > of.gained || surer > of.surer {
			t.Errorf("%d liars among %d honest contributors gain %.1f places, and %.1f in the last place", of.liars,
				of.honest, gained, surer)
		}
	}
}

// BenchmarkLies prints the table of honest contributors and liars in docs/trust.md.
func BenchmarkLies(b *testing.B) {
	for _, honest := range []int{3, 10, 30} {
		for _, liars := range []int{1, 3, 10, 100} {
			b.Run(fmt.Sprintf("honest=%d/liars=%d", honest, liars), func(b *testing.B) {
				gained, surer := forged(honest, liars, 20)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(gained, "places-gained")
				b.ReportMetric(surer, "last-place-gained")
			})
		}
	}
}

// BenchmarkSecrets prints the table of secrets and networks in docs/trust.md: the places that one person gains for a
// module of ten honest contributors. Of those who send it from one network on one date, one counts. The hours are the
// least, from the end of the first date to the beginning of the last.
func BenchmarkSecrets(b *testing.B) {
	gained := map[int]float64{} // by liars that count
	for _, of := range []struct{ secrets, networks int }{
		{1, 1}, {3, 1}, {3, 3}, {10, 1}, {10, 3}, {10, 10}, {100, 1}, {100, 3}, {100, 10}, {100, 100},
	} {
		for _, dates := range []int{1, 3, 10, 100} {
			count := min(of.secrets, of.networks*dates)
			b.Run(fmt.Sprintf("secrets=%d/networks=%d/hours=%d", of.secrets, of.networks, 24*max(dates-2, 0)),
				func(b *testing.B) {
					if _, known := gained[count]; !known {
						gained[count], _ = forged(10, count, 20)
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(count), "liars-that-count")
					b.ReportMetric(gained[count], "places-gained")
				})
		}
	}
}
