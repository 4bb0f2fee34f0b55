package store

import (
	"context"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// measurementColumns are those of a test's figures.
const measurementColumns = `test, block_bytes, queue_depth, sync, ended, mb_per_s, iops, iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns,
		cv_percent, cliff_mb, cliff_percent`

// unnestMeasurements makes rows of what addFigures gives.
const unnestMeasurements = `unnest(@test::text[], @block_bytes::bigint[], @queue_depth::integer[], @sync::text[], @ended::text[],
		@mb_per_s::float8[], @iops::float8[], @iops_low::float8[], @iops_high::float8[],
		@kib_per_op::float8[], @p50_ns::bigint[], @p99_ns::bigint[], @p999_ns::bigint[], @max_ns::bigint[],
		@cv_percent::float8[], @cliff_mb::float8[], @cliff_percent::float8[]) as test`

// addFigures adds the figures of a document's tests to the values of a statement, a list for each column, and its facts.
func addFigures(values map[string]any, doc *result.Document) {
	var figures []result.Figures
	for i := range doc.Tests {
		figures = append(figures, doc.Tests[i].Figures())
	}
	values["test"] = column(figures, func(f result.Figures) string { return f.Test })
	values["block_bytes"] = column(figures, func(f result.Figures) int64 { return f.BlockBytes })
	values["queue_depth"] = column(figures, func(f result.Figures) int { return f.QueueDepth })
	values["sync"] = column(figures, func(f result.Figures) string { return f.Sync })
	values["ended"] = column(figures, func(f result.Figures) string { return string(f.Ended) })
	values["mb_per_s"] = column(figures, func(f result.Figures) float64 { return f.MBPerS })
	values["iops"] = column(figures, func(f result.Figures) *float64 { return f.IOPS })
	values["iops_low"] = column(figures, func(f result.Figures) *float64 { return f.IOPSLow })
	values["iops_high"] = column(figures, func(f result.Figures) *float64 { return f.IOPSHigh })
	values["kib_per_op"] = column(figures, func(f result.Figures) *float64 { return f.KiBPerOp })
	values["p50_ns"] = column(figures, func(f result.Figures) *int64 { return f.P50NS })
	values["p99_ns"] = column(figures, func(f result.Figures) *int64 { return f.P99NS })
	values["p999_ns"] = column(figures, func(f result.Figures) *int64 { return f.P999NS })
	values["max_ns"] = column(figures, func(f result.Figures) *int64 { return f.MaxNS })
	values["cv_percent"] = column(figures, func(f result.Figures) *float64 { return f.CVPercent })
	values["cliff_mb"] = column(figures, func(f result.Figures) *float64 { return f.CliffMB })
	values["cliff_percent"] = column(figures, func(f result.Figures) *float64 { return f.CliffPercent })

	facts := figure.FactsOf(doc, figures)
	values["facts_version"], values["figures"], values["host_class"], values["bus_mb_per_s"] = figure.FactsVersion, facts.Values, facts.HostClass, facts.BusMBPerS
	values["variant"], values["evidence"] = facts.Variant.Key(), facts.Evidence
	values["price_amount"], values["price_currency"], values["price_on"] = facts.Price.Amount, facts.Price.Currency, facts.Price.On
}

func column[T any](figures []result.Figures, of func(result.Figures) T) (values []T) {
	for _, f := range figures {
		values = append(values, of(f))
	}
	return values
}

// measurements reads the figures of tests, by the id of the submission. where picks the rows and may join submission as s.
// What is not stored of result.Figures (Trend, LastFifthIOPS, OverheadShare, WorstMBPerS) stays zero.
func measurements(ctx context.Context, tx pgx.Tx, where string, args ...any) (map[string][]result.Figures, error) {
	rows, err := tx.Query(ctx, `
		select submission_id::text, `+measurementColumns+`
		from measurement m `+where+`
		order by submission_id, array_position(array['seq-write', 'seq-rewrite', 'seq-read', 'seq-reread', 'rand-write', 'rand-read'], test), block_bytes`, args...)
	if err != nil {
		return nil, err
	}
	bySubmission := map[string][]result.Figures{}
	var id string
	var f result.Figures
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Test, &f.BlockBytes, &f.QueueDepth, &f.Sync, &f.Ended, &f.MBPerS, &f.IOPS, &f.IOPSLow,
		&f.IOPSHigh, &f.KiBPerOp, &f.P50NS, &f.P99NS, &f.P999NS, &f.MaxNS, &f.CVPercent, &f.CliffMB, &f.CliffPercent}, func() error {
		bySubmission[id] = append(bySubmission[id], f)
		return nil
	})
	return bySubmission, err
}
