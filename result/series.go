package result

import "cmp"

// MaxIntervals limits the intervals of a random test, so that a document stays small however long the test takes.
const MaxIntervals = 1000

// Series collects the operations of a random test, in order, in intervals of at least a second. When there would be
// more than MaxIntervals, it doubles the length of the intervals. Operations, bytes and times still add up.
type Series struct {
	Intervals []Interval
	spanNS    int64 // an interval of at least this length is complete
}

// Add appends v, which lasts a second or less.
func (s *Series) Add(v Interval) {
	const second = 1_000_000_000
	s.spanNS = max(s.spanNS, second)
	if last := len(s.Intervals) - 1; last >= 0 && s.Intervals[last].NS < s.spanNS {
		s.Intervals[last] = SumIntervals([]Interval{s.Intervals[last], v})
		return
	}
	if len(s.Intervals) == MaxIntervals {
		for i := range MaxIntervals / 2 {
			s.Intervals[i] = SumIntervals(s.Intervals[2*i : 2*i+2])
		}
		s.Intervals = s.Intervals[:MaxIntervals/2]
		s.spanNS *= 2
	}
	s.Intervals = append(s.Intervals, v)
}

// SumIntervals joins intervals into one. The schema limits each value so that no sum of a document overflows.
func SumIntervals(intervals []Interval) (sum Interval) {
	for _, v := range intervals {
		sum.Ops += v.Ops
		sum.Bytes += v.Bytes
		sum.NS += v.NS
		sum.MaxNS = max(sum.MaxNS, v.MaxNS)
		sum.BehindNS = max(sum.BehindNS, v.BehindNS)
		if v.LeastBehindNS > 0 {
			sum.LeastBehindNS = min(cmp.Or(sum.LeastBehindNS, v.LeastBehindNS), v.LeastBehindNS)
		}
		sum.UserNS += v.UserNS
		sum.SystemNS += v.SystemNS
		sum.UnderWayNS += v.UnderWayNS
		sum.Reads += v.Reads
		sum.WrongOps += v.WrongOps
		sum.FailedOps += v.FailedOps
	}
	return sum
}
