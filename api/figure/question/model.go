package question

import (
	"fmt"
	"math"

	"flashdex/api/figure"
	"flashdex/result"
)

// model computes a score from figures and prices by currency.
type model interface {
	// describe sets Formula, Unit, Direction and Figures.
	describe(q *Question)
	// score returns a score, or the reason why there is none.
	score(figures figure.Set, prices map[string]float64) (figure.Figure, string)
}

// divisor returns a figure that can be divided by, or the reason why there is none. It drops an interval that is not
// above zero or doesn't contain the value.
func divisor(figures figure.Set, key string) (figure.Figure, string) {
	metric := figure.MetricOf(key)
	m, ok := figures.Find(key)
	if !ok {
		return m, fmt.Sprintf("the %s was not measured", metric.Name)
	}
	if m.To > 0 {
		return m, fmt.Sprintf("published figures of the %s measured different things", metric.Name)
	}
	if !(m.Value > 0) || math.IsInf(m.Value, 0) {
		return m, fmt.Sprintf("the %s is %v %s", metric.Name, m.Value, metric.Unit)
	}
	if low, high := m.Ends(); !(low > 0 && low <= m.Value && m.Value <= high) || math.IsInf(high, 0) {
		m.Low, m.High = nil, nil
	}
	return m, ""
}

// duration scores by the seconds that a module takes for some work, one operation after the other: the sum of amounts
// divided by rates.
type duration struct {
	Work []struct { // a number of operations, or MB of 10^6 bytes, at the rate of a figure
		Amount float64 `json:"amount"`
		Figure string  `json:"figure"`
	} `json:"work"`
	Limit *struct { // leaves out modules with a longer time
		Figure string  `json:"figure"`
		AtMost float64 `json:"at_most"` // in the figure's unit
	} `json:"limit"`
	Days float64 `json:"days"` // days of this work in which no two units may have had an error; 0: no limit
}

func (d *duration) describe(q *Question) {
	q.Unit, q.Direction = "s", Lower
	sign := "seconds = "
	for _, w := range d.Work {
		metric, amount := figure.MetricOf(w.Figure), result.Count(int(w.Amount))
		if metric.Unit == "MB/s" {
			amount += " MB"
		}
		q.Formula += fmt.Sprintf("%s%s / %s in %s", sign, amount, metric.Name, metric.Unit)
		q.Figures = append(q.Figures, w.Figure)
		sign = " + "
	}
	if l := d.Limit; l != nil {
		metric := figure.MetricOf(l.Figure)
		q.Formula += fmt.Sprintf("; only where the %s took at most %s %s",
			metric.Name, result.Count(int(l.AtMost)), metric.Unit)
		q.Figures = append(q.Figures, l.Figure) // a time, which isn't among the figures yet
	}
	if d.Days > 0 {
		q.Formula += fmt.Sprintf("; not where two units had their first error within %s days of such writes",
			result.Count(int(d.Days)))
	}
}

func (d *duration) score(figures figure.Set, _ map[string]float64) (figure.Figure, string) {
	if l := d.Limit; l != nil {
		m, reason := divisor(figures, l.Figure)
		if reason == "" && m.Value > l.AtMost {
			metric := figure.MetricOf(l.Figure)
			reason = fmt.Sprintf("the %s took %s %s, more than %s", metric.Name, result.Number(m.Value), metric.Unit,
				result.Count(int(l.AtMost)))
		}
		if reason != "" {
			return figure.Figure{}, reason
		}
	}
	var value, low, high float64
	interval, atMost := false, false
	for _, w := range d.Work {
		m, reason := divisor(figures, w.Figure)
		if reason != "" {
			return figure.Figure{}, reason
		}
		slow, fast := m.Ends()
		if m.AtLeast { // only a bus can tell how much faster it may be
			_, fast = m.Span()
			interval, atMost = true, true
		}
		value, low, high = value+w.Amount/m.Value, low+w.Amount/fast, high+w.Amount/slow
		interval = interval || m.HasInterval()
	}
	if !interval {
		return figure.Figure{Value: value}, ""
	}
	if atMost {
		value = high
	}
	return figure.Figure{Value: value, Low: &low, High: &high, AtMost: atMost}, ""
}

