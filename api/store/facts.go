package store

import (
	"context"
	"encoding/json"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/submission/copies"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// The figures and facts of a submission are derived from its document when it is uploaded. When a new version derives
// them by better rules (figure.FactsVersion), Fold derives them again for all submissions, from the stored documents.

// factsBatch limits how many submissions' facts one transaction derives again, which takes some seconds.
const factsBatch = 1000

// selectFacts selects three things: whether the rules have changed, whether an older server has folded since this
// version's last fold (as happens during a rolling upgrade), and the id up to which facts were derived again.
const selectFacts = `
	select facts_version < $1, fitted <> folded, coalesce(facts_upto::text, $2) from publication where name = 'site'`

// deriveSome derives the facts of the next batch of submissions again if the rules have changed. The next call
// continues after this batch. Until the last batch is done, units and summaries keep the other submissions' old
// figures. After a fold by an older server, it derives at once the facts that this server didn't.
func (s *Store) deriveSome(ctx context.Context) error {
	var outdated, mixed bool
	var last string
	state := []any{&outdated, &mixed, &last}
	err := s.pool.QueryRow(ctx, selectFacts, figure.FactsVersion, lowestID).Scan(state...)
	if err != nil || !outdated && !mixed {
		return wrap(err)
	}
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, selectFacts+" for update", figure.FactsVersion, lowestID).Scan(state...)
		if err != nil {
			return err
		}
		for derived := factsBatch; derived == factsBatch; {
			derived, last, err = deriveAnew(ctx, tx, true, "id > $2 order by id limit $3", last, factsBatch)
			if err != nil {
				return err
			} else if outdated && derived == factsBatch {
				_, err = tx.Exec(ctx, "update publication set facts_upto = $1 where name = 'site'", last)
				return err
			}
		}
		if outdated {
			_, err = tx.Exec(ctx, `
				update publication set facts_version = $1, facts_upto = null, fitted = -1, calibrated_at = null
				where name = 'site'`,
				figure.FactsVersion)
		}
		return err
	})
}

// deriveAnew picks submissions by a condition and derives their figures and facts again, if these are of an older
// version. It returns how many submissions that were, and the last id. folded says that all of them have been folded,
// except the ones in the outbox.
func deriveAnew(ctx context.Context, tx pgx.Tx, folded bool, which string, args ...any) (
	derived int, id string, err error) {
	rows, _ := tx.Query(ctx, `
		select id::text, document from submission where facts_version < $1 and state <> 'deleted' and `+which,
		append([]any{figure.FactsVersion}, args...)...)
	var batch pgx.Batch
	var text []byte
	keysOf := map[string][]int64{}
	_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		var doc result.Document
		if err := json.Unmarshal(text, &doc); err != nil {
			return err // it was valid when it was stored
		}
		d, of := derive(&doc), id
		values := slices.Concat(derivedColumns(&d), measurementColumns.arrays(d.tests), []column{{"id", &of}})
		batch.Queue("delete from measurement where submission_id = $1", id)
		batch.Queue(insertMeasurements.sql, insertMeasurements.with(values...)...)
		batch.Queue(updateFacts.sql, updateFacts.with(values...)...)
		queueSamples(&batch, id, d.samples)
		if folded {
			keysOf[id], _ = copies.SamplesOf(&doc).Keys()
		}
		derived++
		return nil
	})
	if err != nil {
		return 0, "", err
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil || !folded {
		return derived, id, err
	}
	return derived, id, replaceKeys(ctx, tx, keysOf)
}

var updateFacts = prepare("update submission set (" + derivedColumns.list("") + ") = (" + derivedColumns.list("@") +
	") where id = @id")

// insertMeasurements selects from submission so that the submission's node does all the work. Otherwise Citus would
// copy the rows there and commit in two phases.
var insertMeasurements = prepare("insert into measurement (submission_id, " + measurementColumns.list("") + `)
	select s.id, test.* from submission s, ` + measurementColumns.unnest() + " as test where s.id = @id")

// measurementColumns hold the figures of one test.
var measurementColumns columns[result.Figures] = func(f *result.Figures) (all []column) {
	for _, c := range result.TestColumns {
		all = append(all, column{c.Key, c.Field(f)})
	}
	return all
}

// factColumns hold what a document says besides the figures of its tests.
func factColumns(f *figure.Facts) []column {
	return []column{
		{"figures", &f.Values}, {"errors", &f.Errors}, {"host_class", &f.HostClass}, {"host_kind", &f.HostKind},
		{"bus_mb_per_s", &f.BusMBPerS},
		{"variant", &f.Variant}, {"evidence", &f.Evidence},
		{"price_amount", &f.Price.Amount}, {"price_currency", &f.Price.Currency}, {"price_on", &f.Price.On},
	}
}

// derived is everything that the server derives from a document, and derives again when its rules become better.
type derived struct {
	version   int // figure.FactsVersion
	notRanked []string
	facts     figure.Facts
	tests     []result.Figures
	samples   [][]byte // hashes, see package copies
}

func derive(doc *result.Document) (d derived) {
	for i := range doc.Tests {
		d.tests = append(d.tests, doc.Tests[i].Figures())
	}
	d.version, d.facts = figure.FactsVersion, figure.FactsOf(doc, d.tests)
	d.samples = append([][]byte{}, copies.Exact(doc)...)
	d.notRanked = append([]string{}, doc.NotRanked()...) // nil would be null
	return d
}

// derivedColumns are the derived columns of a submission. Its measurements are rows of their own.
var derivedColumns columns[derived] = func(d *derived) []column {
	return append([]column{{"facts_version", &d.version}, {"not_ranked", &d.notRanked}}, factColumns(&d.facts)...)
}

// measurements reads the figures of submissions' tests, by the id of the submission. where picks the rows.
func measurements(ctx context.Context, tx pgx.Tx, where string, args ...any) (map[string][]result.Figures, error) {
	rows, _ := tx.Query(ctx, "select submission_id, "+measurementColumns.list("")+" from measurement "+where+`
		order by submission_id, array_position(
			array['seq-write', 'seq-rewrite', 'seq-read', 'seq-reread', 'rand-write', 'rand-read'], test), block_bytes`, args...)
	return measurementColumns.byKey(rows)
}
