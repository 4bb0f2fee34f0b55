// Package copies recognizes results that were not measured: copies of another result's samples, exact or changed a
// little. It knows neither where results are stored nor who sent them.
//
// Two honest runs differ at least by the noise of their samples, even on one unit. So a pair is a copy if it is closer
// than independent samples can be. See docs/decisions/0024-copies.md for the statistics and their rates of false
// alarms.
package copies

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"flashdex/result"
)

// leastBits is how much chance the samples of a test must hold before the same samples mean a copy. Among 10^7 tests
// there are 2^46 pairs, so the odds that any two honest ones agree are 1 in 2^18.
const leastBits = 64

// Exact returns a hash of the samples of each test that can't honestly come twice. Neither names nor the sizes of
// blocks enter it. A test with few samples, or of a coarse clock, has none.
func Exact(doc *result.Document) (hashes [][]byte) {
	for i := range doc.Tests {
		t := &doc.Tests[i]
		if len(seriesOf(t)) == 0 {
			continue
		}
		h := sha256.New()
		add := func(n ...int64) {
			for _, v := range n {
				_ = binary.Write(h, binary.BigEndian, v) // a hash never fails
			}
		}
		add(t.Ops, t.DurationNS, int64(len(t.Intervals)), int64(len(t.Batches)))
		for _, v := range t.Intervals {
			add(v.Ops, v.NS)
		}
		for _, b := range t.Batches {
			add(b.Ops, b.NS)
		}
		for _, b := range t.Latency {
			add(b.LatencyNS(), b.Count())
		}
		if hash := h.Sum(nil); !slices.ContainsFunc(hashes, func(o []byte) bool { return slices.Equal(o, hash) }) {
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

// Samples are the samples of a document's tests, ready to be compared.
type Samples struct{ tests []testSamples }

type testSamples struct {
	test    string // its name
	series  []series
	latency []result.Bucket
}

// SamplesOf returns the samples of a document, whose histograms it refers to.
func SamplesOf(doc *result.Document) *Samples {
	var s Samples
	for i := range doc.Tests {
		t := &doc.Tests[i]
		s.tests = append(s.tests, testSamples{t.Name, seriesOf(t), t.Latency})
	}
	return &s
}

// The kinds of series.
const (
	intervals = "intervals"
	batches   = "batches"
)

// series is the mean time of the operations in each of a test's intervals or batches, in order.
type series struct {
	kind   string
	values []float64 // ns
	sorted []float64
	tick   float64 // of the clock, ns of a value
	sizes  []float64
	noise  float64 // least standard deviation of the time of an operation, ns; 0: not known
}

// leastSamples is the length of the shortest series that is looked at.
const leastSamples = 6

// seriesOf returns the series of a test that hold enough chance to be compared.
func seriesOf(t *result.Test) (all []series) {
	noise := leastNoise(t)
	add := func(kind string, n int, at func(int) (ops, ns int64)) {
		if n < leastSamples {
			return
		}
		s := series{kind: kind, noise: noise}
		var times []int64
		for i := range n {
			ops, ns := at(i)
			if ops <= 0 || ns <= 0 {
				return
			}
			s.values, s.sizes, times = append(s.values, float64(ns)/float64(ops)), append(s.sizes, float64(ops)),
				append(times, ns)
		}
		s.sorted = slices.Sorted(slices.Values(s.values))
		s.tick = tickOf(times) / slices.Sorted(slices.Values(s.sizes))[n/2]
		if s.bits() >= leastBits {
			all = append(all, s)
		}
	}
	add(intervals, len(t.Intervals), func(i int) (int64, int64) { return t.Intervals[i].Ops, t.Intervals[i].NS })
	add(batches, len(t.Batches), func(i int) (int64, int64) { return t.Batches[i].Ops, t.Batches[i].NS })
	return all
}

// The quartiles and the median, as places in n sorted values.
func places(n int) (low, middle, high int) { return n / 4, n / 2, n - 1 - n/4 }

// quartiles returns their distance.
func quartiles(sorted []float64) float64 {
	low, _, high := places(len(sorted))
	return sorted[high] - sorted[low]
}

func (s series) spread() float64 { return quartiles(s.sorted) }

// bits estimates how much chance there is in the series: each value is one of about as many ticks as lie between the
// quartiles, of the values or of their second differences, which a trend leaves out.
func (s series) bits() float64 {
	second := quartiles(slices.Sorted(slices.Values(differences(s.values))))
	return float64(len(s.values)) * math.Log2(1+min(s.spread(), second)/s.tick)
}

// leastNoise estimates how much the time of an operation varies at least, whatever else a module does from time to
// time: the standard deviation of a normal distribution of which a quarter lies as close together as the closest
// quarter does, by three, because operations of several kinds lie further apart than each kind. It is 0, not known, if
// the means of the batches, in which noise averages out, vary half as much: then the test has a trend.
func leastNoise(t *result.Test) float64 {
	var all, held int64
	for _, b := range t.Latency {
		all += b.Count()
	}
	closest, first := math.Inf(1), 0
	for last := range t.Latency {
		held += t.Latency[last].Count()
		for ; 4*(held-t.Latency[first].Count()) >= all; first++ {
			held -= t.Latency[first].Count()
		}
		if 4*held >= all {
			closest = min(closest, float64(t.Latency[last].LatencyNS()-t.Latency[first].LatencyNS()))
		}
	}
	var means []float64
	for _, b := range t.Batches {
		means = append(means, float64(b.NS)/float64(b.Ops))
	}
	deviation := closest / (2 * 0.3186)
	if all == 0 || len(means) < leastSamples || 2*quartiles(slices.Sorted(slices.Values(means)))/1.349 > deviation {
		return 0
	}
	return deviation / 3
}

// finestTick is the step of the finest clock that is counted on. Clocks of 10 to 100 MHz are common.
const finestTick = 100 // ns

// tickOf returns the step of the clock that showed these times: a coarse one if three quarters of them are its
// multiples. They may be off by a nanosecond, as with the 3,333,333.3 ns of a kernel with 300 ticks a second.
func tickOf(times []int64) float64 {
	const third = 3 // ticks are in thirds of a nanosecond
	for _, tick := range []int64{30e6, 12e6, 10e6, 3e6, 3e5, 3e4, 3e3} {
		fit := 0
		for _, ns := range times {
			if rest := ns * third % tick; min(rest, tick-rest) <= third {
				fit++
			}
		}
		if 4*fit >= 3*len(times) {
			return float64(tick) / third
		}
	}
	return finestTick
}
