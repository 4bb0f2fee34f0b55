package plausible

import (
	"math"
	"slices"

	"flashdex/result"
)

const (
	// stepParts is how many times never form an arithmetic progression.
	stepParts = 7
	// evenShare is the share of the operations whose times are compared: the most similar ones. It is small, so that
	// all of them are of one kind even if a module does two kinds in turn.
	evenShare = 0.2
)

// tooEven finds batches and intervals that vary less than measured times can.
func tooEven(d *result.Document, t *result.Test, add report) {
	if !samplesOfOurs(d) {
		return
	}
	intervals, batches := partsBySize(t)
	for _, list := range [][]int64{intervals, batches} {
		if step, n := progression(list); n >= stepParts {
			add("%d times of %s follow each other in steps of %d ns.", n, inSentence(t), step)
			return
		}
	}
	if _, unit := unitOf(batches); !byTheClient(d, t) || len(batches) < result.BatchCount-1 || unit >= millisecond {
		return
	}
	each := leastDeviation(t.Latency)
	ops := t.Batches[len(t.Batches)-1].Ops
	least := each * math.Sqrt(evenShare*float64(ops))
	if have := deviation(batches); have < least {
		add("The batches of %s vary by %.3f ms. The latencies of their operations vary so much that it would be %.3f ms "+
			"or more.", inSentence(t), have/1e6, least/1e6)
	}
}

// partsBySize returns the times in ns of the intervals and batches that have the most common size, in order. Intervals
// of a random test have none.
func partsBySize(t *result.Test) (intervals, batches []int64) {
	sizes := map[int64]int{}
	for _, v := range t.Intervals {
		sizes[v.Bytes]++
	}
	for _, v := range t.Intervals {
		if !t.IsRandom() && 2*sizes[v.Bytes] > len(t.Intervals) {
			intervals = append(intervals, v.NS)
		}
	}
	for i, b := range t.Batches {
		if i > 0 { // the first has the remainder
			batches = append(batches, b.NS)
		}
	}
	return intervals, batches
}

// progression returns the longest arithmetic progression of neighbouring times, to within the last digit. Its times are
// not all the same. A clock of at most 1,000 Hz shows steady times as a progression.
func progression(ns []int64) (step int64, parts int) {
	_, unit := unitOf(ns)
	if unit >= millisecond {
		return 0, 0
	}
	start := 0
	for i := 2; i < len(ns); i++ {
		if second := ns[i] - 2*ns[i-1] + ns[i-2]; max(second, -second) > 2*unit {
			start = i - 1
		}
		if change := (ns[i] - ns[start]) / int64(i-start); i-start+1 > parts && max(change, -change) > 2*unit {
			step, parts = change, i-start+1
		}
	}
	return step, parts
}

// leastDeviation returns the standard deviation in ns of the evenShare of operations that differ least. Operations
// within one counter may all be alike.
func leastDeviation(latency []result.Bucket) float64 {
	var all int64
	for _, b := range latency {
		all += b.Count()
	}
	want, least := evenShare*float64(all), math.Inf(1)
	var n, sum, squares float64
	last := 0
	center := float64(latency[len(latency)/2].LatencyNS())
	move := func(b result.Bucket, sign float64) {
		ns, count := float64(b.LatencyNS())-center, sign*float64(b.Count())
		n, sum, squares = n+count, sum+count*ns, squares+count*ns*ns
	}
	for first := range latency {
		for last < len(latency) && n < want {
			move(latency[last], 1)
			last++
		}
		if n < want {
			break
		}
		least = min(least, max(squares/n-sum/n*sum/n, 0))
		move(latency[first], -1)
	}
	return math.Sqrt(least)
}

// deviation returns the standard deviation in ns.
func deviation(ns []int64) float64 {
	var mean, squares float64
	for i, v := range ns {
		before := float64(v) - mean
		mean += before / float64(i+1)
		squares += before * (float64(v) - mean)
	}
	return math.Sqrt(squares / float64(max(len(ns)-1, 1)))
}

const (
	// repeatedParts is how many times are never copies by chance: all chunks of one size in a linear test.
	repeatedParts = 7
	// repeatedShare is the least share of different times in a list.
	repeatedShare = 0.6
	// alikeShare is the least median difference between the changes of two lists, relative to their spread, if neither
	// is a copy.
	alikeShare = 0.002
)

// repeated finds times that somebody copied within a document: repeated, mirrored, or scaled from one test to another.
func repeated(d *result.Document, add report) {
	if !samplesOfOurs(d) || showsTicks(d) {
		return
	}
	for _, list := range timesOf(d) {
		if list.test.IsRandom() && len(list.ns) == len(list.test.Intervals) { // a second and less than an operation
			continue
		}
		fine := slices.DeleteFunc(slices.Clone(list.ns), isTick)
		if n := distinct(fine); len(fine) >= repeatedParts && float64(n) <= repeatedShare*float64(len(fine)) {
			add("The %d times in %s are only %d different ones.", len(fine), list.of, n)
			return
		}
	}
	var earlier [2][]times
	for i := range d.Tests {
		t := &d.Tests[i]
		intervals, batches := partsBySize(t)
		for kind, list := range []times{{of: "the intervals of ", ns: intervals}, {of: "the batches of ", ns: batches}} {
			list.of += inSentence(t)
			for _, other := range earlier[kind] {
				backwards := slices.Clone(other.ns)
				slices.Reverse(backwards)
				if isScaled(list.ns, other.ns) || isScaled(list.ns, backwards) {
					add("The times in %s are those in %s, multiplied by one number.", list.of, other.of)
					return
				}
			}
			earlier[kind] = append(earlier[kind], list)
		}
	}
}

// isScaled reports whether b's changes from each time to the next are a's, multiplied by one number. Both are compared
// from the beginning; the rest of the longer one doesn't count. The medians ignore a few changes that are far larger
// than all others.
func isScaled(a, b []int64) bool {
	n := min(len(a), len(b))
	if n < repeatedParts {
		return false
	}
	var ratios, sizes, differences []float64
	_, unit := unitOf(b[:n])
	for i := 1; i < n; i++ {
		if b[i] != b[i-1] {
			ratios = append(ratios, float64(a[i]-a[i-1])/float64(b[i]-b[i-1]))
		}
		sizes = append(sizes, math.Abs(float64(b[i]-b[i-1])))
	}
	ratio, size := result.Median(ratios), result.Median(sizes)
	if len(ratios) < n/2 || ratio == 0 || size < 20*float64(unit) { // the clock is too coarse to compare
		return false
	}
	for i := 1; i < n; i++ {
		differences = append(differences, math.Abs(float64(a[i]-a[i-1])/ratio-float64(b[i]-b[i-1])))
	}
	return result.Median(differences) < alikeShare*size
}
