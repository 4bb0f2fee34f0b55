package plausible_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

// honest returns a run of an SD card on a computer with a TSC, to make forgeries from. Seed 3 gives the standard
// profile.
func honest(seed uint64) *result.Document {
	return simulated(modules[0], timers[0], rand.New(rand.NewPCG(seed, 1)))
}

// setBatches replaces the batches of a random test after the first, which takes the rest of the time.
func setBatches(t *result.Test, ns func(i int, mean float64) float64) {
	mean := float64(t.DurationNS) / float64(len(t.Batches))
	rest := t.DurationNS
	for i := 1; i < len(t.Batches); i++ {
		t.Batches[i].NS = int64(ns(i, mean))
		rest -= t.Batches[i].NS
	}
	t.Batches[0].NS = rest
}

// setIntervals replaces the times of the intervals of a linear test.
func setIntervals(t *result.Test, ns func(i int) float64) {
	t.DurationNS = 0
	for i := range t.Intervals {
		t.Intervals[i].NS = int64(ns(i))
		t.DurationNS += t.Intervals[i].NS
	}
}

// rounded rounds all times of a test, and so their sums, to a unit.
func rounded(t *result.Test, unit int64) {
	round := func(ns *int64) { *ns = (*ns + unit/2) / unit * unit }
	for i := range t.Intervals {
		round(&t.Intervals[i].NS)
	}
	for i := range t.Batches {
		round(&t.Batches[i].NS)
	}
	round(&t.WarmupNS)
	t.DurationNS = result.SumIntervals(t.Intervals).NS
	if t.IsRandom() {
		passed := t.DurationNS
		t.DurationNS = result.SumBatches(t.Batches).NS
		t.OverheadNS = passed - t.DurationNS - t.WarmupNS
	}
}

// limits returns the lower limits of the histogram's counters between two latencies in ns.
func limits(from, to float64) (lows []int64) {
	h := result.NewHistogram()
	for ns := from; ns < to; ns *= 1 + 1./512 {
		h.Add(int64(ns))
	}
	for _, b := range h.Buckets() {
		lows = append(lows, b.LatencyNS())
	}
	return lows
}

// smooth returns a lognormal histogram of about ops operations with the expected counts.
func smooth(ops, median, spread float64) (latency []result.Bucket) {
	lows := limits(median*math.Exp(-3*spread), median*math.Exp(3*spread))
	below := func(ns int64) float64 {
		return 0.5 * (1 + math.Erf(math.Log(float64(ns)/median)/spread/math.Sqrt2))
	}
	for i := range len(lows) - 1 {
		if n := int64(math.Round(ops * (below(lows[i+1]) - below(lows[i])))); n > 0 {
			latency = append(latency, result.Bucket{lows[i], n})
		}
	}
	return latency
}

// setLatency replaces the latencies of a random test, and everything that must add up with them. Each second has the
// same number of operations. The client takes idleShare of the time between operations.
func setLatency(t *result.Test, latency []result.Bucket, idleShare float64, r *rand.Rand) {
	t.Latency, t.Ops, t.DurationNS = latency, 0, 0
	for _, b := range latency {
		t.Ops += b.Count()
		t.DurationNS += b.Count() * (b.LatencyNS() + b.LatencyNS()/512)
	}
	t.Bytes, t.WarmupOps = t.Ops*4096, t.Ops/10
	t.WarmupNS = t.DurationNS / 10
	t.DeviceBytes, t.AreaBytes, t.Ended = (t.Ops+t.WarmupOps)*4096, result.StandardAreaBytes, result.TimeLimit
	t.Batches = nil
	for i := range int64(result.BatchCount) {
		ops := t.Ops / result.BatchCount
		if i == 0 {
			ops += t.Ops % result.BatchCount
		}
		t.Batches = append(t.Batches, result.Batch{Ops: ops})
	}
	setBatches(t, func(_ int, mean float64) float64 { return mean * (1 + 0.003*r.NormFloat64()) })
	t.OverheadNS = int64(idleShare * float64(t.DurationNS+t.WarmupNS))
	seconds := (t.DurationNS + t.WarmupNS + t.OverheadNS) / 1_001_000_000
	each, left := (t.Ops+t.WarmupOps)/seconds, t.Ops+t.WarmupOps
	slowest := latency[len(latency)-1].LatencyNS()
	t.Intervals = nil
	for range seconds {
		v := result.Interval{Ops: each, Bytes: each * 4096, NS: 1_000_000_000 + r.Int64N(1_000_000),
			MaxNS: slowest - r.Int64N(slowest/200)}
		left -= each
		t.Intervals = append(t.Intervals, v)
	}
	if left > 0 {
		t.Intervals = append(t.Intervals, result.Interval{Ops: left, Bytes: left * 4096, NS: 1, MaxNS: 1})
	}
	last := &t.Intervals[len(t.Intervals)-1]
	last.NS += t.DurationNS + t.WarmupNS + t.OverheadNS - result.SumIntervals(t.Intervals).NS
	last.MaxNS = min(slowest, last.NS)
}

