package figure

import (
	"slices"

	"flashdex/api/catalogue"
)

// Printed sums up the published figures that a module's figure is made from.
type Printed struct {
	Units               int // a unit counts once, even if it was measured in several hosts
	People              int // a person who published in several sources counts once
	Sources             []string
	Least, Greatest     float64
	LeastIn, GreatestIn string // hosts; empty: the source names none

	Rows   []*catalogue.Published
	Values []float64 // of the rows
}

// PrintedOf sums up rows, each with its value, in the unit of one metric.
func PrintedOf(rows []*catalogue.Published, values []float64) Printed {
	least, greatest := 0, 0
	units, people := map[string]bool{}, map[string]bool{}
	of := Printed{Rows: rows, Values: values}
	for i, p := range rows {
		units[p.OfUnit], people[p.Author()] = true, true
		if !slices.Contains(of.Sources, p.Source) {
			of.Sources = append(of.Sources, p.Source)
		}
		if values[i] < values[least] {
			least = i
		}
		if values[i] > values[greatest] {
			greatest = i
		}
	}
	of.Units, of.People = len(units), len(people)
	of.Least, of.LeastIn = values[least], rows[least].Host
	of.Greatest, of.GreatestIn = values[greatest], rows[greatest].Host
	return of
}

// PrintedBehind sums up the published figures behind each expected figure, by module slug and figure key.
func PrintedBehind(rows []catalogue.Published) map[string]map[string]Printed {
	type figureOf struct{ slug, key string }
	lines := map[figureOf][]int{}
	for of, e := range evidenceOf(rows) {
		at := figureOf{of.slug, of.key}
		lines[at] = append(lines[at], e.lines...)
	}
	behind := map[string]map[string]Printed{}
	for of, lines := range lines {
		slices.Sort(lines)
		var printed []*catalogue.Published
		var values []float64
		for _, line := range lines {
			_, value, _ := PublishedFigure(&rows[line])
			printed, values = append(printed, &rows[line]), append(values, *value)
		}
		if behind[of.slug] == nil {
			behind[of.slug] = map[string]Printed{}
		}
		behind[of.slug][of.key] = PrintedOf(printed, values)
	}
	return behind
}
