package copiestest

import (
	"encoding/json"
	"math"
	"math/bits"
	"math/rand/v2"

	"flashdex/result"
)

// These functions turn a measured result into another one. The sums of the document stay right.

// Scale multiplies every time by a factor.
func Scale(by float64) func(*result.Document, *rand.Rand) {
	return onTests(func(t *result.Test, _ *rand.Rand) {
		each(t, func(ns int64, _ int64) int64 { return int64(float64(ns) * by) })
		rebin(t, func(ns int64) int64 { return int64(float64(ns) * by) })
	})
}

// Shift adds a share of the mean to every operation.
func Shift(by float64) func(*result.Document, *rand.Rand) {
	return onTests(func(t *result.Test, _ *rand.Rand) {
		add := int64(by * float64(t.DurationNS) / float64(t.Ops))
		each(t, func(ns, ops int64) int64 { return ns + ops*add })
		rebin(t, func(ns int64) int64 { return ns + add })
	})
}

// Redraw puts every operation of a histogram anywhere in its bucket, and varies each by a share with this standard
// deviation. A program that makes up operations, and not just buckets, does so.
func Redraw(by float64) func(*result.Document, *rand.Rand) {
	return onTests(func(t *result.Test, r *rand.Rand) {
		rebin(t, func(ns int64) int64 {
			width := int64(1) << max(bits.Len64(uint64(ns))-8, 0)
			return int64(float64(ns+r.Int64N(width)) * math.Exp(by*r.NormFloat64()))
		})
	})
}

// Permute puts intervals and batches into another order.
func Permute(d *result.Document, r *rand.Rand) {
	onTests(func(t *result.Test, r *rand.Rand) {
		r.Shuffle(len(t.Intervals), func(i, k int) { t.Intervals[i], t.Intervals[k] = t.Intervals[k], t.Intervals[i] })
		r.Shuffle(len(t.Batches), func(i, k int) { t.Batches[i], t.Batches[k] = t.Batches[k], t.Batches[i] })
	})(d, r)
}

// Jitter changes every time and every count of the histogram by a share with this standard deviation.
func Jitter(by float64) func(*result.Document, *rand.Rand) {
	return onTests(func(t *result.Test, r *rand.Rand) {
		each(t, func(ns, _ int64) int64 { return int64(float64(ns) * math.Exp(by*r.NormFloat64())) })
		for i := range t.Latency {
			n := math.Round(float64(t.Latency[i][1]) * math.Exp(by*r.NormFloat64()))
			t.Latency[i][1] = max(1, int64(n))
		}
		balance(t)
	})
}

// Then makes one attack after another.
func Then(all ...func(*result.Document, *rand.Rand)) func(*result.Document, *rand.Rand) {
	return func(d *result.Document, r *rand.Rand) {
		for _, do := range all {
			do(d, r)
		}
	}
}

// Copy returns the document after an attack, under an id of its own.
func Copy(d *result.Document, do func(*result.Document, *rand.Rand), r *rand.Rand) *result.Document {
	text, _ := json.Marshal(d) // numbers and texts can't fail
	var copied result.Document
	_ = json.Unmarshal(text, &copied)
	copied.ID = result.NewID()
	do(&copied, r)
	return &copied
}

func onTests(do func(*result.Test, *rand.Rand)) func(*result.Document, *rand.Rand) {
	return func(d *result.Document, r *rand.Rand) {
		for i := range d.Tests {
			do(&d.Tests[i], r)
		}
	}
}

// each changes the times of intervals and batches, and then the sums.
func each(t *result.Test, change func(ns, ops int64) int64) {
	for i := range t.Intervals {
		v := &t.Intervals[i]
		v.NS, v.MaxNS = max(1, change(v.NS, v.Ops)), change(v.MaxNS, 1)
	}
	for i := range t.Batches {
		t.Batches[i].NS = max(1, change(t.Batches[i].NS, t.Batches[i].Ops))
	}
	t.DurationNS = result.SumBatches(t.Batches).NS
	if len(t.Batches) == 0 {
		t.DurationNS = result.SumIntervals(t.Intervals).NS
	}
}

// rebin puts the operations of a histogram at other latencies.
func rebin(t *result.Test, at func(ns int64) int64) {
	h := result.NewHistogram()
	for _, b := range t.Latency {
		for range b.Count() {
			h.Add(at(b.LatencyNS()))
		}
	}
	t.Latency = h.Buckets()
}

// balance makes the histogram hold as many operations as the test, by changing its fullest bucket.
func balance(t *result.Test) {
	if len(t.Latency) == 0 {
		return
	}
	sum, fullest := int64(0), 0
	for i, b := range t.Latency {
		if sum += b[1]; b[1] > t.Latency[fullest][1] {
			fullest = i
		}
	}
	t.Latency[fullest][1] = max(1, t.Latency[fullest][1]+t.Ops-sum)
}
