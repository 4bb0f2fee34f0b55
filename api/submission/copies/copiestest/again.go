package copiestest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"flashdex/result"
)

// Again gives a fixture the times of another run, so that a test can upload it several times. It moves times between
// the intervals of a linear test by less than 1 %, which keeps its figures, and shuffles many of them. It draws the
// operations of a random test with a histogram from that histogram.
func Again(d *result.Document) {
	d.StartedAt = NextStart()
	for i := range d.Tests {
		t := &d.Tests[i]
		switch {
		case t.Name == result.RoundWrite: // its rounds stay as steady as they are
			for round := range slices.Chunk(t.Intervals, result.RoundIntervals) {
				moveTimes(round, t.LeastIntervalNS())
			}
		case !t.IsRandom():
			moveTimes(t.Intervals, t.LeastIntervalNS())
		case len(t.Latency) >= 20:
			drawTimes(t)
		}
	}
}

// AgainText is Again for the text of a document.
func AgainText(text []byte) ([]byte, error) {
	var d result.Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	Again(&d)
	return json.Marshal(&d)
}

var started atomic.Int64

// NextStart returns the start time of another run. Only that tells runs apart whose samples contain little chance, for
// example if each write took 10 ms.
func NextStart() string {
	return time.Unix(1_795_000_000+started.Add(1), 0).UTC().Format(time.RFC3339)
}

// moveTimes makes no interval shorter than leastNS.
func moveTimes(v []result.Interval, leastNS int64) {
	if len(v) > 16 { // their order alone tells a copy
		rand.Shuffle(len(v), func(i, k int) { v[i], v[k] = v[k], v[i] })
	}
	for k := 0; k+1 < len(v); k += 2 {
		by := rand.Int64N(1 + max(min(v[k].NS/200, v[k].NS-leastNS), 0))
		v[k].NS, v[k+1].NS = v[k].NS-by, v[k+1].NS+by
	}
}

func drawTimes(t *result.Test) {
	var all []int64
	for i, b := range t.Latency {
		width := b.LatencyNS() / 128
		if i+1 < len(t.Latency) {
			width = min(width, t.Latency[i+1].LatencyNS()-b.LatencyNS())
		}
		for range b.Count() {
			all = append(all, b.LatencyNS()+rand.Int64N(1+width))
		}
	}
	hist, series := result.NewHistogram(), result.Series{}
	between := t.OverheadNS / (t.Ops + t.WarmupOps) / 2
	add := func(ns int64) {
		series.Add(result.Interval{Ops: 1, Bytes: t.BlockBytes, NS: ns + between, MaxNS: ns})
	}
	t.WarmupNS = 0
	for range t.WarmupOps {
		ns := all[rand.IntN(len(all))]
		add(ns)
		t.WarmupNS += ns
	}
	t.DurationNS = 0
	for b := range t.Batches {
		batch := &t.Batches[b]
		batch.NS = 0
		for range batch.Ops {
			ns := all[rand.IntN(len(all))]
			hist.Add(ns)
			add(ns)
			batch.NS += ns
		}
		t.DurationNS += batch.NS
	}
	t.Intervals, t.Latency = series.Intervals, hist.Buckets()
}
