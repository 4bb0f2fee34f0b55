package chart

import (
	"math"
	"strings"

	"flashdex/result"
)

// The most columns of a line: a pixel or more each on a phone, and few enough for a page with several charts.
const (
	mainColumns    = 300
	behindColumns  = 100
	severalColumns = 60
)

// Column is a stretch of a test. From and To are in MB (10^6 bytes) or seconds; the lowest, mean and highest rates of
// its intervals are in MB/s or IOPS.
type Column struct{ From, To, Low, Mean, High float64 }

// columnsOf divides a test into its intervals, or into n columns of equal width if there are more intervals. The lowest
// and highest rates are rates of whole intervals, so that no stall gets lost, however short.
func columnsOf(t *result.Test, n int, overTime bool) (columns []Column) {
	type stretch struct{ from, to, amount, seconds float64 }
	var stretches []stretch
	at := 0.0
	for _, i := range t.Intervals {
		s := stretch{at, 0, float64(i.Ops), float64(i.NS) / 1e9}
		if i.NS <= 0 {
			continue
		}
		if linear(t) {
			s.amount = float64(i.Bytes) / 1e6
		}
		if overTime {
			at += s.seconds
		} else {
			at += s.amount
		}
		if s.to = at; s.to > s.from {
			stretches = append(stretches, s)
		}
	}
	if len(stretches) <= n {
		for _, s := range stretches {
			rate := s.amount / s.seconds
			columns = append(columns, Column{s.from, s.to, rate, rate, rate})
		}
		return columns
	}
	width, first := at/float64(n), 0
	for c := range n {
		column := Column{From: float64(c) * width, To: float64(c+1) * width, Low: math.Inf(1)}
		for first < len(stretches)-1 && stretches[first].to <= column.From {
			first++
		}
		var amount, seconds float64
		for i, s := range stretches[first:] {
			if i > 0 && s.from >= column.To {
				break
			}
			rate := s.amount / s.seconds
			column.Low, column.High = math.Min(column.Low, rate), math.Max(column.High, rate)
			share := math.Max((math.Min(s.to, column.To)-math.Max(s.from, column.From))/(s.to-s.from), 0)
			amount += share * s.amount
			seconds += share * s.seconds
		}
		if column.Mean = column.High; seconds > 0 {
			column.Mean = amount / seconds
		}
		columns = append(columns, column)
	}
	return columns
}

func extremes(columns []Column) (low, high float64) {
	low = columns[0].Low
	for _, c := range columns {
		low, high = math.Min(low, c.Low), math.Max(high, c.High)
	}
	return low, high
}

func linear(t *result.Test) bool { return t.Name == result.SeqWrite || t.Name == result.SeqRead }

// rateOf is the rate of a test as tables have it, in MB/s or IOPS.
func rateOf(t *result.Test) float64 {
	switch {
	case linear(t) && t.DurationNS > 0:
		return float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	case linear(t):
		return 0
	}
	return result.EstimateOf(t.Batches).IOPS
}

// steps is the path of the mean rates. With strokes, a column of several intervals has a stroke from its lowest to its
// highest rate.
func steps(columns []Column, x, y scale, strokes bool) string {
	var d strings.Builder
	at := func(v float64) string { return pixels(y.down(v, linePlot)) }
	for i, c := range columns {
		if i == 0 {
			d.WriteString("M" + units(x.at(c.From)) + " " + at(c.Mean))
		} else {
			d.WriteString("V" + at(c.Mean))
		}
		if strokes && at(c.Low) != at(c.High) {
			d.WriteString("V" + at(c.Low) + "V" + at(c.High) + "V" + at(c.Mean))
		}
		d.WriteString("H" + units(x.at(c.To)))
	}
	return d.String()
}

// envelope is the outline from the lowest to the highest rates; empty if every column is one interval.
func envelope(columns []Column, x, y scale) string {
	var upper, lower strings.Builder
	wide := false
	for i, c := range columns {
		wide = wide || c.Low != c.High
		to := "V"
		if i == 0 {
			to = "M" + units(x.at(c.From)) + " "
		}
		upper.WriteString(to + pixels(y.down(c.High, linePlot)) + "H" + units(x.at(c.To)))
		back := columns[len(columns)-1-i]
		lower.WriteString("V" + pixels(y.down(back.Low, linePlot)) + "H" + units(x.at(back.From)))
	}
	if !wide {
		return ""
	}
	return upper.String() + lower.String() + "Z"
}
