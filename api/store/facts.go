package store

import (
	"context"
	"encoding/json"
	"errors"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// factsBatch is how many submissions' facts one transaction derives anew: some seconds' work.
const factsBatch = 1000

// deriveSome derives the facts of some submissions anew, if the rules are newer than those that all were derived by, and
// goes on where it was in the next call. Until all are done, units and summaries hold what older rules gave of the others.
func (s *Store) deriveSome(ctx context.Context) error {
	var behind, mixed bool
	err := s.pool.QueryRow(ctx, "select facts_version < $1, summed <> folded from publication where name = 'site'", figure.FactsVersion).Scan(&behind, &mixed)
	switch {
	case err != nil:
		return wrap(err)
	case !behind && mixed:
		return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error { return deriveMissing(ctx, tx) })
	case !behind:
		return nil
	}
	return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := lockGeneration(ctx, tx); err != nil {
			return err
		}
		var upto string
		err := tx.QueryRow(ctx, "select coalesce(facts_upto::text, $1) from publication where name = 'site' and facts_version < $2", lowestID, figure.FactsVersion).Scan(&upto)
		if errors.Is(err, pgx.ErrNoRows) { // another publisher was quicker
			return nil
		} else if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "select id::text from submission where id > $1 order by id limit $2", upto, factsBatch)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		if len(ids) < factsBatch {
			_, err = tx.Exec(ctx, "update publication set facts_version = $1, facts_upto = null, summed = -1 where name = 'site'", figure.FactsVersion)
		} else {
			_, err = tx.Exec(ctx, "update publication set facts_upto = $1 where name = 'site'", ids[len(ids)-1])
		}
		if err != nil {
			return err
		}
		return deriveAnew(ctx, tx, ids)
	})
}

// deriveMissing derives the facts of what servers of the version before took in and folded since all others were derived.
func deriveMissing(ctx context.Context, tx pgx.Tx) error {
	if _, err := lockGeneration(ctx, tx); err != nil {
		return err
	}
	for last := lowestID; ; {
		rows, err := tx.Query(ctx, "select id::text from submission where id > $1 and facts_version < $2 and state <> 'deleted' order by id limit $3", last, figure.FactsVersion, factsBatch)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := deriveAnew(ctx, tx, ids); err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// deriveAnew derives, from their documents, the figures and facts of those of the submissions that older rules gave theirs.
func deriveAnew(ctx context.Context, tx pgx.Tx, ids []string) error {
	rows, err := tx.Query(ctx, "select id::text, document from submission where id = any($1) and facts_version < $2 and state <> 'deleted'", ids, figure.FactsVersion)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	var id string
	var text []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		var doc result.Document
		if err := json.Unmarshal(text, &doc); err != nil {
			return err // it was valid when it was stored
		}
		values := map[string]any{"id": id}
		addFigures(values, &doc)
		batch.Queue("delete from measurement where submission_id = $1", id)
		for _, statement := range []struct {
			sql   string
			names []string
		}{{insertMeasurementsSQL, insertMeasurementsNames}, {updateFactsSQL, updateFactsNames}} {
			batch.Queue(statement.sql, arguments(statement.names, values)...)
		}
		return nil
	})
	if err != nil || batch.Len() == 0 {
		return err
	}
	return tx.SendBatch(ctx, &batch).Close()
}

var updateFactsSQL, updateFactsNames = numbered(`
	update submission set (facts_version, figures, host_class, bus_mb_per_s, variant, evidence, price_amount, price_currency, price_on) =
		(@facts_version, @figures, @host_class, @bus_mb_per_s, @variant, @evidence, @price_amount, @price_currency, @price_on)
	where id = @id`)

// The submission is looked up so that its node does all of it; else Citus would copy rows there, and commit in two phases.
var insertMeasurementsSQL, insertMeasurementsNames = numbered(`
	insert into measurement (submission_id, ` + measurementColumns + `)
	select s.id, test.* from submission s, ` + unnestMeasurements + ` where s.id = @id`)
