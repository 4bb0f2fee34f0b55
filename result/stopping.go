package result

import "math"

// BatchCount is the number of batches that the interval of a random test is computed from.
const BatchCount = 20

// tQuantile is Student's t at 0.975 with BatchCount-1 = 19 degrees of freedom.
const tQuantile = 2.093024054

// Estimate is the mean latency of a random test as IOPS, with the 95 % confidence interval of batch means: the batches'
// variance is widened by (1+r)/(1-r) for their lag-1 autocorrelation r. Low and High are zero, and HalfWidth is +Inf,
// while there are too few operations to say.
type Estimate struct {
	Ops       int64
	IOPS      float64
	Low, High float64
	HalfWidth float64 // of the interval of the mean latency, relative to it
	Trend     bool    // the batches' means rise or fall by more than 10 % over the test, and not by chance
	LastFifth float64 // IOPS of the last fifth of the operations: where a drifting module is heading
}

// minBatchOps is the least number of operations a batch must hold for its mean to mean something.
const minBatchOps = 4

// EstimateOf derives the estimate from the batches of a random test, in the order in which they ran.
func EstimateOf(batches []Batch) Estimate {
	e := Estimate{HalfWidth: math.Inf(1)}
	var totalNS int64
	for _, b := range batches {
		e.Ops += b.Ops
		totalNS += b.NS
	}
	if e.Ops <= 0 || totalNS <= 0 {
		return e
	}
	mean := float64(totalNS) / float64(e.Ops)
	e.IOPS = 1e9 / mean
	if len(batches) != BatchCount {
		return e
	}
	means := make([]float64, BatchCount)
	for i, b := range batches {
		if b.Ops < minBatchOps {
			return e
		}
		means[i] = float64(b.NS) / float64(b.Ops)
	}
	e.HalfWidth = relativeHalfWidth(means, mean)
	e.Low = 1e9 / (mean * (1 + e.HalfWidth))
	if e.HalfWidth < 1 {
		e.High = 1e9 / (mean * (1 - e.HalfWidth))
	} else {
		e.High = math.Inf(1)
	}
	e.Trend = hasTrend(means)
	var lastOps, lastNS int64
	for _, b := range batches[BatchCount-BatchCount/5:] {
		lastOps += b.Ops
		lastNS += b.NS
	}
	if lastNS > 0 {
		e.LastFifth = 1e9 * float64(lastOps) / float64(lastNS)
	}
	return e
}

func relativeHalfWidth(means []float64, mean float64) float64 {
	n := float64(len(means))
	center := average(means)
	var squares, lagged float64
	for i, m := range means {
		squares += (m - center) * (m - center)
		if i > 0 {
			lagged += (m - center) * (means[i-1] - center)
		}
	}
	if squares == 0 {
		return 0
	}
	r := min(max(lagged/squares, 0), 0.9)
	variance := squares / (n - 1) * (1 + r) / (1 - r)
	return tQuantile * math.Sqrt(variance/n) / mean
}

// hasTrend fits a straight line to the batch means by least squares. It is a trend if the line climbs or falls by more
// than 10 % of the mean and its slope is more than 2.5 standard errors from level.
func hasTrend(means []float64) bool {
	n := float64(len(means))
	center := average(means)
	var sxx, sxy float64
	for i, m := range means {
		x := float64(i) - (n-1)/2
		sxx += x * x
		sxy += x * (m - center)
	}
	slope := sxy / sxx
	var residuals float64
	for i, m := range means {
		r := m - center - slope*(float64(i)-(n-1)/2)
		residuals += r * r
	}
	standardError := math.Sqrt(residuals / (n - 2) / sxx)
	return math.Abs(slope)*(n-1) > 0.1*center && math.Abs(slope) > 2.5*standardError
}

func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Rule decides when a random test has measured enough ("TB1", docs/method.md). Times are sums of latencies in ns.
type Rule struct {
	MinNS        int64   // never converged before
	MaxNS        int64   // never longer
	HalfWidth    float64 // the widest interval that is tight enough
	MinOps       int64
	MaxShare     float64 // of the counted time, taken by one single operation
	Consecutive  int     // how many checks in a row must agree
	WarmupOps    int64   // at least so many operations and WarmupNS are left out,
	WarmupNS     int64   // but never more than a tenth of TotalOps
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
	return &Sampler{rule: rule, cumulative: append(make([]int64, 0, rule.TotalOps+1), 0)}
}

// Add takes the latency of the next operation in ns. It returns why the test is over, or "" to go on.
func (s *Sampler) Add(ns int64) Ended {
	if !s.warm {
		s.warmupNS += ns
		s.warmupOps++
		long := s.warmupOps >= s.rule.WarmupOps && s.warmupNS >= s.rule.WarmupNS
		if long || s.warmupOps >= max(s.rule.TotalOps/10, s.rule.WarmupOps) {
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
	case elapsed >= s.rule.MaxNS:
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
