package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"time"

	"flashdex/result"
)

// structureSteps are the tests of the structure profile after the area was written. Nobody knows beforehand how many
// writes they need, so each has limits.
var structureSteps = []Step{
	{Test: result.TurnWrite, BlockBytes: randomBytes, Bytes: 32 << 20, Limit: 2 * time.Minute},
	// Or KeptWrite, which takes far longer.
	{Test: result.GapWrite, BlockBytes: randomBytes, Bytes: 96 << 20, Limit: 225 * time.Second, Optional: true},
	{Test: result.AcrossWrite, BlockBytes: result.PageBlockBytes, Bytes: 32 << 20, Limit: time.Minute, Optional: true},
	{Test: result.AcrossWrite, BlockBytes: result.UnalignedBytes, Bytes: 32 << 20, Limit: 20 * time.Second,
		Optional: true},
	{Test: result.PlaceWrite, BlockBytes: randomBytes, Bytes: 32 << 20, Limit: 20 * time.Second, Optional: true},
}

const (
	// samplesOfOne is the number of first samples of writes to one place. All other samples are compared with them.
	// samplesOfKind is the number of samples of each kind, where there are only a few kinds.
	samplesOfOne  = 24
	samplesOfKind = 24
	// Fewer than leastSamples can't tell two kinds of writes apart (result.RatioOf). If mostSamples can't, more hardly
	// would.
	leastSamples = 4
	mostSamples  = 48

	// mostIntervals is how many intervals a test may have, since a server takes results of at most 256 KiB.
	mostIntervals = 1300

	leastGapBytes = 256 << 10
	mostGapBytes  = 64 << 20
	gapStepBytes  = 128 << 10 // how exactly a boundary is found, unless a gapShare of the gap is more
	gapShare      = 32
	spanBytes     = 2 << 20 // the writes across boundaries stay within these

	leastAreaBytes = 2 * spanBytes
)

// errOver says that a test has had its time.
var errOver = errors.New("the time is over")

// prober finds out about the inside of a module by timing writes.
type prober struct {
	write      func(at int64) (ns int64, err error) // a block at a position in the area, in bytes
	over       func() bool
	areaBytes  int64
	blockBytes int64
	random     *rand.Rand
	intervals  []result.Interval
	places     []int64 // the next position of each place
}

// ended tells whether the time is over, or the document would become too large.
func (p *prober) ended() bool { return p.over() || len(p.intervals) >= mostIntervals }

// sample does aside writes that don't count, and then the writes of a sample. If the time runs out during the sample,
// it doesn't count either.
func (p *prober) sample(kind result.Kind, aside int, next func() int64) error {
	for i, ops := range []int64{int64(aside), result.StructureOps} {
		v := result.Interval{Kind: kind}
		for v.Ops < ops && !p.ended() {
			ns, err := p.write(next())
			if err != nil {
				return err
			}
			v.Ops++
			v.Bytes += p.blockBytes
			v.NS += ns
			v.MaxNS = max(v.MaxNS, ns)
		}
		cut := v.Ops < ops
		if cut || i == 0 {
			v.AsideOps = v.Ops
		}
		if v.Ops > 0 {
			p.intervals = append(p.intervals, v)
		}
		if cut {
			return errOver
		}
	}
	return nil
}

// visit samples writes to several places in turn until enough says so; next returns the next position of a place.
// Before each sample comes a sample of writes to one place, to compare it with. Its place is the one whose turn it is,
// so that each place is still written after all the others.
func (p *prober) visit(kind result.Kind, next func(place int64) int64, enough func(samples int) bool) error {
	turn := int64(0)
	one := func() int64 { return next(turn % kind.Places) }
	inTurn := func() int64 {
		at := one()
		turn++
		return at
	}
	aside := int(kind.Places)
	for samples := 0; !enough(samples); samples++ {
		p.keepTogether(turn % kind.Places)
		if err := p.sample(result.Kind{Places: 1}, 1, one); err != nil {
			return err
		}
		turn++
		if err := p.sample(kind, aside, inTurn); err != nil {
			return err
		}
		aside = 0
	}
	return nil
}

