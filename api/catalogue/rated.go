package catalogue

import (
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
	printed := Rated{Figures: map[string]float64{
		"seq_read_mb_per_s": float64(m.RatedReadMBPerS), "seq_write_mb_per_s": float64(m.RatedWriteMBPerS),
	}, Note: "printed on it"}
	maps.DeleteFunc(printed.Figures, func(_ string, value float64) bool { return value == 0 })
	if len(printed.Figures) == 0 {
		return m.Rated
	}
	return append(slices.Clone(m.Rated), printed)
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
