package measure

import (
	"errors"
	"math"
	"slices"

	"flashdex/result"
)

const (
	// triedBefore is how many units per kept one are tried in vain before the size of a unit is looked for.
	triedBefore = 2
	// keptTurns is how many turns may be disturbed before one shows that units are open together.
	keptTurns = 4
	// surely is how much of the time of writes that open a unit a write must take to count as one of them. A busy host
	// makes others slow, too.
	surely = 0.7
	// mostSearches is how often the size of a unit is looked for, since a busy host may hide it. Each search takes
	// searchBytes, because a search may leave units open. The last part of the area is left to them.
	mostSearches = 4
	searchBytes  = 96 << 20
	lastBytes    = mostSearches * searchBytes
)

// errStaysOpen says that another unit stays open beside all that are kept. So too few are kept.
var errStaysOpen = errors.New("one more unit stays open")

// keeper finds units that a module can keep open together. A module may open each unit in a place of its own, which
// depends on the unit, so that two units may close each other while others could stay open. The keeper begins with one
// unit. It tries others: it writes to one, then to all that are kept, and then to that one again. If it is still open,
// and all of them can be written in turn without opening any, it is kept, too.
type keeper struct {
	*prober
	kept          []int64   // places in units that are open together
	tried         []int64   // places in other units, none of which was open beside those kept
	fast, opening []float64 // ns of writes to an open unit, and of those that open one

	aside, counted result.Interval // of the sample that isn't complete
	writes         int64
	from           int64   // where the search for a boundary begins: closely after another one, at last
	around         []int64 // places that are open together, with from as the last; nil: not known
	unitBytes      int64   // 0: not known yet
}

// keepOpen runs KeptWrite.
func (p *prober) keepOpen() error {
	k := keeper{prober: p}
	at, ok := k.somewhere()
	if !ok {
		return nil
	}
	k.kept = []int64{at}
	for range samplesOfOne {
		if err := k.one(at, 1); err != nil {
			return err
		}
	}
	for tries := 0; k.unitBytes == 0; tries++ {
		if tries == mostSearches {
			return nil
		}
		if err := k.others(k.somewhere, func(kept int64) int64 { return triedBefore * (kept + 5) }); err != nil {
			return err
		}
		if len(k.kept) == result.MostPlaces { // no limit was found, so nothing is closed that could show a unit
			return k.all()
		}
		// Some of these places may share a unit, and boundaries that were found beside too few places may be none.
		k.setAside(func(kind result.Kind) bool { return kind.Places > 1 })
		if err := k.boundaries(k.areaBytes-lastBytes+int64(tries)*searchBytes, k.crosses); err != nil {
			if !errors.Is(err, errStaysOpen) {
				return err
			}
			continue
		}
		t := result.Test{Name: result.KeptWrite, AreaBytes: p.areaBytes, Intervals: p.intervals}
		k.unitBytes = t.Unit().UsualBytes()
	}
	if err := k.others(k.elsewhere, result.BesideOps); err != nil {
		return err
	}
	return k.all()
}

// all samples writes to all kept places in turn.
func (k *keeper) all() error {
	for range samplesOfKind {
		if err := k.one(k.kept[0], 1); err != nil {
			return err
		}
		turn := 0
		if err := k.sample(result.Kind{Places: int64(len(k.kept))}, len(k.kept), func() int64 {
			turn++
			return k.within(k.kept[turn%len(k.kept)])
		}); err != nil {
			return err
		}
	}
	return nil
}

// within returns the next position in the GapSlackBytes at a place.
func (k *keeper) within(place int64) int64 {
	k.writes++
	return place + k.writes*k.blockBytes%result.GapSlackBytes
}

// one samples writes to one place, after some aside.
func (k *keeper) one(place int64, aside int) error {
	err := k.sample(result.Kind{Places: 1}, aside, func() int64 { return k.within(place) })
	if v := k.intervals[len(k.intervals)-1]; err == nil {
		k.fast = append(k.fast, float64(v.NS)/float64(v.Ops))
	}
	return err
}

