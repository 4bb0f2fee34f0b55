package result

import "math"

// Rule decides when a random test has measured enough ("TB1", docs/method.md). Times are sums of latencies in ns.
type Rule struct {
	MinNS        int64   // shortest time of a test that converged
	MaxNS        int64   // longest time of any test; 0: no limit
	HalfWidth    float64 // widest half of the interval, relative to the mean
	MinOps       int64
	MaxShare     float64 // largest share of a single operation in the counted time
	Consecutive  int     // number of successful checks in a row
	WarmupOps    int64   // operations to leave out at least, together with WarmupNS,
	WarmupNS     int64   // but no more than a tenth of TotalOps, and none after a quarter of MaxNS
	TotalOps     int64   // number of blocks in the area
	CheckEveryNS int64   // time between checks, or 5 % of the time so far if that is longer
}

// settledHalfWidth is the widest half of a settled rate's interval, relative to the mean latency.
const settledHalfWidth = 0.10

// MaxOverMin is Rule.MaxNS over Rule.MinNS. A rate settles over the time that the test took. What happens less often
// doesn't show, so a longer limit also makes a test longer.
const MaxOverMin = 4

// StandardRule returns the rule of ProfileStandard for an area of totalOps blocks.
func StandardRule(totalOps int64) Rule {
	const second = 1_000_000_000
	return Rule{
		MinNS: 240 * second / MaxOverMin, MaxNS: 240 * second, HalfWidth: settledHalfWidth, MinOps: 100, MaxShare: 0.05,
		Consecutive: 3, WarmupOps: 32, WarmupNS: 10 * second, TotalOps: totalOps, CheckEveryNS: 5 * second,
	}
}

// QuickRule returns the rule of ProfileQuick for an area of totalOps blocks. It always takes 20 s, so no test
// converges. Its warm-up is short, so that even a module of 1 IOPS gets a figure.
func QuickRule(totalOps int64) Rule {
	const second = 1_000_000_000
	rule := StandardRule(totalOps)
	rule.MinNS, rule.MaxNS = 20*second, 20*second
	rule.WarmupOps, rule.WarmupNS = 4, 2*second
	return rule
}

// ReferenceRule returns the rule of ProfileReference for totalOps blocks. Every block counts, however long it takes.
func ReferenceRule(totalOps int64) Rule { return Rule{MinNS: math.MaxInt64, TotalOps: totalOps} }

// Sampler collects the latencies of a random test and decides when to stop.
type Sampler struct {
	rule        Rule
	warmupNS    int64
	warmupOps   int64
	warm        bool
	cumulative  []int64 // cumulative[i] is the time of the first i counted operations
	slowestNS   int64
	nextCheckNS int64
	agreed      int
}

// NewSampler returns a sampler for one test.
func NewSampler(rule Rule) *Sampler {
	return &Sampler{
		rule: rule, cumulative: append(make([]int64, 0, rule.TotalOps+1), 0),
		warm: rule.WarmupOps == 0 && rule.WarmupNS == 0, nextCheckNS: rule.MinNS,
	}
}

// Add records the latency of the next operation in ns. It returns why the test is over, or "" to continue.
func (s *Sampler) Add(ns int64) Ended {
	if !s.warm {
		s.warmupNS += ns
		s.warmupOps++
		long := s.warmupOps >= s.rule.WarmupOps && s.warmupNS >= s.rule.WarmupNS
		// The operations of a very slow module must count soon, or it would have no figure at the time limit.
		slow := s.rule.MaxNS > 0 && s.warmupNS >= s.rule.MaxNS/4
		if long || slow || s.warmupOps >= max(s.rule.TotalOps/10, s.rule.WarmupOps) {
			s.warm = true
			s.nextCheckNS = max(s.rule.MinNS, s.warmupNS+1_000_000_000)
		}
	} else {
		s.cumulative = append(s.cumulative, s.cumulative[len(s.cumulative)-1]+ns)
		s.slowestNS = max(s.slowestNS, ns)
	}
	switch elapsed := s.ElapsedNS(); {
	case s.warmupOps+s.Ops() >= s.rule.TotalOps:
		return Complete
	case s.warm && elapsed >= s.nextCheckNS && s.check():
		return Converged
	case s.rule.MaxNS > 0 && elapsed >= s.rule.MaxNS:
		return TimeLimit
	}
	return ""
}

// check reports whether enough checks in a row, this one included, satisfied the rule.
func (s *Sampler) check() bool {
	elapsed := s.ElapsedNS()
	s.nextCheckNS = elapsed + max(s.rule.CheckEveryNS, elapsed/20)
	e := EstimateOf(s.Batches())
	share := float64(s.slowestNS) / float64(max(s.cumulative[len(s.cumulative)-1], 1))
	if e.HalfWidth <= s.rule.HalfWidth && e.Ops >= s.rule.MinOps && share <= s.rule.MaxShare && !e.Trend {
		s.agreed++
	} else {
		s.agreed = 0
	}
	return s.agreed >= s.rule.Consecutive
}

// Warm reports whether the warm-up is over. Only later operations count.
func (s *Sampler) Warm() bool { return s.warm }

// Ops returns the number of counted operations.
func (s *Sampler) Ops() int64 { return int64(len(s.cumulative)) - 1 }

// Warmup returns the number of operations in the warm-up, and their time in ns.
func (s *Sampler) Warmup() (ops, ns int64) { return s.warmupOps, s.warmupNS }

// ElapsedNS returns the time of all operations in ns, warm-up included.
func (s *Sampler) ElapsedNS() int64 { return s.warmupNS + s.cumulative[len(s.cumulative)-1] }

// Batches splits the counted operations into BatchCount consecutive batches of equal size. The first one also takes the
// remainder. If there are fewer operations than batches, each is a batch.
func (s *Sampler) Batches() []Batch {
	ops := s.Ops()
	count := min(int64(BatchCount), ops)
	batches := make([]Batch, 0, count)
	var start int64
	for i := int64(1); i <= count; i++ {
		end := ops - (count-i)*(ops/count)
		batches = append(batches, Batch{Ops: end - start, NS: s.cumulative[end] - s.cumulative[start]})
		start = end
	}
	return batches
}
