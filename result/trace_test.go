package result_test

import (
	"math"
	"math/rand/v2"
)

// traceOps is the number of blocks in the standard test area.
const traceOps = 65536

// traces models flash modules under 4K random writes, as latencies in seconds. The comments say why each is hard to
// estimate early. docs/method.md gives error and coverage for these models.
var traces = []struct {
	name string
	make func(r *rand.Rand) []float64
}{
	{"1 IOPS", func(r *rand.Rand) []float64 { return fill(func(int) float64 { return lognormal(r, 1, .35) }) }},
	{"allocation-unit miss", func(r *rand.Rand) []float64 { // two modes sixty times apart
		return fill(func(int) float64 {
			if r.Float64() < .12 {
				return lognormal(r, .003, .3)
			}
			return lognormal(r, .18, .5)
		})
	}},
	{"GC bursts", func(r *rand.Rand) []float64 { // correlated, with Pareto stalls of seconds
		in := switching(r, .02, .2)
		return fill(func(i int) float64 {
			x := lognormal(r, .004, .4)
			if in[i] {
				x = lognormal(r, .25, .6)
			}
			if r.Float64() < .0008 {
				x += min(.5*pareto(r, 1.5), 8)
			}
			return x
		})
	}},
	{"periodic merges", func(r *rand.Rand) []float64 {
		short, long := r.IntN(32), r.IntN(2000)
		return fill(func(i int) float64 {
			x := lognormal(r, .0025, .3)
			if i%32 == short {
				x += lognormal(r, .3, .3)
			}
			if i%2000 == long {
				x += lognormal(r, 3, .4)
			}
			return x
		})
	}},
	{"good A1", func(r *rand.Rand) []float64 {
		return fill(func(int) float64 {
			x := lognormal(r, .0016, .25)
			if r.Float64() < .01 {
				x += .02
			}
			if r.Float64() < .0005 {
				x += .1 + .15*r.Float64()
			}
			return x
		})
	}},
	{"very heavy tail", func(r *rand.Rand) []float64 {
		return fill(func(int) float64 {
			x := lognormal(r, .01, .3)
			if r.Float64() < .003 {
				x += min(.3*pareto(r, 1.3), 20)
			}
			return x
		})
	}},
	{"persistent regimes", func(r *rand.Rand) []float64 { // 8 ms or 40 ms for about 400 operations at a time
		in := switching(r, 1./400, 1./400)
		return fill(func(i int) float64 {
			if in[i] {
				return lognormal(r, .04, .3)
			}
			return lognormal(r, .008, .3)
		})
	}},
	{"cliff", func(r *rand.Rand) []float64 { // a cache that is full after 15,000 operations
		return fill(func(i int) float64 {
			if i < 15000 {
				return lognormal(r, .001, .3)
			}
			return lognormal(r, .025, .8)
		})
	}},
	{"slow drift", func(r *rand.Rand) []float64 { // 50 IOPS that become 8
		return fill(func(i int) float64 { return lognormal(r, 1, .8) / (8 + 42*math.Exp(-float64(i)/4000)) })
	}},
}

func fill(next func(i int) float64) []float64 {
	trace := make([]float64, traceOps)
	for i := range trace {
		trace[i] = next(i)
	}
	return trace
}

func lognormal(r *rand.Rand, mean, cv float64) float64 {
	s := math.Sqrt(math.Log(1 + cv*cv))
	return math.Exp(math.Log(mean) - s*s/2 + s*r.NormFloat64())
}

// pareto has its minimum at 1.
func pareto(r *rand.Rand, alpha float64) float64 { return math.Pow(1-r.Float64(), -1/alpha) }

// switching is a chain of two states, entered and left with the given probabilities per operation.
func switching(r *rand.Rand, enter, leave float64) []bool {
	states := make([]bool, traceOps)
	in := false
	for i := range states {
		states[i] = in
		if p := r.Float64(); in && p < leave || !in && p < enter {
			in = !in
		}
	}
	return states
}