// add writes to a place, as part of an interval.
func (k *keeper) add(v *result.Interval, place int64) (ns int64, err error) {
	if k.ended() {
		return 0, errOver
	}
	if ns, err = k.write(k.within(place)); err != nil {
		return 0, err
	}
	v.Ops++
	v.Bytes += k.blockBytes
	v.NS += ns
	v.MaxNS = max(v.MaxNS, ns)
	return ns, nil
}

// end ends a sample of a kind. Unless all of it counts, none does.
func (k *keeper) end(kind result.Kind, counts bool) {
	for i, v := range []*result.Interval{&k.aside, &k.counted} {
		if v.Kind = kind; i == 0 || !counts {
			v.AsideOps = v.Ops
		}
		if v.Ops > 0 {
			k.intervals = append(k.intervals, *v)
		}
		*v = result.Interval{}
	}
}

// opens tells whether a write of this duration opened a unit. It may take half as long as others that opened one, since
// a busy host makes some of those slow that open none.
func (k *keeper) opens(ns int64) bool {
	fast, opening := lastMedian(k.fast), lastMedian(k.opening)
	return float64(ns) > max(opening/2, math.Sqrt(fast*opening), result.SlowerTimes*fast)
}

// lastMedian returns the median of the last of some values.
func lastMedian(values []float64) float64 {
	return result.Median(slices.Clone(values[max(0, len(values)-samplesOfOne):]))
}

// turn writes to places in turn. It returns the place of the slowest write, and whether that opened a unit.
func (k *keeper) turn(places []int64) (slowest int64, opened bool, err error) {
	most := int64(0)
	for _, place := range places {
		ns, err := k.add(&k.aside, place)
		if err != nil {
			return 0, false, err
		}
		if ns > most {
			most, slowest = ns, place
		}
	}
	return slowest, k.opens(most), nil
}

// together tells whether places are open together: a turn opens none of them.
func (k *keeper) together(places []int64) (bool, error) {
	for range keptTurns {
		if _, opened, err := k.turn(places); err != nil || !opened {
			return !opened, err
		}
	}
	return false, nil
}

// others tries units beside those kept until enough of them were found closed in a row. It keeps what stays open.
func (k *keeper) others(next func() (int64, bool), enough func(kept int64) int64) error {
	for {
		kept := int64(len(k.kept))
		kind := result.Kind{Places: kept + 1}
		closed := result.OpsOf(k.intervals, kind) + k.counted.Ops
		place, ok := next()
		if !ok || kept == result.MostPlaces || closed >= enough(kept) {
			k.end(kind, k.counted.Ops == result.StructureOps)
			return nil
		}
		isClosed, together, err := k.beside(place)
		switch {
		case err != nil || together:
			if k.end(kind, false); err != nil {
				return err
			}
			k.keep(place)
			continue
		case !isClosed:
			continue
		case k.counted.Ops == result.StructureOps:
			k.end(kind, true)
			if err := k.one(k.kept[0], 1); err != nil {
				return err
			}
		}
		k.tried = append(k.tried, place)
	}
}

// keep keeps one more place. The others that were closed were tried beside too few.
func (k *keeper) keep(place int64) {
	others := result.Kind{Places: int64(len(k.kept)) + 1}
	k.setAside(func(kind result.Kind) bool { return kind == others })
	k.kept = append(k.kept, place)
}

// setAside makes the writes of some kinds not count.
func (k *keeper) setAside(of func(kind result.Kind) bool) {
	for i := range k.intervals {
		if v := &k.intervals[i]; v.AsideOps == 0 && of(v.Kind) {
			v.AsideOps = v.Ops
		}
	}
}

// beside tells whether those kept closed a place, and otherwise, whether it is open together with them.
func (k *keeper) beside(place int64) (closed, together bool, err error) {
	ns, err := k.add(&k.aside, place)
	if err != nil {
		return false, false, err
	}
	k.opening = append(k.opening, float64(ns))
	if _, _, err := k.turn(k.kept); err != nil {
		return false, false, err
	}
	var again result.Interval
	if ns, err = k.add(&again, place); err != nil {
		return false, false, err
	}
	of := &k.aside
	if closed = k.opens(ns) && float64(ns) > surely*lastMedian(k.opening); closed {
		of = &k.counted
	}
	*of = result.SumIntervals([]result.Interval{*of, again})
	if k.opens(ns) {
		return closed, false, nil
	}
	together, err = k.together(append(slices.Clone(k.kept), place))
	return false, together, err
}

