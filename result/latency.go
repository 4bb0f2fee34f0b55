package result

import (
	"fmt"
	"math"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Every latency histogram ranges from one nanosecond to one hour with two significant digits, so a value is known to
// within 1 %. The range is part of schema version 1.
const (
	latencyLowestNS  = 1
	latencyHighestNS = 3_600_000_000_000
	latencyDigits    = 2
)

// Bucket counts operations whose latencies the histogram can't tell apart. It holds the latency in ns, and their
// number.
type Bucket [2]int64

// LatencyNS returns the latency.
func (b Bucket) LatencyNS() int64 { return b[0] }

// Count returns the number of operations.
func (b Bucket) Count() int64 { return b[1] }

// Histogram collects latencies with a fixed relative error (HdrHistogram).
type Histogram struct{ hdr *hdrhistogram.Histogram }

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram {
	return &Histogram{hdrhistogram.New(latencyLowestNS, latencyHighestNS, latencyDigits)}
}

// Add records one operation of ns nanoseconds. An operation longer than an hour counts as an hour.
func (h *Histogram) Add(ns int64) { h.AddAll(Bucket{ns, 1}) }

// AddAll records all operations of a bucket.
func (h *Histogram) AddAll(b Bucket) {
	// RecordValues fails only outside of these limits.
	_ = h.hdr.RecordValues(min(max(b.LatencyNS(), 0), latencyHighestNS), b.Count())
}

// Buckets lists the recorded latencies in ascending order, without empty buckets.
func (h *Histogram) Buckets() []Bucket {
	var buckets []Bucket
	for _, bar := range h.hdr.Distribution() {
		if bar.Count > 0 {
			buckets = append(buckets, Bucket{bar.From, bar.Count})
		}
	}
	return buckets
}

// histograms are reused, since each takes 40 kB, and a server needs two for every upload.
var histograms = sync.Pool{New: func() any { return NewHistogram() }}

// QuantilesNS returns, for each share of the operations (0 to 1), the latency in ns that this share did not exceed.
// Without operations it returns zeros. It fails if buckets doesn't fit a histogram.
func QuantilesNS(buckets []Bucket, shares []float64) ([]int64, error) {
	if _, err := countOf(buckets); err != nil {
		return nil, err
	}
	h := histograms.Get().(*Histogram)
	defer histograms.Put(h)
	h.hdr.Reset()
	for _, b := range buckets {
		if err := h.hdr.RecordValues(b.LatencyNS(), b.Count()); err != nil {
			return nil, fmt.Errorf("result: latency histogram: %w", err)
		}
	}
	percentiles := make([]float64, len(shares))
	for i, share := range shares {
		percentiles[i] = 100 * share
	}
	return h.hdr.ValueAtPercentilesSlice(percentiles), nil
}

// countOf returns the number of operations in buckets, or an error if a histogram can't hold them.
func countOf(buckets []Bucket) (ops int64, err error) {
	for _, b := range buckets {
		if b.LatencyNS() < 0 || b.LatencyNS() > latencyHighestNS || b.Count() < 1 || ops > math.MaxInt64-b.Count() {
			return 0, fmt.Errorf("result: %d operations of %d ns don't fit a latency histogram", b.Count(), b.LatencyNS())
		}
		ops += b.Count()
	}
	return ops, nil
}
