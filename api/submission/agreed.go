package submission

import (
	"flashdex/api/figure"
	"flashdex/api/figure/model"
)

// Agreed returns the slug of the module that contributors agree units with the same registers are; empty: they don't.
// said holds, by what they say, when each contributor who says so did first. They agree on a module if as many
// independent contributors say so as rank one, on as many days, and at most a quarter of all says otherwise. Those who
// agree are counted as figure.Independent does, and those who don't by their number, so that doubt leaves it open.
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
