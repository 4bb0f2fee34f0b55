package copies

import (
	"cmp"
	"math"
	"slices"

	"flashdex/result"
)

const (
	orderKeys   = 2      // of each series
	orderSigns  = 36     // in a key of an order
	cells       = 12     // values in a key of a series that ignores their order
	cellWidth   = 0.0125 // distances of quartiles
	leastChance = 12     // bits in a key of cells; series of two levels have fewer
	window      = 24     // buckets in a key of a part of a histogram
	windowSigns = 32     // in such a key
	mostNoise   = 4      // of a bucket in it
	leastMean   = 1.2    // operations in one of its buckets
	sumKeys     = 6      // of each histogram
	sumsOfKey   = 5
	leastSum    = 20 // operations; most histograms have smaller sums in common
	leastSums   = 12
	leastStep   = 4   // average number of operations between two sums; more sums tell little
	sizeStep    = 20  // sizes of tests in a factor of e
	doubtful    = 2   // parts of a key that a search tries both ways
	mostKeys    = 256 // of a document; all tests of a method have fewer together, except the sweep's
	mostProbes  = 256 // of a document with fewer keys
)

// Keys returns the keys under which a search finds the samples of a result. Similar series or histograms probably share
// some keys, and others hardly ever any (locality-sensitive hashing: Charikar 2002, STOC 34, for signs of projections;
// Datar et al. 2004, SoCG 20, for cells; Broder 1997, SEQUENCES, for sums). Probes are what a search for copies of it
// looks up. They are the keys, and the keys with their most doubtful parts changed (Lv et al. 2007, VLDB 33).
func (s *Samples) Keys() (keys, probes []int64) {
	var all []table
	for _, t := range s.tests {
		size := uint64(sizeStep * math.Log(float64(max(1, t.ops)))) // about the same in copies, and seldom in others
		for _, s := range t.series {
			if len(all) < mostKeys {
				all = slices.Concat(all, s.orderKey(size), s.valueKey())
			}
		}
		if len(all) < mostKeys {
			all = slices.Concat(all, windowKey(t.latency, size), sumKey(t.latency, size))
		}
	}
	tried := doubtful
	for tried > 0 && len(all)<<tried > mostProbes {
		tried--
	}
	for _, table := range all {
		hashes := table.hashes(tried)
		keys, probes = append(keys, hashes[0]), append(probes, hashes...)
	}
	slices.Sort(keys)
	slices.Sort(probes)
	return slices.Compact(keys), slices.Compact(probes)
}

// key is one of several tables of parts.
type key []table

type table struct {
	seed  uint64 // of the view
	parts []part
}

// part is a number in a key: the most likely value, the next likely one, and how far away that is.
type part struct {
	first, second int64
	distance      float64
}

// hashes returns the key, and then the key with every choice of doubtful parts changed.
func (t table) hashes(doubtful int) (all []int64) {
	order, chosen := make([]int, len(t.parts)), make([]int64, len(t.parts))
	for i, p := range t.parts {
		order[i], chosen[i] = i, p.first
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(t.parts[i].distance, t.parts[k].distance) })
	order = slices.DeleteFunc(order, func(i int) bool { return t.parts[i].first == t.parts[i].second })
	n := min(doubtful, len(order))
	for choice := range 1 << n {
		for i := range n {
			chosen[order[i]] = t.parts[order[i]].first
			if choice>>i&1 == 1 {
				chosen[order[i]] = t.parts[order[i]].second
			}
		}
		h := t.seed
		for _, v := range chosen {
			h = mix(h ^ uint64(v))
		}
		all = append(all, int64(h))
	}
	return all
}

// signs projects values on random directions.
func signs(number int, seed uint64, values []float64) table {
	t := table{seed: seed}
	sums := make([]float64, number)
	for i, v := range values {
		signs := mix(seed ^ mix(uint64(i)))
		for bit := range sums {
			sums[bit] += math.Float64frombits(math.Float64bits(v) ^ signs>>bit<<63) // v or -v
		}
	}
	for _, sum := range sums {
		p := part{first: 1, second: 0, distance: math.Abs(sum)}
		if sum < 0 {
			p.first, p.second = 0, 1
		}
		t.parts = append(t.parts, p)
	}
	return t
}

// The views of a series or histogram.
const (
	viewOrder = iota + 1
	viewValues
	viewWindow
	viewSums
)

func (s series) view(of uint64) uint64 {
	return mix(of + 16*uint64(len(s.kind)) + 1024*uint64(len(s.values)))
}

