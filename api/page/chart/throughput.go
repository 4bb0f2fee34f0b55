package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Run is one test of one run.
type Run struct {
	Label string // in the key; empty: it isn't in the key
	Class string // Main, Behind or Several
	Test  *result.Test
	End   string // stands at the end of its line
}

// linePlot is the plot of charts with lines. It has room for the unit above, and for ticks and the axis' name below.
var linePlot = Plot{Top: 26, Height: 190, Foot: 26 + 190}

const lineHeight = 26 + 190 + 46

// throughput is one run of a chart, in columns.
type throughput struct {
	Run
	columns  []Column
	rate     float64 // of the whole test
	overTime bool
}

// end is the place of the last column on the axis.
func (t throughput) end() float64 { return t.columns[len(t.columns)-1].To }

// Throughput draws the rates of several runs of one test on common axes: of a linear test over the bytes that it moved,
// of a random test over time. The last run lies on top. Of Main, the chart shows the slowest and fastest intervals of
// each column, and the cache cliff or the end of the warm-up, and the table has its numbers. Of Several, the chart
// shows mean rates, and the table the slowest and fastest interval of each. Rates start at 0, or are logarithmic if
// they differ more than tenfold between runs. ok is false if there is nothing to draw.
func Throughput(id, title string, runs []Run) (c Chart, ok bool) {
	return throughputOver(id, title, runs, len(runs) > 0 && !linear(runs[0].Test))
}

func throughputOver(id, title string, runs []Run, overTime bool) (c Chart, ok bool) {
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
		t := throughput{r, columnsOf(r.Test, n, overTime), rateOf(r.Test), overTime}
		if len(t.columns) == 0 || !(t.rate > 0) {
			continue
		}
		all = append(all, t)
		rates.add(t.rate)
		_, fastest := extremes(t.columns)
		right, high = math.Max(right, t.end()), math.Max(high, fastest)
	}
	if len(all) == 0 {
		return Chart{}, false
	}
	x, xTicks := linearScale(right)
	x.high = right // the line fills the width
	xTicks = slices.DeleteFunc(xTicks, func(at float64) bool { return at > right })
	y, yTicks := linearScale(high)
	if rates.high > 10*rates.low {
		y, yTicks = logScale(extent{rates.low / 5, high})
	}
	name, unit := axesOf(all[0].Test, overTime)
	c = Chart{
		ID: id, Title: title, Height: lineHeight, Plot: linePlot,
		X: Axis{name, x.across(xTicks)}, Y: Axis{unit, y.upward(yTicks, linePlot)},
	}
	var said []string
	behind := 0
	for _, t := range all {
		switch t.Class {
		case Main:
			c.addMain(t, x, y)
			c.Table = t.tenths(name, unit)
			c.Key = append(c.Key, Key{Whole, result.Number(t.rate) + " " + unit + " on the whole"})
			said = append(said, t.describe(name, unit))
		case Behind:
			behind++
		default:
			said = append(said, fmt.Sprintf("%s: %s %s on the whole.", t.Label, result.Number(t.rate), unit))
			low, high := extremes(t.columns)
			c.Table.Head = []string{"Module", "Rate, " + unit, "Slowest", "Fastest"}
			c.Table.Rows = append(c.Table.Rows, []string{t.Label, result.Number(t.rate), result.Number(low), result.Number(high)})
		}
		end := place{x.at(t.end()), y.down(t.columns[len(t.columns)-1].Mean, linePlot)}
		c.addRun(t.Run, steps(t.columns, x, y, t.Class == Main || t.Class == Behind), end)
	}
	c.addEnds()
	c.Desc = strings.Join(said, " ") + thinLines(behind)
	return c, true
}

// axesOf names the axes of a chart of rates.
func axesOf(t *result.Test, overTime bool) (name, unit string) {
	name, unit = "MB written", "IOPS"
	if linear(t) {
		unit = "MB/s"
	}
	switch {
	case overTime:
		name = "seconds"
	case t.Name == result.SeqRead:
		name = "MB read"
	}
	return name, unit
}

func thinLines(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Thin lines: %d other runs.", n)
}

