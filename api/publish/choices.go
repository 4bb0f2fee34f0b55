package publish

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// choices are by what a reader of a question can choose among its rows, beside their capacity.
type choices struct {
	Currencies []string           // of the prices in the table, the most frequent first; a limit on prices is in this one
	Hosts      []figure.HostClass // in which modules of the table were measured
}

// chosenBy is what a row has of this: GB, the price in the first currency, keys of classes of hosts with spaces
// between.
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
