package publish

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/result"
)

// printed sums up the published figures of a module that its tables compare. by has the rows that they stand behind.
func (s *site) printed(slug, key string) (all figure.Printed, by []placedRow) {
	for _, placed := range s.placed[slug] {
		of, ok := placed.row.Printed[key]
		if !ok {
			continue
		}
		by = append(by, placed)
		for i, p := range of.Rows {
			if !slices.Contains(all.Rows, p) { // expected figures are made from the others
				all.Rows, all.Values = append(all.Rows, p), append(all.Values, of.Values[i])
			}
		}
	}
	if len(by) > 0 {
		all = figure.PrintedOf(all.Rows, all.Values)
	}
	return all, by
}

// printedReasons lists what a published figure rests on. With beside, the list is short, because the figure only stands
// beside a measured one.
func (s *site) printedReasons(slug, key string, beside bool) (reasons []reason) {
	all, by := s.printed(slug, key)
	if len(by) == 0 {
		return nil
	}
	unit := " " + figure.MetricOf(key).Unit
	add := func(label, text string) { reasons = append(reasons, reason{label, text, "published", ""}) }
	add("Published", fmt.Sprintf("%s from %s: %s%s", page.Counted(len(all.Rows), "figure"),
		page.Counted(len(all.Sources), "source"), span(result.Number(all.Least), result.Number(all.Greatest)), unit))
	reasons[0].Dots = dots(all.Values, all.Least, all.Greatest)
	hosts, dates := map[string]bool{}, map[string]bool{}
	for _, p := range all.Rows {
		hosts[p.Host], dates[p.Date] = true, true
	}
	delete(hosts, "")
	delete(dates, "")
	if !beside {
		for _, placed := range by {
			label, text := "Sources", s.sourceNames(placed.row.Printed[key].Sources)
			if placed.method.ID == catalogue.MethodExpected {
				text = "made of " + page.Counted(len(placed.row.Printed[key].Rows), "figure")
			}
			if len(by) > 1 {
				label, text = placed.method.Label, page.CellOf("", placed.row.Figures.At(key)).Value+unit+": "+text
			}
			add(label, text)
		}
		add("Authors", page.Counted(all.People, "author")+", "+page.Counted(all.Units, "unit"))
		add("Hosts", page.Counted(len(hosts), "host")+" named"+furthest(all, hosts))
	}
	if days := slices.Sorted(maps.Keys(dates)); len(days) > 0 {
		add("Published in", span(days[0], days[len(days)-1]))
	}
	if !beside {
		add("Dissent", publishedDissent(by, key))
	}
	return reasons
}

// publishedDissent says how far authors who published a figure by the same method disagree.
func publishedDissent(by []placedRow, key string) string {
	most := 0.0
	for _, placed := range by {
		values := map[string][]float64{}
		of := placed.row.Printed[key]
		for i, p := range of.Rows {
			values[p.Author()] = append(values[p.Author()], of.Values[i])
		}
		least, greatest := math.Inf(1), 0.0
		for _, of := range values {
			least, greatest = min(least, result.Median(of)), max(greatest, result.Median(of))
		}
		if placed.method.ID != catalogue.MethodExpected && len(values) > 1 && least > 0 {
			most = max(most, greatest/least)
		}
	}
	if most == 0 {
		return "no two authors used one method"
	}
	return "authors who used one method " + apart(most)
}

// furthest names the host of published figures if there is one, else the hosts of the least and the greatest.
func furthest(of figure.Printed, hosts map[string]bool) string {
	switch {
	case len(hosts) == 1:
		return ": " + slices.Collect(maps.Keys(hosts))[0]
	case of.LeastIn == "" || of.GreatestIn == "":
		return ""
	case of.LeastIn == of.GreatestIn:
		return ": least and greatest in " + of.LeastIn
	}
	return ": least in " + of.LeastIn + ", greatest in " + of.GreatestIn
}

// sourceNames names sources, at most two of them.
func (s *site) sourceNames(keys []string) string {
	var names []string
	for _, key := range keys[:min(len(keys), 2)] {
		source, _ := s.catalogue.Source(key)
		names = append(names, cmp.Or(label(source), key))
	}
	if more := len(keys) - len(names); more > 0 {
		names = append(names, result.Count(more)+" more")
	}
	return strings.Join(names, "; ")
}