// orderKey is for followsOrder. Series whose clock shows few different times have no key, because many would share it.
func (s series) orderKey(size uint64) (k key) {
	if len(s.values) < leastOrdered {
		return nil
	}
	ranked := ranks(differences(s.values), s.tick)
	if 2*len(slices.Compact(slices.Sorted(slices.Values(ranked)))) < len(ranked) {
		return nil
	}
	if s.noise == 0 { // only a copy with the very same ranks is close enough
		t := table{seed: mix(s.view(viewOrder) + size)}
		for _, rank := range ranked {
			t.parts = append(t.parts, part{first: int64(2 * rank), second: int64(2 * rank)})
		}
		return key{t}
	}
	for number := range uint64(orderKeys) {
		k = append(k, signs(orderSigns, mix(mix(s.view(viewOrder)+size)*orderKeys+number), ranked))
	}
	return k
}

// valueKey is for sameValues.
func (s series) valueKey() key {
	n := len(s.sorted)
	low, middle, high := places(n)
	t := table{seed: s.view(viewValues)}
	before, last, chance, widest := -1, 0.0, 0.0, 0.0
	for c := range cells {
		i := c * (n - 1) / (cells - 1)
		if i == before || i == low || i == middle || i == high {
			continue
		}
		before = i
		offset := float64(mix(t.seed+uint64(c))>>11) / (1 << 53)
		place := (s.sorted[i] - s.sorted[middle]) / s.spread() / cellWidth
		at := place + offset
		within := at - math.Floor(at)
		p := part{first: int64(math.Floor(at)), distance: min(within, 1-within)}
		if len(t.parts) > 0 {
			gap := math.Log2(1 + place - last)
			chance, widest = chance+gap, max(widest, gap)
		}
		last = place
		p.second = p.first + 1
		if within < 0.5 {
			p.second = p.first - 1
		}
		t.parts = append(t.parts, p)
	}
	if chance-widest < leastChance {
		return nil
	}
	return key{t}
}

// windowKey is for closeness: a key of the buckets around each of five quantiles. It counts buckets from the quantile,
// so it stays the same when all latencies are scaled or shifted, as long as the buckets don't become wider. The square
// root makes the noise of every count about the same; second differences leave little else.
func windowKey(buckets []result.Bucket, size uint64) (k key) {
	roots, all := []float64{0}, int64(0)
	for _, b := range buckets {
		roots, all = append(roots, 2*math.Sqrt(float64(b.Count()))), all+b.Count()
	}
	noise := differences(append(roots, 0))
	for i, v := range noise { // the noise has a standard deviation of about 1.2; more is the distribution's shape
		noise[i] = max(-mostNoise, min(v, mostNoise))
	}
	if len(noise) < window {
		return nil
	}
	at, sum := 0, int64(0)
	for number, quantile := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		for ; float64(sum+buckets[at].Count()) < quantile*float64(all); at++ {
			sum += buckets[at].Count()
		}
		from, to := max(0, at-window/2), min(len(noise), at+window/2)
		in := int64(0)
		for _, b := range buckets[from:to] {
			in += b.Count()
		}
		if float64(in) >= leastMean*float64(to-from) {
			k = append(k, signs(windowSigns, mix(viewWindow+16*uint64(number)+1024*size), noise[from:to]))
		}
	}
	return k
}

// sumKey is for closeness, too. It takes the sums of operations up to each bucket, from the nearer end, and keeps the
// sums with the lowest hashes. If scaling joins two buckets, one sum is lost and most stay (MinHash: Broder 1997,
// SEQUENCES).
func sumKey(buckets []result.Bucket, size uint64) (k key) {
	fullest, all := 0, int64(0)
	for i, b := range buckets {
		all += b.Count()
		if b.Count() > buckets[fullest].Count() {
			fullest = i
		}
	}
	var sums []int64
	for i, sum := 0, int64(0); i < fullest; i++ {
		if sum += buckets[i].Count(); sum >= leastSum {
			sums = append(sums, sum)
		}
	}
	for i, sum := len(buckets)-1, int64(0); i > fullest; i-- {
		if sum += buckets[i].Count(); sum >= leastSum {
			sums = append(sums, -sum)
		}
	}
	if len(sums) < leastSums || int64(len(sums))*leastStep > all {
		return nil
	}
	for number := range uint64(sumKeys) {
		t := table{seed: mix(viewSums + 16*number + 1024*size)}
		for n := range uint64(sumsOfKey) {
			lowest := uint64(math.MaxUint64)
			for _, sum := range sums {
				lowest = min(lowest, mix(mix(t.seed+n)^uint64(sum)))
			}
			t.parts = append(t.parts, part{first: int64(lowest), second: int64(lowest)})
		}
		k = append(k, t)
	}
	return k
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014, OOPSLA).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
