package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// compared are the figures by which a result is compared with others of its module, and their names in a reason.
// Linear rates depend on the host as much as on the module (one slot does 12 MB/s, another 104), and the slowest
// latencies vary anyway.
var compared = []struct{ key, name string }{
	{figure.RandWriteIOPS, "4K random write"}, {figure.RandReadIOPS, "4K random read"},
}

// comparedFigures selects rows (figure, value) f of the figures of a submission or unit that were measured.
func comparedFigures(row string) string {
	var values []string
	for _, c := range compared {
		values = append(values, fmt.Sprintf("('%s', %s.figures[%d])", c.key, row, slices.Index(figure.FigureKeys, c.key)+1))
	}
	return "(select figure, value from (values " + strings.Join(values, ", ") +
		") as listed (figure, value) where value <> 'NaN') as f"
}

// figureOf names a figure of a module.
type figureOf struct{ module, method, figure string }

// measured is a figure by one contributor: of one submission, or the median of all their units.
type measured struct {
	id string // of the submission
	figureOf
	contributor contributorID
	value       float64
}

// quarantineDeviating quarantines submissions that are far from what the other contributors measured on the same
// module. Every other contributor counts with one value, so nobody alone can make honest results look wrong. A
// submission that an operator has decided on stays as it is. Submissions of the same fold are not compared with each
// other, because the units are still from the fold before.
func quarantineDeviating(ctx context.Context, tx pgx.Tx, c changes) error {
	// Enough contributors must have measured a module to compare others with them.
	rows, _ := tx.Query(ctx, `
		select distinct module_slug from module_summary
		where module_slug = any($1) and host_class = '' and variant = '' and contributors >= $2`,
		c.modules, plausible.MinOthers)
	modules, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(modules) == 0 {
		return err
	}
	candidates, err := undecided(ctx, tx, modules, c.ids)
	if err != nil || len(candidates) == 0 {
		return err
	}
	others, err := contributorMedians(ctx, tx, modules)
	if err != nil {
		return err
	}
	reasons, rules := map[string][]string{}, map[string]string{} // by the id of the submission
	for _, by := range compared {
		for _, run := range candidates {
			if run.figure != by.key {
				continue
			}
			var theirs []float64
			for _, other := range others[run.figureOf] {
				if other.contributor != run.contributor {
					theirs = append(theirs, other.value)
				}
			}
			if finding, found := plausible.Deviates(run.value, theirs); found {
				reasons[run.id], rules[run.id] = append(reasons[run.id], by.name+": "+finding.Reason), finding.Rule
			}
		}
	}
	var batch pgx.Batch
	for id, rule := range rules {
		// An operator may have decided on it, or its contributor deleted it, in the meantime.
		batch.Queue(`
			with held as (
				update submission set state = $2, state_reason = $3, state_rule = $4
				where id = $1 and state = 'accepted' returning id)
			insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
			select id, $5, $6, 'accepted', $2, $3, $7 from held`,
			id, submission.Quarantined, strings.Join(reasons[id], " "), rule, result.NewID(), time.Now().UTC(), "rule "+rule)
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// undecided reads the figures of the submissions with these ids that are ranked and that no operator has decided on.
func undecided(ctx context.Context, tx pgx.Tx, modules, ids []string) (all []measured, err error) {
	rows, _ := tx.Query(ctx, `
		select s.id::text, `+currentSlug+`, s.method, f.figure, s.contributor, f.value
		from submission s `+joinAlias+` cross join lateral `+comparedFigures("s")+`
		where s.id = any($1) and `+currentSlug+` = any($2) and s.state = 'accepted' and s.not_ranked = '{}' and
			not exists (select 1 from submission_event e where e.submission_id = s.id and e.from_state is not null)`,
		ids, modules)
	var m measured
	_, err = pgx.ForEachRow(rows, []any{&m.id, &m.module, &m.method, &m.figure, &m.contributor, &m.value}, func() error {
		all = append(all, m)
		return nil
	})
	return all, err
}

// mostOthers limits how many contributors a result is compared with; it may be twice as many. The spread of 250 is
// known to about 7 %, far less than what counts as deviating.
const mostOthers = 250

// contributorMedians computes the median of each contributor's units. If there are very many contributors, it takes
// some that follow a random place in the order of their ids. Ids are hashes, so these are a random sample, and nobody
// can choose a secret that puts them into it.
func contributorMedians(ctx context.Context, tx pgx.Tx, modules []string) (map[figureOf][]measured, error) {
	next := `
		(select u.method, f.figure, u.contributor, percentile_cont(0.5) within group (order by f.value)
		from unit u cross join lateral ` + comparedFigures("u") + `
		where u.module_slug = $1 and u.best and u.contributor `
	const these = ` $2 group by u.contributor, u.method, f.figure order by u.contributor limit $3)`
	place := make([]byte, sha256.Size)
	_, _ = rand.Read(place) // never fails
	medians := map[figureOf][]measured{}
	var batch pgx.Batch
	for _, module := range modules { // each of them may be on another node
		statement := next + ">=" + these + " union all " + next + "<" + these
		batch.Queue(statement, module, place, mostOthers*len(compared)).Query(func(rows pgx.Rows) error {
			m := measured{figureOf: figureOf{module: module}}
			_, err := pgx.ForEachRow(rows, []any{&m.method, &m.figure, &m.contributor, &m.value}, func() error {
				medians[m.figureOf] = append(medians[m.figureOf], m)
				return nil
			})
			return err
		})
	}
	return medians, tx.SendBatch(ctx, &batch).Close()
}
