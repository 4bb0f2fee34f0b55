package publish

import (
	"fmt"
	"strconv"

	"flashdex/api/index"
	"flashdex/api/preset"
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

// figureJSON is a figure with all that is known of it.
type figureJSON struct {
	index.Estimate
	Shown     shown  `json:"shown"`
	Quartiles string `json:"quartiles,omitempty"` // "490–610"
	Range     string `json:"range,omitempty"`
	Evidence  string `json:"evidence,omitempty"` // "12 runs, 5 contributors"
}

// cellJSON is a figure in a ranking: what sorts, and what shows.
type cellJSON struct {
	Value float64 `json:"value"`
	Shown shown   `json:"shown"`
}

func figureOf(key string, e index.Estimate) figureJSON {
	f := figureJSON{Estimate: e, Shown: shownOf(key, e)}
	if e.Runs > 0 {
		f.Evidence = counted(e.Runs, "run") + ", " + counted(e.Contributors, "contributor")
	}
	if e.Max > 0 {
		f.Quartiles, f.Range = intervalText(e.P25, e.P75), intervalText(e.Min, e.Max)
	}
	return f
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return ranking.Count(n) + " " + noun
}

func cellOf(key string, e index.Estimate) cellJSON { return cellJSON{e.Value, shownOf(key, e)} }

// scoreOf is the number by which a preset ranks.
func scoreOf(s preset.Score) cellJSON {
	cell := cellJSON{s.Value, shown{Value: ranking.Number(s.Value)}}
	if s.Low != nil && s.High != nil {
		cell.Shown.Interval = intervalText(*s.Low, *s.High)
	}
	return cell
}

func cellsOf(estimates map[string]index.Estimate) map[string]cellJSON {
	cells := map[string]cellJSON{}
	for key, e := range estimates {
		cells[key] = cellOf(key, e)
	}
	return cells
}

func shownOf(key string, e index.Estimate) shown {
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

// reference writes a value as it was set, without the zeros that would claim precision: 90, and not 90.0.
func reference(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return ranking.Number(v)
}
