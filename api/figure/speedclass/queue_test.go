package speedclass_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/result"
)

// queueRun returns a run on a card that does more than twice what A2 promises, in a host that uses its queue and cache.
func queueRun() figure.ProfiledRun {
	run := figure.ProfiledRun{
		Method: result.MethodQueue1, BusMBPerS: 104, Target: result.Target{WriteCache: "write back"},
		Queue: figure.QueueEvidence{HostUses: result.QueueOn},
	}
	run.Tests = []result.Test{{
		Name: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Bytes: 300e6, DurationNS: 10e9, Direct: true,
		AreaBytes: result.StandardAreaBytes,
	}}
	for name, iops := range map[string]int64{result.QueuedRead: 9000, result.QueuedWrite: 5000} {
		t := result.Test{
			Name: name, BlockBytes: 4096, QueueDepth: result.MostDepth, Direct: true, AreaBytes: result.StandardAreaBytes,
		}
		for range 20 {
			t.Intervals = append(t.Intervals, result.Interval{
				Kind: result.Kind{Depth: result.MostDepth}, Ops: iops / 2, NS: 500_000_000,
			})
		}
		run.Tests = append(run.Tests, t)
	}
	return run
}

// A2 is judged by a run with a full queue only under the class's conditions.
func TestOfQueue(t *testing.T) {
	t.Parallel()
	card := catalogue.Module{Form: "microsd", Classes: []string{"A2", "A1"}}
	for name, c := range map[string]struct {
		change func(run *figure.ProfiledRun)
		state  string
		reason string
	}{
		"reached":  {func(*figure.ProfiledRun) {}, speedclass.Reached, "4K random read 9,000 IOPS where 4,000"},
		"close":    {func(r *figure.ProfiledRun) { slowed(r, 2) }, speedclass.CantTell, "10 seconds of the class's ten minutes"},
		"failed":   {func(r *figure.ProfiledRun) { r.Queue.Spoilers = []string{result.QueueRecovery} }, speedclass.CantTell, "recovered"},
		"errors":   {func(r *figure.ProfiledRun) { r.Queue.Spoilers = []string{result.KernelErrors} }, speedclass.CantTell, "errors"},
		"depth":    {func(r *figure.ProfiledRun) { r.Tests[1].QueueDepth = 8 }, speedclass.CantTell, "32 operations at once"},
		"area":     {func(r *figure.ProfiledRun) { r.Tests[2].AreaBytes /= 2 }, speedclass.CantTell, "in 256 MiB"},
		"slow":     {func(r *figure.ProfiledRun) { slowed(r, 10) }, speedclass.NotReached, "promised"},
		"no cache": {func(r *figure.ProfiledRun) { slowed(r, 10); r.Target.WriteCache = "write through" }, speedclass.CantTell, "both"},
		"no queue": {func(r *figure.ProfiledRun) { slowed(r, 10); r.Queue.HostUses = result.QueueOff }, speedclass.CantTell, "both"},
	} {
		run := queueRun()
		c.change(&run)
		verdicts := speedclass.OfQueue(classes(t), card, run, nil)
		if len(verdicts) != 2 || verdicts[0].State != c.state || !strings.Contains(verdicts[0].Reason, c.reason) {
			t.Errorf("%s: %+v", name, verdicts)
		} else if verdicts[1].State != speedclass.CantTell {
			t.Errorf("%s: A1, which needs no queue, is %s", name, verdicts[1].State)
		}
	}
	if v := speedclass.OfQueue(classes(t), card, queueRun(), []string{"it is withdrawn"}); v[0].State != speedclass.CantTell ||
		!strings.Contains(v[0].Reason, "it is withdrawn") {
		t.Errorf("a run that doesn't count: %+v", v)
	}
}

// slowed divides each rate.
func slowed(r *figure.ProfiledRun, by int64) {
	for i := range r.Tests {
		for k := range r.Tests[i].Intervals {
			r.Tests[i].Intervals[k].Ops /= by
		}
	}
}

// simulatedCard writes with a full queue.
type simulatedCard struct {
	name                string
	variation           float64       // standard deviation of the logarithm of its rate between half seconds
	every, pause, cache time.Duration // it pauses at this interval; writes twice as fast until its cache is full
}

// write returns a test of ten seconds on a card that does so many writes a second over ten minutes.
func (c simulatedCard) write(r *rand.Rand, iops float64) (intervals []result.Interval) {
	const length, count = 500 * time.Millisecond, 20
	between := iops / (1 - float64(c.pause)/float64(max(c.every, 1)))
	phase := time.Duration(r.Int64N(int64(max(c.every, 1))))
	for i := range count {
		at := time.Duration(i) * length
		var writes float64
		for range length / time.Millisecond {
			at += time.Millisecond
			if c.every == 0 || (at+phase)%c.every >= c.pause {
				writes += between / 1000
			}
		}
		writes *= math.Exp(c.variation*r.NormFloat64() - c.variation*c.variation/2)
		if at < c.cache {
			writes *= 2
		}
		intervals = append(intervals, result.Interval{
			Kind: result.Kind{Depth: result.MostDepth}, Ops: int64(writes), NS: length.Nanoseconds(),
		})
	}
	return intervals
}

// Ten seconds with a full queue tell whether a card keeps the promise of A2, or can't tell, also of cards that change
// more slowly. docs/method.md has the table that -v shows.
func TestSimulatedA2InTenSeconds(t *testing.T) {
	t.Parallel()
	const promised, runs = 2000, 200 // 4K random writes a second
	card := catalogue.Module{Form: "microsd", Classes: []string{"A2"}}
	for i, c := range []simulatedCard{
		{name: "varies by 20 %", variation: 0.2},
		{name: "stops for 0.3 s every 2 s", variation: 0.1, every: 2 * time.Second, pause: 300 * time.Millisecond},
		{name: "stops for 2 s every 20 s", variation: 0.1, every: 20 * time.Second, pause: 2 * time.Second},
		{name: "twice as fast for 40 s", variation: 0.1, cache: 40 * time.Second},
	} {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for _, share := range []float64{0.4, 0.6, 0.9, 1.1, 1.6, 2.5} {
			verdicts := map[string]int{}
			for range runs {
				run := queueRun()
				for k := range run.Tests {
					if run.Tests[k].Name == result.QueuedWrite {
						run.Tests[k].Intervals = c.write(r, share*promised)
					}
				}
				verdicts[speedclass.OfQueue(classes(t), card, run, nil)[0].State]++
			}
			line := fmt.Sprintf("%s, %.0f %% of what is promised: reached %d, not reached %d, can't tell %d of %d", c.name,
				100*share, verdicts[speedclass.Reached], verdicts[speedclass.NotReached], verdicts[speedclass.CantTell], runs)
			t.Log(line)
			wrong := verdicts[speedclass.Reached]
			if share > 1 {
				wrong = verdicts[speedclass.NotReached]
			}
			untold := verdicts[speedclass.CantTell]
			if wrong > runs/20 || c.every+c.cache == 0 && (share < 0.5 || share > 2) && untold > runs/20 {
				t.Error(line)
			}
		}
	}
}
