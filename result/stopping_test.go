package result_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flashdex/result"
)

const runs = 300

// outcome is a rule's estimate for one trace, and the true IOPS over all operations of the trace.
type outcome struct {
	seconds, err float64
	covered      bool
	ended        result.Ended
}

func apply(rule result.Rule, trace []float64) outcome {
	var total float64
	for _, s := range trace {
		total += s
	}
	truth := float64(len(trace)) / total
	sampler := result.NewSampler(rule)
	var ended result.Ended
	for _, s := range trace {
		if ended = sampler.Add(int64(s * 1e9)); ended != "" {
			break
		}
	}
	e := result.EstimateOf(sampler.Batches())
	return outcome{
		seconds: float64(sampler.ElapsedNS()) / 1e9,
		err:     math.Abs(e.IOPS/truth - 1),
		covered: e.Low <= truth && truth <= e.High,
		ended:   ended,
	}
}

type summary struct{ seconds, medianErr, p95Err, coverage, converged float64 }

func summarize(outcomes []outcome) summary {
	var s summary
	var seconds, errs []float64
	for _, o := range outcomes {
		seconds, errs = append(seconds, o.seconds), append(errs, o.err)
		if o.covered {
			s.coverage += 1 / float64(len(outcomes))
		}
		if o.ended == result.Converged {
			s.converged += 1 / float64(len(outcomes))
		}
	}
	slices.Sort(seconds)
	slices.Sort(errs)
	s.seconds, s.medianErr, s.p95Err = seconds[len(seconds)/2], errs[len(errs)/2], errs[len(errs)*95/100]
	return s
}

// naiveRule stops as soon as the textbook interval of independent samples would look tight.
func naiveRule() result.Rule {
	rule := result.StandardRule(traceOps)
	rule.MinNS, rule.MaxNS, rule.Consecutive, rule.MaxShare, rule.WarmupNS = 5e9, 1e15, 1, 1, 0
	return rule
}

// docs/method.md publishes the bounds, from 60 runs. This test has fewer runs, so its bounds leave room for chance.
func TestStandardRuleOnSimulatedModules(t *testing.T) {
	t.Parallel()
	bounds := map[string]struct{ maxSeconds, medianErr, p95Err, coverage float64 }{
		"1 IOPS":               {170, .04, .08, .90},
		"allocation-unit miss": {110, .03, .09, .85},
		"GC bursts":            {241, .08, .20, .85},
		"periodic merges":      {241, .03, .10, .90},
		"good A1":              {110, .02, .04, .85},
		"very heavy tail":      {260, .09, .20, .83},
		"persistent regimes":   {241, .15, .40, .75},
	}
	for i, trace := range traces {
		t.Run(trace.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(i)))
			var standard, quick, naive []outcome
			for range runs {
				latencies := trace.make(r)
				standard = append(standard, apply(result.StandardRule(traceOps), latencies))
				quick = append(quick, apply(result.QuickRule(result.QuickAreaBytes/4096), latencies))
				naive = append(naive, apply(naiveRule(), latencies))
			}
			s, q, n := summarize(standard), summarize(quick), summarize(naive)
			for _, v := range []struct {
				rule string
				summary
			}{{"standard", s}, {"quick", q}, {"naive", n}} {
				t.Logf("%-20s %-8s median %4.0f s, error %5.1f %%, p95 %6.1f %%, covers %3.0f %%, converged %3.0f %%",
					trace.name, v.rule, v.seconds, 100*v.medianErr, 100*v.p95Err, 100*v.coverage, 100*v.converged)
			}
			if q.converged > 0 || q.seconds > 25 {
				t.Errorf("the quick rule takes %.0f s and calls %.0f %% of its runs converged; it must not call any so", q.seconds,
					100*q.converged)
			}
			b, stationary := bounds[trace.name]
			if !stationary {
				if s.converged > 0 {
					t.Errorf("%.0f %% of the runs of a module that has not settled were called converged", 100*s.converged)
				}
				if n.p95Err < 1 {
					t.Errorf("the naive rule errs by only %.0f %%: this trace no longer tells a good rule from a bad one",
						100*n.p95Err)
				}
				return
			}
			if s.seconds > b.maxSeconds || s.medianErr > b.medianErr || s.p95Err > b.p95Err || s.coverage < b.coverage {
				t.Errorf("got %+v, want within %+v", s, b)
			}
		})
	}
}

func TestEstimateOfKnownBatches(t *testing.T) {
	t.Parallel()
	// Batch means alternate between 9 and 11 ms: mean 10 ms, variance 20/19 ms², negative autocorrelation counts as 0.
	var batches []result.Batch
	for i := range result.BatchCount {
		batches = append(batches, result.Batch{Ops: 10, NS: 90_000_000 + int64(i%2)*20_000_000})
	}
	e := result.EstimateOf(batches)
	wantHalfWidth := 2.093024054 * math.Sqrt(20./19/20) / 10
	if math.Abs(e.IOPS-100) > 1e-9 || math.Abs(e.HalfWidth-wantHalfWidth) > 1e-12 || e.Trend || e.Ops != 200 {
		t.Errorf("got %+v, want 100 IOPS, half width %v, no trend", e, wantHalfWidth)
	}
	if want := 100 / (1 + wantHalfWidth); math.Abs(e.Low-want) > 1e-9 {
		t.Errorf("low end %v, want %v", e.Low, want)
	}
	for i := range batches {
		batches[i].NS = 50_000_000 + int64(i)*10_000_000
	}
	if e := result.EstimateOf(batches); !e.Trend || e.LastFifth >= e.IOPS {
		t.Errorf("batches that slow down fivefold: %+v, want a trend and a slower last fifth", e)
	}
}

