package publish

import (
	"fmt"
	"strconv"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// shown is a figure as the pages print it: ready, because a large site has a million of them and a template takes long over each.
type shown struct {
	Value    string `json:"value"`
	Interval string `json:"interval,omitempty"` // "510–580"
	Sure     string `json:"sure,omitempty"`     // "75 %": of an interval that is less sure than 95 %
	N        string `json:"n,omitempty"`
	Heat     int    `json:"heat"`         // of its cell, 0 to 8
	At       string `json:"at,omitempty"` // its place on the scale, "54.20%"
}

// spoken is the figure that a module's page speaks of.
type spoken struct {
	Value         float64
	Shown         shown
	N             int
	Confidence    float64
	Low, High     string // ends of its interval
	LowAt, HighAt string // their places on the scale
}

// scoreJSON is the number by which a preset ranks: what sorts, and what shows.
type scoreJSON struct {
	Value float64 `json:"value"`
	Shown shown   `json:"shown"`
}

func spokenOf(key string, e figure.Figure) *spoken {
	f := &spoken{Value: e.Value, Shown: shownOf(key, e), N: e.N, Confidence: e.Confidence}
	if e.Low != nil && e.High != nil {
		scale := ranking.ColumnOf(key).Scale
		f.Low, f.High, f.LowAt, f.HighAt = ranking.Number(*e.Low), ranking.Number(*e.High), scale.At(*e.Low), scale.At(*e.High)
	}
	return f
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return ranking.Count(n) + " " + noun
}

func scoreOf(s figure.Figure) scoreJSON {
	cell := scoreJSON{s.Value, shown{Value: ranking.Number(s.Value)}}
	if s.Low != nil && s.High != nil {
		cell.Shown.Interval = intervalText(*s.Low, *s.High)
	}
	return cell
}

func shownOf(key string, e figure.Figure) shown {
	scale := ranking.ColumnOf(key).Scale
	s := shown{Value: ranking.Number(e.Value), Heat: scale.Heat(e.Value), At: scale.At(e.Value)}
	if e.Low != nil && e.High != nil {
		s.Interval = intervalText(*e.Low, *e.High)
		if e.Confidence > 0 && e.Confidence < 0.95 {
			s.Sure = fmt.Sprintf("%.0f %%", 100*e.Confidence)
		}
	}
	if e.N > 0 {
		s.N = ranking.Count(e.N)
	}
	return s
}

func intervalText(low, high float64) string {
	return ranking.Number(low) + "–" + ranking.Number(high)
}

// referenceValue writes a value as it was set, without the zeros that would claim precision: 90, and not 90.0.
func referenceValue(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return ranking.Number(v)
}
