// Package page writes the HTML that the server answers itself: the page of a run, comparisons, searches, snapshots of
// the data set, and messages. Shared partials write the same HTML here and on the pages that Hugo renders, and Hugo
// renders the frame around each page.
package page

import (
	"strconv"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/ranking"
	"flashdex/result"
	"flashdex/result/sign"
)

// Cell is a table cell as cells.html in site/layouts/_partials/shared shows it. Everything is text, ready to print.
type Cell struct {
	Class    string `json:"class,omitempty"`
	Value    string `json:"value"`
	Interval string `json:"interval,omitempty"` // "510–580"
	Sure     string `json:"sure,omitempty"`     // "75 %", if the interval is less sure than 95 %
	N        string `json:"n,omitempty"`
	Behind   string `json:"behind,omitempty"` // what hidden columns would say, on a narrow screen: "expected, n 4"
	Sort     string `json:"sort,omitempty"`   // the value for scripts that sort; empty: they sort by the text
}

// CellOf shows a figure without a tint.
func CellOf(class string, f figure.Figure) Cell {
	cell := Cell{Class: class, Value: result.Number(f.Value)}
	if f.To > 0 {
		cell.Value += " to " + result.Number(f.To)
	}
	if f.AtLeast {
		cell.Value = "≥\u00a0" + cell.Value // non-breaking
	}
	if f.AtMost {
		cell.Value = "≤\u00a0" + cell.Value
	}
	if f.HasInterval() && !f.AtMost {
		cell.Interval = Interval(*f.Low, *f.High)
		if f.Confidence > 0 && f.Confidence < 0.95 {
			cell.Sure = strconv.FormatFloat(100*f.Confidence, 'f', 0, 64) + " %"
		}
	}
	if f.N > 0 {
		cell.N = result.Count(f.N)
	}
	return cell
}

// TintedCell shows a figure of the metric key in a table that sorts. class may be empty.
func TintedCell(key, class string, f figure.Figure) Cell {
	heat := strconv.Itoa(ranking.ColumnOf(key).Scale.Heat(f.Value))
	cell := CellOf(strings.TrimSpace("number heat-"+heat+" "+class), f)
	cell.Sort = Sortable(f.Value)
	return cell
}

// Sortable writes a number for scripts that sort. It leaves out the last digits, in which processors differ.
func Sortable(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// Interval writes an interval: "1,520–2,170".
func Interval(low, high float64) string { return result.Number(low) + "–" + result.Number(high) }

// Counted writes a count with its noun: "1 unit", "1,200 units".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return result.Count(n) + " " + noun
}

// Verdict is a printed class and whether a module reaches it, as verdict.html shows it.
type Verdict struct {
	Class     string   `json:"class"`
	State     string   `json:"state"`
	StateText string   `json:"state_text"`
	Reason    string   `json:"reason"`
	Units     string   `json:"units,omitempty"` // a sentence about single units
	Margins   []Margin `json:"margins,omitempty"`
}

// Margin is a measured figure in percent of a promised one. Its bar has the promise in the middle.
type Margin struct {
	Measure string `json:"measure"`
	Percent string `json:"percent"` // "87 %"
	Bar     string `json:"bar"`     // "43.5%"
}

// StateTexts are the states of classes in words.
var StateTexts = map[string]string{
	speedclass.Reached: "reached", speedclass.NotReached: "not reached", speedclass.CantTell: "can’t tell",
}

// VerdictsOf shows verdicts.
func VerdictsOf(verdicts []speedclass.Verdict) []Verdict {
	shown := make([]Verdict, 0, len(verdicts))
	for _, v := range verdicts {
		verdict := Verdict{Class: v.Class, State: v.State, StateText: StateTexts[v.State], Reason: v.Reason}
		for _, m := range v.Margins {
			bar := strconv.FormatFloat(min(m.Percent/2, 100), 'f', 1, 64) + "%"
			verdict.Margins = append(verdict.Margins, Margin{m.Measure, result.Number(m.Percent) + " %", bar})
		}
		shown = append(shown, verdict)
	}
	return shown
}

// Sign is a sign of a counterfeit, as sign.html shows it.
type Sign struct {
	sign.Sign
	Seen    string `json:"seen,omitempty"`    // "2 of 9 units"
	Variant string `json:"variant,omitempty"` // of the units, if there are several variants
}

func signsOf(signs []sign.Sign) (shown []Sign) {
	for _, s := range signs {
		shown = append(shown, Sign{Sign: s})
	}
	return shown
}
