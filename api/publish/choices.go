package publish

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// choices are what a reader of a question's page can filter its rows by, besides capacity.
type choices struct {
	Currencies []string           // of the prices in the table, the most frequent first; a price limit is in the first
	Hosts      []figure.HostClass // in which modules of the table were measured
}

// chosenBy holds a row's values for these filters: GB, the price in the first currency, and the keys of host classes,
// separated by spaces.
type chosenBy struct {
	CapacityGB, Price float64 `json:",omitempty"`
	Hosts             string  `json:",omitempty"`
}

func (s *site) choicesOf(sections []section[ranking.Answer]) (of choices) {
	currencies, hosts := map[string]int{}, map[string]bool{}
	for _, sec := range sections {
		for _, r := range sec.Rows {
			for _, p := range r.Prices {
				currencies[p.Currency]++
			}
			for _, sum := range s.summaries[moduleMethod{r.Module.Slug, r.Method}] {
				hosts[sum.HostClass] = true
			}
		}
	}
	of.Currencies = slices.SortedFunc(maps.Keys(currencies), func(a, b string) int {
		return cmp.Or(cmp.Compare(currencies[b], currencies[a]), cmp.Compare(a, b))
	})
	for _, class := range figure.HostClasses {
		if hosts[class.Key] {
			of.Hosts = append(of.Hosts, class)
		}
	}
	return of
}

func (s *site) chosenBy(r *ranking.Row, of choices) chosenBy {
	by := chosenBy{CapacityGB: r.Module.CapacityGB}
	for _, p := range r.Prices {
		if p.Currency == of.Currencies[0] {
			by.Price = p.Amount
		}
	}
	var hosts []string
	for _, sum := range s.summaries[moduleMethod{r.Module.Slug, r.Method}] {
		if !slices.Contains(hosts, sum.HostClass) {
			hosts = append(hosts, sum.HostClass)
		}
	}
	by.Hosts = strings.TrimSpace(strings.Join(hosts, " "))
	return by
}
