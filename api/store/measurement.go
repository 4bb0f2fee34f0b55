package store

import (
	"context"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// measurementColumns hold the figures of one test.
var measurementColumns columns[result.Figures] = func(f *result.Figures) (all []column) {
	for _, c := range figure.TestColumns {
		all = append(all, column{c.Key, c.Field(f)})
	}
	return all
}

// factColumns hold what a document says besides the figures of its tests.
func factColumns(f *figure.Facts) []column {
	return []column{
		{"figures", &f.Values}, {"host_class", &f.HostClass}, {"bus_mb_per_s", &f.BusMBPerS},
		{"variant", &f.Variant}, {"evidence", &f.Evidence},
		{"price_amount", &f.Price.Amount}, {"price_currency", &f.Price.Currency}, {"price_on", &f.Price.On},
	}
}

// derived is everything that the server derives from a document, and derives again when its rules become better.
type derived struct {
	version int // figure.FactsVersion
	facts   figure.Facts
	tests   []result.Figures
}

func derive(doc *result.Document) (d derived) {
	for i := range doc.Tests {
		d.tests = append(d.tests, doc.Tests[i].Figures())
	}
	d.version, d.facts = figure.FactsVersion, figure.FactsOf(doc, d.tests)
	return d
}

// derivedColumns are the derived columns of a submission. Its measurements are rows of their own.
var derivedColumns columns[derived] = func(d *derived) []column {
	return append([]column{{"facts_version", &d.version}}, factColumns(&d.facts)...)
}

// measurements reads the figures of submissions' tests, by the id of the submission. where picks the rows.
func measurements(ctx context.Context, tx pgx.Tx, where string, args ...any) (map[string][]result.Figures, error) {
	rows, _ := tx.Query(ctx, "select submission_id, "+measurementColumns.list("")+" from measurement "+where+`
		order by submission_id, array_position(
			array['seq-write', 'seq-rewrite', 'seq-read', 'seq-reread', 'rand-write', 'rand-read'], test), block_bytes`, args...)
	return measurementColumns.byKey(rows)
}
