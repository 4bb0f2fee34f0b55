package chart

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"flashdex/result"
)

// ratesOf collects the rates of all tests with one name, in MB/s, by record size in bytes, in ascending order.
func ratesOf(tests []result.Test, name string) (rates []point) {
	for i := range tests {
		if t := &tests[i]; t.Name == name && t.BlockBytes > 0 && t.Bytes > 0 && t.DurationNS > 0 {
			rates = append(rates, point{float64(t.BlockBytes), t.Figures().MBPerS})
		}
	}
	slices.SortFunc(rates, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return rates
}

// A rate has a cliff where doubling the record size raises the rate by more than cliffTimes. At more than twice the
// rate, the larger record takes less time than the smaller one, which happens only if the module moves more data than
// the record. A rate is level from enoughShare of the highest rate on.
const (
	cliffTimes  = 2.5
	enoughShare = 0.8
)

// cliffOf finds the record size below which the rate falls most steeply, and the ratio of its rate to the rate at half
// that size. 0: there is no cliff.
func cliffOf(rates []point) (bytes, times float64) {
	for i := 1; i < len(rates); i++ {
		before, at := rates[i-1], rates[i]
		if rise := at.y / before.y; at.x == 2*before.x && rise > max(cliffTimes, times) {
			bytes, times = at.x, rise
		}
	}
	return bytes, times
}

// levelOf finds the least size with enoughShare of the highest rate. 0: there are no rates.
func levelOf(rates []point) (bytes, highest float64) {
	for _, r := range rates {
		highest = math.Max(highest, r.y)
	}
	if i := slices.IndexFunc(rates, func(r point) bool { return r.y >= enoughShare*highest }); i >= 0 {
		bytes = rates[i].x
	}
	return bytes, highest
}

// recordTicks are the sizes at the foot: few enough for a phone, and the usual sizes of pages and units.
var recordTicks = []tick{
	{512, "512"}, {4 << 10, "4 K"}, {16 << 10, "16 K"}, {128 << 10, "128 K"}, {1 << 20, "1 M"}, {16 << 20, "16 M"},
}

// sweepPlot has room for the names of two marks above.
var sweepPlot = plot{42, 220, 46}

// Sweep draws rates over the size of records, both logarithmic. marked is the index of the line whose cliff and level
// part are marked; negative: none. ok is false if no line has two points.
func Sweep(id, title string, lines []Line, marked int) (c Chart, ok bool) {
	var rates, sizes extent
	rows := map[float64][]string{}
	d := drawing{Chart: Chart{Title: title, Numbers: Numbers{Head: []string{"Record"}}}, id: id, plot: sweepPlot}
	for i, l := range lines {
		ok = ok || len(l.At) > 1
		d.Numbers.Head = append(d.Numbers.Head, l.Label+", MB/s")
		for _, r := range l.At {
			rates.add(r.y)
			sizes.add(r.x)
			if rows[r.x] == nil {
				rows[r.x] = append([]string{Size(r.x)}, make([]string, len(lines))...)
			}
			rows[r.x][1+i] = result.Number(r.y)
		}
	}
	if !ok || sizes.low == sizes.high {
		return Chart{}, false
	}
	for _, bytes := range slices.Sorted(maps.Keys(rows)) {
		d.row(rows[bytes]...)
	}
	d.x, d.y = scale{sizes.low, sizes.high, true}.labelled("size of a record, bytes", recordTicks), logScale("MB/s", rates)
	said := ""
	for i, l := range lines {
		if len(l.At) == 0 {
			continue
		}
		first, last := l.At[0], l.At[len(l.At)-1]
		d.run(Run{Label: l.Label, Class: l.Class, End: l.End}, d.curve(l.At), last)
		level, _ := levelOf(l.At)
		cliff, times := cliffOf(l.At)
		said += fmt.Sprintf(" %s: %s MB/s with records of %s, %s MB/s with %s, level from %s.", l.Label,
			result.Number(first.y), Size(first.x), result.Number(last.y), Size(last.x), Size(level))
		if cliff > 0 {
			said += fmt.Sprintf(" With %s it is %s times what it is with half of that.", Size(cliff), result.Number(times))
		}
		if i == marked && cliff > 0 {
			d.mark(Cliff, "cliff below "+Size(cliff), cliff, sweepPlot.top-8)
		}
		if i == marked && level > 0 {
			d.mark(Whole, l.End+" level from "+Size(level), level, sweepPlot.top-24)
		}
	}
	return d.finish(said[1:])
}

// Size writes a number of bytes that is a power of two, such as 512 B, 16 KiB, 4 MiB.
func Size(bytes float64) string {
	unit := "B"
	for _, next := range []string{"KiB", "MiB"} {
		if whole := bytes / (1 << 10); whole >= 1 && whole == math.Trunc(whole) {
			bytes, unit = whole, next
		}
	}
	return fmt.Sprint(int64(bytes), " ", unit)
}

// facts returns table cells: where a line is level, its highest rate, and its cliff.
func (l Line) facts() []string {
	level, highest := levelOf(l.At)
	cells := []string{l.Label, Size(level), result.Number(highest), "none", ""}
	if bytes, times := cliffOf(l.At); bytes > 0 {
		cells[3], cells[4] = Size(bytes), result.Number(times)
	}
	return cells
}
