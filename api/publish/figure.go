package publish

import (
	"fmt"
	"math"

	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
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

// scoreJSON is the number by which a preset ranks: what sorts, and what shows.
type scoreJSON struct {
	Value float64 `json:"value"`
	Shown shown   `json:"shown"`
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return result.Count(n) + " " + noun
}

func scoreOf(s figure.Figure) scoreJSON {
	cell := scoreJSON{s.Value, shown{Value: result.Number(s.Value)}}
	if s.Low != nil && s.High != nil {
		cell.Shown.Interval = intervalText(*s.Low, *s.High)
	}
	return cell
}

func shownOf(key string, e figure.Figure) shown {
	scale := ranking.ColumnOf(key).Scale
	s := shown{Value: result.Number(e.Value), Heat: scale.Heat(e.Value), At: scale.At(e.Value)}
	if e.Low != nil && e.High != nil {
		s.Interval = intervalText(*e.Low, *e.High)
		if e.Confidence > 0 && e.Confidence < 0.95 {
			s.Sure = fmt.Sprintf("%.0f %%", 100*e.Confidence)
		}
	}
	if e.N > 0 {
		s.N = result.Count(e.N)
	}
	return s
}

// exact writes a count or a capacity: a whole number with all of its digits.
func exact(v float64) string {
	if v == math.Trunc(v) {
		return result.Count(int(v))
	}
	return result.Number(v)
}

func intervalText(low, high float64) string {
	return result.Number(low) + "–" + result.Number(high)
}
