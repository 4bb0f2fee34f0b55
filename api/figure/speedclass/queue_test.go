package speedclass_test

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/result"
)

// queueRun returns a run on a card that keeps the promises of A2, in a host that uses its queue and cache.
func queueRun() figure.ProfiledRun {
	run := figure.ProfiledRun{
		Method: result.MethodQueue1, BusMBPerS: 104, Target: result.Target{WriteCache: "write back"},
		Queue: figure.QueueEvidence{HostUses: result.QueueOn},
	}
	run.Tests = []result.Test{{
		Name: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Bytes: 300e6, DurationNS: 10e9, Direct: true,
		AreaBytes: result.StandardAreaBytes,
	}}
	for name, iops := range map[string]int64{result.QueuedRead: 5000, result.QueuedWrite: 3000} {
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
		"reached":  {func(*figure.ProfiledRun) {}, speedclass.Reached, "4K random read 5,000 IOPS where 4,000"},
		"failed":   {func(r *figure.ProfiledRun) { r.Queue.Spoilers = []string{result.QueueRecovery} }, speedclass.CantTell, "recovered"},
		"errors":   {func(r *figure.ProfiledRun) { r.Queue.Spoilers = []string{result.KernelErrors} }, speedclass.CantTell, "errors"},
		"depth":    {func(r *figure.ProfiledRun) { r.Tests[1].QueueDepth = 8 }, speedclass.CantTell, "32 operations at once"},
		"area":     {func(r *figure.ProfiledRun) { r.Tests[2].AreaBytes /= 2 }, speedclass.CantTell, "in 256 MiB"},
		"slow":     {slowed, speedclass.NotReached, "promised"},
		"no cache": {func(r *figure.ProfiledRun) { slowed(r); r.Target.WriteCache = "write through" }, speedclass.CantTell, "both"},
		"no queue": {func(r *figure.ProfiledRun) { slowed(r); r.Queue.HostUses = result.QueueOff }, speedclass.CantTell, "both"},
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

// slowed leaves a tenth of each rate.
func slowed(r *figure.ProfiledRun) {
	for i := range r.Tests {
		for k := range r.Tests[i].Intervals {
			r.Tests[i].Intervals[k].Ops /= 10
		}
	}
}
