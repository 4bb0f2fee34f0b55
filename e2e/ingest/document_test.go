package ingest

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/schema"
)

// The server refuses copies, so each document of a load test has samples of its own. Making them takes a tenth of a
// millisecond. copiestest.Again would take a hundred times as long.

// standard is the document of a real run of the standard profile.
var standard = sync.OnceValue(func() (doc result.Document) {
	text, err := os.ReadFile("testdata/standard.json")
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		panic(err)
	}
	return doc
})

// document makes a document of 14 kB of another run, with a new id.
func document() (id string, body []byte) {
	id = result.NewID()
	return id, documentOf(id)
}

func documentOf(id string) []byte {
	doc := standard()
	doc.ID, doc.Tests = id, slices.Clone(doc.Tests)
	for i := range doc.Tests {
		t := &doc.Tests[i]
		t.Intervals, t.Batches = slices.Clone(t.Intervals), slices.Clone(t.Batches)
		if t.IsRandom() {
			reorder(t)
		} else {
			moveTimes(t.Intervals)
		}
	}
	body, err := json.Marshal(&doc)
	if err != nil {
		panic(err)
	}
	return body
}

// moveTimes moves up to 10 % of their times between intervals, so that documents share as few keys as honest runs do.
func moveTimes(v []result.Interval) {
	for k := 0; k+1 < len(v); k += 2 {
		by := rand.Int64N(1 + v[k].NS/10)
		v[k].NS, v[k+1].NS = v[k].NS-by, v[k+1].NS+by
	}
}

// reorder gives batches and intervals the times that they may have if the histogram's operations come in about another
// order. Sums stay the same.
func reorder(t *result.Test) {
	t.Latency = slices.Clone(t.Latency)
	last := len(t.Latency) - 1 // the slowest stays
	for k := range t.Latency[:last-1] {
		from, to := &t.Latency[k], &t.Latency[min(k+1+rand.IntN(8), last-1)]
		by := int64(rand.NormFloat64() * math.Sqrt(float64(from.Count())))
		by = max(min(by, from.Count()-1), 1-to.Count())
		from[1], to[1] = from[1]-by, to[1]+by
	}
	n, mean := float64(t.Ops), float64(t.DurationNS)/float64(t.Ops)
	var squares float64
	for _, b := range t.Latency {
		off := float64(b.LatencyNS()) - mean
		squares += off * off * float64(b.Count())
	}
	spread := math.Sqrt(squares / n) // of one operation
	left := t.DurationNS
	for b := range t.Batches {
		batch := &t.Batches[b]
		ops := float64(batch.Ops)
		noise := max(min(rand.NormFloat64()*spread*math.Sqrt(ops), ops*mean/4), -ops*mean/4)
		batch.NS = int64(ops*mean + noise)
		left -= batch.NS
	}
	for b := range t.Batches { // all give or take the same part of the rest
		part := left / int64(len(t.Batches)-b)
		t.Batches[b].NS += part
		left -= part
	}
	t.Intervals = cut(t)
}

// cut cuts a test into intervals, as the client does. An interval ends with the operation that completes a second.
// Within the warm-up and within each batch, operations come at a steady rate.
func cut(t *result.Test) (all []result.Interval) {
	own := float64(t.OverheadNS) / float64(t.Ops+t.WarmupOps) / 2 // less than it may be
	parts := append([]result.Batch{{Ops: t.WarmupOps, NS: t.WarmupNS}}, t.Batches...)
	var at int64
	var now result.Interval
	for _, p := range parts {
		for left := p.Ops; left > 0; {
			each := max(float64(p.NS)/float64(p.Ops)+own, 1)
			n := min(left, int64(math.Ceil(float64(1e9-at)/each))) // at least one: at is less than a second
			ns := int64(float64(n) * each)
			if at+ns < 1e9 && n < left {
				ns++
			}
			now.Ops, now.NS, at, left = now.Ops+n, now.NS+ns, at+ns, left-n
			if at >= 1e9 {
				all, now, at = append(all, now), result.Interval{}, 0
			}
		}
	}
	if now.Ops > 0 {
		all = append(all, now)
	}
	slowest := slowestFirst(t)
	for _, v := range byLength(all) {
		v.Bytes = v.Ops * t.BlockBytes
		if v.MaxNS = slowest(); v.MaxNS > v.NS {
			v.MaxNS = v.NS / v.Ops
		}
	}
	return all
}

// byLength sorts intervals, the longest first.
func byLength(all []result.Interval) (sorted []*result.Interval) {
	for k := range all {
		sorted = append(sorted, &all[k])
	}
	slices.SortFunc(sorted, func(a, b *result.Interval) int { return cmp.Compare(b.NS, a.NS) })
	return sorted
}

// slowestFirst returns the times of a test's operations, the slowest first.
func slowestFirst(t *result.Test) (next func() int64) {
	var first int64
	for _, v := range t.Intervals {
		first = max(first, v.MaxNS)
	}
	at, given := len(t.Latency)-1, int64(0)
	return func() (ns int64) {
		if ns = t.Latency[at].LatencyNS(); given == 0 && at == len(t.Latency)-1 {
			ns = first
		}
		if given++; given == t.Latency[at].Count() {
			at, given = max(at-1, 0), 0
		}
		return ns
	}
}

// TestDocumentsAreAccepted checks that the documents of load tests satisfy what the server asks of honest ones.
func TestDocumentsAreAccepted(t *testing.T) {
	t.Parallel()
	for range 50 {
		_, body := document()
		doc, err := schema.Read(body)
		if err != nil {
			t.Fatal(err)
		}
		if found := plausible.Check(doc); len(found) > 0 {
			t.Errorf("%s: %s", found[0].Rule, found[0].Reason)
		}
	}
}