// addRun adds the line of a run, its name to the key, the main one first, and the word at the end of its line.
func (c *Chart) addRun(r Run, path string, end place) {
	c.Paths = append(c.Paths, Path{r.Class, path})
	if r.End != "" {
		c.ends = append(c.ends, Text{r.Class, hundredth(100*end.across) + 0.8, float64(c.Plot.Top) + end.down, "start", r.End})
	}
	switch {
	case r.Label == "":
	case r.Class == Main:
		c.Key = slices.Insert(c.Key, 0, Key{r.Class, r.Label})
	default:
		c.Key = append(c.Key, Key{r.Class, r.Label})
	}
}

// addMain adds the shapes that only the main run has.
func (c *Chart) addMain(t throughput, x, y scale) {
	if area := envelope(t.columns, x, y); area != "" {
		c.Paths = append(c.Paths, Path{Envelope, area})
	}
	top, foot := float64(c.Plot.Top), float64(c.Plot.Foot)
	at := tenth(top + y.down(t.rate, c.Plot))
	c.Lines = append(c.Lines, Line{Whole, 0, x.percent(t.end()), at, at})
	if t.Test.Name == result.SeqWrite {
		if mb := t.Test.Figures().CliffMB; mb != nil {
			c.addMark(Cliff, "cliff after "+result.Number(*mb)+" MB", x.percent(t.cliffAt(*mb)), top-6, foot)
		}
	} else if end := x.percent(warmupSeconds(t.Test)); end > 0 {
		c.Areas = append(c.Areas, Area{Warmup, 0, end, top, float64(c.Plot.Height)})
		c.Key = append(c.Key, Key{Warmup, "warm-up, not counted"})
	}
}

// cliffAt is the place on the axis where a run had written so many MB.
func (t throughput) cliffAt(mb float64) (seconds float64) {
	if !t.overTime {
		return mb
	}
	for _, i := range t.Test.Intervals {
		moved := float64(i.Bytes) / 1e6
		if mb -= moved; mb < -moved/2 { // nearer to the end of the interval before
			break
		}
		seconds += float64(i.NS) / 1e9
	}
	return seconds
}

// warmupSeconds is the end of the last interval with operations of the warm-up.
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

func (t throughput) describe(name, unit string) string {
	low, high := extremes(t.columns)
	said := fmt.Sprintf("%s %s on the whole; the slowest interval had %s, the fastest %s, over %s %s.",
		result.Number(t.rate), unit, result.Number(low), result.Number(high), result.Number(t.end()), name)
	if t.Test.Name != result.SeqWrite {
		return said
	}
	switch f := t.Test.Figures(); {
	case f.CliffMB != nil && f.CliffPercent != nil:
		said += fmt.Sprintf(" After %s MB the rate fell for good, to %s %% of the one before.",
			result.Number(*f.CliffMB), result.Number(*f.CliffPercent))
	case f.CliffPercent != nil:
		said += " The rate did not fall for good."
	}
	return said
}

// tenths are the numbers of a test in ten columns of the same width.
func (t throughput) tenths(name, unit string) Table {
	table := Table{Head: []string{strings.ToUpper(name[:1]) + name[1:], "Mean, " + unit, "Slowest interval", "Fastest interval"}}
	for _, c := range columnsOf(t.Test, 10, t.overTime) {
		table.Rows = append(table.Rows, []string{fromTo(c.From, c.To), result.Number(c.Mean), result.Number(c.Low), result.Number(c.High)})
	}
	return table
}

// addEnds adds the words at the ends of lines, moved apart where they would lie on each other.
func (c *Chart) addEnds() {
	const apart, toBaseline = 12, 4
	slices.SortStableFunc(c.ends, func(a, b Text) int { return cmp.Compare(a.Y, b.Y) })
	for i := range c.ends {
		for _, above := range c.ends[:i] {
			if math.Abs(above.X-c.ends[i].X) < 4 {
				c.ends[i].Y = math.Max(c.ends[i].Y, above.Y+apart)
			}
		}
	}
	for _, t := range c.ends {
		t.Y = tenth(t.Y + toBaseline)
		c.Texts = append(c.Texts, t)
	}
}
