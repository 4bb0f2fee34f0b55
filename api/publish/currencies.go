package publish

import (
	"maps"
	"slices"

	"flashdex/api/figure/question"
	"flashdex/api/ranking"
)

// priced is a question by the prices in one currency, with the rows that have such prices. Rows without any price go to
// the question's own currency.
type priced struct {
	question.Question
	rows []*ranking.Row
}

// byCurrency returns a question in its own currency, then in each other currency of the rows' prices.
func byCurrency(q question.Question, rows []*ranking.Row) (all []priced) {
	if q.Currency == "" {
		return []priced{{q, rows}}
	}
	of := map[string][]*ranking.Row{}
	for _, r := range rows {
		if len(r.Prices) == 0 {
			of[q.Currency] = append(of[q.Currency], r)
		}
		for _, p := range r.Prices {
			of[p.Currency] = append(of[p.Currency], r)
		}
	}
	if rows := of[q.Currency]; len(rows) > 0 {
		all = append(all, priced{q, rows})
		delete(of, q.Currency)
	}
	for _, currency := range slices.Sorted(maps.Keys(of)) {
		all = append(all, priced{q.In(currency), of[currency]})
	}
	return all
}
