package publish

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// choices are by what a reader of a question can choose among its rows, beside their capacity.
type choices struct {
	Currencies []string           // of the prices in the table
	Hosts      []figure.HostClass // in which modules of the table were measured
}

// chosenBy is what a row has of this: GB, prices as numbers, keys of classes of hosts, with spaces between.
type chosenBy struct {
	CapacityGB    float64 `json:",omitempty"`
	Prices, Hosts string  `json:",omitempty"`
}

func (s *site) choicesOf(sections []section[ranking.Answer]) (of choices) {
	currencies, hosts := map[string]bool{}, map[string]bool{}
	for _, sec := range sections {
		for _, r := range sec.Rows {
			for _, p := range r.Prices {
				currencies[p.Currency] = true
			}
			for _, sum := range s.summaries[moduleMethod{r.Module.Slug, r.Method}] {
				hosts[sum.HostClass] = true
			}
		}
	}
	of.Currencies = slices.Sorted(maps.Keys(currencies))
	for _, class := range figure.HostClasses {
		if hosts[class.Key] {
			of.Hosts = append(of.Hosts, class)
		}
	}
	return of
}

func (s *site) chosenBy(r *ranking.Row) chosenBy {
	var prices, hosts []string
	for _, p := range r.Prices {
		prices = append(prices, strconv.FormatFloat(p.Amount, 'f', -1, 64))
	}
	for _, sum := range s.summaries[moduleMethod{r.Module.Slug, r.Method}] {
		if !slices.Contains(hosts, sum.HostClass) {
			hosts = append(hosts, sum.HostClass)
		}
	}
	return chosenBy{r.Module.CapacityGB, strings.Join(prices, " "), strings.TrimSpace(strings.Join(hosts, " "))}
}