// scatter chooses places that are far from each other, at distances that differ.
func (p *prober) scatter() {
	apart := result.PlacesApartBytes(p.areaBytes) + result.PlaceAlignBytes
	more := make(sort.Float64Slice, result.MostPlaces) // than the least distances from the beginning
	for n := range more {
		more[n] = p.random.Float64() * float64(p.areaBytes/4*3-result.MostPlaces*apart)
	}
	sort.Sort(more)
	p.places = nil
	for _, n := range p.random.Perm(result.MostPlaces) {
		at := int64(n)*apart + int64(more[n])
		p.places = append(p.places, at/result.PlaceAlignBytes*result.PlaceAlignBytes)
	}
}

// keepTogether puts the next writes to a place, as many as a sample has, into one unit. The module opens each unit
// right after it has written the one before. So the place takes the room of the place whose turn is next, that one
// takes the room of the place after it, and so on.
func (p *prober) keepTogether(place int64) {
	const align = result.PlaceAlignBytes
	if at := p.places[place]; at%align+(1+result.StructureOps)*p.blockBytes > align {
		p.places[place] = (at/align + 1) * align
	}
}

// inLine returns the next position of a place. In a small area it may be at the beginning again.
func (p *prober) inLine(place int64) (at int64) {
	at = p.places[place] % p.areaBytes
	p.places[place] += p.blockBytes
	return at
}

// rounds returns how many samples meet each of n places.
func rounds(n int64) int { return int(n+result.StructureOps-1) / result.StructureOps }

// one samples writes to one place.
func (p *prober) one() error {
	for range samplesOfOne {
		p.keepTogether(0)
		if err := p.sample(result.Kind{Places: 1}, 1, func() int64 { return p.inLine(0) }); err != nil {
			return err
		}
	}
	return nil
}

// turns writes to n places in turn, until the samples tell whether that is as fast as to one.
func (p *prober) turns(n int64) error {
	return p.visit(result.Kind{Places: n}, p.inLine, func(samples int) bool {
		if samples%leastSamples > 0 || samples < rounds(n) || samples == 0 {
			return false
		}
		_, known := p.slow(result.Kind{Places: n})
		return known || samples >= max(mostSamples, 2*rounds(n))
	})
}

// slow tells whether writes of a kind are slower than those to one place, if the samples tell that.
func (p *prober) slow(kind result.Kind) (slow, known bool) {
	r := result.ToOne(p.intervals, kind)
	slow = r.Low >= result.SlowerTimes
	return slow, slow || r.High < result.SlowerTimes
}

// findPlaces looks for the number of places at which writes in turn get slower. Other places have to confirm it, since
// a module may keep two units from being open at the same time for what they are, and not for how many there are.
func (p *prober) findPlaces() error {
	p.scatter()
	if err := p.one(); err != nil {
		return err
	}
	var before result.Range
	for confirmed := 0; ; confirmed++ {
		if err := p.search(); err != nil {
			return err
		}
		places, oneMore := result.PlacesOf(p.intervals)
		if places != before {
			before, confirmed = places, 0
		}
		enough := 2
		switch { // few are more often such ones by chance: of two units with places of their own, half share one of two
		case places.Low == 1:
			enough = 10
		case places.Low < 8:
			enough = 6
		}
		told := places.Low == result.MostPlaces || oneMore.Times > 0
		// If no number is found, more than the number may decide.
		if places.Low == 0 || places.Low < places.High || confirmed >= enough && told || confirmed >= enough+6 {
			return nil
		}
		p.scatter()
		for n := min(places.Low+1, result.MostPlaces); n >= places.Low; n-- {
			if err := p.turns(n); err != nil {
				return err
			}
		}
	}
}

// search doubles the number of places, and then halves the range that is left.
func (p *prober) search() error {
	for last := int64(0); ; {
		places, _ := result.PlacesOf(p.intervals)
		n := (places.Low + places.High + 1) / 2
		if places.High == result.MostPlaces {
			n = min(2*places.Low, result.MostPlaces)
		}
		// It is found, there is nothing to find, or it can't be told.
		if places.Low == places.High || n == last {
			return nil
		}
		if err := p.turns(n); err != nil {
			return err
		}
		last = n
	}
}

