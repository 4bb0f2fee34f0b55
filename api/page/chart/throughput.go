package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// Run is a test of one run, to be drawn.
type Run struct {
	Label string // what the key says of it; empty: nothing
	Class string // Main, Behind or Several
	Test  *result.Test
	End   string // what stands at the end of its line; empty: nothing
}

// Most columns that a line is drawn in: a pixel or more each on a phone, and small enough for a page of a few charts.
const (
	mainColumns    = 300
	behindColumns  = 100
	severalColumns = 60
)

// linePlot is the plot of charts that have lines, with room for the unit above, and for ticks and the axis' name below.
var linePlot = Plot{Top: 26, Height: 190, Foot: 26 + 190}

const lineHeight = 26 + 190 + 46

// Column is a stretch of a test: from and to in MB (10^6 bytes) of a linear test and in seconds of a random one; the lowest,
// mean and highest rate of the intervals in it, in MB/s or in operations per second.
type Column struct{ From, To, Low, Mean, High float64 }

// Columns divides what t did into its intervals, or, if there are more than n, into n columns of the same width. The lowest
// and highest rates in a column are those of whole intervals, so that no stall gets lost, however short.
func Columns(t *result.Test, n int) []Column { return columnsOf(t, n, !linear(t)) }

// columnsOf are those over time, or over what was moved.
func columnsOf(t *result.Test, n int, overTime bool) []Column {
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
	width := at / float64(n)
	var columns []Column
	for _, s := range stretches {
		if rate := s.amount / s.seconds; len(stretches) <= n {
			columns = append(columns, Column{s.from, s.to, rate, rate, rate})
		}
	}
	if len(stretches) <= n {
		return columns
	}
	first := 0
	for c := range n {
		column := Column{From: float64(c) * width, To: float64(c+1) * width, Low: math.Inf(1)}
		for first < len(stretches)-1 && stretches[first].to <= column.From {
			first++
		}
		var amount, seconds float64
		for i := first; i < len(stretches) && (i == first || stretches[i].from < column.To); i++ {
			s := stretches[i]
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

// drawn is a run with its columns.
type drawn struct {
	Run
	columns  []Column
	rate     float64 // on the whole
	overTime bool
}

// Throughput draws the rate of runs of one test on common axes: of a linear one over what was written or read, of a random
// one over time. The last of runs lies on top. Of Main the slowest and fastest interval of each column are drawn as an
// envelope, with the cache cliff or the end of the warm-up, and its numbers are in the table; Several are drawn by their mean
// rates, with the slowest and fastest interval of each in the table. Rates start at 0, on a
// logarithmic scale where they differ more than tenfold from run to run. ok is false if there is nothing to draw.
func Throughput(id, title string, runs []Run) (c Chart, ok bool) {
	return throughput(id, title, runs, len(runs) > 0 && !linear(runs[0].Test))
}

// throughput draws them over time, or over what was moved.
func throughput(id, title string, runs []Run, overTime bool) (c Chart, ok bool) {
	var all []drawn
	var right, high, least, most float64
	for _, r := range runs {
		columns := severalColumns
		switch r.Class {
		case Main:
			columns = mainColumns
		case Behind:
			columns = behindColumns
		}
		d := drawn{r, columnsOf(r.Test, columns, overTime), rateOf(r.Test), overTime}
		if len(d.columns) == 0 || !(d.rate > 0) {
			continue
		}
		all = append(all, d)
		right = math.Max(right, d.columns[len(d.columns)-1].To)
		for _, column := range d.columns {
			high = math.Max(high, column.High)
		}
		if most = math.Max(most, d.rate); least == 0 || d.rate < least {
			least = d.rate
		}
	}
	if len(all) == 0 {
		return Chart{}, false
	}
	x, xTicks := linearScale(right)
	x.high = right // the line fills the width
	y, yTicks := linearScale(high)
	if most > 10*least {
		y, yTicks = logScale(least/5, high)
	}
	name, unit := "seconds", "IOPS"
	if linear(all[0].Test) {
		unit = "MB/s"
	}
	switch {
	case overTime:
	case all[0].Test.Name == result.SeqRead:
		name = "MB read"
	default:
		name = "MB written"
	}
	for len(xTicks) > 1 && xTicks[len(xTicks)-1] > right {
		xTicks = xTicks[:len(xTicks)-1]
	}
	c = Chart{ID: id, Title: title, Height: lineHeight, Plot: linePlot, X: Axis{name, x.across(xTicks)}, Y: Axis{unit, y.upward(yTicks, linePlot)}}
	var said []string
	var ends []Text
	for _, d := range all {
		if d.Class == Main {
			c.addMain(d, x, y)
			c.Table = d.tenths(name, unit)
			c.Key = append(c.Key, Key{Whole, result.Number(d.rate) + " " + unit + " on the whole"})
			said = append(said, describe(d, name, unit))
		}
		several := d.Class != Main && d.Class != Behind
		c.Paths = append(c.Paths, Path{d.Class, steps(d.columns, x, y, !several)})
		c.name(d.Run)
		last := d.columns[len(d.columns)-1]
		ends = append(ends, endOf(d.Run, x.at(last.To), y.down(last.Mean, linePlot)))
		if several {
			said = append(said, fmt.Sprintf("%s: %s %s on the whole.", d.Label, result.Number(d.rate), unit))
			c.Table.Head = []string{"Module", "Rate, " + unit, "Slowest", "Fastest"}
			low, high := extremes(d.columns)
			c.Table.Rows = append(c.Table.Rows, []string{d.Label, result.Number(d.rate), result.Number(low), result.Number(high)})
		}
	}
	c.addEnds(ends)
	c.Desc = strings.Join(said, " ")
	if behind := len(all) - len(said); behind > 0 {
		c.Desc += fmt.Sprintf(" Thin lines: %d other runs.", behind)
	}
	return c, true
}

// name adds a run to the key, the main one first.
func (c *Chart) name(r Run) {
	switch {
	case r.Label == "":
	case r.Class == Main:
		c.Key = slices.Insert(c.Key, 0, Key{r.Class, r.Label})
	default:
		c.Key = append(c.Key, Key{r.Class, r.Label})
	}
}

func linear(t *result.Test) bool { return t.Name == result.SeqWrite || t.Name == result.SeqRead }

// rateOf is the rate of a test as the tables have it, in MB/s or in IOPS.
func rateOf(t *result.Test) float64 {
	switch {
	case linear(t) && t.DurationNS > 0:
		return float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	case linear(t):
		return 0
	}
	return result.EstimateOf(t.Batches).IOPS
}

// addMain adds what only the main run shows.
func (c *Chart) addMain(d drawn, x, y scale) {
	if area := envelope(d.columns, x, y); area != "" {
		c.Paths = append(c.Paths, Path{Envelope, area})
	}
	at := tenth(float64(c.Plot.Top) + y.down(d.rate, c.Plot))
	c.Lines = append(c.Lines, Line{Whole, 0, x.percent(d.columns[len(d.columns)-1].To), at, at})
	top, foot := float64(c.Plot.Top), float64(c.Plot.Foot)
	if d.Test.Name == result.SeqWrite {
		if mb := d.Test.Figures().CliffMB; mb != nil {
			at := x.percent(d.cliffAt(*mb))
			c.Lines = append(c.Lines, Line{Cliff, at, at, top - 6, foot})
			c.Texts = append(c.Texts, Text{Cliff, at, top - 10, anchor(at), "cliff after " + result.Number(*mb) + " MB"})
		}
	} else if end := x.percent(warmupSeconds(d.Test)); end > 0 {
		c.Areas = append(c.Areas, Area{Warmup, 0, end, top, float64(c.Plot.Height)})
		c.Key = append(c.Key, Key{Warmup, "warm-up, not counted"})
	}
}

// cliffAt is where on its axis a run had written so many MB.
func (d drawn) cliffAt(mb float64) (seconds float64) {
	if !d.overTime {
		return mb
	}
	for _, i := range d.Test.Intervals {
		moved := float64(i.Bytes) / 1e6
		if mb -= moved; mb < -moved/2 { // nearer to the end of the interval before
			break
		}
		seconds += float64(i.NS) / 1e9
	}
	return seconds
}

// warmupSeconds is when the last interval ended that holds operations of the warm-up.
func warmupSeconds(t *result.Test) (seconds float64) {
	left := t.WarmupOps
	for _, i := range t.Intervals {
		if left <= 0 {
			break
		}
		left -= i.Ops
		seconds += float64(i.NS) / 1e9
	}
	return seconds
}

func extremes(columns []Column) (low, high float64) {
	low = columns[0].Low
	for _, c := range columns {
		low, high = math.Min(low, c.Low), math.Max(high, c.High)
	}
	return low, high
}

func describe(d drawn, name, unit string) string {
	low, high := extremes(d.columns)
	end := d.columns[len(d.columns)-1].To
	said := fmt.Sprintf("%s %s on the whole; the slowest interval had %s, the fastest %s, over %s %s.", result.Number(d.rate), unit, result.Number(low), result.Number(high), result.Number(end), name)
	if d.Test.Name == result.SeqWrite {
		switch f := d.Test.Figures(); {
		case f.CliffMB != nil && f.CliffPercent != nil:
			said += fmt.Sprintf(" After %s MB the rate fell for good, to %s %% of the one before.", result.Number(*f.CliffMB), result.Number(*f.CliffPercent))
		case f.CliffPercent != nil:
			said += " The rate did not fall for good."
		}
	}
	return said
}

// tenths are the numbers of a test in ten columns of the same width.
func (d drawn) tenths(name, unit string) Table {
	table := Table{Head: []string{strings.ToUpper(name[:1]) + name[1:], "Mean, " + unit, "Slowest interval", "Fastest interval"}}
	for _, c := range columnsOf(d.Test, 10, d.overTime) {
		table.Rows = append(table.Rows, []string{result.Number(c.From) + " to " + result.Number(c.To), result.Number(c.Mean), result.Number(c.Low), result.Number(c.High)})
	}
	return table
}

// endOf is the word at the end of a line, which lies at a share of the plot's width and some pixels down.
func endOf(r Run, across, down float64) Text {
	return Text{r.Class, hundredth(100*across) + 0.8, float64(linePlot.Top) + down, "start", r.End}
}

// addEnds adds the words at the ends of lines, those that lie on each other pushed apart.
func (c *Chart) addEnds(ends []Text) {
	const apart, toBaseline = 12, 4
	ends = slices.DeleteFunc(ends, func(t Text) bool { return t.Label == "" })
	slices.SortStableFunc(ends, func(a, b Text) int { return cmp.Compare(a.Y, b.Y) })
	for i := range ends {
		for _, above := range ends[:i] {
			if math.Abs(above.X-ends[i].X) < 4 {
				ends[i].Y = math.Max(ends[i].Y, above.Y+apart)
			}
		}
	}
	for _, t := range ends {
		t.Y = tenth(t.Y + toBaseline)
		c.Texts = append(c.Texts, t)
	}
}

// steps is the path of the mean rates, where strokes are asked for with one down to the lowest and up to the highest of a column
// that joins intervals.
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

// envelope is the outline from the lowest to the highest rates; empty where every column is one interval.
func envelope(columns []Column, x, y scale) string {
	var upper, lower strings.Builder
	wide := false
	for i, c := range columns {
		wide = wide || c.Low != c.High
		if i == 0 {
			upper.WriteString("M" + units(x.at(c.From)))
			upper.WriteString(" " + pixels(y.down(c.High, linePlot)))
		} else {
			upper.WriteString("V" + pixels(y.down(c.High, linePlot)))
		}
		upper.WriteString("H" + units(x.at(c.To)))
		back := columns[len(columns)-1-i]
		lower.WriteString("V" + pixels(y.down(back.Low, linePlot)) + "H" + units(x.at(back.From)))
	}
	if !wide {
		return ""
	}
	return upper.String() + lower.String() + "Z"
}

// units are coordinates across the plane, pixels those down.
func units(share float64) string {
	return strconv.FormatFloat(math.Round(share*PlaneWidth), 'f', -1, 64)
}

func pixels(v float64) string { return strconv.FormatFloat(tenth(v), 'f', -1, 64) }
