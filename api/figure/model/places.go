package model

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync"
)

// Place is a range of places among others: First is the best place that the data allow, Last the worst.
type Place struct{ First, Last int }

// wrongOrders is the probability that a stated order of two modules is wrong.
const wrongOrders = 0.05

var placeQuantiles = sync.OnceValue(func() *quantiles { return allQuantiles(1 - wrongOrders) })

// Places is (9). It places estimates of ranked modules among each other: behind all that are surely faster, and before
// all that are surely slower. A module that isn't ranked gets the place that it would have among these, and doesn't
// affect theirs. All estimates must be of one kind: of the standard mix, or of one class.
func (c *Calibration) Places(estimates []Estimate, ranked []bool) []Place {
	faster, slower := c.compare(estimates, ranked)
	places, n := make([]Place, len(estimates)), count(ranked)
	for i := range places {
		if places[i] = (Place{1 + faster[i], n - slower[i]}); !ranked[i] {
			places[i].Last++
		}
	}
	return places
}

// Tell reports whether one of two estimates is surely faster.
func (c *Calibration) Tell(a, b Estimate) bool {
	order := c.inOrder([]Estimate{a, b})
	return placeQuantiles().surely(&order[0], &order[1])
}

// Best returns the ranked estimates, in their order, that may be the best because none is surely better. With a
// confidence of 95 % the best is among them. If more than most of them may be the best, it returns none.
func (c *Calibration) Best(estimates []Estimate, ranked []bool, most int) (best []int) {
	order := slices.DeleteFunc(c.inOrder(estimates), func(p placed) bool { return !ranked[p.at] })
	q := newQuantiles(1 - wrongOrders/2/float64(max(len(order), 1)))
	for i := range order {
		ahead := 0 // mostly the first one is surely faster
		for ahead < i && !q.surely(&order[ahead], &order[i]) {
			ahead++
		}
		if ahead < i {
			continue
		}
		if best = append(best, order[i].at); len(best) > most {
			return nil
		}
	}
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

// placed is an estimate prepared for comparisons.
type placed struct {
	Estimate // a copy: millions of pairs are compared, in the order of their figures
	at       int
	hosts    []float64 // L'loading: the variance of a difference is a squared distance of these
	length   float64   // of hosts
}

// compare counts, for each estimate, the ranked ones that are surely faster and the ones that are surely slower.
//
// In the order of the figures, only a stretch after each estimate is in doubt. Nothing nearer than the least quantile
// allows is surely slower, and everything beyond the greatest uncertainty is.
func (c *Calibration) compare(estimates []Estimate, ranked []bool) (faster, slower []int) {
	order, q := c.inOrder(estimates), placeQuantiles()
	var own, length float64
	least := math.Inf(1)
	ahead := make([]int, len(order)+1) // how many ranked ones can be slower, up to each place
	for i, p := range order {
		own, least, length = max(own, p.Own), min(least, p.Own), max(length, p.length)
		if ahead[i+1] = ahead[i]; ranked[p.at] && !p.AtLeast {
			ahead[i+1]++
		}
	}
	faster, slower = make([]int, len(order)), make([]int, len(order))
	steps := make([]int, len(order)+1) // changes of how many ranked ones are surely faster by their distance alone
	for i := range order {
		a := &order[i]
		beyond := func(distance float64) int {
			return i + 1 + sort.Search(len(order)-i-1, func(k int) bool { return a.LogRate-order[i+1+k].LogRate > distance })
		}
		reach := a.length + length
		doubtful, far := beyond(q.least*math.Sqrt(a.Own+least)), beyond(q.most*math.Sqrt(a.Own+own+reach*reach))
		for k := doubtful; k < far; k++ {
			if b := &order[k]; (ranked[a.at] || ranked[b.at]) && q.surely(a, b) {
				if ranked[a.at] {
					faster[b.at]++
				}
				if ranked[b.at] {
					slower[a.at]++
				}
			}
		}
		slower[a.at] += ahead[len(order)] - ahead[far]
		if ranked[a.at] {
			steps[far]++
		}
	}
	sum := 0
	for k, b := range order {
		if sum += steps[k]; !b.AtLeast {
			faster[b.at] += sum
		}
	}
	return faster, slower
}

// inOrder sorts estimates, the best first.
func (c *Calibration) inOrder(estimates []Estimate) []placed {
	order := make([]placed, len(estimates))
	for i := range estimates {
		order[i] = placed{Estimate: estimates[i], at: i}
	}
	slices.SortFunc(order, func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.LogRate, a.LogRate), cmp.Compare(a.at, b.at))
	})
	// An effect that all estimates depend on in the same way cancels in every difference.
	var differ []int
	for h := range c.Classes {
		if slices.ContainsFunc(estimates, func(e Estimate) bool { return e.loading[h] != estimates[0].loading[h] }) {
			differ = append(differ, h)
		}
	}
	of := newMatrix(len(differ), len(differ))
	for i, h := range differ {
		for k, other := range differ {
			of[i][k] = c.Covariance[h][other]
		}
	}
	root, hosts := root(of), newMatrix(len(order), len(differ))
	for i := range order {
		p := &order[i]
		p.hosts = hosts[i]
		for j, h := range differ {
			for k := range j + 1 {
				p.hosts[k] += root[j][k] * p.loading[h]
			}
		}
		p.length = math.Sqrt(dot(p.hosts, p.hosts))
	}
	return order
}

// surely reports whether a, which is ahead, is surely faster than b. If hosts held an estimate back, nobody knows how
// far up it goes. Bounds decide most pairs, without a root, a sum over the hosts or degrees of freedom.
func (q *quantiles) surely(a, b *placed) bool {
	ahead, own, reach := a.LogRate-b.LogRate, a.Own+b.Own, a.length+b.length
	least, most, square := q.least*q.least, q.most*q.most, ahead*ahead
	switch {
	case b.AtLeast || ahead <= 0 || square <= least*own:
		return false
	case square > most*(own+reach*reach):
		return true
	}
	v := own
	for k := range a.hosts {
		d := a.hosts[k] - b.hosts[k]
		v += d * d
	}
	switch {
	case square <= least*v:
		return false
	case square > most*v:
		return true
	}
	freedom := own * own / (a.Own*a.Own/a.Freedom + b.Own*b.Own/b.Freedom)
	quantile := q.of(freedom)
	return square > quantile*quantile*v
}
