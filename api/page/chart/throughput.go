package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Run is one test of one run.
type Run struct {
	Label string // its name in the key; empty: it isn't in the key
	Class string // Main, Behind or Several
	Test  *result.Test
	End   string // the text at the end of its line
}

// throughput is one run of a chart, in columns.
type throughput struct {
	Run
	columns         []Column
	rate, low, high float64 // of the whole test, of the slowest interval and of the fastest
	last            point   // the end of its line
}

// Throughput draws the rates of several runs of one test on common axes. It draws a linear test over the bytes that it
// moved, and a random test over time. The last run lies on top. For Main, the chart shows the slowest and fastest
// interval of each column, and the cache cliff or the end of the warm-up; the table has Main's numbers. For Several,
// the chart shows mean rates, and the table the slowest and fastest interval of each run. Rates start at 0, or are
// logarithmic if they differ more than tenfold between runs. ok is false if there is nothing to draw.
func Throughput(id, title string, runs []Run) (c Chart, ok bool) {
	return throughputOver(id, title, "Module", runs, len(runs) > 0 && !linear(runs[0].Test))
}

// throughputOver does the same over time or over bytes. kind heads the names of several runs.
func throughputOver(id, title, kind string, runs []Run, overTime bool) (c Chart, ok bool) {
	var all []throughput
	var rates extent
	var right, high float64
	for _, r := range runs {
		n := severalColumns
		switch r.Class {
		case Main:
			n = mainColumns
		case Behind:
			n = behindColumns
		}
		t := throughput{Run: r, columns: columnsOf(r.Test, n, overTime), rate: rateOf(r.Test), low: math.Inf(1)}
		if len(t.columns) == 0 || !(t.rate > 0) {
			continue
		}
		for _, c := range t.columns {
			t.low, t.high, t.last = math.Min(t.low, c.Low), math.Max(t.high, c.High), point{c.To, c.Mean}
		}
		all = append(all, t)
		rates.add(t.rate)
		right, high = math.Max(right, t.last.x), math.Max(high, t.high)
	}
	if len(all) == 0 {
		return Chart{}, false
	}
	name, unit := "MB written", "IOPS"
	if linear(all[0].Test) {
		unit = "MB/s"
	}
	switch {
	case overTime:
		name = "seconds"
	case all[0].Test.Name == result.SeqRead:
		name = "MB read"
	}
	x := linearScale(name, right)
	d := drawing{
		Chart: Chart{Title: title}, id: id, plot: linePlot,
		x: scale{0, right, false}.labelled(name, x.ticks), y: linearScale(unit, high), // the line fills the width
	}
	if rates.high > 10*rates.low {
		d.y = logScale(unit, extent{rates.low / 5, high})
	}
	said, behind := "", 0
	several := !slices.ContainsFunc(all, func(t throughput) bool { return t.Class == Main }) // else the table is of Main
	for _, t := range all {
		switch t.Class {
		case Main:
			said += " " + d.main(t, overTime)
		case Behind:
			behind++
		default:
			said += fmt.Sprintf(" %s: %s %s on the whole.", t.Label, result.Number(t.rate), unit)
			if !several {
				break
			}
			d.Numbers.Head = []string{kind, "Rate, " + unit, "Slowest", "Fastest"}
			d.row(t.Label, result.Number(t.rate), result.Number(t.low), result.Number(t.high))
		}
		d.run(t.Run, d.steps(t.columns, t.Class == Main || t.Class == Behind), t.last)
	}
	return d.finish(strings.TrimPrefix(said, " ") + thinLines(behind))
}

func thinLines(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Thin lines: %d other runs.", n)
}

// main draws the shapes that only the main run has, fills the table with its rates in ten columns, and describes it.
func (d *drawing) main(t throughput, overTime bool) (said string) {
	if area := d.envelope(t.columns); area != "" {
		d.path(Envelope, area)
	}
	at := tenth(d.plot.top + d.down(t.rate))
	d.line(Whole, 0, t.last.x, at, at)
	rate := result.Number(t.rate) + " " + d.y.name + " on the whole"
	said = fmt.Sprintf("%s; the slowest interval had %s, the fastest %s, over %s %s.", rate, result.Number(t.low),
		result.Number(t.high), result.Number(t.last.x), d.x.name)
	if t.Test.Name == result.SeqWrite {
		f := t.Test.Figures()
		if f.CliffMB != nil {
			at, mb := *f.CliffMB, result.Number(*f.CliffMB)
			if overTime {
				at = secondsOf(t.Test, at)
			}
			d.mark(Cliff, "cliff after "+mb+" MB", at, d.plot.top-6)
			if f.CliffPercent != nil {
				said += fmt.Sprintf(" After %s MB the rate fell for good, to %s %% of the one before.",
					mb, result.Number(*f.CliffPercent))
			}
		} else if f.CliffPercent != nil {
			said += " The rate did not fall for good."
		}
	} else if end := warmupSeconds(t.Test); d.x.percent(end) > 0 {
		d.area(Warmup, 0, end)
		d.Key = append(d.Key, Key{Warmup, "warm-up, not counted"})
	}
	d.Key = append(d.Key, Key{Whole, rate})
	name, unit := d.x.name, d.y.name
	name = strings.ToUpper(name[:1]) + name[1:]
	d.Numbers.Head, d.Numbers.Rows = []string{name, "Mean, " + unit, "Slowest interval", "Fastest interval"}, nil
	for _, c := range columnsOf(t.Test, 10, overTime) {
		d.row(fromTo(c.From, c.To), result.Number(c.Mean), result.Number(c.Low), result.Number(c.High))
	}
	return said
}

// secondsOf returns the time that a test took to move mb MB.
func secondsOf(t *result.Test, mb float64) (seconds float64) {
	for _, i := range t.Intervals {
		moved := float64(i.Bytes) / 1e6
		if mb -= moved; mb < -moved/2 { // nearer to the end of the previous interval
			break
		}
		seconds += float64(i.NS) / 1e9
	}
	return seconds
}

// warmupSeconds returns the end of the last interval with warm-up operations.
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

// The most columns of a line. Each is at least a pixel on a phone, and a page with several charts stays small.
const (
	mainColumns    = 300
	behindColumns  = 100
	severalColumns = 60
)

// Column is a stretch of a test. From and To are in MB (10^6 bytes) or seconds; the lowest, mean and highest rates of
// its intervals are in MB/s or IOPS.
type Column struct{ From, To, Low, Mean, High float64 }

// columnsOf divides a test into its intervals, or into n columns of equal width if there are more intervals. The lowest
// and highest rates are whole intervals' rates, so that even short stalls show.
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

// rateOf returns the rate of a test as tables show it, in MB/s or IOPS.
func rateOf(t *result.Test) float64 {
	switch {
	case linear(t) && t.DurationNS > 0:
		return float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	case linear(t):
		return 0
	}
	return result.EstimateOf(t.Batches).IOPS
}

// steps returns the path of the mean rates. With strokes, a column of several intervals has a stroke from its lowest to
// its highest rate.
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

// envelope returns the outline from the lowest to the highest rates; empty if every column is one interval.
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
