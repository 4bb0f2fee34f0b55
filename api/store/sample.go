package store

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// sampled limits how many contributors of a module are compared with each other. The spread of 250 is known to about
// 7 %, far less than what counts as deviating.
const sampled = 250

// place is the contributor id at which samples begin. Ids are hashes, so the contributors that follow are a random
// sample, and the same one in each fold. The place is kept only in the database, so nobody can choose a secret that
// puts them into the sample.
type place string

// fromPlace selects what a statement with a limit selects from a place on, and from the lowest id on to the place, as
// many again. The statement has %s where it compares contributors with the place.
func fromPlace(statement string) string {
	return "(" + fmt.Sprintf(statement, ">=") + ") union all (" + fmt.Sprintf(statement, "<") + ")"
}

func placeOf(ctx context.Context, tx pgx.Tx) (at place, err error) {
	err = tx.QueryRow(ctx, "select place from publication where name = 'site'").Scan((*label)(&at))
	return at, err
}

// measuredBy is what one contributor measured of a module by one method.
type measuredBy struct {
	contributor contributorID
	figure.Contributed
}

// sample picks at most sampled of all, which must be sorted by contributor.
func (at place) sample(all []measuredBy) []measuredBy {
	if len(all) <= sampled {
		return all
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].contributor >= contributorID(at) })
	return slices.Concat(all[first:], all[:first])[:sampled]
}

// byContributor sums up units of one module by method and contributor. The units must be sorted by contributor, and so
// are the results of each method. It leaves out contributors who have no unit that counts.
func byContributor(units []unit) map[string][]measuredBy {
	of := map[string][]measuredBy{}
	theirs := groups[contributorID, unit]{done: func(contributor contributorID, units []unit) error {
		byMethod := map[string][]figure.Unit{}
		for _, u := range units {
			byMethod[u.Method] = append(byMethod[u.Method], u.Unit)
		}
		for method, units := range byMethod {
			if c, ok := figure.ContributedBy(units); ok {
				of[method] = append(of[method], measuredBy{contributor, c})
			}
		}
		return nil
	}}
	for _, u := range units {
		_ = theirs.add(u.contributor, u) // never fails
	}
	_ = theirs.finish(nil)
	return of
}

// setEvidence completes summaries of whole modules with evidence from samples of the contributors, by method.
func (at place) setEvidence(summaries []*figure.Summary, of map[string][]measuredBy) {
	for _, s := range summaries {
		if s.Whole() {
			s.SetEvidence(contributedOf(at.sample(of[s.Method])))
		}
	}
}

func contributedOf(all []measuredBy) []figure.Contributed {
	list := make([]figure.Contributed, len(all))
	for i, c := range all {
		list[i] = c.Contributed
	}
	return list
}

// selectSample selects the units of at most twice as many contributors as a sample has.
var selectSample = "select " + unitColumns.list("") + `
	from unit where module_slug = $1 and method = $2 and contributor in (` +
	fromPlace(`select contributor from unit where module_slug = $1 and method = $2 and runs > 0 and contributor %s $3
		group by contributor order by contributor limit $4`) + ") order by contributor"

// samples reads samples of modules' contributors from table unit, by module and method.
func (at place) samples(ctx context.Context, tx pgx.Tx, methods map[string][]string) (
	map[string]map[string][]measuredBy, error) {
	of := map[string]map[string][]measuredBy{}
	var batch pgx.Batch
	for module, list := range methods {
		of[module] = map[string][]measuredBy{}
		for _, method := range list { // each module may be on another node
			batch.Queue(selectSample, module, method, label(at), sampled).Query(func(rows pgx.Rows) error {
				var units []unit
				err := eachUnit(rows, func(u unit) error {
					units = append(units, u)
					return nil
				})
				of[module][method] = at.sample(byContributor(units)[method])
				return err
			})
		}
	}
	return of, tx.SendBatch(ctx, &batch).Close()
}
