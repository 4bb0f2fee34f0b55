package copies

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"flashdex/result"
)

const (
	tables      = 2      // keys of each series and view
	orderSigns  = 60     // in a key of an order
	countSigns  = 36     // in a key of a histogram
	cells       = 12     // values in a key of a series without its order
	cellWidth   = 0.0125 // distances of quartiles
	leastChance = 12     // bits in a key of cells; any series of two levels have fewer
	doubtful    = 3      // parts of a key that a search tries both ways
	mostKeys    = 256    // of a document; the tests of all methods but the sweep have fewer together
	mostProbes  = 256    // of a document with fewer keys
	leastInHist = 20     // buckets
	mostNoise   = 4      // of a bucket of a histogram
)

// Keys returns the keys under which a search finds the samples of a result: similar series share some of them with a high chance,
// others hardly ever any (locality-sensitive hashing: Charikar 2002, STOC 34, for signs of projections; Datar et al.
// 2004, SoCG 20, for cells). Probes are what a search for copies of it looks up. They hold the keys, and those with
// their most doubtful parts changed (Lv et al. 2007, VLDB 33).
func (s *Samples) Keys() (keys, probes []int64) {
	var all []table
	for _, t := range s.tests {
		for _, s := range t.series {
			if len(all) < mostKeys {
				all = slices.Concat(all, s.orderKey(), s.valueKey())
			}
		}
		if len(all) < mostKeys {
			all = append(all, histogramKey(t.latency)...)
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

// part is a number in a key: the most likely one, the next, and how far away that is.
type part struct {
	first, second int64
	distance      float64
}

// hashes returns the key, and then the keys with every choice of so many doubtful parts changed.
func (t table) hashes(doubtful int) (all []int64) {
	order := make([]int, len(t.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(t.parts[i].distance, t.parts[k].distance) })
	n := min(doubtful, len(order))
	for choice := range 1 << n {
		h := fnv.New64a()
		text := binary.BigEndian.AppendUint64(nil, t.seed)
		chosen := make([]int64, len(t.parts))
		for i, p := range t.parts {
			chosen[i] = p.first
		}
		for i := range n {
			if choice>>i&1 == 1 {
				chosen[order[i]] = t.parts[order[i]].second
			}
		}
		for _, v := range chosen {
			text = binary.BigEndian.AppendUint64(text, uint64(v))
		}
		_, _ = h.Write(text) // never fails
		all = append(all, int64(mix(h.Sum64())))
	}
	return all
}

// signs projects values on random directions. id names the place of a value, which copies share.
func signs(number int, view uint64, values []float64, id func(int) uint64) (k key) {
	for n := range tables {
		t := table{seed: mix(view*tables + uint64(n))}
		sums := make([]float64, number)
		for i, v := range values {
			signs := mix(t.seed ^ mix(id(i)))
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
		k = append(k, t)
	}
	return k
}

// The views of a series or histogram.
const (
	viewOrder = iota + 1
	viewValues
	viewHistogram
)

func (s series) view(of uint64) uint64 {
	return mix(of + 16*uint64(len(s.kind)) + 1024*uint64(len(s.values)))
}

// orderKey is for followsOrder. Series whose clock shows few different times have none: many would share it.
func (s series) orderKey() key {
	if len(s.values) < leastOrdered {
		return nil
	}
	ranked := ranks(differences(s.values), s.tick)
	if 2*len(slices.Compact(slices.Sorted(slices.Values(ranked)))) < len(ranked) {
		return nil
	}
	if s.noise == 0 { // only a copy with the very same ranks is close enough
		t := table{seed: s.view(viewOrder)}
		for _, rank := range ranked {
			t.parts = append(t.parts, part{first: int64(2 * rank), second: int64(2 * rank)})
		}
		return key{t}
	}
	return signs(orderSigns, s.view(viewOrder), ranked, func(i int) uint64 { return uint64(i) })
}

// valueKey is for sameValues.
func (s series) valueKey() (k key) {
	n := len(s.sorted)
	low, middle, high := places(n)
	for number := range tables {
		t := table{seed: mix(s.view(viewValues)*tables + uint64(number))}
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
		if chance-widest >= leastChance {
			k = append(k, t)
		}
	}
	return k
}

// histogramKey is for sameHistogram. The square root makes the noise of every count about the same; second differences
// leave little else.
func histogramKey(buckets []result.Bucket) key {
	if len(buckets) < leastInHist {
		return nil
	}
	roots := []float64{0}
	for _, b := range buckets {
		roots = append(roots, 2*math.Sqrt(float64(b.Count())))
	}
	noise := differences(append(roots, 0))
	for i, v := range noise { // their standard deviation is about 1.2; more is the shape of the distribution
		noise[i] = max(-mostNoise, min(v, mostNoise))
	}
	id := func(i int) uint64 { return uint64(buckets[i].LatencyNS()) }
	return signs(countSigns, mix(viewHistogram), noise, id)
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014, OOPSLA).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