// Each forgery is a document that the schema, result.Document.Check and all other rules accept, made in a few lines.
func TestForgeries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		forge  func(d *result.Document, r *rand.Rand)
		rule   string
		reason string
	}{
		{"intervals on a straight line", func(d *result.Document, _ *rand.Rand) {
			setIntervals(&d.Tests[seqRead], func(i int) float64 { return 400_000_000 + 1_234_567.8*float64(i) })
		}, "too-even", "steps of 12345"},
		{"batches on a straight line", func(d *result.Document, _ *rand.Rand) {
			setBatches(&d.Tests[randRead], func(i int, mean float64) float64 { return mean + 1_234_567.8*float64(i) })
		}, "too-even", "steps of 12345"},
		{"batches that are one mean, with noise on the last digits", func(d *result.Document, r *rand.Rand) {
			setBatches(&d.Tests[randRead], func(_ int, mean float64) float64 { return mean + 1e4*r.NormFloat64() })
		}, "too-even", "vary by 0.01"},
		{"seconds with normal noise", func(d *result.Document, r *rand.Rand) {
			test := &d.Tests[randWrite]
			rest := int64(0)
			for i := range test.Intervals[1:] {
				v := &test.Intervals[i]
				ns := v.NS + rest
				v.NS = max(int64(1e9+1e7*r.NormFloat64()), v.MaxNS)
				rest = ns - v.NS
			}
			test.Intervals[len(test.Intervals)-1].NS += rest
		}, "samples", "completes a second"},
		{"half seconds", func(d *result.Document, _ *rand.Rand) {
			test := &d.Tests[randRead]
			d.Resumed = 1 // the standard profile can't be resumed
			seconds := test.Intervals
			test.Intervals = nil
			for _, v := range seconds {
				half := v
				half.Ops, half.Bytes, half.NS = v.Ops/2, v.Ops/2*4096, v.NS/2
				v.Ops, v.Bytes, v.NS = v.Ops-half.Ops, v.Bytes-half.Bytes, v.NS-half.NS
				test.Intervals = append(test.Intervals, half, v)
			}
		}, "samples", "completes a second"},
		{"batches with uniform noise", func(d *result.Document, r *rand.Rand) {
			setBatches(&d.Tests[randRead], func(_ int, mean float64) float64 { return mean * (0.95 + 0.1*r.Float64()) })
		}, "samples", "by the batches, but between"},
		{"slowest operations with uniform noise", func(d *result.Document, r *rand.Rand) {
			test := &d.Tests[randWrite]
			slowest := slices.MaxFunc(test.Intervals, func(a, b result.Interval) int { return int(a.MaxNS - b.MaxNS) }).MaxNS
			for i := range test.Intervals {
				if v := &test.Intervals[i]; v.MaxNS < slowest && v.NS > 1_000_000_000 {
					v.MaxNS = slowest - r.Int64N(slowest/4)
				}
			}
		}, "samples", "were so slow"},
		{"one slow batch more than the latencies allow", func(d *result.Document, r *rand.Rand) {
			setLatency(&d.Tests[randRead], noisy(smooth(40000, 600_000, 0.05), 3), 0.15, r)
			b := d.Tests[randRead].Batches
			b[4].NS, b[5].NS = b[4].NS+b[4].NS/5, b[5].NS-b[4].NS/5
		}, "samples", "slowest operations took at most"},
		{"reads that are writes, scaled and rounded to 1 µs", func(d *result.Document, _ *rand.Rand) {
			writes := d.Tests[seqWrite]
			setIntervals(&d.Tests[seqRead], func(i int) float64 {
				return math.Round(float64(writes.Intervals[min(i, len(writes.Intervals)-1)].NS)*0.31/1e3)*1e3 + 7
			})
		}, "repeated", "multiplied by one number"},
		{"random reads that are random writes backwards", func(d *result.Document, _ *rand.Rand) {
			writes := d.Tests[randWrite]
			setBatches(&d.Tests[randRead], func(i int, mean float64) float64 {
				return mean + 0.01*float64(writes.Batches[result.BatchCount-i].NS-writes.Batches[1].NS)
			})
		}, "repeated", "multiplied by one number"},
		{"ten times, twice each", func(d *result.Document, _ *rand.Rand) {
			b := slices.Clone(d.Tests[randRead].Batches)
			setBatches(&d.Tests[randRead], func(i int, _ float64) float64 { return float64(b[1+i/2].NS) })
		}, "repeated", "different ones"},
		{"seconds to six places", func(d *result.Document, _ *rand.Rand) {
			for i := range d.Tests {
				rounded(&d.Tests[i], 1_000)
			}
		}, "clock", "no clock of a computer with x86_64"},
		{"seconds to four places", func(d *result.Document, _ *rand.Rand) {
			d.Host.Arch = "armv6l"
			for i := range d.Tests {
				rounded(&d.Tests[i], 100_000)
			}
		}, "clock", "no clock ticks so"},
		{"seconds to five places", func(d *result.Document, _ *rand.Rand) {
			d.Host.Arch = "armv6l"
			for i := range d.Tests {
				rounded(&d.Tests[i], 10_000)
			}
		}, "clock", "no clock ticks so"},
		{"seconds to two places", func(d *result.Document, _ *rand.Rand) {
			d.Host.Arch = "armv6l"
			for i := range d.Tests {
				rounded(&d.Tests[i], 10_000_000)
			}
		}, "clock", "operations of random writing took between"},
		{"one test to six places", func(d *result.Document, _ *rand.Rand) { rounded(&d.Tests[seqRead], 1_000) },
			"clock", "One clock gave both"},
		{"batches to six places", func(d *result.Document, _ *rand.Rand) {
			t := &d.Tests[randWrite]
			seconds := slices.Clone(t.Intervals)
			rounded(t, 1_000)
			t.Intervals, t.OverheadNS = seconds, result.SumIntervals(seconds).NS-t.DurationNS-t.WarmupNS
		}, "clock", "One clock gave both"},
		{"every third time rounded", func(d *result.Document, _ *rand.Rand) {
			for i := range d.Tests {
				t := &d.Tests[i]
				for n := 0; n+2 < len(t.Intervals); n += 3 { // the next one gets what one loses
					lost := t.Intervals[n].NS % 1_000
					t.Intervals[n].NS -= lost
					t.Intervals[n+1].NS += lost
				}
			}
		}, "digits", "have the digit 0"},
		{"a lognormal histogram without chance", func(d *result.Document, r *rand.Rand) {
			setLatency(&d.Tests[randRead], smooth(40000, 600_000, 0.1), 0.005, r)
		}, "histogram", "follow a smooth curve"},
		{"a histogram of a hundred operations, scaled", func(d *result.Document, r *rand.Rand) {
			latency := noisy(smooth(2000, 600_000, 0.1), 5)
			for i := range latency {
				latency[i][1] *= 20
			}
			setLatency(&d.Tests[randRead], latency, 0.005, r)
		}, "samples", "by the batches, but between"},
		{"a histogram of round latencies", func(d *result.Document, r *rand.Rand) {
			var latency []result.Bucket
			for i := range int64(40) {
				latency = append(latency, result.Bucket{500_000 + 10_000*i, 900 + r.Int64N(200)})
			}
			setLatency(&d.Tests[randRead], latency, 0.005, r)
		}, "histogram", "has none there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := honest(3)
			if found := plausible.Check(d); found != nil {
				t.Fatalf("the honest document: %+v", found)
			}
			c.forge(d, rand.New(rand.NewPCG(1, 2)))
			accepted(t, d)
			caught := false
			for _, f := range plausible.Check(d) {
				caught = caught || f.Rule == c.rule && strings.Contains(f.Reason, c.reason)
				if !slices.Contains(ofSamples, f.Rule) {
					t.Errorf("another rule knows the forgery: %+v", f)
				}
			}
			if !caught {
				t.Errorf("found %+v, want %s with %q", plausible.Check(d), c.rule, c.reason)
			}
		})
	}
}

