package result

import (
	"maps"
	"math"
	"slices"
)

// Tests of MethodStructure1. An interval holds writes of one kind: Interval.Kind.
const (
	TurnWrite   = "turn-write"   // to Places far from each other in turn, at each in a line
	GapWrite    = "gap-write"    // the same, with one place more: GapBytes after the last one, which is at AtBytes
	KeptWrite   = "kept-write"   // in turn to Places kept open together, or, with one place more, to others beside them
	AcrossWrite = "across-write" // across boundaries of AcrossBytes; 0: across none
	PlaceWrite  = "place-write"  // at random to PlaceBytes from AtBytes on
)

// Kind tells the kinds of a test's operations apart.
type Kind struct {
	Places      int64 `json:"places,omitempty"`
	GapBytes    int64 `json:"gap_bytes,omitempty"`
	AtBytes     int64 `json:"at_bytes,omitempty"` // from the beginning of the area
	AcrossBytes int64 `json:"across_bytes,omitempty"`
	Depth       int64 `json:"depth,omitempty"`   // of operations under way
	RestNS      int64 `json:"rest_ns,omitempty"` // before them
	// AsideOps is Ops if this interval holds the first writes of a kind, and else 0. These writes bring the module into
	// the state in which the later ones count.
	AsideOps int64 `json:"aside_ops,omitempty"`
}

const (
	// StructureOps is the number of writes in an interval, if the interval counts.
	StructureOps = 4
	// MostPlaces is the largest number of places that TurnWrite tries.
	MostPlaces = 64
	// PlaceBytes is the size of a place of PlaceWrite.
	PlaceBytes = 1 << 20
	// PlaceAlignBytes is the alignment of places.
	PlaceAlignBytes = 64 << 10
	// LeastApartBytes is how far apart places must be to tell how many units are open. Usual units are no larger.
	LeastApartBytes = 16 << 20
	// KeptApartBytes is how far apart the places of KeptWrite are. A unit of LeastApartBytes is known within less.
	KeptApartBytes = LeastApartBytes / 16 * 17
	// GapSlackBytes is the most that GapWrite writes to a place in a row.
	GapSlackBytes = 64 << 10
	// PageBlockBytes is the block size with which AcrossWrite finds pages. A block across an odd multiple of a size
	// crosses a boundary of pages of that size or smaller, and of no larger pages. The other block size,
	// UnalignedBytes, begins in the middle of any 4 KiB, as in a partition that isn't aligned.
	PageBlockBytes = 2 << 10
	UnalignedBytes = 4 << 10
	// MostPageBytes is the largest size of a page that AcrossWrite looks for.
	MostPageBytes = 64 << 10

	// besideTimes is how many other units KeptWrite tries beside n open ones: besideTimes · (n + 1). If a module opens
	// each unit in a place of its own, and has n + 1 of these places, all of the others miss the last one with odds of
	// (1 - 1/(n+1))^(7(n+1)), less than 1 in 1,000.
	besideTimes = 7

	// SlowerTimes is from which factor on a write counts as slower because the module has to open a unit. crossingTimes
	// is the same for a write that crosses a boundary.
	SlowerTimes   = 1.5
	crossingTimes = 1.05
)

// Range is a whole number from Low to High. If both are 0, it can't be told.
type Range struct{ Low, High int64 }

// PlacesApartBytes is the least distance between the places of TurnWrite. They share three quarters of the area; the
// last quarter is for GapWrite. They don't lie as far apart as they could, so that their distances differ: a module may
// open each unit in the place that the remainder of its number decides.
func PlacesApartBytes(areaBytes int64) int64 {
	room := areaBytes / 4 * 3 / MostPlaces
	return min(room/8*7-PlaceAlignBytes, max(room/2, KeptApartBytes))
}

