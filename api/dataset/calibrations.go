package dataset

import (
	"cmp"
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
)

// Calibration is a row of Calibrations: what one class of hosts does to one figure.
type Calibration struct {
	Version int
	figure.CalibrationKey
	*model.Calibration
	class int // index in Classes
}

func (c *Calibration) of() *model.Class { return &c.Classes[c.class] }

// Calibrations lists what all modules have in common. From it and the shares, every figure can be computed again.
var Calibrations = table(Table{
	Name: "calibrations",
	Description: "One row for each method, figure and class of hosts: what modules share, as docs/method.md defines it. " +
		"Effects and spreads are of natural logarithms.",
	Key: []string{"method", "figure", "host_class"},
}, []Column[Calibration]{
	{Field{"version", Integer, "", "Version; it rises with each calibration", required},
		func(c *Calibration) any { return &c.Version }},
	{Field{"method", Key, "", "Method", required}, func(c *Calibration) any { return &c.Method }},
	{Field{"figure", Key, "", "Figure", required}, func(c *Calibration) any { return &c.Figure }},
	{Field{"host_class", Text, "", "Class of hosts, or of published figures: a board's model may be part of it", required},
		func(c *Calibration) any { return &c.of().Key }},
	{Field{"mix", Number, "", "Part of the standard mix of hosts", notNegative},
		func(c *Calibration) any { return given(&c.of().Mix) }},
	{Field{"effect", Number, "", "H: what the class adds to the logarithm; empty: hosts do nothing but hold back", none},
		func(c *Calibration) any {
			if c.Carries != nil {
				return nil
			}
			return &c.Effects[c.class]
		}},
	{Field{"effect_error", Number, "", "Its standard error", notNegative}, func(c *Calibration) any {
		if c.Carries != nil {
			return nil
		}
		return new(math.Sqrt(c.Covariance[c.class][c.class]))
	}},
	{Field{"contributors", Integer, "", "Who have such a host", notNegative},
		func(c *Calibration) any { return &c.of().Contributors }},
	{Field{"cards", Number, "", "φ: spread between contributors' cards", notNegative},
		func(c *Calibration) any { return new(math.Sqrt(c.Phi2)) }},
	{Field{"interaction", Number, "", "τ: spread of what a module does in one class and no other", notNegative},
		func(c *Calibration) any { return new(math.Sqrt(c.Tau2)) }},
	{Field{"shares", Integer, "", "Shares behind the calibration", notNegative},
		func(c *Calibration) any { return &c.Shares }},
	{Field{"modules", Integer, "", "Modules behind it", notNegative}, func(c *Calibration) any { return &c.Modules }},
})

// EachCalibration calls do for each row, by method, figure and class.
func EachCalibration(s *figure.Overview, _ *catalogue.Catalogue, do func(*Calibration) error) error {
	if s.Calibrations == nil {
		return nil
	}
	var rows []Calibration
	for key, c := range s.Calibrations.All() {
		for class := range c.Classes {
			rows = append(rows, Calibration{s.Calibrations.Version, key, c, class})
		}
	}
	slices.SortFunc(rows, func(a, b Calibration) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Figure, b.Figure), cmp.Compare(a.of().Key, b.of().Key))
	})
	for i := range rows {
		if err := do(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}
