package chart

import (
	"math"
	"slices"
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
		if i.NS <= 0 {
			continue
		}
		s := stretch{at, 0, float64(i.Ops), float64(i.NS) / 1e9}
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
func (d *drawing) steps(columns []Column, strokes bool) string {
	path := []string{"M", d.across(columns[0].From), " "}
	for i, c := range columns {
		if i > 0 {
			path = append(path, "V")
		}
		mean, low, high := d.pixels(c.Mean), d.pixels(c.Low), d.pixels(c.High)
		if path = append(path, mean); strokes && low != high {
			path = append(path, "V", low, "V", high, "V", mean)
		}
		path = append(path, "H", d.across(c.To))
	}
	return strings.Join(path, "")
}

// envelope is the outline from the lowest to the highest rates; empty if every column is one interval.
func (d *drawing) envelope(columns []Column) string {
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Low != c.High }) {
		return ""
	}
	path := []string{"M", d.across(columns[0].From), " "}
	for i, c := range columns {
		if i > 0 {
			path = append(path, "V")
		}
		path = append(path, d.pixels(c.High), "H", d.across(c.To))
	}
	for _, c := range slices.Backward(columns) {
		path = append(path, "V", d.pixels(c.Low), "H", d.across(c.From))
	}
	return strings.Join(path, "") + "Z"
}
