package ranking

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// publishedCell holds the published rows that one cell is made of: the same module, method and figure.
type publishedCell struct {
	key      string // of the figure
	rows     []catalogue.Published
	values   []float64
	distance int64 // of a linear figure: how far its block size is from the one that they are compared at
}

// publishedCells collects published rows in cells. It keeps their order, so that the same rows always give the same
// page. A cell of a linear figure has only the rows whose block size is nearest to the one that they are compared at.
func publishedCells(published []catalogue.Published) (cells []*publishedCell) {
	type place struct{ of, method, key string }
	at := map[place]*publishedCell{}
	for _, p := range published {
		key, value, distance := figure.PublishedFigure(&p)
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

// figure is the median of a cell whose rows measured the same thing. Where they measured several, such as one card in
// three hosts, nobody measured what lies in the middle: the figure reaches from the least to the greatest.
func (c *publishedCell) figure() figure.Figure {
	first := &c.rows[0]
	several := slices.ContainsFunc(c.rows, func(p catalogue.Published) bool {
		return p.Kind != first.Kind || p.Tool != first.Tool || p.QueueDepth != first.QueueDepth
	})
	units := map[string]bool{} // one card in three hosts is one
	for _, p := range c.rows {
		units[p.OfUnit] = true
	}
	least, greatest := slices.Min(c.values), slices.Max(c.values)
	if several && least < greatest {
		return figure.Figure{Value: least, To: greatest, N: len(units)}
	}
	return figure.Figure{Value: result.Median(c.values), N: len(units)}
}
