package result

import "math"

// Rule decides when a random test has measured enough ("TB1", docs/method.md). Times are sums of latencies in ns.
type Rule struct {
	MinNS        int64   // never converged before
	MaxNS        int64   // never longer; 0 for no limit
	HalfWidth    float64 // the widest interval that is tight enough
	MinOps       int64
	MaxShare     float64 // of the counted time, taken by one single operation
	Consecutive  int     // how many checks in a row must agree
	WarmupOps    int64   // at least so many operations and WarmupNS are left out,
	WarmupNS     int64   // but never more than a tenth of TotalOps, nor of operations begun after a quarter of MaxNS
	TotalOps     int64   // every block of the area
	CheckEveryNS int64   // or every 5 % of the time so far, whichever is longer
}

// StandardRule is the rule of ProfileStandard for an area of totalOps blocks.
func StandardRule(totalOps int64) Rule {
	const second = 1_000_000_000
	return Rule{
		MinNS: 60 * second, MaxNS: 240 * second, HalfWidth: 0.10, MinOps: 100, MaxShare: 0.05, Consecutive: 3,
		WarmupOps: 32, WarmupNS: 10 * second, TotalOps: totalOps, CheckEveryNS: 5 * second,
	}
}

// QuickRule is the rule of ProfileQuick for an area of totalOps blocks: 20 s, whatever they show. It never calls a
// module settled, and leaves out little at the start, so that even a module of 1 IOPS has a figure.
func QuickRule(totalOps int64) Rule {
	const second = 1_000_000_000
	rule := StandardRule(totalOps)
	rule.MinNS, rule.MaxNS = 20*second, 20*second
	rule.WarmupOps, rule.WarmupNS = 4, 2*second
	return rule
}

// ReferenceRule is the rule of ProfileReference for an area of totalOps blocks: every block, however long that takes, and
// every one of them counts.
func ReferenceRule(totalOps int64) Rule { return Rule{MinNS: math.MaxInt64, TotalOps: totalOps} }

// Sampler takes the latencies of a random test one by one, and says when to stop.
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

// Add takes the latency of the next operation in ns. It returns why the test is over, or "" to go on.
func (s *Sampler) Add(ns int64) Ended {
	if !s.warm {
		s.warmupNS += ns
		s.warmupOps++
		long := s.warmupOps >= s.rule.WarmupOps && s.warmupNS >= s.rule.WarmupNS
		// Of a module that is so slow, whatever it does must count, or nothing would be known of it at the limit.
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

// check is called when a check is due; it reports whether enough checks in a row were satisfied.
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

// Warm says whether the warm-up is over: only operations from then on count.
func (s *Sampler) Warm() bool { return s.warm }

// Ops is the number of counted operations.
func (s *Sampler) Ops() int64 { return int64(len(s.cumulative)) - 1 }

// Warmup is the number of operations that were left out, and their time in ns.
func (s *Sampler) Warmup() (ops, ns int64) { return s.warmupOps, s.warmupNS }

// ElapsedNS is the time of all operations, warm-up included.
func (s *Sampler) ElapsedNS() int64 { return s.warmupNS + s.cumulative[len(s.cumulative)-1] }

// Batches splits the counted operations into BatchCount consecutive batches of equal size; the first takes the
// remainder too. Fewer operations than batches make one batch each.
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
