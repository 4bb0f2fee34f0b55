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
	Value      string `json:"value"` // IOPS
	Low        string `json:"low"`   // of its interval; empty: none
	High       string `json:"high"`
	Confidence string `json:"confidence"` // percent
	Behind     string `json:"behind"`     // "3 units"
	Method     string `json:"method"`
	MethodPath string `json:"method_path"`
	Faster     string `json:"faster"` // "disk", "module", "neither"; empty: nothing was written
	Times      string `json:"times"`
	Disk       string `json:"disk"`  // IOPS
	Takes      string `json:"takes"` // a thousand operations
	DiskTakes  string `json:"disk_takes"`
}

func speedOf(f *methodFigures, e figure.Figure) *speed {
	of := &speed{
		Value: result.Number(e.Value), Confidence: "95", Method: f.Method, MethodPath: f.MethodPath,
		Disk: result.Number(chart.LaptopDiskIOPS), DiskTakes: duration(1000 / chart.LaptopDiskIOPS),
	}
	if e.Low != nil && e.High != nil {
		of.Low, of.High = result.Number(*e.Low), result.Number(*e.High)
	}
	if e.Confidence > 0 {
		of.Confidence = percent(e.Confidence)
	}
	if e.N > 0 && f.Published {
		of.Behind = page.Counted(e.N, "published figure")
	} else if e.N > 0 {
		of.Behind = page.Counted(e.N, "unit")
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

// scaleStrip is a drawing of 4K random write on the log scale, a line for each method. Lengths are in pixels.
type scaleStrip struct {
	Height int            `json:"height"`
	Foot   int            `json:"foot"`
	Axis   int            `json:"axis"` // where its labels stand
	Ticks  []ranking.Tick `json:"ticks"`
	Disk   string         `json:"disk"` // IOPS of the laptop disk
	DiskAt string         `json:"disk_at"`
	Lines  []scaleLine    `json:"lines"`
}

type scaleLine struct {
	Label     string `json:"label"`
	Published bool   `json:"published"`
	At        string `json:"at"`
	LowAt     string `json:"low_at"` // empty: no interval
	HighAt    string `json:"high_at"`
	Y         int    `json:"y"`
	LabelY    int    `json:"label_y"`
}

func (s *scaleStrip) add(f *methodFigures, e figure.Figure, scale *ranking.Scale) {
	line := scaleLine{Label: f.Method, Published: f.Published, At: scale.At(e.Value), Y: 56 + 40*len(s.Lines)}
	line.LabelY = line.Y - 14
	if e.Low != nil && e.High != nil {
		line.LowAt, line.HighAt = scale.At(*e.Low), scale.At(*e.High)
	}
	s.Lines = append(s.Lines, line)
	s.Height = 62 + 40*len(s.Lines)
	s.Foot, s.Axis = s.Height-22, s.Height-6
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
