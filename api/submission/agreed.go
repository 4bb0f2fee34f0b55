package submission

import (
	"flashdex/api/figure"
	"flashdex/api/figure/model"
)

// Agreed returns the slug of the module that units with the same registers are, if contributors agree on one; empty:
// they don't. said holds, by slug, when each contributor first said so. They agree on a module if as many independent
// contributors name it, on as many days, as it takes to rank a module, and at most a quarter of all contributors name
// another. Contributors who agree are counted by figure.Independent, and contributors who don't by their plain number,
// so that doubt prevents an agreement.
func Agreed(said map[string]map[string]figure.Arrival) string {
	for slug, by := range said {
		var first []figure.Arrival
		for _, at := range by {
			first = append(first, at)
		}
		otherwise := map[string]bool{}
		for other, by := range said {
			for contributor := range by {
				if other != slug {
					otherwise[contributor] = true
				}
			}
		}
		independent, days := figure.Independent(first)
		if independent >= max(model.RankedFrom, 3*len(otherwise)) && days >= figure.RankedDays {
			return slug
		}
	}
	return ""
}
