package publish

import (
	"math"
	"math/rand/v2"
	"slices"

	"flashdex/result"
)

// saturation returns the tests of the saturate profile after the first ones: rounds fall to a third of the first rate.
func (sp profiled) saturation(moduleBytes int64, freshMS, slower float64, host computer, r *rand.Rand) []result.Test {
	fill := result.Test{
		Name: result.FillWrite, BlockBytes: 1 << 20, QueueDepth: 1, Sync: "fsync", Direct: true, Engine: "flashdex",
		AreaBytes: moduleBytes>>20<<20 - 1<<20, Ended: result.Complete, OverheadNS: 1_000_000_000,
	}
	for fill.Bytes < fill.AreaBytes {
		v := result.Interval{Bytes: min(max(fill.AreaBytes/200>>20, 1)<<20, fill.AreaBytes-fill.Bytes)}
		v.Ops, v.NS = v.Bytes>>20, int64(float64(v.Bytes)*1e3/min(sp.writeMBPerS, host.mbPerS)*slower*(0.95+0.1*r.Float64()))
		v.MaxNS = v.NS/v.Ops + v.NS/v.Ops/2
		v.MaxNS = min(v.MaxNS, v.NS)
		fill.Intervals = append(fill.Intervals, v)
		fill.Ops, fill.Bytes, fill.DurationNS = fill.Ops+v.Ops, fill.Bytes+v.Bytes, fill.DurationNS+v.NS
	}
	fill.DeviceBytes = fill.Bytes
	rounds := result.Test{
		Name: result.RoundWrite, BlockBytes: 4096, QueueDepth: 1, Sync: "dsync", Direct: true, Engine: "flashdex",
		AreaBytes: fill.AreaBytes, TimeLimitNS: 10_800_000_000_000, OverheadNS: 1_000_000_000,
	}
	for rounds.Ended == "" {
		k := float64(len(rounds.Intervals)) / result.RoundIntervals
		ms := freshMS * 3 / (1 + 2*math.Exp(-k/3))
		v := result.Interval{NS: 3_000_000_000 + r.Int64N(20_000_000)}
		v.Ops = max(int64(float64(v.NS)/1e6/ms*(0.96+0.08*r.Float64())), 1)
		v.Bytes, v.MaxNS = v.Ops*4096, min(int64(5*ms*1e6), v.NS/2)
		rounds.Intervals = append(rounds.Intervals, v)
		rounds.Ops, rounds.Bytes, rounds.DurationNS = rounds.Ops+v.Ops, rounds.Bytes+v.Bytes, rounds.DurationNS+v.NS
		if len(rounds.Intervals)%result.RoundIntervals == 0 && result.Steady(result.RoundsOf(rounds.Intervals)) {
			rounds.Ended = result.Converged
		}
	}
	rounds.DeviceBytes = rounds.Bytes
	return []result.Test{fill, rounds}
}

// mixed returns the tests of the mixed profile after the first: a minute of rest brings back twice the rate.
func (sp profiled) mixed(slower float64, r *rand.Rand) (tests []result.Test) {
	begin := func(name string) *result.Test {
		tests = append(tests, result.Test{
			Name: name, BlockBytes: 4096, QueueDepth: 1, Sync: "dsync", Direct: true, Engine: "flashdex",
			AreaBytes: result.StandardAreaBytes, TimeLimitNS: 90_000_000_000, Ended: result.TimeLimit, OverheadNS: 90_000_000,
		})
		return &tests[len(tests)-1]
	}
	add := func(t *result.Test, v result.Interval, ms float64) {
		v.Bytes, v.NS = v.Ops*4096, int64(float64(v.Ops)*ms*slower*1e6*(0.95+0.1*r.Float64()))
		v.MaxNS = min(int64(3*ms*slower*1e6), v.NS)
		t.Intervals = append(t.Intervals, v)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
		t.DeviceBytes = t.Bytes
	}
	t := begin(result.Mixed)
	ms := 0.7*sp.readMS + 0.3*sp.writeMS
	for k := range 86 {
		v := result.Interval{Ops: max(int64(1000/ms/slower), 10)}
		if v.Reads = v.Ops * 7 / 10; k == 0 {
			v.AsideOps = v.Ops
		}
		add(t, v, ms)
	}
	t = begin(result.RestedWrite)
	t.TimeLimitNS, t.Ended = 540_000_000_000, result.Complete
	for range 4 {
		for _, rest := range result.RestsNS {
			ops, samples := max(int64(5000/sp.writeMS), 10), 1
			if rest == 0 {
				ops, samples = 3*ops, 4
			}
			add(t, result.Interval{Ops: ops, Kind: result.Kind{AsideOps: ops}}, sp.writeMS)
			for range samples {
				add(t, result.Interval{Ops: result.RestedOps, Kind: result.Kind{RestNS: rest}},
					sp.writeMS/(1+float64(rest)/60e9))
				t.OverheadNS += rest
			}
		}
	}
	return tests
}

