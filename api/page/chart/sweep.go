package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Rates are the rates of one test by the size of its records, in ascending order.
type Rates struct {
	Label, Class string
	End          string // stands at the end of the line
	At           []RateAt
}

// RateAt is the rate with records of one size.
type RateAt struct {
	Bytes  int64
	MBPerS float64
}

// ratesOf collects the tests of one name of a run.
func ratesOf(tests []result.Test, name string) (rates []RateAt) {
	for i := range tests {
		if t := &tests[i]; t.Name == name && t.BlockBytes > 0 && t.Bytes > 0 && t.DurationNS > 0 {
			rates = append(rates, RateAt{t.BlockBytes, t.Figures().MBPerS})
		}
	}
	slices.SortFunc(rates, func(a, b RateAt) int { return int(a.Bytes - b.Bytes) })
	return rates
}

// A rate has a cliff where twice the record brings more than cliffTimes the rate. At more than twice the rate, the
// larger record takes less time than the smaller one, and only a module that moves more than the record does that. A
// rate is level from enoughShare of the highest rate on.
const (
	cliffTimes  = 2.5
	enoughShare = 0.8
)

// cliffOf finds the size below which the rate falls off the steepest cliff, and how many times the rate of half the
// record it has. 0: there is no cliff.
func cliffOf(rates []RateAt) (bytes int64, times float64) {
	for i := 1; i < len(rates); i++ {
		before, at := rates[i-1], rates[i]
		if rise := at.MBPerS / before.MBPerS; at.Bytes == 2*before.Bytes && rise > max(cliffTimes, times) {
			bytes, times = at.Bytes, rise
		}
	}
	return bytes, times
}

// levelOf finds the least size with enoughShare of the highest rate. 0: there are no rates.
func levelOf(rates []RateAt) (bytes int64, highest float64) {
	for _, r := range rates {
		highest = math.Max(highest, r.MBPerS)
	}
	if i := slices.IndexFunc(rates, func(r RateAt) bool { return r.MBPerS >= enoughShare*highest }); i >= 0 {
		return rates[i].Bytes, highest
	}
	return 0, highest
}

// recordTicks are the sizes at the foot: few enough for a phone, and with the usual sizes of pages and units.
var recordTicks = []Tick{
	{512, "512"}, {4 << 10, "4 K"}, {16 << 10, "16 K"}, {128 << 10, "128 K"}, {1 << 20, "1 M"}, {16 << 20, "16 M"},
}

// sweepPlot has room for the names of two marks above.
var sweepPlot = Plot{Top: 42, Height: 220, Foot: 42 + 220}

// Sweep draws rates over the size of records, both logarithmic. marked is the index of the line whose cliff and level
// part are marked; negative: none. ok is false if no line has two points.
func Sweep(id, title string, lines []Rates, marked int) (c Chart, ok bool) {
	var rates, sizes extent
	for _, l := range lines {
		ok = ok || len(l.At) > 1
		for _, r := range l.At {
			rates.add(r.MBPerS)
			sizes.add(float64(r.Bytes))
		}
	}
	if !ok || sizes.low == sizes.high {
		return Chart{}, false
	}
	x := scale{sizes.low, sizes.high, true}
	y, yTicks := logScale(rates)
	c = Chart{
		ID: id, Title: title, Height: sweepPlot.Foot + 46, Plot: sweepPlot,
		X: Axis{Name: "size of a record, bytes"}, Y: Axis{"MB/s", y.upward(yTicks, sweepPlot)}, Table: sweepTable(lines),
	}
	for _, bytes := range recordTicks {
		if bytes.At >= sizes.low && bytes.At <= sizes.high {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(bytes.At), bytes.Label})
		}
	}
	var said []string
	for i, l := range lines {
		if len(l.At) == 0 {
			continue
		}
		places := make([]place, len(l.At))
		for k, r := range l.At {
			places[k] = place{x.at(float64(r.Bytes)), y.down(r.MBPerS, sweepPlot)}
		}
		c.addRun(Run{Label: l.Label, Class: l.Class, End: l.End}, line(places), places[len(places)-1])
		said = append(said, l.describe())
		if i == marked {
			top, foot := float64(sweepPlot.Top), float64(sweepPlot.Foot)
			if bytes, _ := cliffOf(l.At); bytes > 0 {
				c.addMark(Cliff, "cliff below "+Size(bytes), x.percent(float64(bytes)), top-8, foot)
			}
			if bytes, _ := levelOf(l.At); bytes > 0 {
				c.addMark(Whole, l.End+" level from "+Size(bytes), x.percent(float64(bytes)), top-24, foot)
			}
		}
	}
	c.addEnds()
	c.Desc = strings.Join(said, " ")
	return c, true
}

func (l Rates) describe() string {
	first, last := l.At[0], l.At[len(l.At)-1]
	level, _ := levelOf(l.At)
	said := fmt.Sprintf("%s: %s MB/s with records of %s, %s MB/s with %s, level from %s.", l.Label,
		result.Number(first.MBPerS), Size(first.Bytes), result.Number(last.MBPerS), Size(last.Bytes), Size(level))
	if bytes, times := cliffOf(l.At); bytes > 0 {
		said += fmt.Sprintf(" With %s it is %s times what it is with half of that.", Size(bytes), result.Number(times))
	}
	return said
}

// sweepTable has a row for each size, and a column for each line.
func sweepTable(lines []Rates) Table {
	table := Table{Head: []string{"Record"}}
	rates := map[int64][]string{}
	for i, l := range lines {
		table.Head = append(table.Head, l.Label+", MB/s")
		for _, r := range l.At {
			if rates[r.Bytes] == nil {
				rates[r.Bytes] = make([]string, len(lines))
			}
			rates[r.Bytes][i] = result.Number(r.MBPerS)
		}
	}
	for _, bytes := range slices.Sorted(maps.Keys(rates)) {
		table.Rows = append(table.Rows, append([]string{Size(bytes)}, rates[bytes]...))
	}
	return table
}

// Size writes a number of bytes that is a power of two, such as 512 B, 16 KiB, 4 MiB.
func Size(bytes int64) string {
	unit := "B"
	for _, next := range []string{"KiB", "MiB"} {
		if bytes >= 1<<10 && bytes%(1<<10) == 0 {
			bytes, unit = bytes>>10, next
		}
	}
	return fmt.Sprint(bytes, " ", unit)
}

// facts are table cells: where a line is level, its highest rate, and its cliff.
func (l Rates) facts() []string {
	level, highest := levelOf(l.At)
	cells := []string{Size(level), result.Number(highest), "none", ""}
	if bytes, times := cliffOf(l.At); bytes > 0 {
		cells[2], cells[3] = Size(bytes), result.Number(times)
	}
	return cells
}
