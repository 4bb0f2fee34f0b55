package store

import (
	"context"
	"slices"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// results reads the accepted submissions as of the moment of a transaction, some at a time, so that it takes the same memory
// however many there are.
type results struct{ tx pgx.Tx }

const modulesBatch = 100

// Newest gives for each of these modules, by the slugs that they have now, at most limit of its results, newest first.
func (r results) Newest(ctx context.Context, slugs []string, limit int, do func(slug string, newest []index.Submission) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		// A module that others were merged into has results under several names.
		rows, err := r.tx.Query(ctx, selectSubmissions+` where id in (
			select newest.id from module_name n cross join lateral (
				select id from submission s where s.module_slug = n.slug and s.state = 'accepted' order by received_at desc, id desc limit $2) newest
			where n.module_slug = any($1)) order by received_at desc, id desc`, some, limit)
		if err != nil {
			return err
		}
		newest, err := r.withTests(ctx, rows)
		if err != nil {
			return err
		}
		of := map[string][]index.Submission{}
		for _, sub := range newest {
			if len(of[sub.ModuleSlug]) < limit {
				of[sub.ModuleSlug] = append(of[sub.ModuleSlug], sub)
			}
		}
		for _, slug := range some {
			if err := do(slug, of[slug]); err != nil {
				return err
			}
		}
	}
	return nil
}

// withTests reads submissions and then their tests.
func (r results) withTests(ctx context.Context, rows pgx.Rows) ([]index.Submission, error) {
	some, err := pgx.CollectRows(rows, scanSubmission)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, sub := range some {
		ids = append(ids, sub.ID)
	}
	tests, err := measurements(ctx, r.tx, "where submission_id = any($1)", ids)
	for i := range some {
		some[i].Tests = tests[some[i].ID]
	}
	return some, err
}
