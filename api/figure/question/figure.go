package question

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"flashdex/api/figure"
)

// sure scores by the rate that a module surely has: the lower end of the figure's interval, or the figure if it has
// none.
type sure struct {
	Figure string `json:"figure"`
}

func (s *sure) check() error { return checkRate(s.Figure) }

func checkRate(key string) error {
	if !slices.Contains(rates, key) {
		return fmt.Errorf("%q is no rate; there are %v", key, rates)
	}
	return nil
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
	return figure.Figure{Value: low}, ""
}

// perPrice scores by a rate divided by the price in one currency.
type perPrice struct {
	Figure   string `json:"figure"`
	Currency string `json:"currency"` // ISO 4217
}

var reCurrency = regexp.MustCompile(`^[A-Z]{3}$`)

func (p *perPrice) check() error {
	if !reCurrency.MatchString(p.Currency) {
		return fmt.Errorf("currency %q is not three capital letters", p.Currency)
	}
	return checkRate(p.Figure)
}

func (p *perPrice) describe(q *Question) {
	metric := figure.MetricOf(p.Figure)
	q.Formula = fmt.Sprintf("%s in %s / price in %s", metric.Name, metric.Unit, p.Currency)
	q.Unit, q.Direction, q.Figures = metric.Unit+" per "+p.Currency, Higher, []string{p.Figure}
}

func (p *perPrice) score(figures figure.Set, prices map[string]float64) (figure.Figure, string) {
	m, reason := divisor(figures, p.Figure)
	if reason != "" {
		return figure.Figure{}, reason
	}
	price, ok := prices[p.Currency]
	if !ok || !(price > 0) || math.IsInf(price, 0) {
		return figure.Figure{}, "no price in " + p.Currency + " is known"
	}
	s := figure.Figure{Value: m.Value / price}
	if m.HasInterval() {
		low, high := *m.Low/price, *m.High/price
		s.Low, s.High = &low, &high
	}
	return s, ""
}
