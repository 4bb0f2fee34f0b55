package store

import (
	"context"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

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
		return results{tx}.Each(ctx, func(sub index.Submission) error { return row.Upload(sub, names[sub.ModuleSlug]) })
	}))
}
