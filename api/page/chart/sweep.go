package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Rates are those of one test by the size of its records, in ascending order, to be drawn as a line.
type Rates struct {
	Label, Class string
	End          string // what stands at the end of the line
	At           []RateAt
}

// RateAt is the rate with records of one size.
type RateAt struct {
	Bytes  int64
	MBPerS float64
}

// ratesOf are those of a run's tests of one name.
func ratesOf(tests []result.Test, name string) (rates []RateAt) {
	for i := range tests {
		if t := &tests[i]; t.Name == name && t.BlockBytes > 0 && t.Bytes > 0 && t.DurationNS > 0 {
			rates = append(rates, RateAt{t.BlockBytes, t.Figures().MBPerS})
		}
	}
	slices.SortFunc(rates, func(a, b RateAt) int { return int(a.Bytes - b.Bytes) })
	return rates
}

// A cliff is where twice the record brings more than cliffTimes the rate: with more than twice, the larger record takes less time than the
// smaller one, which only a module does that moves more than the record. A rate is level from enoughShare of the highest on.
const (
	cliffTimes  = 2.5
	enoughShare = 0.8
)

// cliffOf is the size below which the rate falls off a cliff, the steepest if there are several, and how many times it is what it is with half the
// record; 0: there is none.
func cliffOf(rates []RateAt) (bytes int64, times float64) {
	for i := 1; i < len(rates); i++ {
		before, at := rates[i-1], rates[i]
		if rise := at.MBPerS / before.MBPerS; at.Bytes == 2*before.Bytes && rise > max(cliffTimes, times) {
			bytes, times = at.Bytes, rise
		}
	}
	return bytes, times
}

// levelOf is the least size with enoughShare of the highest rate; 0: there are no rates.
func levelOf(rates []RateAt) int64 {
	highest := 0.0
	for _, r := range rates {
		highest = math.Max(highest, r.MBPerS)
	}
	for _, r := range rates {
		if r.MBPerS >= enoughShare*highest {
			return r.Bytes
		}
	}
	return 0
}

// recordTicks are the sizes that stand at the foot: those where modules have their pages and units among them, and few enough for a phone.
var recordTicks = []int64{512, 4 << 10, 16 << 10, 128 << 10, 1 << 20, 16 << 20}

// sweepPlot has room for the names of two marks above.
var sweepPlot = Plot{Top: 42, Height: 220, Foot: 42 + 220}

// Sweep draws rates over the size of records, both logarithmic. marked is the one whose cliff and level part are marked; none if negative. ok is false if
// no line has two points.
func Sweep(id, title string, lines []Rates, marked int) (c Chart, ok bool) {
	low, high := math.Inf(1), 0.0
	least, most := int64(math.MaxInt64), int64(0)
	for _, line := range lines {
		ok = ok || len(line.At) > 1
		for _, r := range line.At {
			low, high = math.Min(low, r.MBPerS), math.Max(high, r.MBPerS)
			least, most = min(least, r.Bytes), max(most, r.Bytes)
		}
	}
	if !ok || least == most {
		return Chart{}, false
	}
	x := scale{float64(least), float64(most), true}
	y, yTicks := logScale(low, high)
	c = Chart{
		ID: id, Title: title, Height: sweepPlot.Foot + 46, Plot: sweepPlot, X: Axis{"size of a record, bytes", []Tick{}}, Y: Axis{"MB/s", y.upward(yTicks, sweepPlot)},
		Table: sweepTable(lines),
	}
	for _, bytes := range recordTicks {
		if bytes >= least && bytes <= most {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(float64(bytes)), strings.TrimSuffix(strings.Replace(Size(bytes), "iB", "", 1), " B")})
		}
	}
	var said []string
	var ends []Text
	for i, line := range lines {
		if len(line.At) == 0 {
			continue
		}
		var d strings.Builder
		for k, r := range line.At {
			command := "L"
			if k == 0 {
				command = "M"
			}
			d.WriteString(command + units(x.at(float64(r.Bytes))) + " " + pixels(y.down(r.MBPerS, sweepPlot)))
		}
		c.Paths = append(c.Paths, Path{line.Class, d.String()})
		c.Key = append(c.Key, Key{line.Class, line.Label})
		last := line.At[len(line.At)-1]
		ends = append(ends, Text{line.Class, hundredth(100*x.at(float64(last.Bytes))) + 0.8, float64(sweepPlot.Top) + y.down(last.MBPerS, sweepPlot), "start", line.End})
		said = append(said, line.describe())
		if i == marked {
			c.mark(line, x)
		}
	}
	c.addEnds(ends)
	c.Desc = strings.Join(said, " ")
	return c, true
}

// mark draws where a line has its cliff and where it is level.
func (c *Chart) mark(line Rates, x scale) {
	top, foot := float64(c.Plot.Top), float64(c.Plot.Foot)
	if bytes, _ := cliffOf(line.At); bytes > 0 {
		at := x.percent(float64(bytes))
		c.Lines = append(c.Lines, Line{Cliff, at, at, top - 8, foot})
		c.Texts = append(c.Texts, Text{Cliff, at, top - 12, anchor(at), "cliff below " + Size(bytes)})
	}
	if bytes := levelOf(line.At); bytes > 0 {
		at := x.percent(float64(bytes))
		c.Lines = append(c.Lines, Line{Whole, at, at, top - 24, foot})
		c.Texts = append(c.Texts, Text{Whole, at, top - 28, anchor(at), line.End + " level from " + Size(bytes)})
	}
}

// describe says what a line shows.
func (l Rates) describe() string {
	first, last := l.At[0], l.At[len(l.At)-1]
	said := fmt.Sprintf("%s: %s MB/s with records of %s, %s MB/s with %s, level from %s.", l.Label, result.Number(first.MBPerS), Size(first.Bytes), result.Number(last.MBPerS), Size(last.Bytes), Size(levelOf(l.At)))
	if bytes, times := cliffOf(l.At); bytes > 0 {
		said += fmt.Sprintf(" With %s it is %s times what it is with half of that.", Size(bytes), result.Number(times))
	}
	return said
}

// sweepTable has a row for each size, and a column for each line.
func sweepTable(lines []Rates) Table {
	table := Table{Head: []string{"Record"}}
	rates := map[int64][]string{}
	var sizes []int64
	for i, line := range lines {
		table.Head = append(table.Head, line.Label+", MB/s")
		for _, r := range line.At {
			if rates[r.Bytes] == nil {
				rates[r.Bytes] = make([]string, len(lines))
				sizes = append(sizes, r.Bytes)
			}
			rates[r.Bytes][i] = result.Number(r.MBPerS)
		}
	}
	slices.Sort(sizes)
	for _, bytes := range sizes {
		table.Rows = append(table.Rows, append([]string{Size(bytes)}, rates[bytes]...))
	}
	return table
}

// Size writes a number of bytes that is a power of two, such as 512 B, 16 KiB, 4 MiB.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d B", bytes)
}

// facts are where a line is level and where it has a cliff, as cells.
func (l Rates) facts() []string {
	highest := 0.0
	for _, r := range l.At {
		highest = math.Max(highest, r.MBPerS)
	}
	cells := []string{Size(levelOf(l.At)), result.Number(highest), "none", ""}
	if bytes, times := cliffOf(l.At); bytes > 0 {
		cells[2], cells[3] = Size(bytes), result.Number(times)
	}
	return cells
}
