// Package copies recognizes results that nobody measured: copies of another result's samples, exact or changed a
// little. It knows neither where results are stored nor who sent them.
//
// Two honest runs differ at least by the noise of their samples, even on one unit. So a pair is a copy if it is closer
// than independent samples can be. See docs/decisions/0024-copies.md for the statistics and their rates of false
// alarms.
package copies

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"flashdex/result"
)

// leastBits is how many bits of chance samples must contain for equal samples to mean a copy. 10^7 tests have 2^46
// pairs, so the odds that any two honest tests agree are 1 in 2^18.
const leastBits = 64

// Exact returns hashes of what can't honestly come twice: the samples of each test, without names and the sizes of
// blocks. A test with few samples, or of a coarse clock, has none. If no test has one, that of all tests together is
// returned, unless another tool measured: people import one output more than once. A check of the capacity has no
// samples: two of like modules differ in nothing.
func Exact(doc *result.Document) (hashes [][]byte) {
	var all [][]byte
	var chance float64
	for i := range doc.Tests {
		t := &doc.Tests[i]
		hash, bits := hashOf(t), 0.0
		// All series are of the same operations, so their chance doesn't add up.
		for _, s := range everySeries(sumsOf(t.Intervals), t.Batches, t.Latency) {
			bits = max(bits, s.bits())
		}
		all, chance = append(all, hash), chance+max(bits, durationBits(t.DurationNS))
		if bits >= leastBits && !slices.ContainsFunc(hashes, func(o []byte) bool { return bytes.Equal(o, hash) }) {
			hashes = append(hashes, hash)
		}
	}
	if len(hashes) == 0 && doc.Imported == nil && len(doc.Tests) > 0 {
		hashes = append(hashes, hashOfAll(doc, all, chance))
	}
	return hashes
}

func hashOf(t *result.Test) []byte {
	numbers := binary.BigEndian.AppendUint64(nil, uint64(t.Ops))
	add := func(n ...int64) {
		for _, v := range n {
			numbers = binary.BigEndian.AppendUint64(numbers, uint64(v))
		}
	}
	add(t.DurationNS, int64(len(t.Intervals)), int64(len(t.Batches)))
	for _, v := range t.Intervals {
		add(v.Ops, v.NS)
	}
	for _, b := range t.Batches {
		add(b.Ops, b.NS)
	}
	for _, b := range t.Latency {
		add(b.LatencyNS(), b.Count())
	}
	hash := sha256.Sum256(numbers)
	return hash[:]
}

// hashOfAll returns a hash of a document from the hashes of its tests, independent of their order. If the tests
// together contain enough chance, that suffices. Otherwise they may agree by accident, but hardly if they began in the
// same second on the same model, so these are hashed too. The unit's tag isn't, because each contributor has another
// tag for the unit.
func hashOfAll(doc *result.Document, tests [][]byte, chance float64) []byte {
	h := sha256.New()
	for _, hash := range slices.SortedFunc(slices.Values(tests), bytes.Compare) {
		h.Write(hash)
	}
	if chance < leastBits {
		h.Write([]byte(doc.StartedAt))
		for _, device := range doc.Devices() {
			registers := *device
			registers.Verified, registers.Wear = nil, nil // known from another run, or told only once
			_ = json.NewEncoder(h).Encode(registers)      // can't fail
		}
	}
	return h.Sum(nil)
}

// Samples are the samples of a document's tests, ready to be compared.
type Samples struct{ tests []testSamples }

type testSamples struct {
	test    string // its name
	ops     int64
	series  []series
	latency []result.Bucket
}

// SamplesOf returns the samples of a document. They share the document's histograms.
func SamplesOf(doc *result.Document) *Samples {
	var s Samples
	for i := range doc.Tests {
		t := &doc.Tests[i]
		s.add(t.Name, t.Ops, sumsOf(t.Intervals), t.Batches, t.Latency)
	}
	return &s
}

// add adds the samples of a test. It keeps only the series that contain enough chance to be compared.
func (s *Samples) add(test string, ops int64, intervals, batches []result.Batch, latency []result.Bucket) {
	series := slices.DeleteFunc(everySeries(intervals, batches, latency), func(s series) bool {
		return s.bits() < leastBits
	})
	for i := range series {
		series[i].ranked = ranks(series[i].values, series[i].tick)
	}
	s.tests = append(s.tests, testSamples{test, ops, series, latency})
}

