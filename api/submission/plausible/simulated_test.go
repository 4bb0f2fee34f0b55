package plausible_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

var simulatedRuns = flag.Int("runs", 221, "simulated honest runs; 221 have each model of a module with each clock")

// timer is the clock of a computer. The kernel counts whole ticks, and stretches them to follow NTP.
type timer struct {
	name, arch string
	tickNS     float64
}

// timers are clocks that Linux reads: the source of CLOCK_MONOTONIC, which Go's monotonic time is.
var timers = []timer{
	{"TSC", "x86_64", 1},
	{"HPET, 14.318 MHz", "x86_64", 1e9 / 14_318_180},
	{"ACPI, 3.58 MHz", "x86_64", 1e9 / 3_579_545.},
	{"Hyper-V, 10 MHz", "x86_64", 100},
	{"PIT, 1.19 MHz", "i686", 1e9 / 1_193_182.},
	{"Raspberry Pi 1, 1 MHz", "armv6l", 1_000},
	{"Raspberry Pi 3, 19.2 MHz", "aarch64", 1e9 / 19_200_000.},
	{"Allwinner and Rockchip, 24 MHz", "aarch64", 1e9 / 24_000_000.},
	{"Ampere, 25 MHz", "aarch64", 40},
	{"Raspberry Pi 4, 54 MHz", "aarch64", 1e9 / 54_000_000.},
	{"QEMU, 62.5 MHz", "armv7l", 16},
	{"ARMv8.6, 1 GHz", "aarch64", 1},
	{"MIPS, 290 MHz", "mips", 1e9 / 290_000_000.},
	{"RISC-V, 1 MHz", "riscv64", 1_000},
	{"jiffies, 1000 Hz", "armv5tel", 1e6},
	{"jiffies, 250 Hz", "armv5tel", 4e6},
	{"jiffies, 100 Hz", "mips", 1e7},
}

// flash models a module. Latencies are in s.
type flash struct {
	name                string
	bus                 string
	writeMBPS, readMBPS float64
	cv                  float64 // of the linear rate, between chunks
	quantumNS           float64 // the bus answers at multiples of it
	writes              func(r *rand.Rand) func(i int) float64
	reads               func(r *rand.Rand) func(i int) float64
}

// around returns latencies of one kind.
func around(mean, cv float64) func(r *rand.Rand) func(int) float64 {
	return func(r *rand.Rand) func(int) float64 {
		s := math.Sqrt(math.Log(1 + cv*cv))
		scale := math.Exp(0.3 * r.NormFloat64()) // units differ
		return func(int) float64 { return scale * mean * math.Exp(s*r.NormFloat64()-s*s/2) }
	}
}

// every adds a pause after a fixed number of operations, plus or minus a share of them.
func every(
	ops int, jitter, pause, cv float64, base func(*rand.Rand) func(int) float64,
) func(*rand.Rand) func(int) float64 {
	return func(r *rand.Rand) func(int) float64 {
		next, of := 1+r.IntN(ops), base(r)
		return func(i int) float64 {
			s := of(i)
			if i >= next {
				next = i + max(1, int(float64(ops)*(1+jitter*r.NormFloat64())))
				s += pause * max(1+cv*r.NormFloat64(), 0.1)
			}
			return s
		}
	}
}