// A clock of 1 MHz that begins to follow NTP has coarse times in the first test and fine ones later.
func TestAClockMayBeginToFollowNTP(t *testing.T) {
	t.Parallel()
	d := honest(3)
	d.Host.Arch = "armv6l"
	rounded(&d.Tests[seqWrite], 1_000)
	if found := plausible.Check(d); found != nil {
		t.Errorf("%+v", found)
	}
}

// noisy adds chance to the counts of a histogram.
func noisy(latency []result.Bucket, seed uint64) []result.Bucket {
	r := rand.New(rand.NewPCG(seed, seed))
	for i, b := range latency {
		n := float64(b.Count())
		latency[i][1] = max(1, int64(n+math.Sqrt(n)*r.NormFloat64()))
	}
	return latency
}

// script makes a whole run like a forger who has read the schema and the other rules. Every sum adds up, and batches
// and seconds have noise that is a share of the mean. chance adds noise to the counts of the histogram.
func script(base *result.Document, batchNoise float64, uniform, chance bool, r *rand.Rand) *result.Document {
	noise := func() float64 {
		if uniform {
			return 2*r.Float64() - 1
		}
		return r.NormFloat64()
	}
	d := new(*base)
	d.Tests = slices.Clone(base.Tests)
	for _, i := range []int{seqWrite, seqRead} {
		t := &d.Tests[i]
		t.Intervals = slices.Clone(t.Intervals)
		each := float64(t.DurationNS) / float64(t.Bytes)
		setIntervals(t, func(n int) float64 { return each * float64(t.Intervals[n].Bytes) * (1 + batchNoise*noise()) })
	}
	for _, i := range []int{randWrite, randRead} {
		t := &d.Tests[i]
		median := []float64{randWrite: 2e6, randRead: 8e5}[i] * (0.8 + 0.4*r.Float64())
		seconds := []float64{randWrite: 60, randRead: 30}[i]
		latency := smooth(seconds*1e9/median, median, 0.05+0.2*r.Float64())
		if chance {
			latency = noisy(latency, r.Uint64())
		}
		setLatency(t, latency, 0.005, r)
		setBatches(t, func(_ int, mean float64) float64 { return mean * (1 + batchNoise*noise()) })
		for n := range t.Intervals[:len(t.Intervals)-2] { // the next second gets what this one lost
			v, next := &t.Intervals[n], &t.Intervals[n+1]
			change := int64(0.01 * noise() * float64(v.NS))
			v.NS, next.NS = v.NS+change, next.NS-change
		}
	}
	return d
}

