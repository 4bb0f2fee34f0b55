package catalogue

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// RatedKeys names the figures that makers promise, with the names of the measured figures.
var RatedKeys = []string{"rand_write_iops", "rand_read_iops", "seq_write_mb_per_s", "seq_read_mb_per_s"}

// Rated holds figures that a maker promises. The site shows them next to measurements, and no median includes them.
type Rated struct {
	Source  string             `json:"source"`  // key of the data sheet in sources.csv; empty: printed on the module
	Figures map[string]float64 `json:"figures"` // by RatedKeys: IOPS of 4 KiB, or 10^6 bytes per second
	Note    string             `json:"note"`    // the conditions, if the data sheet names them
}

// AllRated returns the figures of data sheets, followed by the speeds that are printed on the module.
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

// RatedFigure returns the promised value for one of RatedKeys, from a data sheet if there is one. 0: nothing is
// promised.
func (m Module) RatedFigure(key string) float64 {
	for _, r := range m.AllRated() {
		if value := r.Figures[key]; value > 0 {
			return value
		}
	}
	return 0
}

// checkRated verifies that every data sheet is a source, and that its figures are among RatedKeys.
func (c *Catalogue) checkRated(fs.FS) error {
	for _, m := range c.Modules {
		for _, r := range m.Rated {
			if _, known := c.Source(r.Source); !known {
				return fmt.Errorf("%s: %s is rated by %q, which sources.csv does not list", m.at, m.Slug, r.Source)
			}
			for _, key := range slices.Sorted(maps.Keys(r.Figures)) {
				if value := r.Figures[key]; !slices.Contains(RatedKeys, key) || !(value > 0) || value > 1e7 {
					return fmt.Errorf("%s: %s is rated with %s %v; a rating is a number above 0 for one of %q",
						m.at, m.Slug, key, value, RatedKeys)
				}
			}
			if len(r.Figures) == 0 {
				return fmt.Errorf("%s: %s is rated by %s with no figure", m.at, m.Slug, r.Source)
			}
		}
	}
	return nil
}