// sure scores by the rate that a module surely has: the lower end of the figure's interval, or the figure if it has
// none. It keeps the figure's interval, so that modules share a place if nobody knows which one is faster.
type sure struct {
	Figure string `json:"figure"`
}

func (s *sure) describe(q *Question) {
	metric := figure.MetricOf(s.Figure)
	q.Formula = fmt.Sprintf("%s in %s, at the lower end of its interval (or its value, if it has none)", metric.Name,
		metric.Unit)
	q.Unit, q.Direction, q.Figures = metric.Unit, Higher, []string{s.Figure}
}

func (s *sure) score(figures figure.Set, _ map[string]float64) (figure.Figure, string) {
	m, reason := divisor(figures, s.Figure)
	if reason != "" {
		return figure.Figure{}, reason
	}
	low, _ := m.Ends()
	return figure.Figure{Value: low, Low: m.Low, High: m.High, AtLeast: m.AtLeast}, ""
}

// cheapest scores by the price of modules that are surely fast enough: the lower end of the figure's interval, or the
// figure if it has none, reaches a floor.
type cheapest struct {
	Figure   string  `json:"figure"`
	AtLeast  float64 `json:"at_least"` // in the figure's unit
	Currency string  `json:"currency"` // ISO 4217
}

func (c *cheapest) describe(q *Question) {
	metric := figure.MetricOf(c.Figure)
	q.Formula = fmt.Sprintf("price in %s; only where the %s is surely at least %s %s", c.Currency, metric.Name,
		result.Count(int(c.AtLeast)), metric.Unit)
	q.Unit, q.Direction, q.Figures, q.Currency = c.Currency, Lower, []string{c.Figure}, c.Currency
}

func (c *cheapest) score(figures figure.Set, prices map[string]float64) (figure.Figure, string) {
	m, reason := divisor(figures, c.Figure)
	if reason != "" {
		return figure.Figure{}, reason
	}
	if low, _ := m.Ends(); low < c.AtLeast {
		metric := figure.MetricOf(c.Figure)
		return figure.Figure{}, fmt.Sprintf("the %s may be %s %s, less than %s", metric.Name, result.Number(low), metric.Unit,
			result.Count(int(c.AtLeast)))
	}
	price := prices[c.Currency]
	if !(price > 0) || math.IsInf(price, 0) {
		return figure.Figure{}, "no price in " + c.Currency + " is known"
	}
	return figure.Figure{Value: price}, ""
}

// perPrice scores by a rate divided by the price in one currency.
type perPrice struct {
	Figure   string `json:"figure"`
	Currency string `json:"currency"` // ISO 4217
}

func (p *perPrice) describe(q *Question) {
	metric := figure.MetricOf(p.Figure)
	q.Formula = fmt.Sprintf("%s in %s / price in %s", metric.Name, metric.Unit, p.Currency)
	q.Unit, q.Direction, q.Figures = metric.Unit+" per "+p.Currency, Higher, []string{p.Figure}
	q.Currency = p.Currency
}

func (p *perPrice) score(figures figure.Set, prices map[string]float64) (figure.Figure, string) {
	m, reason := divisor(figures, p.Figure)
	if reason != "" {
		return figure.Figure{}, reason
	}
	price := prices[p.Currency]
	if !(price > 0) || math.IsInf(price, 0) {
		return figure.Figure{}, "no price in " + p.Currency + " is known"
	}
	s := figure.Figure{Value: m.Value / price}
	if m.HasInterval() {
		s.Low, s.High = new(*m.Low/price), new(*m.High/price)
	}
	return s, ""
}
