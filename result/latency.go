package result

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The geometry of every latency histogram: one nanosecond to one hour with two significant digits, so that a value is
// known to within 1 %. It is part of schema version 1.
const (
	latencyLowestNS  = 1
	latencyHighestNS = 3_600_000_000_000
	latencyDigits    = 2
)

// Bucket counts the operations whose latency the histogram can't tell from LatencyNS. In JSON it is [latency_ns, count].
type Bucket struct {
	LatencyNS int64
	Count     int64
}

// MarshalJSON writes the pair.
func (b Bucket) MarshalJSON() ([]byte, error) { return json.Marshal([2]int64{b.LatencyNS, b.Count}) }

// UnmarshalJSON reads the pair. A document holds hundreds of them, so the common form is read without reflection.
func (b *Bucket) UnmarshalJSON(data []byte) error {
	if before, after, ok := strings.Cut(strings.Trim(string(data), "[]"), ","); ok {
		latency, errLatency := strconv.ParseInt(before, 10, 64)
		count, errCount := strconv.ParseInt(after, 10, 64)
		if errLatency == nil && errCount == nil {
			b.LatencyNS, b.Count = latency, count
			return nil
		}
	}
	var pair [2]int64
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	b.LatencyNS, b.Count = pair[0], pair[1]
	return nil
}

// Histogram collects latencies with a fixed relative error (HdrHistogram).
type Histogram struct{ hdr *hdrhistogram.Histogram }

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram {
	return &Histogram{hdrhistogram.New(latencyLowestNS, latencyHighestNS, latencyDigits)}
}

// HistogramOf rebuilds the histogram that buckets were taken from.
func HistogramOf(buckets []Bucket) (*Histogram, error) {
	h := NewHistogram()
	return h, h.record(buckets)
}

func (h *Histogram) record(buckets []Bucket) error {
	if _, err := countOf(buckets); err != nil {
		return err
	}
	for _, b := range buckets {
		if err := h.hdr.RecordValues(b.LatencyNS, b.Count); err != nil {
			return fmt.Errorf("result: latency histogram: %w", err)
		}
	}
	return nil
}

// histograms are there to be used again: each takes 40 kB, and a server needs two for every upload.
var histograms = sync.Pool{New: func() any { return NewHistogram() }}

// countOf is the number of operations in buckets, if they fit a histogram.
func countOf(buckets []Bucket) (ops int64, err error) {
	for _, b := range buckets {
		if b.LatencyNS < 0 || b.LatencyNS > latencyHighestNS || b.Count < 1 || ops > math.MaxInt64-b.Count {
			return 0, fmt.Errorf("result: %d operations of %d ns don't fit a latency histogram", b.Count, b.LatencyNS)
		}
		ops += b.Count
	}
	return ops, nil
}

// Add records one operation of ns nanoseconds. Longer than an hour counts as an hour.
func (h *Histogram) Add(ns int64) {
	// Within the bounds RecordValue can't fail.
	_ = h.hdr.RecordValue(min(max(ns, 0), latencyHighestNS))
}

// Count is the number of operations recorded.
func (h *Histogram) Count() int64 { return h.hdr.TotalCount() }

// QuantileNS is the latency in ns that the fraction q (0 to 1) of the operations did not exceed.
func (h *Histogram) QuantileNS(q float64) int64 { return h.hdr.ValueAtPercentile(100 * q) }

// Buckets lists what was recorded, in ascending order of latency, without the empty ones.
func (h *Histogram) Buckets() []Bucket {
	var buckets []Bucket
	for _, bar := range h.hdr.Distribution() {
		if bar.Count > 0 {
			buckets = append(buckets, Bucket{bar.From, bar.Count})
		}
	}
	return buckets
}

// QuantilesNS gives for each share (0 to 1) of the operations in buckets the latency in ns that they did not exceed.
func QuantilesNS(buckets []Bucket, shares []float64) ([]int64, error) {
	h := histograms.Get().(*Histogram)
	defer histograms.Put(h)
	h.hdr.Reset()
	if err := h.record(buckets); err != nil {
		return nil, err
	}
	percentiles := make([]float64, len(shares))
	for i, q := range shares {
		percentiles[i] = 100 * q
	}
	return h.hdr.ValueAtPercentilesSlice(percentiles), nil
}