var modules = []flash{
	{"SD card that collects garbage", "sd", 22, 85, 0.08, 0,
		every(700, 0.4, 0.3, 0.5, every(60, 0.5, 0.02, 0.4, around(0.0016, 0.25))), around(0.0005, 0.06)},
	{"SD card that merges erase blocks", "sd", 14, 42, 0.15, 0,
		every(32, 0, 0.3, 0.3, every(2000, 0, 3, 0.4, around(0.0025, 0.3))), around(0.0008, 0.04)},
	{"SD card with exact periods", "sd", 18, 60, 0.002, 0,
		every(64, 0, 0.08, 0.001, around(0.002, 0.01)), every(16, 0, 0.0004, 0.002, around(0.0006, 0.004))},
	{"SD card that writes two kinds of pages in turn", "sd", 10, 44, 0.03, 0,
		func(r *rand.Rand) func(int) float64 {
			return func(i int) float64 { return 0.002 + 0.001*float64(i%2) + 0.000002*r.NormFloat64() }
		}, around(0.0009, 0.003)},
	{"SD card of 1 write a second", "sd", 4, 18, 0.2, 0, around(1, 0.35), around(0.002, 0.1)},
	{"SD card of 20 writes a second", "sd", 8, 20, 0.1, 0, around(0.05, 0.5), around(0.0012, 0.1)},
	{"SD card that becomes slower", "sd", 20, 80, 0.05, 0, func(r *rand.Rand) func(int) float64 {
		of := around(0.02, 0.5)(r)
		return func(i int) float64 { return of(i) * (1 + float64(i)/3000) }
	}, around(0.0005, 0.05)},
	{"eMMC with a cache", "mmc", 90, 150, 0.1, 0, func(r *rand.Rand) func(int) float64 {
		fast, slow, full := around(0.0003, 0.1)(r), around(0.004, 0.8)(r), 5000+r.IntN(30000)
		return func(i int) float64 {
			if i < full {
				return fast(i)
			}
			return slow(i)
		}
	}, around(0.00025, 0.08)},
	{"USB stick, slow", "usb", 6, 22, 0.2, 125_000,
		every(16, 0.1, 0.25, 0.2, around(0.006, 0.3)), around(0.0009, 0.05)},
	{"USB stick, fast", "usb", 150, 300, 0.1, 0,
		every(500, 0.3, 0.02, 0.3, around(0.0004, 0.2)), around(0.00022, 0.08)},
	{"USB stick in lockstep with its bus", "usb", 20, 35, 0.005, 125_000, around(0.0011, 0.02), around(0.0007, 0.01)},
	{"CompactFlash card", "ata", 35, 60, 0.04, 0, every(128, 0, 0.05, 0.05, around(0.003, 0.15)), around(0.0004, 0.02)},
	{"SD card that falls asleep", "sd", 30, 90, 0.01, 0,
		every(3000, 1, 1.5, 0.3, around(0.0012, 0.05)), every(9000, 1, 1, 0.5, around(0.0006, 0.02))},
}

// computer reads a timer while true time passes, in ns.
type computer struct {
	r        *rand.Rand
	trueNS   float64
	tickNS   float64
	stretch  float64
	jitterNS float64 // of interrupts
	idleNS   float64 // between operations
}

func (c *computer) now() int64 { return int64(math.Floor(c.trueNS/c.tickNS) * c.tickNS * c.stretch) }

