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

// heldBack are the figures by which a result is held against others of its module. Linear rates are the host's as much as
// the module's (a slot of 12 MB/s, one of 104), and the slow end of the latencies varies by itself.
var heldBack = []string{figure.RandWriteIOPS, figure.RandReadIOPS}

// heldBackOf makes rows (figure, value) of those figures in a row's list that were measured.
func heldBackOf(row string) string {
	var values []string
	for _, key := range heldBack {
		values = append(values, fmt.Sprintf("('%s', %s.figures[%d])", key, row, slices.Index(figure.FigureKeys, key)+1))
	}
	return "(select figure, value from (values " + strings.Join(values, ", ") + ") as listed (figure, value) where value <> 'NaN') as f"
}

// figureOf names a figure of a module.
type figureOf struct{ module, method, figure string }

// quarantineDeviating holds back those of the submissions that are far from what the other contributors measured on the
// same module: each of these stands with one value, so nobody can make the others deviate alone. Submissions that somebody
// has decided on are left as they are, and those that wait together are not held against each other: the units are those
// of the fold before.
func quarantineDeviating(ctx context.Context, tx pgx.Tx, w waiting) error {
	modules, err := wellMeasured(ctx, tx, w.modules)
	if err != nil || len(modules) == 0 {
		return err
	}
	candidates, err := freshRuns(ctx, tx, modules, w.ids)
	if err != nil || len(candidates) == 0 {
		return err
	}
	others, err := contributorMedians(ctx, tx, modules)
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	var batch pgx.Batch
	for id, run := range candidates {
		var reasons []string
		var rule string
		for _, key := range heldBack {
			value, measured := run.values[key]
			if !measured {
				continue
			}
			var theirs []float64
			for contributor, median := range others[figureOf{run.module, run.method, key}] {
				if contributor != run.contributor {
					theirs = append(theirs, median)
				}
			}
			if finding, found := plausible.Deviates(value, theirs); found {
				rule = finding.Rule
				reasons = append(reasons, figureNames[key]+": "+finding.Reason)
			}
		}
		if rule == "" {
			continue
		}
		// Somebody may have decided on it, or taken it back, in the meantime.
		batch.Queue(`
			with held as (
				update submission set state = $2, state_reason = $3, state_rule = $4 where id = $1 and state = 'accepted' returning id)
			insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
			select id, $5, $6, 'accepted', $2, $3, $7 from held`,
			id, submission.Quarantined, strings.Join(reasons, " "), rule, result.NewID(), now, "rule "+rule)
	}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// figureNames say in a reason which figure it is.
var figureNames = map[string]string{
	figure.RandWriteIOPS: "4K random write", figure.RandReadIOPS: "4K random read",
}

// freshRun is a ranked submission that nobody has decided on yet.
type freshRun struct {
	module, method, contributor string
	values                      map[string]float64
}

// wellMeasured are those of the modules that enough contributors have measured to hold others against.
func wellMeasured(ctx context.Context, tx pgx.Tx, modules []string) ([]string, error) {
	rows, err := tx.Query(ctx, "select distinct module_slug from module_summary where module_slug = any($1) and host_class = '' and variant = '' and contributors >= $2", modules, plausible.MinOthers)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// freshRuns are those of the submissions that are ranked and that nobody has decided on yet.
func freshRuns(ctx context.Context, tx pgx.Tx, modules, ids []string) (map[string]*freshRun, error) {
	rows, err := tx.Query(ctx, `
		select s.id::text, coalesce(a.into_slug, s.module_slug), s.method, f.figure, encode(s.contributor, 'hex'), f.value
		from submission s left join module_alias a on a.from_slug = s.module_slug cross join lateral `+heldBackOf("s")+`
		where s.id = any($1) and coalesce(a.into_slug, s.module_slug) = any($2) and s.state = 'accepted' and s.not_ranked = '{}' and
			not exists (select 1 from submission_event e where e.submission_id = s.id and e.from_state is not null)`, ids, modules)
	if err != nil {
		return nil, err
	}
	runs := map[string]*freshRun{}
	var id, contributor string
	var of figureOf
	var value float64
	_, err = pgx.ForEachRow(rows, []any{&id, &of.module, &of.method, &of.figure, &contributor, &value}, func() error {
		if runs[id] == nil {
			runs[id] = &freshRun{of.module, of.method, contributor, map[string]float64{}}
		}
		runs[id].values[of.figure] = value
		return nil
	})
	return runs, err
}

// mostOthers is how many contributors, or twice as many, a result is held against where a module has more. The deviation of 250
// is known to some 7 %, far within what is taken for deviating.
const mostOthers = 250

// contributorMedians are the medians of each contributor's units. Of very many, it takes those next to each other from a
// random place on: their ids are hashes, so that is a sample, and one that nobody can choose a secret for.
func contributorMedians(ctx context.Context, tx pgx.Tx, modules []string) (map[figureOf]map[string]float64, error) {
	next := `
		(select u.method, f.figure, encode(u.contributor, 'hex'), percentile_cont(0.5) within group (order by f.value)
		from unit u cross join lateral ` + heldBackOf("u") + ` where u.module_slug = $1 and u.best and u.contributor `
	const these = ` $2 group by u.contributor, u.method, f.figure order by u.contributor limit $3)`
	place := make([]byte, sha256.Size)
	_, _ = rand.Read(place) // never fails
	medians := map[figureOf]map[string]float64{}
	var batch pgx.Batch
	for _, module := range modules { // one by one, since each has its node
		batch.Queue(next+">="+these+" union all "+next+"<"+these, module, place, mostOthers*len(heldBack)).Query(func(rows pgx.Rows) error {
			of := figureOf{module: module}
			var contributor string
			var median float64
			_, err := pgx.ForEachRow(rows, []any{&of.method, &of.figure, &contributor, &median}, func() error {
				if medians[of] == nil {
					medians[of] = map[string]float64{}
				}
				medians[of][contributor] = median
				return nil
			})
			return err
		})
	}
	return medians, tx.SendBatch(ctx, &batch).Close()
}
