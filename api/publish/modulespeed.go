package publish

import (
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// speed is the 4K random write of a module in words, beside a 5400 rpm laptop disk.
type speed struct {
	Value, Disk             string // IOPS
	Low, High, Confidence   string // of the interval, in percent; empty: none
	Behind                  string // "3 units"
	Method, MethodPath      string
	Faster                  string // "disk", "module", "neither"; empty: nothing was written
	Times, Takes, DiskTakes string // how many times as fast; how long a thousand operations take
}

func speedOf(f *methodFigures, e figure.Figure) *speed {
	of := &speed{
		Value: result.Number(e.Value), Confidence: "95", Method: f.Method, MethodPath: f.MethodPath,
		Disk: result.Number(chart.LaptopDiskIOPS), DiskTakes: duration(1000 / chart.LaptopDiskIOPS),
	}
	if e.HasInterval() {
		of.Low, of.High = result.Number(*e.Low), result.Number(*e.High)
	}
	if e.Confidence > 0 {
		of.Confidence = percent(e.Confidence)
	}
	noun := "unit"
	if f.Published {
		noun = "published figure"
	}
	if e.N > 0 {
		of.Behind = page.Counted(e.N, noun)
	}
	if e.Value <= 0 {
		return of
	}
	of.Takes = duration(1000 / e.Value)
	switch times := e.Value / chart.LaptopDiskIOPS; {
	case times < 0.95:
		of.Faster, of.Times = "disk", ratio(1/times)
	case times > 1.05:
		of.Faster, of.Times = "module", ratio(times)
	default:
		of.Faster = "neither"
	}
	return of
}

// scaleStrip is a drawing of 4K random write on the log scale, a line for each method.
type scaleStrip struct {
	Ticks        []ranking.Tick
	Disk, DiskAt string // IOPS of the laptop disk, and their place
	Lines        []scaleLine
}

type scaleLine struct {
	Label             string
	Published         bool
	At, LowAt, HighAt string // the ends are empty where there is no interval
}

func (s *scaleStrip) add(f *methodFigures, e figure.Figure, scale *ranking.Scale) {
	line := scaleLine{Label: f.Method, Published: f.Published, At: scale.At(e.Value)}
	if e.HasInterval() {
		line.LowAt, line.HighAt = scale.At(*e.Low), scale.At(*e.High)
	}
	s.Lines = append(s.Lines, line)
}

func percent(part float64) string { return result.Number(100 * part) }

// ratio writes a ratio with two digits: 5.9, 14, 230.
func ratio(v float64) string { return result.Number(result.Round(v, 2)) }

// duration writes seconds as one says them, with two digits: "0.19 seconds", "2.7 minutes".
func duration(seconds float64) string {
	switch {
	case seconds < 100:
		return ratio(seconds) + " seconds"
	case seconds < 5400:
		return ratio(seconds/60) + " minutes"
	}
	return ratio(seconds/3600) + " hours"
}

func methodPath(id string) string { return "/method/#" + strings.ToLower(id) }