// simulated makes the document of an honest run, like client/measure. One in ten is of the quick profile, and one in
// forty of the reference profile, which may have been interrupted.
func simulated(m flash, on timer, r *rand.Rand) *result.Document {
	c := &computer{r: r, trueNS: 1e9 + 1e13*r.Float64(), tickNS: on.tickNS, stretch: 1,
		jitterNS: 1_500 * math.Exp(r.NormFloat64()/2), idleNS: 2_000 * math.Exp(r.NormFloat64())}
	ntp := 1 + 20e-6*r.NormFloat64()
	if r.IntN(2) == 0 {
		c.stretch = ntp
	}
	begins := 99 // the test before which the clock begins to follow NTP
	if r.IntN(50) == 0 {
		begins = r.IntN(4)
	}
	d := measured(card(), 0)
	d.Identity.Bus, d.Host.BusMode, d.Host.BusClockHz, d.Host.Arch = m.bus, "", 0, on.arch
	area, limits, first, chunk := int64(result.StandardAreaBytes), [2]int64{90e9, 30e9}, int64(8<<20), int64(32<<20)
	writes, reads, sync := result.StandardRule(area/4096), result.StandardRule(area/4096), "dsync"
	reads.MinNS, reads.MaxNS, reads.WarmupNS, reads.Consecutive = 30e9, 30e9, 1e9, 1
	switch profile := r.IntN(40); {
	case profile == 0:
		d.Method, d.Profile, sync = result.MethodAltechnative2012, result.ProfileReference, "sync"
		area, limits = result.ReferenceAreaBytes, [2]int64{1 << 60, 1 << 60}
		writes, reads = result.ReferenceRule(area/4096), result.ReferenceRule(area/4096)
		d.Resumed = r.IntN(3)
	case profile <= 4:
		d.Profile, area, limits, first = result.ProfileQuick, result.QuickAreaBytes, [2]int64{18e9, 8e9}, 1<<20
		writes = result.QuickRule(area / 4096)
		reads = writes
		reads.MinNS, reads.MaxNS, reads.WarmupNS, reads.Consecutive = 5e9, 5e9, 1e9, 1
	}
	if r.IntN(5) == 0 {
		chunk = 8 << 20 // little memory
	}
	scale := math.Exp(0.2 * r.NormFloat64())
	linear := func(name, sync string, mbPerS, cv float64, limit int64) result.Test {
		t := c.line(name, sync, mbPerS*scale, cv, area, limit, first, chunk)
		area = t.AreaBytes
		return t
	}
	d.Tests = nil
	for i, test := range []func() result.Test{
		func() result.Test { return linear(result.SeqWrite, "fsync", m.writeMBPS, m.cv, limits[0]) },
		func() result.Test {
			return c.atRandom(result.RandWrite, sync, writes, m.writes(r), m.quantumNS, d.Resumed)
		},
		func() result.Test { return linear(result.SeqRead, "none", m.readMBPS, m.cv/4, limits[1]) },
		func() result.Test {
			return c.atRandom(result.RandRead, "none", reads, m.reads(r), m.quantumNS, d.Resumed)
		},
	} {
		if i == begins {
			c.stretch = ntp
		}
		d.Tests = append(d.Tests, test())
	}
	return d
}

// line follows client/measure/linear.go.
func (c *computer) line(name, sync string, mbPerS, cv float64, area, limit, first, largest int64) result.Test {
	t := result.Test{Name: name, BlockBytes: 1 << 20, QueueDepth: 1, Sync: sync, Direct: true, Engine: "dd",
		AreaBytes: area, Ended: result.Complete}
	start, slow := c.now(), 0.
	for t.Bytes < area {
		chunk := first
		if t.Bytes > 0 {
			chunk = int64(float64(t.Bytes) * 2e9 / float64(max(t.DurationNS, 1)))
		}
		chunk = min(max(min(chunk, largest)>>20, 1)<<20, area-t.Bytes)
		c.trueNS += 1e6 * (1 + c.r.Float64())
		before := c.now()
		slow = 0.3*slow + cv*c.r.NormFloat64()
		c.trueNS += 3e6*math.Exp(0.2*c.r.NormFloat64()) + float64(chunk)*1e3/mbPerS*math.Exp(slow) // dd starts, and moves
		if t.Bytes+chunk >= area && sync == "fsync" {
			c.trueNS += 2e7 * c.r.ExpFloat64()
		}
		ns := c.now() - before
		t.Bytes += chunk
		t.DurationNS += ns
		t.Intervals = append(t.Intervals, result.Interval{Ops: chunk >> 20, Bytes: chunk, NS: ns})
		if t.Bytes < area && t.DurationNS >= limit {
			t.Ended = result.TimeLimit
			break
		}
	}
	t.Ops, t.DeviceBytes = t.Bytes>>20, t.Bytes
	if name == result.SeqWrite {
		t.AreaBytes = t.Bytes
	}
	t.OverheadNS = c.now() - start - t.DurationNS
	return t
}

