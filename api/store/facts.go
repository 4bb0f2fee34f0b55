package store

import (
	"context"
	"encoding/json"
	"errors"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// The figures and facts of a submission are derived from its document when it is uploaded. When a new version derives
// them by better rules (figure.FactsVersion), Fold derives them again for all submissions, from the stored documents.

// factsBatch limits how many submissions' facts one transaction derives again, which takes some seconds.
const factsBatch = 1000

// deriveSome derives the facts of the next batch of submissions again if the rules have changed. The next call goes on
// after it. Until the last batch is done, units and summaries keep the other submissions' old figures.
func (s *Store) deriveSome(ctx context.Context) error {
	var outdated, mixed bool
	err := s.pool.QueryRow(ctx, `
		select facts_version < $1, summed <> folded from publication where name = 'site'`,
		figure.FactsVersion).Scan(&outdated, &mixed)
	switch {
	case err != nil:
		return wrap(err)
	case !outdated && mixed:
		return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error { return deriveMissing(ctx, tx) })
	case !outdated:
		return nil
	}
	return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := lockGeneration(ctx, tx); err != nil {
			return err
		}
		var last string
		err := tx.QueryRow(ctx, `
			select coalesce(facts_upto::text, $1) from publication where name = 'site' and facts_version < $2`,
			lowestID, figure.FactsVersion).Scan(&last)
		if errors.Is(err, pgx.ErrNoRows) { // another publisher was quicker
			return nil
		} else if err != nil {
			return err
		}
		ids, err := idsAfter(ctx, tx, last, "true")
		if err != nil {
			return err
		}
		if len(ids) < factsBatch {
			_, err = tx.Exec(ctx, `
				update publication set facts_version = $1, facts_upto = null, summed = -1 where name = 'site'`,
				figure.FactsVersion)
		} else {
			_, err = tx.Exec(ctx, "update publication set facts_upto = $1 where name = 'site'", ids[len(ids)-1])
		}
		if err != nil {
			return err
		}
		return deriveAnew(ctx, tx, ids)
	})
}

// idsAfter selects the next factsBatch ids of submissions.
func idsAfter(ctx context.Context, tx pgx.Tx, last, condition string, args ...any) ([]string, error) {
	rows, _ := tx.Query(ctx, "select id::text from submission where id > $1 and "+condition+" order by id limit $2",
		append([]any{last, factsBatch}, args...)...)
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// deriveMissing derives the facts of submissions that a server of the version before stored and folded after all others
// were derived again, as happens during a rolling upgrade.
func deriveMissing(ctx context.Context, tx pgx.Tx) error {
	if _, err := lockGeneration(ctx, tx); err != nil {
		return err
	}
	for last := lowestID; ; {
		ids, err := idsAfter(ctx, tx, last, "facts_version < $3 and state <> 'deleted'", figure.FactsVersion)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := deriveAnew(ctx, tx, ids); err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// deriveAnew derives the figures and facts of the submissions again, where they are of an older version.
func deriveAnew(ctx context.Context, tx pgx.Tx, ids []string) error {
	rows, _ := tx.Query(ctx, `
		select id::text, document from submission where id = any($1) and facts_version < $2 and state <> 'deleted'`,
		ids, figure.FactsVersion)
	var batch pgx.Batch
	var id string
	var text []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		var doc result.Document
		if err := json.Unmarshal(text, &doc); err != nil {
			return err // it was valid when it was stored
		}
		d, of := derive(&doc), id
		values := append(derivedColumns(&d), measurementColumns.arrays(d.tests)...)
		values = append(values, column{"id", &of})
		batch.Queue("delete from measurement where submission_id = $1", id)
		batch.Queue(insertMeasurements.sql, insertMeasurements.with(values...)...)
		batch.Queue(updateFacts.sql, updateFacts.with(values...)...)
		return nil
	})
	if err != nil || batch.Len() == 0 {
		return err
	}
	return tx.SendBatch(ctx, &batch).Close()
}

var updateFacts = prepare("update submission set (" + derivedColumns.list("") + ") = (" + derivedColumns.list("@") +
	") where id = @id")

// insertMeasurements looks the submission up so that its node does all of it. Citus would else copy the rows there and
// commit in two phases.
var insertMeasurements = prepare("insert into measurement (submission_id, " + measurementColumns.list("") + `)
	select s.id, test.* from submission s, ` + measurementColumns.unnest() + " as test where s.id = @id")
