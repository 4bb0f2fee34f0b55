package publish

import (
	"slices"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// inside holds findings of the structure profile: one number for each unit whose runs tell it.
type inside struct{ openUnits, unitBytes []int64 }

// insideOf takes each unit's newest run that tells something, of contributors whose results count: a secret costs
// nothing, and must not suffice to fill a cell of the tables. runs must begin with the newest.
func insideOf(runs []figure.ProfiledRun) (of inside) {
	openOf, bytesOf := map[string]bool{}, map[string]bool{} // units
	for _, run := range runs {
		if run.Method != result.MethodStructure1 || !run.Counts {
			continue
		}
		for i := range run.Tests {
			f := run.Tests[i].Figures()
			if f.OpenUnits != nil && !openOf[run.Unit] {
				of.openUnits, openOf[run.Unit] = append(of.openUnits, *f.OpenUnits), true
			}
			if f.AllocationUnitBytes != nil && !bytesOf[run.Unit] {
				of.unitBytes, bytesOf[run.Unit] = append(of.unitBytes, *f.AllocationUnitBytes), true
			}
		}
	}
	return of
}

// insideColumns returns the columns with the open units and the allocation unit of modules.
func (s *site) insideColumns() []extraColumn {
	column := func(key, label, note string, of func(inside) []int64, text func(int64) string) extraColumn {
		return extraColumn{
			Key: key, Label: label,
			Note: note + ", from the lowest to the highest of its units, each by its newest run of flashdex --profile " +
				"structure that tells it and that isn't on probation; n is the number of these units.",
			cell: func(r ranking.Answer) page.Cell { return unitsCell(of(s.insides[r.Module.Slug]), text) },
		}
	}
	return []extraColumn{
		column("open-units", "Open units",
			"Open units: how many places in turn, perhaps chosen ones, the module writes to as fast as to one",
			func(i inside) []int64 { return i.openUnits }, chart.CountOfPlaces),
		column("allocation-unit", "Allocation unit", "Allocation unit: the piece of flash that the module opens at a time",
			func(i inside) []int64 { return i.unitBytes },
			func(bytes int64) string { return chart.Size(float64(bytes)) }),
	}
}

// least returns the lowest number; 0: there is none.
func least(values []int64) float64 {
	if len(values) == 0 {
		return 0
	}
	return float64(slices.Min(values))
}

// unitsCell shows the range of the numbers of units.
func unitsCell(values []int64, text func(int64) string) page.Cell {
	cell := page.Cell{Class: "number"}
	if len(values) == 0 {
		return cell
	}
	low, high := slices.Min(values), slices.Max(values)
	cell.Value, cell.Sort, cell.N = text(low), page.Sortable(float64(low)), result.Count(len(values))
	if low < high {
		cell.Value += " to " + text(high)
	}
	return cell
}
