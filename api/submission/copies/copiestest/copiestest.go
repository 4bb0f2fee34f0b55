// Package copiestest simulates honest runs and forgeries of them for tests.
package copiestest

import (
	"math"
	"math/rand/v2"

	"flashdex/result"
)

// Unit is one module in one host, as a model of the times of its operations. All times are in ns.
type Unit struct {
	Ops     int     // of a random test
	Mean    float64 // of an operation
	Noise   float64 // standard deviation of its logarithm
	Every   int     // operations between two collections of garbage; 0: none shows
	Pause   float64 // of a collection, in means
	Locked  bool    // collections come at the same operations of every run
	Paired  bool    // every second page takes twice as long
	Areas   bool    // half of the noise belongs to the address, in a test of every block
	Warm    float64 // how much slower it gets during the test, in means
	Cliff   bool    // a fast cache fills up in the middle of a linear test
	TickNS  int64   // of the clock
	RateMBs float64 // of a linear test

	Quantum float64 // the bus answers at multiples of it; 0: at any time
	Drift   float64 // standard deviation of a slow change of speed, which lasts a thousand operations
	Cache   int     // operations until a cache is full that is ten times as fast; 0: no cache
	Speeds  int     // of pages, which take turns; 0: one
	Merge   int     // operations between two merges of blocks, each as long as 300 operations; 0: none
}

// NewUnit draws a unit. Some are slow, have coarse clocks, or do the same things at the same operations of every run.
func NewUnit(r *rand.Rand) Unit {
	u := Unit{
		Ops: 1500 + r.IntN(3000), Mean: math.Exp(12.5 + 3.5*r.Float64()), Noise: math.Exp(-4 + 3.3*r.Float64()),
		TickNS: []int64{1, 1, 1, 1, 52, 1000, 1_000_000, 4_000_000, 10_000_000}[r.IntN(9)], RateMBs: 5 + 80*r.Float64(),
		Paired: r.IntN(4) == 0, Areas: r.IntN(4) == 0, Cliff: r.IntN(3) == 0,
	}
	if r.IntN(4) == 0 {
		u.Ops, u.Mean = 100+r.IntN(200), 1e8+4e8*r.Float64()
	}
	if r.IntN(2) == 0 {
		u.Every, u.Pause, u.Locked = 20+r.IntN(400), 5+100*r.Float64(), r.IntN(2) == 0
	}
	if r.IntN(3) == 0 {
		u.Warm = r.Float64()
	}
	return u
}

// NewUnitOfOtherModels draws a unit that answers at multiples of a step, drifts, has a cache or merges blocks. The
// constants of package copies weren't chosen with such units.
func NewUnitOfOtherModels(r *rand.Rand) Unit {
	u := Unit{
		Ops: 200 + r.IntN(5000), Mean: math.Exp(12 + 5*r.Float64()), Noise: math.Exp(-6 + 5*r.Float64()),
		TickNS: []int64{1, 10, 16, 40, 69, 100, 279, 838, 1000}[r.IntN(9)], RateMBs: math.Exp(1.5 + 4*r.Float64()),
		Paired: r.IntN(6) == 0, Cliff: r.IntN(6) == 0,
	}
	if r.IntN(3) == 0 {
		u.Quantum = 125_000
	}
	if r.IntN(2) == 0 {
		u.Drift = 0.3 * r.Float64()
	}
	if r.IntN(4) == 0 {
		u.Cache = u.Ops / (2 + r.IntN(6))
	}
	if r.IntN(3) == 0 {
		u.Merge, u.Locked = 100+r.IntN(2000), r.IntN(2) == 0
	}
	if r.IntN(3) == 0 {
		u.Every, u.Pause = 16<<r.IntN(5), 10+200*r.Float64()
	}
	return u
}

// Run measures the unit: a document with four tests. It isn't complete enough for the schema.
func (u Unit) Run(r *rand.Rand) *result.Document {
	return &result.Document{ID: result.NewID(), Method: result.MethodFlashdex1, Tests: []result.Test{
		u.line(result.SeqWrite, u.RateMBs, u.Cliff, r), u.random(result.RandWrite, u.Mean, r),
		u.line(result.SeqRead, 2*u.RateMBs, false, r), u.random(result.RandRead, u.Mean/4, r),
	}}
}

func (u Unit) shown(ns float64) int64 { return int64(ns) / u.TickNS * u.TickNS }

func (u Unit) line(name string, mbPerS float64, cliff bool, r *rand.Rand) result.Test {
	t := result.Test{Name: name, BlockBytes: 1 << 20}
	drift := 0.0
	for i := range 8 {
		drift = 0.3*drift + u.Drift*r.NormFloat64()
		ns := float64(32<<20) * 1e3 / mbPerS * math.Exp(0.2*u.Noise*r.NormFloat64()+0.2*drift)
		if cliff && i >= 4 {
			ns *= 4
		}
		v := result.Interval{Ops: 32, Bytes: 32 << 20, NS: u.shown(ns)}
		t.Intervals, t.Ops, t.DurationNS = append(t.Intervals, v), t.Ops+v.Ops, t.DurationNS+v.NS
	}
	return t
}

func (u Unit) random(name string, mean float64, r *rand.Rand) result.Test {
	t := result.Test{Name: name, BlockBytes: 4096, Ops: int64(u.Ops)}
	var hist = result.NewHistogram()
	var all result.Series
	clock, phase, merge, drift := r.Float64()*1e9, 0, 0, u.Drift*r.NormFloat64()
	if u.Every > 0 && !u.Locked {
		phase = r.IntN(u.Every)
	}
	if u.Merge > 0 && !u.Locked {
		merge = r.IntN(u.Merge)
	}
	addresses := rand.New(rand.NewPCG(math.Float64bits(u.Noise), uint64(len(name))))
	for i := range u.Ops {
		noise := u.Noise * r.NormFloat64()
		if u.Areas {
			noise = u.Noise * (0.7*r.NormFloat64() + 0.7*addresses.NormFloat64())
		}
		ns := mean * math.Exp(noise) * (1 + u.Warm*float64(i)/float64(u.Ops))
		if u.Paired && i%2 == 1 {
			ns *= 2
		}
		if u.Speeds > 0 {
			ns *= math.Pow(1.3, float64(i%u.Speeds))
		}
		if u.Every > 0 && (i+phase)%u.Every == 0 {
			ns += mean * u.Pause * math.Exp(0.05*r.NormFloat64())
		}
		if u.Drift > 0 {
			drift = 0.999*drift + 0.045*u.Drift*r.NormFloat64()
			ns *= math.Exp(drift)
		}
		if i < u.Cache {
			ns /= 10
		}
		if u.Merge > 0 && (i+merge)%u.Merge == 0 {
			ns += 300 * mean * math.Exp(0.3*r.NormFloat64())
		}
		if u.Quantum > 0 {
			ns = math.Ceil(ns/u.Quantum)*u.Quantum + 1500*math.Exp(r.NormFloat64()/2)
		}
		took := u.shown(clock+ns) - u.shown(clock)
		clock += ns
		hist.Add(took)
		all.Add(result.Interval{Ops: 1, Bytes: 4096, NS: took, MaxNS: took})
		b := i * 20 / u.Ops
		if b == len(t.Batches) {
			t.Batches = append(t.Batches, result.Batch{})
		}
		t.Batches[b].Ops++
		t.Batches[b].NS += took
		t.DurationNS += took
	}
	t.Intervals, t.Latency = all.Intervals, hist.Buckets()
	return t
}