// TimesOf returns the times of a write in ns, with a sample for each interval that counts.
func TimesOf(intervals []Interval) map[Kind][]float64 {
	times := map[Kind][]float64{}
	for _, v := range intervals {
		if v.AsideOps == 0 && v.Ops > 0 {
			times[v.Kind] = append(times[v.Kind], float64(v.NS)/float64(v.Ops))
		}
	}
	return times
}

// timesOfOne divides the time of each sample by the time of the sample of writes to one place before it. So anything
// that slows all writes down for a while, such as a busy host, cancels out.
func timesOfOne(intervals []Interval) map[Kind][]float64 {
	one, before := Kind{Places: 1}, 0.0
	times := map[Kind][]float64{}
	for _, v := range intervals {
		if v.AsideOps > 0 || v.Ops == 0 {
			continue
		}
		took := float64(v.NS) / float64(v.Ops)
		if before > 0 {
			times[v.Kind] = append(times[v.Kind], took/before)
		}
		if v.Kind == one {
			before = took
		}
	}
	return times
}

// ToOne compares a kind of writes of TurnWrite or GapWrite with the writes to one place.
func ToOne(intervals []Interval, kind Kind) Ratio {
	times := timesOfOne(intervals)
	return RatioOf(times[kind], times[Kind{Places: 1}])
}

// PlacesOf finds the number of places to which the module writes in turn as fast as to one, from the intervals of
// TurnWrite. Low is the largest number that is known to be as fast. High is one less than the smallest number that is
// known to be slower, or MostPlaces. If both are the same number below MostPlaces, oneMore compares a write with one
// place more to a write with that number; without Times, that isn't known. If the numbers contradict each other, they
// tell nothing.
func PlacesOf(intervals []Interval) (places Range, oneMore Ratio) {
	times := timesOfOne(intervals)
	one := times[Kind{Places: 1}]
	places.High = MostPlaces
	for n := int64(1); n <= MostPlaces; n++ {
		some := times[Kind{Places: n}]
		if len(some) == 0 {
			continue
		}
		switch r := RatioOf(some, one); {
		case n == 1:
			places.Low = n
		case r.Low >= SlowerTimes:
			places.High = min(places.High, n-1)
		case r.High < SlowerTimes && places.High < n:
			return Range{}, Ratio{}
		case r.High < SlowerTimes:
			places.Low = n
		}
	}
	if places.Low == 0 {
		return Range{}, Ratio{}
	}
	if places.Low == places.High && places.High < MostPlaces {
		more := Kind{Places: places.High + 1}
		oneMore = RatioOf(times[more], times[Kind{Places: places.High}])
		switch {
		case oneMore.High < SlowerTimes: // the time grows bit by bit, and nothing happens here
			return Range{}, Ratio{}
		case oneMore.Low < SlowerTimes, !alike(intervals, more),
			someAsSlow(times[Kind{Places: places.High}], times[more]): // which places they are decides, too
			oneMore = Ratio{}
		}
	}
	return places, oneMore
}

// KeptTogether finds the number of places that can be open at once, from the intervals of KeptWrite: a module may open
// each unit in a place of its own, so that which units are written decides, and not only how many. It found Low
// places that it wrote in turn as fast as one, and enough other units of which none was open beside them.
func (t *Test) KeptTogether() (places Range, oneMore Ratio) {
	places, oneMore = PlacesOf(t.Intervals)
	if t.Unit().High == 0 || OpsOf(t.Intervals, Kind{Places: places.Low + 1}) < BesideOps(places.Low) {
		oneMore = Ratio{}
	}
	return places, oneMore
}

// BesideOps is how many other units KeptWrite must try beside n open ones.
func BesideOps(n int64) int64 {
	samples := (besideTimes*(n+1) + StructureOps - 1) / StructureOps
	return max(samples, confirmedSamples) * StructureOps
}

// OpsOf counts the operations of a kind that count.
func OpsOf(intervals []Interval, kind Kind) (ops int64) {
	for _, v := range intervals {
		if v.Kind == kind {
			ops += v.Ops
		}
	}
	return ops
}

