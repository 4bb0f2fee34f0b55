package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// recorder shows the memory that a recorder needs in each run, over time and at most.
func (p *Profile) recorder(prefix string, runs []Profiled) {
	p.Charts.Add(Buffer(prefix+"buffer", runs))
	table := Numbers{
		Title: "What a recorder needs",
		Note: "A stream comes at this rate for four minutes, in blocks of this size, and the oldest file is deleted for " +
			"each new one. A recorder with this buffer would have lost no data. The next three columns count the writes " +
			"that took longer than 0.1, 0.5 and 1 s. 99 %: so many of the writes took no longer.",
		Head: []string{
			"Stream", "Keeps up", "Buffer, MB", "Over 0.1 s", "Over 0.5 s", "Over 1 s", "99 %, ms", "Slowest, ms",
		},
	}
	for _, r := range runs {
		for i := range r.Tests {
			t := &r.Tests[i]
			if t.RateBytesPerS == 0 {
				continue
			}
			f := t.Figures()
			row := []string{strings.TrimSpace(r.Letter + " " + streamOf(t)), "no", ""}
			if f.BufferBytes != nil {
				row[1], row[2] = "yes", result.Number(float64(*f.BufferBytes)/1e6)
			}
			for _, ns := range []int64{100e6, 500e6, 1e9} {
				row = append(row, stalled(t.StallsAbove(ns)))
			}
			for _, ns := range []*int64{f.P99NS, f.MaxNS} {
				ms := ""
				if ns != nil {
					ms = result.Number(float64(*ns) / 1e6)
				}
				row = append(row, ms)
			}
			table.Rows = append(table.Rows, row)
		}
	}
	p.tabulate(table)
}

// tenths adds rows with the highest value of each tenth of a line.
func (d *drawing) tenths(label string, at []point) {
	for k := range 10 {
		part := at[k*len(at)/10 : (k+1)*len(at)/10]
		if len(part) == 0 {
			continue
		}
		d.row(label, result.Number(part[len(part)-1].x), result.Number(slices.MaxFunc(part, byY).y))
	}
}

// streamOf names a stream: 10 MB/s in 1 MiB.
func streamOf(t *result.Test) string {
	return fmt.Sprintf("%s MB/s in %s", result.Number(float64(t.RateBytesPerS)/1e6), Size(float64(t.BlockBytes)))
}

func stalled(s result.Stalls) string {
	if s.Count == nil {
		return ""
	}
	return result.Count(int(*s.Count))
}

// Buffer draws the memory over time that the streams of some runs needed. ok is false if no run has a stream.
func Buffer(id string, runs []Profiled) (c Chart, ok bool) {
	var lines []Line
	var last float64
	late := map[string]bool{} // streams that the module didn't keep up with
	for i := range runs {
		r, k := &runs[i], 0
		for n := range r.Tests {
			t := &r.Tests[n]
			if t.RateBytesPerS == 0 {
				continue
			}
			rate, bytes := float64(t.RateBytesPerS), int64(0)
			l := Line{
				Label: strings.TrimSpace(r.label() + ", " + streamOf(t)), Class: r.classOf(k),
				End: r.endOf(string(rune('a' + k))),
			}
			for _, v := range t.Intervals {
				bytes += v.Bytes
				waiting := rate*float64(v.BehindNS)/1e9 + float64(t.BlockBytes)
				l.At = append(l.At, point{float64(bytes) / rate, waiting / 1e6})
			}
			lines, late[l.Label] = append(lines, l), t.Figures().BufferBytes == nil
			k++
		}
	}
	lines, buffers := shown(lines)
	if len(lines) == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{
			Title:   "Buffer of a recorder over time",
			Numbers: Numbers{Head: []string{"Stream", "Until, s", "At most, MB"}},
		},
		id: id, plot: linePlot, y: linearScale("MB", buffers.high),
	}
	for _, l := range lines {
		d.tenths(l.Label, l.At)
		last = max(last, l.At[len(l.At)-1].x)
	}
	d.x = scale{0, last, false}.labelled("seconds", linearScale("seconds", last).ticks)
	for i := range lines {
		lines[i].At = highest(lines[i].At, last)
	}
	return d.draw(lines, func(l Line) string {
		most := result.Number(slices.MaxFunc(l.At, byY).y)
		if late[l.Label] {
			return fmt.Sprintf("%s: the module doesn’t keep up, and %s MB wait at most.", l.Label, most)
		}
		return fmt.Sprintf("%s needs %s MB at most.", l.Label, most)
	})
}

// highest keeps, for each horizontal place on a scale from 0 to last, only the highest point. So a line stays small
// with any number of points.
func highest(at []point, last float64) (some []point) {
	for _, p := range at {
		place := func(p point) float64 { return math.Round(planeWidth * p.x / last) }
		if n := len(some) - 1; n >= 0 && place(some[n]) == place(p) {
			some[n].y = max(some[n].y, p.y)
		} else {
			some = append(some, p)
		}
	}
	return some
}

func byY(a, b point) int { return cmp.Compare(a.y, b.y) }
