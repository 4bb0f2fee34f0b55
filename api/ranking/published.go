package ranking

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// publishedPrices returns, by module slug, the median prices that sources printed, one for each currency.
func publishedPrices(c *catalogue.Catalogue) map[string][]figure.PriceMedian {
	type key struct{ slug, currency string }
	amounts, of := map[key][]float64{}, map[key]*figure.PriceMedian{}
	var order []key
	for _, p := range c.PublishedPrices {
		at := key{p.ModuleSlug, p.Currency}
		if p.Price == 0 { // the source only compares it with other modules' prices
			continue
		}
		if of[at] == nil {
			of[at] = &figure.PriceMedian{Currency: p.Currency}
			order = append(order, at)
		}
		amounts[at] = append(amounts[at], p.Price)
		of[at].N, of[at].On = of[at].N+1, max(of[at].On, p.Date)
	}
	all := map[string][]figure.PriceMedian{}
	for _, at := range order {
		of[at].Amount = result.Median(amounts[at])
		all[at.slug] = append(all[at.slug], *of[at])
	}
	return all
}

// publishedCell holds the published rows that one cell is made from: the same module, method and figure.
type publishedCell struct {
	key      string // of the figure
	rows     []*catalogue.Published
	values   []float64
	distance int64 // of a linear figure: how far its block size is from the compared one
}

// publishedCells collects published rows in cells. It keeps their order, so that the same rows always give the same
// page. For a linear figure, a cell has only the rows whose block size is nearest to the compared one.
func publishedCells(published []catalogue.Published) (cells []*publishedCell) {
	type place struct{ of, method, key string }
	at := map[place]*publishedCell{}
	for i := range published {
		p := &published[i]
		key, value, distance := figure.PublishedFigure(p)
		if value == nil {
			continue
		}
		of := place{p.ModuleSlug + p.DeviceSlug, p.Method, key}
		c := at[of]
		if c == nil {
			c = &publishedCell{key: key, distance: distance}
			at[of], cells = c, append(cells, c)
		}
		if distance < c.distance {
			*c = publishedCell{key: key, distance: distance}
		}
		if distance == c.distance {
			c.rows, c.values = append(c.rows, p), append(c.values, *value)
		}
	}
	return cells
}

// figure returns the median of a cell whose rows measured the same thing, and a summary of the rows. If the rows
// measured different things, such as one card in three hosts, nobody measured their middle. Then the figure reaches
// from the least to the greatest.
func (c *publishedCell) figure() (figure.Figure, figure.Printed) {
	first := c.rows[0]
	several := slices.ContainsFunc(c.rows, func(p *catalogue.Published) bool {
		return p.Kind != first.Kind || p.Tool != first.Tool || p.QueueDepth != first.QueueDepth
	})
	printed := figure.PrintedOf(c.rows, c.values)
	if several && printed.Least < printed.Greatest {
		return figure.Figure{Value: printed.Least, To: printed.Greatest, N: printed.Units}, printed
	}
	return figure.Figure{Value: result.Median(c.values), N: printed.Units}, printed
}

// Among returns where a module with one printed figure would stand among rows of published figures by the same method:
// behind all that are surely better, before all that are surely worse (figure.SurelyApart). of counts the module and
// the rows that have the figure.
func Among(rows []*Row, key string, value float64) (place Place, of int) {
	place, of = Place{First: 1, Last: 1}, 1
	for _, r := range rows {
		f, known := r.Figures.Find(key)
		if !known || r.Reference != "" {
			continue
		}
		of++
		least, greatest := f.Value, max(f.Value, f.To)
		if least > value*figure.SurelyApart {
			place.First++
		}
		if greatest*figure.SurelyApart >= value {
			place.Last++
		}
	}
	return place, of
}
