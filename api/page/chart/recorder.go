package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// recorder says of each run what a recorder needs, and draws the memory that it needs over time.
func (p *Profile) recorder(prefix string, runs []Profiled) {
	p.Charts.Add(Buffer(prefix+"buffer", runs))
	table := Numbers{
		Title: "What a recorder needs",
		Note: "So much data comes each second, for four minutes, and the oldest file is deleted for each new one. A " +
			"recorder with the buffer would have lost none. The columns after it count the writes that took longer than that.",
		Head: []string{"Stream", "Keeps up", "Buffer, MB", "Over 0.1 s", "Over 0.5 s", "Over 1 s", "99 %, ms", "Slowest, ms"},
	}
	for _, r := range runs {
		for i := range r.Tests {
			t := &r.Tests[i]
			f := t.Figures()
			if f.BufferBytes == nil {
				continue
			}
			row := []string{strings.TrimSpace(r.Letter + " " + streamOf(t)), "yes", result.Number(float64(*f.BufferBytes) / 1e6)}
			if t.Ended != result.Complete {
				row[1] = "no"
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
		highest := slices.MaxFunc(part, func(a, b point) int { return cmp.Compare(a.y, b.y) })
		d.row(label, result.Number(part[len(part)-1].x), result.Number(highest.y))
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

// Buffer draws the memory over time that streams of some runs needed. ok is false if there is none.
func Buffer(id string, runs []Profiled) (c Chart, ok bool) {
	var most, last float64
	type line struct {
		Run
		at []point
	}
	var lines []line
	d := drawing{
		Chart: Chart{Title: "Buffer of a recorder over time"}, id: id, plot: linePlot,
	}
	d.Numbers.Head = []string{"Stream", "Until, s", "At most, MB"}
	for _, r := range runs {
		for k := range r.Tests {
			t := &r.Tests[k]
			if t.RateBytesPerS == 0 {
				continue
			}
			rate := float64(t.RateBytesPerS)
			label := strings.TrimSpace(r.label() + " " + streamOf(t))
			l := line{Run: Run{Label: label, Class: Several(len(lines)), End: r.Letter}}
			bytes := int64(0)
			for _, v := range t.Intervals {
				bytes += v.Bytes
				at := point{float64(bytes) / rate, (rate*float64(v.BehindNS)/1e9 + float64(t.BlockBytes)) / 1e6}
				most, last = max(most, at.y), max(last, at.x)
				l.at = append(l.at, at)
			}
			if len(l.at) > 1 {
				lines = append(lines, l)
				d.tenths(l.Label, l.at)
			}
		}
	}
	if len(lines) == 0 {
		return Chart{}, false
	}
	d.x = scale{0, last, false}.labelled("seconds", linearScale("seconds", last).ticks)
	d.y = linearScale("MB", most)
	said := ""
	for _, l := range lines {
		d.run(l.Run, d.curve(l.at), l.at[len(l.at)-1])
		highest := 0.0
		for _, at := range l.at {
			highest = max(highest, at.y)
		}
		said += fmt.Sprintf(" %s needs %s MB at most.", l.Label, result.Number(highest))
	}
	return d.finish(said[1:])
}
