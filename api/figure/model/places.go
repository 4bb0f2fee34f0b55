package model

import (
	"cmp"
	"math"
	"slices"
)

// Place is a range of places among others: First is the best that the data allow, Last the worst.
type Place struct{ First, Last int }

// wrongOrders is the chance at which the order of two modules is told although it is the other way round.
const wrongOrders = 0.05

// Places is (9). Estimates of ranked modules are placed among each other: behind all that are surely faster, before all
// that are surely slower. One that isn't ranked gets the place that it would have among these, and counts in nobody's
// place. All estimates are of one kind: of the standard mix, or of one class.
func (c *Calibration) Places(estimates []Estimate, ranked []bool) []Place {
	places := make([]Place, len(estimates))
	n := count(ranked)
	for i := range places {
		if places[i] = (Place{1, n}); !ranked[i] {
			places[i].Last++
		}
	}
	c.surely(estimates, wrongOrders, func(faster, slower int) {
		if ranked[faster] {
			places[slower].First++
		}
		if ranked[slower] {
			places[faster].Last--
		}
	})
	return places
}

// Best reports for each estimate whether it may be the best of all that are ranked: nobody is surely better. The best
// is one of these with 95 %.
func (c *Calibration) Best(estimates []Estimate, ranked []bool) []bool {
	best := slices.Clone(ranked)
	c.surely(estimates, wrongOrders/2/float64(max(count(ranked), 1)), func(faster, slower int) {
		best[slower] = best[slower] && !ranked[faster]
	})
	return best
}

func count(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}

// surely tells all pairs of which one is faster with at most this chance of being wrong.
func (c *Calibration) surely(estimates []Estimate, chance float64, tell func(faster, slower int)) {
	quantiles := newQuantiles(1 - chance)
	root := root(c.Covariance)
	type placed struct {
		*Estimate
		at    int
		hosts []float64 // L'loading: the variance of a difference is a squared distance of these
	}
	order := make([]placed, len(estimates))
	var own, hosts float64
	for i := range estimates {
		e := &estimates[i]
		p := placed{e, i, make([]float64, len(root))}
		for k := range root {
			for h, loading := range e.loading {
				p.hosts[k] += root[h][k] * loading
			}
		}
		own, hosts, order[i] = max(own, e.Own), max(hosts, dot(p.hosts, p.hosts)), p
	}
	slices.SortFunc(order, func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.LogRate, a.LogRate), cmp.Compare(a.at, b.at))
	})
	for i, a := range order {
		far := quantiles.of(leastFreedom) * math.Sqrt(a.Own+own+4*hosts) // no difference is less sure than this
		for _, b := range order[i+1:] {
			ahead := a.LogRate - b.LogRate
			if ahead <= far {
				v := a.Own + b.Own
				freedom := v * v / (a.Own*a.Own/a.Freedom + b.Own*b.Own/b.Freedom)
				for k := range a.hosts {
					d := a.hosts[k] - b.hosts[k]
					v += d * d
				}
				if ahead <= quantiles.of(freedom)*math.Sqrt(v) {
					continue
				}
			}
			tell(a.at, b.at)
		}
	}
}
