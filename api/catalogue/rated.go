package catalogue

import (
	"fmt"
	"maps"
	"slices"
)

// RatedKeys are the figures that makers rate their modules by, as they are called where they are measured.
var RatedKeys = []string{"rand_write_iops", "rand_read_iops", "seq_write_mb_per_s", "seq_read_mb_per_s"}

// Rated are figures that a maker promises. They are nobody's measurements: they stand beside these and enter no median.
type Rated struct {
	Source  string             `json:"source"`  // key of the data sheet in sources.csv; empty: printed on the module
	Figures map[string]float64 `json:"figures"` // by RatedKeys: IOPS of 4 KiB, or 10^6 bytes per second
	Note    string             `json:"note"`    // under which conditions, as far as the data sheet tells
}

// AllRated are the figures of data sheets, and after them the speeds that are printed on the module.
func (m Module) AllRated() []Rated {
	all := slices.Clone(m.Rated)
	printed := map[string]float64{}
	if m.RatedReadMBPerS > 0 {
		printed["seq_read_mb_per_s"] = float64(m.RatedReadMBPerS)
	}
	if m.RatedWriteMBPerS > 0 {
		printed["seq_write_mb_per_s"] = float64(m.RatedWriteMBPerS)
	}
	if len(printed) > 0 {
		all = append(all, Rated{Figures: printed, Note: "printed on it"})
	}
	return all
}

// RatedFigure is what is promised of one of RatedKeys, by a data sheet if there is one; 0: nothing is.
func (m Module) RatedFigure(key string) float64 {
	for _, r := range m.AllRated() {
		if value := r.Figures[key]; value > 0 {
			return value
		}
	}
	return 0
}

// checkRated holds each data sheet to being a source, and its figures to being such that are measured.
func (c *Catalogue) checkRated() error {
	for _, m := range c.Modules {
		for _, r := range m.Rated {
			if _, known := c.Source(r.Source); !known {
				return fmt.Errorf("%s: %s is rated by %q, which sources.csv does not list", m.at, m.Slug, r.Source)
			}
			for _, key := range slices.Sorted(maps.Keys(r.Figures)) {
				if value := r.Figures[key]; !slices.Contains(RatedKeys, key) || !(value > 0) || value > 1e7 {
					return fmt.Errorf("%s: %s is rated with %s %v; rated are numbers above 0 of %q", m.at, m.Slug, key, value, RatedKeys)
				}
			}
			if len(r.Figures) == 0 {
				return fmt.Errorf("%s: %s is rated by %s with no figure", m.at, m.Slug, r.Source)
			}
		}
	}
	return nil
}