// Whole runs that a script made are held back, and only by the rules about samples.
func TestScriptedRunsAreHeldBack(t *testing.T) {
	t.Parallel()
	const runs = 100
	for _, c := range []struct {
		name            string
		noise           float64
		uniform, chance bool
	}{
		{"normal noise of 1 %, expected counts", 0.01, false, false},
		{"uniform noise of 5 %, expected counts", 0.05, true, false},
		{"uniform noise of 5 %, random counts", 0.05, true, true},
		{"no noise but the last digits", 1e-6, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			held, by, others := 0, map[string]int{}, map[string]int{}
			base := honest(3)
			for seed := range uint64(runs) {
				d := script(base, c.noise, c.uniform, c.chance, rand.New(rand.NewPCG(seed, 77)))
				accepted(t, d)
				rules := map[string]bool{}
				for _, f := range plausible.Check(d) {
					rules[f.Rule] = true
				}
				for rule := range rules {
					if slices.Contains(ofSamples, rule) {
						by[rule]++
					} else {
						others[rule]++
					}
				}
				if len(rules) > 0 {
					held++
				}
			}
			if t.Logf("%d of %d held back: %v, by other rules %v", held, runs, by, others); held < runs || len(others) > 0 {
				t.Errorf("%d of %d held back, by other rules %v", held, runs, others)
			}
		})
	}
}