// confirmedSamples is how many samples of a kind there are at least once other places have confirmed it.
const confirmedSamples = 12

// alike reports whether all writes of a kind took about as long. In hardly any sample may the slowest write take far
// longer than the others, in the median sample it may take little longer, and no sample may be faster than half of their
// median. Otherwise some writes find their unit open and others don't, and that depends on more than the number of
// places.
func alike(intervals []Interval, kind Kind) bool {
	samples := TimesOf(intervals)[kind]
	var even []float64 // the mean of a sample over its slowest write
	for _, v := range intervals {
		if v.Kind == kind && v.MaxNS > 0 {
			even = append(even, float64(v.NS)/float64(v.Ops)/float64(v.MaxNS))
		}
	}
	if len(samples) < confirmedSamples || len(even) < len(samples) {
		return false
	}
	compared := samples[:min(len(samples), maxRatioSamples)]
	return kth(even, len(even)/4) >= 0.6 && kth(even, len(even)/2) >= leastEven &&
		slices.Min(samples) >= kth(compared, len(compared)/2)/2
}

// leastEven is more than 3/4, which samples have if one of four writes finds its unit open. Four writes of which each
// varies by 20 % have 0.82.
const leastEven = 0.77

// someAsSlow reports whether more than a fifth of some samples take over half as long as others do in the median.
func someAsSlow(samples, others []float64) bool {
	compared := others[:min(len(others), maxRatioSamples)]
	half, slow := kth(compared, len(compared)/2)/2, 0
	for _, took := range samples {
		if took > half {
			slow++
		}
	}
	return slow > len(samples)/5
}

// boundary lies between two units, in (lowBytes, highBytes] of the area. It is the first boundary after fromBytes.
type boundary struct{ fromBytes, lowBytes, highBytes int64 }

// boundariesOf derives from the intervals of GapWrite where the first boundary after each position is. The module
// writes to one place more than it has units open, but the last two places can share a unit. So a gap whose writes are
// as fast as writes to one place holds no boundary. A gap whose writes are slower holds one.
func boundariesOf(intervals []Interval) (all []boundary) {
	times := timesOfOne(intervals)
	gaps := map[int64][]Kind{} // by where they are
	for kind := range times {
		if kind.GapBytes > 0 {
			gaps[kind.AtBytes] = append(gaps[kind.AtBytes], kind)
		}
	}
	for _, from := range slices.Sorted(maps.Keys(gaps)) {
		fast, slow := int64(0), int64(math.MaxInt64)
		for _, kind := range gaps[from] {
			switch r := RatioOf(times[kind], times[Kind{Places: 1}]); {
			case r.Low >= SlowerTimes:
				slow = min(slow, kind.GapBytes)
			case r.High < SlowerTimes:
				fast = max(fast, kind.GapBytes)
			}
		}
		switch {
		case fast >= slow: // one contradicts the other
			return nil
		case fast > 0 && slow < math.MaxInt64:
			all = append(all, boundary{from, from + fast, from + slow + GapSlackBytes})
		}
	}
	return all
}

// Unit derives from GapWrite the size of the unit that the module opens as a whole. That takes three boundaries.
func (t *Test) Unit() (bytes Range) {
	boundaries := boundariesOf(t.Intervals)
	if len(boundaries) < 3 {
		return Range{}
	}
	bytes.High = math.MaxInt64
	widest := int64(0)
	for i, a := range boundaries {
		widest = max(widest, a.highBytes-a.lowBytes)
		for n, b := range boundaries[i+1:] {
			if n == 0 && b.fromBytes != a.highBytes { // it may not be the next one
				return Range{}
			}
			units := int64(n + 1)
			bytes.Low = max(bytes.Low, (b.lowBytes-a.highBytes+units-1)/units)
			bytes.High = min(bytes.High, (b.highBytes-a.lowBytes)/units)
		}
	}
	switch {
	case bytes.Low > bytes.High || bytes.Low <= widest: // contradictory, or there may be others in between
		return Range{}
	case bytes.High > t.placesApartBytes(): // some places share a unit, so there are more places than units
		return Range{}
	}
	return bytes
}

