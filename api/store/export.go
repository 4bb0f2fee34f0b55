package store

import (
	"context"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// exportBatch is how many results an export reads at a time: it takes the same memory however many there are.
const exportBatch = 500

// Export gives each published figure and each accepted result, newest first, all as of one moment, with the name of its
// module. It stops at the first error that row returns. Nothing is repeated: what was given can't be taken back.
func (s *Store) Export(ctx context.Context, row index.ExportRow) error {
	return wrap(pgx.BeginTxFunc(ctx, s.pool, moment, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, longTimeouts); err != nil {
			return err
		}
		names := map[string]string{}
		all, err := modules(ctx, tx, shown)
		if err != nil {
			return err
		}
		for _, m := range all {
			names[m.Slug] = m.Name()
		}
		figures, err := published(ctx, tx, "coalesce(n.module_slug, p.module_slug)")
		if err != nil {
			return err
		}
		for _, p := range figures {
			if err := row.Published(p, names[p.ModuleSlug]); err != nil {
				return err
			}
		}
		last := "ffffffff-ffff-ffff-ffff-ffffffffffff"
		for {
			rows, err := tx.Query(ctx, selectSubmissions+" where state = 'accepted' and id < $1 order by id desc limit $2", last, exportBatch)
			if err != nil {
				return err
			}
			batch, err := pgx.CollectRows(rows, scanSubmission)
			if err != nil || len(batch) == 0 {
				return err
			}
			var ids []string
			for _, sub := range batch {
				ids = append(ids, sub.ID)
			}
			tests, err := measurements(ctx, tx, "where submission_id = any($1)", ids)
			if err != nil {
				return err
			}
			for _, sub := range batch {
				sub.Tests = tests[sub.ID]
				if err := row.Upload(sub, names[sub.ModuleSlug]); err != nil {
					return err
				}
			}
			last = ids[len(ids)-1]
		}
	}))
}
