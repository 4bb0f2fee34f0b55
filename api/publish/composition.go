package publish

import (
	"cmp"
	"math"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// composition explains what a module's 4K random write is computed from.
type composition struct {
	Contributors string // "3 contributors"
	Classes      []composedClass
	Published    bool   // published figures are among the classes
	Hosts        string // "partly", "mostly": how much of the uncertainty is due to hosts; empty: little
	HostsPercent string // of the variance
	Mostly       string // the class with the largest part
	Cards        string // "31 %": the spread of contributors' cards
	Charts       chart.Charts
}

// composedClass is a class of hosts in which a module was measured, with its part in the module's figure.
type composedClass struct {
	Label, Contributors string
	Mean                string // the module's mean in this class
	Correction          string // "−12 %": from this class to the standard mix of hosts
	Part                string // of the module's figure, in percent
}

// Parts of a figure's variance that are due to hosts. A page mentions the hosts from partlyHosts on.
const (
	partlyHosts = 0.1
	mostlyHosts = 0.5
)

// composition explains what the figure of a row is computed from; nil: the figure has no model.
func (s *site) composition(row *ranking.Row) *composition {
	const key = figure.RandWriteIOPS
	m, ok := row.Model.Find(key)
	if !ok {
		return nil
	}
	c, f := s.snapshot.Calibrations.Of(row.Method, key), row.Figures.At(key)
	of := &composition{
		Contributors: page.Counted(m.Contributors, "contributor"), Classes: []composedClass{},
		HostsPercent: percent(result.Round(f.HostsShare, 2)), Cards: percent(result.Round(math.Sqrt(c.Phi2), 2)),
	}
	switch {
	case f.HostsShare > mostlyHosts:
		of.Hosts = "mostly"
	case f.HostsShare >= partlyHosts:
		of.Hosts = "partly"
	}
	mix := 0.0
	for h, class := range c.Classes {
		mix += class.Mix * c.Effects[h]
	}
	cells := slices.SortedFunc(slices.Values(m.Cells), func(a, b model.Cell) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Class, b.Class))
	})
	drawn := []chart.Row{}
	for i, at := range cells {
		class := c.Classes[at.Class]
		label := figure.KindLabel(class.Key, s.catalogue)
		if i == 0 {
			of.Mostly = label
		}
		of.Published = of.Published || class.Published
		of.Classes = append(of.Classes, composedClass{
			Label: label, Contributors: result.Count(at.Contributors), Mean: result.Number(math.Exp(at.Mean)),
			Correction: result.Change(math.Exp(mix), math.Exp(c.Effects[at.Class])),
			Part:       percent(result.Round(at.Share, 2)),
		})
		drawn = append(drawn, chart.Row{Figure: figure.Figure{Value: math.Exp(at.Mean)}, Label: label})
	}
	drawn = append(drawn, chart.Row{Figure: f, Label: "In the standard mix of hosts"})
	title := "What it showed in each class of hosts, IOPS"
	if made, ok := chart.Rows("composition-"+row.Method, title, "IOPS", drawn); ok {
		of.Charts = append(of.Charts, made)
	}
	return of
}