// queue returns the tests of the queue profile after the first. A module without a queue gains only from what the host
// does while it waits.
func (sp profiled) queue(slower float64, r *rand.Rand) (tests []result.Test) {
	for _, of := range []struct {
		name, sync string
		ms, gain   float64
	}{
		{result.SameRead, "none", 0.19, 1}, {result.QueuedRead, "none", sp.readMS, max(1.08, sp.queueGain)},
		{result.QueuedWrite, "fsync", sp.writeMS, max(1.02, sp.queueGain/2)},
		{result.CheckedRead, "none", sp.readMS, max(1.08, sp.queueGain)},
	} {
		t := result.Test{
			Name: of.name, BlockBytes: 4096, QueueDepth: result.MostDepth, Sync: of.sync, Direct: true, Engine: "flashdex",
			AreaBytes: result.StandardAreaBytes, TimeLimitNS: 90_000_000_000, Ended: result.Complete,
		}
		keep := func(depth int64, intervals int) {
			share := 1 - 1/float64(depth)
			gain := 1 + (of.gain-1)*share
			for k := range intervals + 2 {
				v := result.Interval{Kind: result.Kind{Depth: depth}, NS: 500_000_000 + r.Int64N(2_000_000)}
				v.Ops = max(int64(float64(v.NS)/1e6*gain/of.ms/slower*(0.97+0.06*r.Float64())), 1)
				if k == 0 || k == intervals+1 {
					v.NS, v.Ops, v.AsideOps = int64(float64(depth)*of.ms*1e6/gain), depth, depth
				}
				v.Bytes, v.UnderWayNS = v.Ops*4096, int64(float64(v.NS)*float64(depth)*0.97)
				v.MaxNS = min(int64(3*of.ms*1e6*float64(depth)/gain), v.NS)
				t.Intervals = append(t.Intervals, v)
				t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
			}
		}
		switch {
		case of.name == result.SameRead:
			t.QueueDepth = 1
			keep(1, result.BatchCount)
		case of.name == result.CheckedRead:
			t.AreaBytes, t.DiscardOps = 64<<20, 32
			keep(result.MostDepth, 8)
		default:
			depths := result.Depths
			for range 2 {
				for _, depth := range depths {
					keep(depth, map[int64]int{1: 10, result.MostDepth: 10}[depth]+3)
				}
				slices.Reverse(depths[:])
			}
		}
		t.OverheadNS, t.DeviceBytes = t.DurationNS/500, t.Bytes
		tests = append(tests, t)
	}
	return tests
}

// structure returns the tests of the structure profile after the first: writes that find their unit open take writeMS,
// and others 30 times that.
func (sp profiled) structure(slower float64, r *rand.Rand) (tests []result.Test) {
	const areaBytes = 2 << 30
	test := func(name string, blockBytes int64) *result.Test {
		tests = append(tests, result.Test{
			Name: name, BlockBytes: blockBytes, QueueDepth: 1, Sync: "dsync", Direct: true, Engine: "flashdex",
			AreaBytes: areaBytes, TimeLimitNS: 180_000_000_000, Ended: result.Complete, OverheadNS: 40_000_000,
		})
		return &tests[len(tests)-1]
	}
	var write func(t *result.Test, kind result.Kind, aside, samples int64, times float64)
	write = func(t *result.Test, kind result.Kind, aside, samples int64, times float64) {
		for i := range 1 + samples {
			v := result.Interval{Kind: kind, Ops: result.StructureOps}
			if i == 0 {
				v.Ops, v.AsideOps = aside, aside
			} else if kind.Places > 1 {
				write(t, result.Kind{Places: 1}, 1, 1, 1)
			}
			v.Bytes, v.NS = v.Ops*t.BlockBytes, int64(float64(v.Ops)*sp.writeMS*slower*times*1e6*(0.95+0.1*r.Float64()))
			v.MaxNS = min(v.NS/v.Ops+v.NS/v.Ops/10, v.NS)
			t.Intervals = append(t.Intervals, v)
			t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
		}
		t.DeviceBytes = t.Bytes
	}
	const merges = 30
	t := test(result.TurnWrite, 4096)
	places := []int64{1, 2, 4, 8, 16, 32, 64, 64, 64}
	if sp.openUnits > 0 {
		places = slices.DeleteFunc(places, func(n int64) bool { return n >= 2*sp.openUnits })
		for range 3 {
			places = append(places, sp.openUnits+1, sp.openUnits)
		}
	}
	for i, n := range places {
		times, samples := 1.0, max(8, n/2)
		if sp.openUnits > 0 && n > sp.openUnits {
			times = merges
		}
		if i == 0 {
			samples = 24
		}
		write(t, result.Kind{Places: n}, n, samples, times)
	}
	if sp.openUnits > 0 {
		t = test(result.GapWrite, 4096)
		write(t, result.Kind{Places: 1}, 1, 24, 1)
		from := int64(areaBytes/4*3 + 192<<10)
		for range 3 {
			low, high := int64(0), int64(0)
			for gap := int64(256 << 10); high == 0 || high-low > 256<<10; {
				slow := (from+gap)/sp.eraseBytes > from/sp.eraseBytes
				times := 1.0
				if slow {
					times, high = merges, gap
				} else {
					low = gap
				}
				write(t, result.Kind{Places: sp.openUnits + 1, AtBytes: from, GapBytes: gap}, sp.openUnits+1, 8, times)
				if gap *= 2; high > 0 {
					gap = (low + high) / 2 / (64 << 10) * (64 << 10)
				}
			}
			from += high + result.GapSlackBytes
		}
	}
	t = test(result.AcrossWrite, result.PageBlockBytes)
	for bytes := int64(2048); bytes <= result.MostPageBytes; bytes *= 2 {
		kind, times := result.Kind{}, 1.0
		if bytes > 2048 {
			kind.AcrossBytes = bytes
		}
		if bytes >= sp.unitBytes {
			times = 1.4
		}
		write(t, kind, 4, 24, times)
	}
	t = test(result.AcrossWrite, result.UnalignedBytes)
	write(t, result.Kind{}, 4, 24, 1)
	write(t, result.Kind{AcrossBytes: result.UnalignedBytes}, 4, 24, 1+0.5*4096/float64(sp.unitBytes))
	t = test(result.PlaceWrite, 4096)
	write(t, result.Kind{}, 4, 24, 1)
	write(t, result.Kind{AtBytes: areaBytes / 2}, 4, 24, 1+float64(sp.openUnits)/10)
	return tests
}