// unitTest returns the test that finds out which units a module opens, after TurnWrite; "": there is none. If writes
// got slower, but the number of places alone doesn't decide when, the units that are written may.
func unitTest(turns *result.Test) (test string, places int64) {
	switch found, oneMore := result.PlacesOf(turns.Intervals); {
	case oneMore.Times > 0:
		return result.GapWrite, found.Low
	case found.Low < result.MostPlaces && turns.AreaBytes >= 2*lastBytes:
		return result.KeptWrite, 0
	}
	return "", 0
}

// unitLimit is the limit of the test after TurnWrite: it has the time that TurnWrite left.
func unitLimit(turns *result.Test) time.Duration {
	left := max(structureSteps[0].Limit-time.Duration(turns.ElapsedNS()), 0)
	return structureSteps[1].Limit + left
}

// findUnit looks for three boundaries between units. The module writes to so many places in turn as fast as to one, and
// to one more more slowly.
func (p *prober) findUnit(places int64) error {
	p.scatter()
	if err := p.one(); err != nil {
		return err
	}
	return p.boundaries(p.areaBytes/4*3, func(from, gap int64) (slow, known bool, err error) {
		kind := result.Kind{Places: places + 1, AtBytes: from, GapBytes: gap}
		var written [2]int64 // of both sides
		err = p.visit(kind, func(place int64) int64 {
			side := place - (places - 1)
			if side < 0 {
				return p.inLine(place)
			}
			written[side] += p.blockBytes
			return from + side*gap + written[side]%result.GapSlackBytes
		}, func(samples int) bool {
			_, known := p.slow(kind)
			return samples >= max(leastSamples, rounds(kind.Places)) && known ||
				samples >= max(mostSamples, 2*rounds(kind.Places))
		})
		slow, known = p.slow(kind)
		return slow, known, err
	})
}

// boundaries looks for the next three boundaries between units. slow tells whether there is one between from and so
// many bytes behind it, if that can be told.
func (p *prober) boundaries(from int64, slow func(from, gap int64) (slow, known bool, err error)) error {
	from, found := from/result.PlaceAlignBytes*result.PlaceAlignBytes, 0
	for range 5 {
		low, high := int64(0), int64(0)
		for gap := int64(leastGapBytes); high == 0; gap *= 2 {
			if gap > mostGapBytes || from+gap+2*result.GapSlackBytes > p.areaBytes {
				return nil
			}
			isSlow, known, err := slow(from, gap)
			switch {
			case err != nil:
				return err
			case isSlow:
				high = gap
			case known:
				low = gap
			}
		}
		for high-low > max(gapStepBytes, high/gapShare) {
			middle := (low + high) / 2 / result.PlaceAlignBytes * result.PlaceAlignBytes
			isSlow, known, err := slow(from, middle)
			if err != nil {
				return err
			}
			if !known {
				break
			}
			if isSlow {
				high = middle
			} else {
				low = middle
			}
		}
		if low == 0 { // a boundary where the writes begin
			from += leastGapBytes
			continue
		}
		if found++; found == 3 {
			break
		}
		from += high + result.GapSlackBytes
	}
	return nil
}

