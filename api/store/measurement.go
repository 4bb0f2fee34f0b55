package store

import (
	"context"

	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// queueMeasurements adds the figures of a document's tests to a batch.
func queueMeasurements(batch *pgx.Batch, doc *result.Document) {
	for i := range doc.Tests {
		f := doc.Tests[i].Figures()
		batch.Queue(`
			insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s, iops, iops_low, iops_high,
				kib_per_op, p50_ns, p99_ns, p999_ns, max_ns)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
			doc.ID, f.Test, f.BlockBytes, f.QueueDepth, f.Sync, string(f.Ended), f.MBPerS, f.IOPS, f.IOPSLow, f.IOPSHigh,
			f.KiBPerOp, f.P50NS, f.P99NS, f.P999NS, f.MaxNS)
	}
}

// measurements reads the figures of tests, by the id of the submission. where picks the rows and may join submission as s.
// What is not stored of result.Figures (Trend, LastFifthIOPS, OverheadShare) stays zero.
func measurements(ctx context.Context, tx pgx.Tx, where string, args ...any) (map[string][]result.Figures, error) {
	rows, err := tx.Query(ctx, `
		select submission_id::text, test, block_bytes, queue_depth, sync, ended, mb_per_s, iops, iops_low, iops_high,
			kib_per_op, p50_ns, p99_ns, p999_ns, max_ns
		from measurement m `+where+`
		order by submission_id, array_position(array['seq-write', 'seq-read', 'rand-write', 'rand-read'], test)`, args...)
	if err != nil {
		return nil, err
	}
	bySubmission := map[string][]result.Figures{}
	var id string
	var f result.Figures
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Test, &f.BlockBytes, &f.QueueDepth, &f.Sync, &f.Ended, &f.MBPerS, &f.IOPS, &f.IOPSLow,
		&f.IOPSHigh, &f.KiBPerOp, &f.P50NS, &f.P99NS, &f.P999NS, &f.MaxNS}, func() error {
		bySubmission[id] = append(bySubmission[id], f)
		return nil
	})
	return bySubmission, err
}