// A batch far above the others moves the low end of the interval away, and one far below moves the high end. Neither
// end gets closer than in the symmetric interval.
func TestIntervalOfSkewedBatches(t *testing.T) {
	t.Parallel()
	widening := func(odd int64) (low, high float64) {
		var batches []result.Batch
		for i := range result.BatchCount {
			batches = append(batches, result.Batch{Ops: 10, NS: 100_000_000 + int64(i%2)*10_000_000})
		}
		batches[result.BatchCount/2].NS = odd
		e := result.EstimateOf(batches)
		return (e.IOPS/e.Low - 1) / e.HalfWidth, (1 - e.IOPS/e.High) / e.HalfWidth
	}
	if low, high := widening(180_000_000); low < 1.2 || math.Abs(high-1) > 1e-9 {
		t.Errorf("one slow batch: %v and %v half widths, want more than 1.2 to the low end, 1 to the high", low, high)
	}
	if low, high := widening(30_000_000); high < 1.2 || math.Abs(low-1) > 1e-9 {
		t.Errorf("one fast batch: %v and %v half widths, want 1 to the low end, more than 1.2 to the high", low, high)
	}
	if low, high := widening(105_000_000); math.Abs(low-1) > 0.05 || math.Abs(high-1) > 0.05 {
		t.Errorf("even batches: %v and %v half widths, want 1 and 1", low, high)
	}
}

func TestEstimateOfTooLittle(t *testing.T) {
	t.Parallel()
	for _, batches := range [][]result.Batch{nil, {{Ops: 3, NS: 9}}, {{}}} {
		if e := result.EstimateOf(batches); e.Low != 0 || e.High != 0 || !math.IsInf(e.HalfWidth, 1) {
			t.Errorf("EstimateOf(%v) = %+v claims to know an interval", batches, e)
		}
	}
}

func TestSamplerKeepsEveryOperation(t *testing.T) {
	t.Parallel()
	const total = 1000
	sampler := result.NewSampler(result.StandardRule(total))
	var sum int64
	for i := range int64(total) {
		sum += 1000 + i
		if ended := sampler.Add(1000 + i); (ended == result.Complete) != (i == total-1) {
			t.Fatalf("after %d of %d operations: %q", i+1, total, ended)
		}
	}
	var ops, ns int64
	for _, b := range sampler.Batches() {
		ops, ns = ops+b.Ops, ns+b.NS
	}
	warmupOps, warmupNS := sampler.Warmup()
	if ops+warmupOps != total || ns+warmupNS != sum || warmupOps != total/10 {
		t.Errorf("%d operations of %d ns and a warm-up of %d of %d ns; want %d of %d ns in all, 100 of them warm-up",
			ops, ns, warmupOps, warmupNS, total, sum)
	}
}

// The warm-up of a very slow module doesn't fit into the time limit. Its operations in the last three quarters count,
// without an interval and without convergence. Only a module whose first operation takes longer than the limit has no
// figure.
func TestVerySlowModules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		iops    float64
		rule    result.Rule
		leastOf int64
	}{
		{0.13, result.StandardRule(traceOps), 23},
		{0.1, result.StandardRule(traceOps), 18},
		{0.01, result.StandardRule(traceOps), 2},
		{0.0042, result.StandardRule(traceOps), 1},
		{0.004, result.StandardRule(traceOps), 0},
		{0.5, result.QuickRule(16384), 7},
		{0.1, result.QuickRule(16384), 1},
		{0.04, result.QuickRule(16384), 0},
	} {
		sampler := result.NewSampler(c.rule)
		var ended result.Ended
		for ended == "" {
			ended = sampler.Add(int64(1e9 / c.iops))
		}
		e := result.EstimateOf(sampler.Batches())
		if ended != result.TimeLimit || sampler.Ops() < c.leastOf || e.Low != 0 || e.High != 0 {
			t.Errorf("%v IOPS: %s, %d operations, interval %v to %v; want %d at the time limit, and no interval", c.iops, ended,
				sampler.Ops(), e.Low, e.High, c.leastOf)
		}
		if c.leastOf > 0 && math.Abs(e.IOPS/c.iops-1) > 1e-6 {
			t.Errorf("%v IOPS were reported as %v", c.iops, e.IOPS)
		}
	}
}

// The reference rule counts the operation on every block and never stops early.
func TestReferenceRule(t *testing.T) {
	t.Parallel()
	const total = 131072
	sampler := result.NewSampler(result.ReferenceRule(total))
	for i := range int64(total) {
		if ended := sampler.Add(1_000_000_000); (ended == result.Complete) != (i == total-1) || ended != result.Complete &&
			ended != "" {
			t.Fatalf("after %d of %d operations: %q", i+1, total, ended)
		}
	}
	warmupOps, warmupNS := sampler.Warmup()
	if e := result.EstimateOf(sampler.Batches()); sampler.Ops() != total || warmupOps != 0 || warmupNS != 0 ||
		e.IOPS != 1 || e.Low != 1 {
		t.Errorf("%d operations, %d left out, %+v", sampler.Ops(), warmupOps, e)
	}
}