// crosses tells whether there is a boundary between from and so many bytes behind it, if that can be told. It writes to
// from in place of the unit that from closes. So all other units are closed after each turn.
func (k *keeper) crosses(from, gap int64) (slow, known bool, err error) {
	if k.from != from {
		if err := k.swap(from); err != nil {
			return false, false, err
		}
	}
	if k.around == nil {
		return false, false, nil
	}
	kind := result.Kind{Places: int64(len(k.around)) + 1, AtBytes: from, GapBytes: gap}
	opened, n := 0, 0
	for ; n < mostSamples && (n < leastSamples || !known); n++ {
		_, _, err := k.turn(k.around)
		k.end(kind, false)
		if err == nil {
			err = k.one(from, 0) // the turn ended with it
		}
		var ns int64
		if err == nil {
			ns, err = k.add(&k.counted, from+gap)
		}
		if k.opens(ns) {
			opened++
		}
		k.end(kind, true)
		if err != nil {
			return false, false, err
		}
		slow, known = k.slow(kind)
	}
	if slow && opened < n { // a busy host made some of them slow
		k.setAside(func(of result.Kind) bool { return of == kind })
		return false, false, nil
	}
	if slow || !known {
		return slow, known, nil
	}
	// Those kept close the unit of from. If the other side is still open, it is in another unit.
	defer k.end(kind, false)
	if _, _, err := k.turn(k.kept); err != nil {
		return false, false, err
	}
	if ns, err := k.add(&k.aside, from+gap); err != nil || k.opens(ns) {
		return false, true, err
	}
	return false, false, errStaysOpen
}

// swap finds the places that are open together with from: those kept, without one that from closes.
func (k *keeper) swap(from int64) error {
	k.from, k.around = from, nil
	defer func() { k.end(result.Kind{Places: int64(len(k.kept)) + 1}, false) }()
	if _, together, err := k.beside(from); err != nil {
		return err
	} else if together {
		return errStaysOpen
	}
	var closed []int64 // by from, or only written slowly
	for range keptTurns {
		if _, _, err := k.turn(k.kept); err != nil {
			return err
		}
		if _, err := k.add(&k.aside, from); err != nil {
			return err
		}
		slowest, _, err := k.turn(k.kept)
		if err != nil {
			return err
		}
		if !slices.Contains(closed, slowest) {
			closed = append(closed, slowest)
		}
	}
	for _, place := range closed {
		others := append(slices.DeleteFunc(slices.Clone(k.kept), func(p int64) bool { return p == place }), from)
		if together, err := k.together(others); err != nil || together {
			k.around = others
			return err
		}
	}
	return nil
}

// somewhere returns a random place that shares no unit with those kept, if units have a usual size; false: there is
// none.
func (k *keeper) somewhere() (place int64, ok bool) {
	room := max(k.areaBytes-lastBytes-result.KeptApartBytes, 0) / result.PlaceAlignBytes
	for range 1000 {
		at := k.random.Int64N(room+1) * result.PlaceAlignBytes
		if !k.near(k.kept, at, result.KeptApartBytes) {
			return at, true
		}
	}
	return 0, false
}

// elsewhere returns a random one of the units that weren't tried yet; false: there is none.
func (k *keeper) elsewhere() (place int64, ok bool) {
	middle := (k.from%k.unitBytes + k.unitBytes/2) % k.unitBytes
	for _, n := range k.random.Perm(int((k.areaBytes - middle) / k.unitBytes)) {
		at := (middle + int64(n)*k.unitBytes) / result.PlaceAlignBytes * result.PlaceAlignBytes
		if !k.near(k.kept, at, k.unitBytes) && !k.near(k.tried, at, k.unitBytes/2) {
			return at, true
		}
	}
	return 0, false
}

func (k *keeper) near(places []int64, at, bytes int64) bool {
	return slices.ContainsFunc(places, func(other int64) bool { return max(at-other, other-at) < bytes })
}