func (t *Test) placesApartBytes() int64 {
	if t.Name == KeptWrite {
		return KeptApartBytes
	}
	return PlacesApartBytes(t.AreaBytes)
}

// UsualBytes returns the only size in a range that units or pages usually have: a power of two, or three times one. It
// returns 0 if there is none, or if there are several.
func (r Range) UsualBytes() (bytes int64) {
	for size := int64(512); size <= r.High; size *= 2 {
		for _, usual := range []int64{size, size / 2 * 3} {
			if usual < r.Low || usual > r.High {
				continue
			}
			if bytes > 0 {
				return 0
			}
			bytes = usual
		}
	}
	return bytes
}

// Page derives from AcrossWrite with PageBlockBytes the size of the page that the module writes as a whole. It is the
// smallest size from which on crossing a boundary costs more than at all smaller sizes, and more than crossing none.
func (t *Test) Page() (bytes Range) {
	times := TimesOf(t.Intervals)
	none := times[Kind{}]
	smaller := 1.0 // the most that crossing a smaller one may cost
	for size := int64(UnalignedBytes); size <= MostPageBytes; size *= 2 {
		least := math.Inf(1) // the least that crossing this one or a larger one costs
		for larger := size; larger <= MostPageBytes; larger *= 2 {
			least = min(least, RatioOf(times[Kind{AcrossBytes: larger}], none).Low)
		}
		switch {
		case least <= max(smaller, crossingTimes):
			smaller = max(smaller, RatioOf(times[Kind{AcrossBytes: size}], none).High)
		case size == UnalignedBytes: // no smaller size was tried
			return Range{1, size}
		default:
			return Range{size, size}
		}
	}
	return Range{}
}

// Times derives from AcrossWrite with UnalignedBytes how many times as long an unaligned write takes. From PlaceWrite,
// it derives how many times as long a write in the middle takes as one at the beginning.
func (t *Test) Times() Ratio {
	var first, others []float64
	for _, v := range t.Intervals {
		switch {
		case v.AsideOps > 0 || v.Ops == 0:
		case v.Kind == Kind{}:
			first = append(first, float64(v.NS)/float64(v.Ops))
		default:
			others = append(others, float64(v.NS)/float64(v.Ops))
		}
	}
	return RatioOf(others, first)
}

// addStructure adds the figures of a test of MethodStructure1.
func (t *Test) addStructure(f *Figures) {
	times := Ratio{High: math.Inf(1)}
	switch {
	case t.Name == TurnWrite:
		var places Range
		switch places, times = PlacesOf(t.Intervals); {
		case PlacesApartBytes(t.AreaBytes) < LeastApartBytes: // some may share a unit
			times = Ratio{}
		case places.Low == MostPlaces || times.Times > 0:
			f.OpenUnits = &places.Low
		}
	case t.Name == KeptWrite:
		var places Range
		if places, times = t.KeptTogether(); places.Low == MostPlaces || times.Times > 0 {
			f.OpenUnits = &places.Low
		}
		f.AllocationUnitBytes = unlessZero(t.Unit().UsualBytes())
	case t.Name == GapWrite:
		f.AllocationUnitBytes = unlessZero(t.Unit().UsualBytes())
	case t.Name == AcrossWrite && t.BlockBytes == PageBlockBytes:
		f.PageBytes = unlessZero(t.Page().High)
	default:
		times = t.Times()
	}
	if times.Low > 0 {
		f.Ratio, f.RatioLow, f.RatioHigh = &times.Times, &times.Low, &times.High
	}
}