// sumsOf returns what series need of intervals, which is little of them.
func sumsOf(intervals []result.Interval) []result.Batch {
	sums := make([]result.Batch, len(intervals))
	for i, v := range intervals {
		sums[i] = result.Batch{Ops: v.Ops, NS: v.NS}
	}
	return sums
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
	tick   float64   // of the clock, ns of a value
	ranked []float64 // the ranks of values; nil: they contain too little chance to be compared
	sizes  []float64
	noise  float64 // least standard deviation of the time of an operation, ns; 0: not known
}

// leastSamples is the length of the shortest series that is compared.
const leastSamples = 6

func everySeries(intervalSums, batchSums []result.Batch, latency []result.Bucket) (all []series) {
	noise := leastNoise(batchSums, latency)
	add := func(kind string, sums []result.Batch) {
		n := len(sums)
		if n < leastSamples {
			return
		}
		s := series{kind: kind, noise: noise, values: make([]float64, n), sizes: make([]float64, n)}
		times := make([]int64, n)
		for i, sum := range sums {
			if sum.Ops <= 0 || sum.NS <= 0 {
				return
			}
			s.values[i], s.sizes[i], times[i] = float64(sum.NS)/float64(sum.Ops), float64(sum.Ops), sum.NS
		}
		s.sorted = sorted(s.values)
		s.tick = tickOf(times) / sorted(s.sizes)[n/2]
		all = append(all, s)
	}
	add(intervals, intervalSums)
	add(batches, batchSums)
	return all
}

func sorted(values []float64) []float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values
}

// places returns the indices of the quartiles and the median in n sorted values.
func places(n int) (low, middle, high int) { return n / 4, n / 2, n - 1 - n/4 }

// quartiles returns the distance of the quartiles.
func quartiles(sorted []float64) float64 {
	low, _, high := places(len(sorted))
	return sorted[high] - sorted[low]
}

func (s series) spread() float64 { return quartiles(s.sorted) }

// bits estimates how much chance the series contains. Each value is one of about as many ticks as lie between the
// quartiles. It takes the quartiles of the values, or of their second differences if these are closer, because a trend
// doesn't affect them.
func (s series) bits() float64 {
	second := quartiles(sorted(differences(s.values)))
	return float64(len(s.values)) * math.Log2(1+min(s.spread(), second)/s.tick)
}

// durationBits estimates how much chance the duration of a test contains, which may have no series. Between runs,
// durations differ by a ten thousandth or more.
func durationBits(ns int64) float64 {
	return math.Log2(1 + float64(max(0, ns))/1e4/tickOf([]int64{ns}))
}

// leastNoise estimates how much the time of an operation varies at least, whatever else a module does from time to
// time. It finds the narrowest tenth of the histogram, because operations of several kinds lie further apart than
// operations of one kind. It takes a third of the standard deviation of the normal distribution whose narrowest tenth
// is as narrow. A quarter of the histogram would hold two kinds if pages have five speeds. It is 0, not known, if the
// means of the batches vary half as much: noise averages out in them, so the test has a trend.
func leastNoise(batches []result.Batch, latency []result.Bucket) float64 {
	var all, held int64
	for _, b := range latency {
		all += b.Count()
	}
	closest, first := math.Inf(1), 0
	for last := range latency {
		held += latency[last].Count()
		for ; 10*(held-latency[first].Count()) >= all; first++ {
			held -= latency[first].Count()
		}
		if 10*held >= all {
			closest = min(closest, float64(latency[last].LatencyNS()-latency[first].LatencyNS()))
		}
	}
	var means []float64
	for _, b := range batches {
		means = append(means, float64(b.NS)/float64(b.Ops))
	}
	deviation := closest / (2 * 0.1257)
	if all == 0 || len(means) < leastSamples || 2*quartiles(sorted(means))/1.349 > deviation {
		return 0
	}
	return deviation / 3
}

// finestTick is the finest tick to rely on. Clocks of 10 to 100 MHz are common.
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