// compare samples some kinds of writes in turn, at positions that of chooses.
func (p *prober) compare(kinds []result.Kind, of func(kind result.Kind) int64) error {
	for range samplesOfKind {
		for _, kind := range kinds {
			if err := p.sample(kind, 1, func() int64 { return of(kind) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// across writes across boundaries of each size that a page may have and across none, or blocks that are aligned and
// blocks that aren't.
func (p *prober) across() error {
	kinds := []result.Kind{{}, {AcrossBytes: result.UnalignedBytes}}
	if p.blockBytes == result.PageBlockBytes {
		for bytes := int64(2 * result.UnalignedBytes); bytes <= result.MostPageBytes; bytes *= 2 {
			kinds = append(kinds, result.Kind{AcrossBytes: bytes})
		}
	}
	middle := p.areaBytes / 2 / spanBytes * spanBytes
	return p.compare(kinds, func(kind result.Kind) int64 {
		switch {
		case kind.AcrossBytes == 0:
			within := (result.UnalignedBytes - p.blockBytes) / 2
			return middle + p.random.Int64N(spanBytes/result.UnalignedBytes)*result.UnalignedBytes + within
		case p.blockBytes == result.UnalignedBytes: // across boundaries of any size, as a partition that isn't aligned
			return middle + (1+p.random.Int64N(spanBytes/p.blockBytes-1))*p.blockBytes - p.blockBytes/2
		}
		odd := 2*p.random.Int64N(spanBytes/2/kind.AcrossBytes) + 1
		return middle + odd*kind.AcrossBytes - p.blockBytes/2
	})
}

// beginning writes at random to the beginning and to the middle.
func (p *prober) beginning() error {
	kinds := []result.Kind{{}, {AtBytes: p.areaBytes / 2 / result.PlaceBytes * result.PlaceBytes}}
	return p.compare(kinds, func(kind result.Kind) int64 {
		return kind.AtBytes + p.random.Int64N(result.PlaceBytes/p.blockBytes)*p.blockBytes
	})
}

// structure runs one of structureSteps.
func (r *Run) structure(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	var places int64
	switch {
	case a.bytes < leastAreaBytes:
		return t, fmt.Errorf("the module filled only %s in time, too little to look for what is inside", Size(a.bytes))
	case s.Test == result.GapWrite:
		turns := &r.tests[len(r.tests)-1]
		s.Limit = unitLimit(turns)
		if s.Test, places = unitTest(turns); s.Test == "" {
			return t, notTried("writes get slower at no number of places that is known, so what the module opens as " +
				"a whole doesn't show")
		}
	case s.Test == result.PlaceWrite || s.BlockBytes == result.PageBlockBytes:
		if !a.device {
			return t, notTried("nobody knows where on the module a file is; " +
				"a whole device (--device, --erase) shows it")
		}
	}
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes, Ended: result.Complete,
	}
	o, err := a.operations(s.Test, s.Sync, s.BlockBytes)
	if err != nil {
		return t, err
	}
	defer o.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	start := time.Now()
	looked := start
	p := prober{
		areaBytes: a.bytes, blockBytes: s.BlockBytes, random: rand.New(newRandom()),
		over: func() bool { return time.Since(start) >= s.Limit || t.Bytes >= s.Bytes },
	}
	p.write = func(at int64) (int64, error) {
		ns, err := o.timed(t.Ops, a.start+at)
		if err != nil {
			return 0, fmt.Errorf("%s: operation %d: %w", label(t.Name, t.BlockBytes), t.Ops+1, err)
		}
		t.Ops++
		t.Bytes += t.BlockBytes
		t.DurationNS += ns
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if elapsed := time.Since(start); time.Since(looked) >= time.Second {
			looked = time.Now()
			r.report(Progress{
				Test: label(t.Name, t.BlockBytes), Elapsed: elapsed, Share: min(elapsed.Seconds()/s.Limit.Seconds(), 1),
				Bytes: t.Bytes, Left: r.left(t.Name, s.Limit-elapsed),
			})
			return ns, r.Target.Same()
		}
		return ns, nil
	}
	switch s.Test {
	case result.TurnWrite:
		err = p.findPlaces()
	case result.GapWrite:
		err = p.findUnit(places)
	case result.KeptWrite:
		err = p.keepOpen()
	case result.AcrossWrite:
		err = p.across()
	case result.PlaceWrite:
		err = p.beginning()
	}
	if errors.Is(err, errOver) {
		err, t.Ended = nil, result.TimeLimit
	}
	if err != nil {
		return t, err
	}
	t.Intervals = p.intervals
	t.OverheadNS = time.Since(start).Nanoseconds() - t.DurationNS
	if t.DeviceBytes, err = r.confirm(t.Name, s.Sync, t.Bytes, counters); err != nil {
		return t, err
	}
	r.report(Progress{
		Test: label(t.Name, t.BlockBytes), Elapsed: time.Since(start), Share: 1, Bytes: t.Bytes, Left: r.left(t.Name, 0),
		Done: true,
	})
	return t, nil
}
