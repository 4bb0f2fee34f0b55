package result

// MaxIntervals is how many intervals the series of a random test has at most, so that a document stays small however long
// the test takes.
const MaxIntervals = 1000

// Series collects what a random test did, in order, in intervals of at least a second, and of two, four, eight and so on
// seconds once there would be more than MaxIntervals of them. Nothing is lost: operations, bytes and times add up to what was put in.
type Series struct {
	Intervals []Interval
	spanNS    int64 // an interval of at least so long is closed
}

// Add puts v, of a second or less, at the end.
func (s *Series) Add(v Interval) {
	const second = 1_000_000_000
	s.spanNS = max(s.spanNS, second)
	if last := len(s.Intervals) - 1; last >= 0 && s.Intervals[last].NS < s.spanNS {
		s.Intervals[last] = joined(s.Intervals[last], v)
		return
	}
	if len(s.Intervals) == MaxIntervals {
		for i := range MaxIntervals / 2 {
			s.Intervals[i] = joined(s.Intervals[2*i], s.Intervals[2*i+1])
		}
		s.Intervals = s.Intervals[:MaxIntervals/2]
		s.spanNS *= 2
	}
	s.Intervals = append(s.Intervals, v)
}

func joined(a, b Interval) Interval {
	return Interval{Ops: a.Ops + b.Ops, Bytes: a.Bytes + b.Bytes, NS: a.NS + b.NS, MaxNS: max(a.MaxNS, b.MaxNS)}
}