// atRandom follows client/measure/random.go. It is interrupted this often, after any operation.
func (c *computer) atRandom(
	name, sync string, rule result.Rule, latency func(i int) float64, quantumNS float64, interrupted int,
) result.Test {
	t := result.Test{Name: name, BlockBytes: 4096, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex",
		AreaBytes: rule.TotalOps * 4096, TimeLimitNS: rule.MaxNS}
	sampler, histogram := result.NewSampler(rule), result.NewHistogram()
	interruption := float64(interrupted) / float64(rule.TotalOps)
	var series result.Series
	var second result.Interval
	secondStart := c.now()
	for op := 0; t.Ended == ""; op++ {
		c.trueNS += c.idleNS * (0.7 + 0.6*c.r.Float64())
		if second.Ops == 0 {
			c.trueNS += 2e4 * c.r.ExpFloat64()
			if c.r.IntN(100) == 0 { // the run is kept on a slow disk, the terminal waits, the computer sleeps
				c.trueNS += 3e8 * c.r.ExpFloat64()
			}
		}
		before := c.now()
		end := c.trueNS + max(1e9*latency(op), 60_000)
		if quantumNS > 0 {
			end = math.Ceil(end/quantumNS) * quantumNS
		}
		c.trueNS = end + c.jitterNS*c.r.ExpFloat64()
		if c.r.IntN(20_000) == 0 { // another program has the processor
			c.trueNS += 5e6 * c.r.ExpFloat64()
		}
		ns := c.now() - before
		if sampler.Warm() {
			histogram.Add(ns)
		}
		t.Ended = sampler.Add(ns)
		second.Ops++
		second.Bytes += 4096
		second.MaxNS = max(second.MaxNS, ns)
		c.trueNS += 200
		stopped := interruption > 0 && c.r.Float64() < interruption
		if stopped || c.now()-secondStart >= 1e9 || t.Ended != "" {
			second.NS = c.now() - secondStart
			secondStart += second.NS
			series.Add(second)
			second = result.Interval{}
		}
		if stopped {
			c.trueNS += 1e12 * c.r.Float64()
			secondStart = c.now()
		}
	}
	t.Intervals = series.Intervals
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops, t.Batches, t.Latency = sampler.Ops(), sampler.Batches(), histogram.Buckets()
	t.Bytes, t.DurationNS = t.Ops*4096, result.SumBatches(t.Batches).NS
	t.OverheadNS = result.SumIntervals(t.Intervals).NS - t.DurationNS - t.WarmupNS
	t.DeviceBytes = (t.Ops + t.WarmupOps) * 4096
	return t
}

// The rules about samples hold back at most 1 in 1,000 honest runs on all kinds of modules and clocks.
// docs/moderation.md has the table for -runs 10000. A clock of 100 or 250 Hz is too coarse for most operations, as rule
// coarse-clock says.
func TestSimulatedHonestRunsPass(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	var work sync.WaitGroup
	fired, first, held := map[string]int{}, map[string]string{}, 0
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		work.Go(func() {
			for i := worker; i < *simulatedRuns; i += workers {
				r := rand.New(rand.NewPCG(20, uint64(i)))
				m, on := modules[i%len(modules)], timers[i/len(modules)%len(timers)]
				d := simulated(m, on, r)
				accepted(t, d)
				found := plausible.Check(d)
				lock.Lock()
				counted, rules := false, map[string]bool{}
				for _, f := range found {
					if f.Rule == "coarse-clock" && on.tickNS >= 1e6 || rules[f.Rule] {
						continue
					}
					counted, rules[f.Rule] = true, true
					fired[f.Rule]++
					if fired[f.Rule] <= 3 {
						first[f.Rule] += "\n" + m.name + ", " + on.name + ": " + f.Reason
					}
				}
				if counted {
					held++
				}
				lock.Unlock()
			}
		})
	}
	work.Wait()
	for rule, n := range fired {
		t.Logf("%s: %d of %d honest runs%s", rule, n, *simulatedRuns, first[rule])
	}
	if t.Logf("%d of %d honest runs held back", held, *simulatedRuns); 1000*held > *simulatedRuns {
		t.Errorf("%d of %d honest runs are held back, want at most 1 in 1,000", held, *simulatedRuns)
	}
}
