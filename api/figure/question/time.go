package question

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// rates are the figures by which work can be divided.
var rates = []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS}

// duration scores by the seconds that a module takes for some work, one thing after the other: the sum of amounts
// divided by rates.
type duration struct {
	Work  []work `json:"work"`
	Limit *limit `json:"limit"`
}

// work is a number of operations, or MB of 10^6 bytes, at the rate of a figure.
type work struct {
	Amount float64 `json:"amount"`
	Figure string  `json:"figure"`
}

// limit leaves out modules with a longer time.
type limit struct {
	Figure string  `json:"figure"`
	AtMost float64 `json:"at_most"` // in the figure's unit
}

func (d *duration) check() error {
	if len(d.Work) == 0 {
		return errors.New("there is no work")
	}
	seen := map[string]bool{}
	for _, w := range d.Work {
		switch {
		case !slices.Contains(rates, w.Figure):
			return fmt.Errorf("work: %q is no rate; there are %s", w.Figure, strings.Join(rates, ", "))
		case seen[w.Figure]:
			return fmt.Errorf("work: %s is there twice", w.Figure)
		case !whole(w.Amount):
			return fmt.Errorf("work: the amount %v of %s is no whole number from 1 to a million", w.Amount, w.Figure)
		}
		seen[w.Figure] = true
	}
	if l := d.Limit; l != nil && (!figure.LowerIsBetter(l.Figure) || !whole(l.AtMost)) {
		return fmt.Errorf("limit: %s of at most %v is no limit of a time to a whole number from 1 to a million", l.Figure,
			l.AtMost)
	}
	return nil
}

// whole reports whether a formula can show v in full.
func whole(v float64) bool { return v == math.Trunc(v) && v >= 1 && v <= 1e6 }

func (d *duration) describe(q *Question) {
	q.Unit, q.Direction = "s", Lower
	var terms []string
	for _, w := range d.Work {
		metric := figure.MetricOf(w.Figure)
		amount := result.Count(int(w.Amount))
		if metric.Unit == "MB/s" {
			amount += " MB"
		}
		terms = append(terms, fmt.Sprintf("%s / %s in %s", amount, metric.Name, metric.Unit))
		q.Figures = append(q.Figures, w.Figure)
	}
	q.Formula = "seconds = " + strings.Join(terms, " + ")
	if d.Limit == nil {
		return
	}
	metric := figure.MetricOf(d.Limit.Figure)
	q.Formula += fmt.Sprintf("; only where the %s took at most %s %s",
		metric.Name, result.Count(int(d.Limit.AtMost)), metric.Unit)
	if !slices.Contains(q.Figures, d.Limit.Figure) {
		q.Figures = append(q.Figures, d.Limit.Figure)
	}
}

func (d *duration) score(figures figure.Set, _ map[string]float64) (figure.Figure, string) {
	if reason := d.Limit.exceeded(figures); reason != "" {
		return figure.Figure{}, reason
	}
	var value, low, high float64
	interval := false
	for _, w := range d.Work {
		m, reason := divisor(figures, w.Figure)
		if reason != "" {
			return figure.Figure{}, reason
		}
		value += w.Amount / m.Value
		slow, fast := m.Ends()
		interval = interval || m.HasInterval()
		low += w.Amount / fast
		high += w.Amount / slow
	}
	if !interval {
		return figure.Figure{Value: value}, ""
	}
	return figure.Figure{Value: value, Low: &low, High: &high}, ""
}

// exceeded returns the reason why the figures exceed the limit, or "".
func (l *limit) exceeded(figures figure.Set) string {
	if l == nil {
		return ""
	}
	m, reason := divisor(figures, l.Figure)
	if reason == "" && m.Value > l.AtMost {
		metric := figure.MetricOf(l.Figure)
		reason = fmt.Sprintf("the %s took %s %s, more than %s", metric.Name, result.Number(m.Value), metric.Unit,
			result.Count(int(l.AtMost)))
	}
	return reason
}
