package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"flashdex/result"
)

// ramps are characters of rising height, for terminals with UTF-8 (true) and without.
var ramps = map[bool][]rune{true: []rune("▁▂▃▄▅▆▇█"), false: []rune(".:-=+*%#")}

// showsUTF8 reports whether the user's locale says that the terminal shows UTF-8.
func showsUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // setlocale(3): the first that is set counts
		if value := os.Getenv(name); value != "" {
			value = strings.ToUpper(value)
			return strings.Contains(value, "UTF-8") || strings.Contains(value, "UTF8")
		}
	}
	return false
}

// scale marks a 4K random write rate on a logarithmic scale, beside other rates to compare it with. It returns "" if
// the scale is wider than width.
func scale(iops float64, width int, utf8 bool) string {
	const least, decades, columns = 0.1, 6, 10 // the columns of a decade
	at := func(iops float64) int {
		return int(math.Round(columns * min(max(math.Log10(iops/least), 0), decades)))
	}
	begins, line, crosses, ends, here, points := "|", "-", "+", "|", '*', "^"
	if utf8 {
		begins, line, crosses, ends, here, points = "├", "─", "┼", "┤", '●', "▲"
	}
	decade := strings.Repeat(line, columns-1)
	axis := []rune(begins + strings.Repeat(decade+crosses, decades-1) + decade + ends)
	axis[at(iops)] = here
	labels, names := "", ""
	for i := range decades + 1 {
		labels += fmt.Sprintf("%-*s", columns, result.Number(least*math.Pow10(i)))
	}
	for _, other := range []struct {
		name string
		iops float64
	}{{"laptop disk", laptopDiskIOPS}, {"A1", a1WriteIOPS}, {"A2", a2WriteIOPS}} {
		names += fmt.Sprintf("%*s", at(other.iops)+1-len([]rune(names)), other.name+" "+points)
	}
	labels = strings.TrimRight(labels, " ")
	if width < len("  ")+len(labels) {
		return ""
	}
	return fmt.Sprintf("\n4K random writes a second:\n  %s\n  %s\n  %s\n", labels, string(axis), names)
}

// plot draws how the rate of each test changed over time, and how long the operations of random tests took.
func plot(doc *result.Document, columns int, ramp []rune) string {
	var b strings.Builder
	for i := range doc.Tests {
		t := &doc.Tests[i]
		per, unit := func(v result.Interval) float64 { return float64(v.Bytes) / 1e6 }, "MB/s"
		if t.IsRandom() && t.BlockBytes == 4096 {
			per, unit = func(v result.Interval) float64 { return float64(v.Ops) }, "IOPS"
		}
		rates, seconds := overTime(t.Intervals, per, columns)
		if t.Name == result.Startup || rates == nil || t.Intervals[0].FileBytes > 0 {
			continue // no rate over time
		}
		least, most := math.Inf(1), 0.0
		for _, rate := range rates {
			least, most = min(least, rate), max(most, rate)
		}
		fmt.Fprintf(&b, "\n%s: %s to %s %s over %s s\n", nameOf(t), result.Number(least), result.Number(most), unit,
			result.Number(seconds))
		for _, rate := range rates {
			height := int(math.Ceil(rate / max(most, math.SmallestNonzeroFloat64) * float64(len(ramp))))
			b.WriteRune(ramp[max(height, 1)-1])
		}
		b.WriteString("\n")
		b.WriteString(latencies(t, columns, ramp))
	}
	if b.Len() == 0 {
		return "\nThis result holds no rates over time that could be drawn.\n"
	}
	return b.String()
}

// overTime cuts the time of intervals into equal parts, one for each column, and returns the rate in each.
func overTime(intervals []result.Interval, per func(result.Interval) float64, columns int) (
	rates []float64, seconds float64,
) {
	all := float64(result.SumIntervals(intervals).NS)
	if all <= 0 {
		return nil, 0
	}
	rates = make([]float64, columns)
	width, at := all/float64(columns), 0.0
	for _, v := range intervals {
		from, to := at, at+float64(v.NS)
		at = to
		for column := int(from / width); column < columns && float64(column)*width < to; column++ {
			inside := min(to, float64(column+1)*width) - max(from, float64(column)*width)
			rates[column] += per(v) * inside / max(float64(v.NS), 1) / (width / 1e9)
		}
	}
	return rates, all / 1e9
}

// latencies draws each latency class of a random test: its share of the operations, and of the time. Classes end at 1,
// 2, 5, 10 ...
func latencies(t *result.Test, columns int, ramp []rune) string {
	type class struct{ ops, ns float64 }
	classes := map[int]class{}
	var all class
	first, last := math.MaxInt, math.MinInt
	for _, bucket := range t.Latency {
		n := float64(bucket.Count())
		ns := float64(bucket.LatencyNS()) * n
		at := classOf(float64(bucket.LatencyNS()))
		classes[at] = class{classes[at].ops + n, classes[at].ns + ns}
		all = class{all.ops + n, all.ns + ns}
		first, last = min(first, at), max(last, at)
	}
	what := "writes"
	if t.Name == result.RandRead {
		what = "reads"
	}
	var b strings.Builder
	for at := first; at <= last && all.ops > 0; at++ {
		share := classes[at].ops / all.ops
		line := fmt.Sprintf("  up to %8s  %5.1f %% of the %s, %5.1f %% of the time  ", result.Number(endOf(at)/1e6)+" ms",
			100*share, what, 100*classes[at].ns/max(all.ns, 1))
		bar := int(math.Ceil(share * float64(max(columns-len(line), 0))))
		b.WriteString(line + strings.Repeat(string(ramp[len(ramp)-1]), bar) + "\n")
	}
	return b.String()
}

// classOf returns the number of a latency's class. Classes end at 1, 2 and 5 ns, and at these times powers of ten.
func classOf(ns float64) (at int) {
	for at = 3 * int(math.Floor(math.Log10(max(ns, 1)))); ns > endOf(at); at++ {
	}
	return at
}

// endOf is the end of a class in ns.
func endOf(at int) float64 {
	return []float64{1, 2, 5}[at%3] * math.Pow10(at/3)
}
