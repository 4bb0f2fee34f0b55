package store

import (
	"context"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// Snapshot reads everything that a publication shows, as of one moment.
func (s *Store) Snapshot(ctx context.Context) (*index.Snapshot, error) {
	var snapshot index.Snapshot
	err := s.withLongTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		snapshot = index.Snapshot{}
		if err := tx.QueryRow(ctx, "select folded from publication where name = 'site'").Scan(&snapshot.Generation); err != nil {
			return err
		}
		if snapshot.Modules, err = modules(ctx, tx, shown); err != nil {
			return err
		}
		if snapshot.Published, err = published(ctx, tx, "coalesce(n.module_slug, p.module_slug)"); err != nil {
			return err
		}
		if snapshot.Figures, err = moduleFigures(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, selectSubmissions+" where state = 'accepted' order by received_at desc, id desc")
		if err != nil {
			return err
		}
		if snapshot.Submissions, err = pgx.CollectRows(rows, scanSubmission); err != nil {
			return err
		}
		tests, err := measurements(ctx, tx, "join submission s on s.id = m.submission_id where s.state = 'accepted'")
		if err != nil {
			return err
		}
		for i := range snapshot.Submissions {
			snapshot.Submissions[i].Tests = tests[snapshot.Submissions[i].ID]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &snapshot, nil
}

func moduleFigures(ctx context.Context, tx pgx.Tx) ([]index.ModuleFigure, error) {
	rows, err := tx.Query(ctx, `
		select module_slug, method, figure, median, units, runs, contributors
		from module_figure order by module_slug, method, figure`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f index.ModuleFigure, err error) {
		err = row.Scan(&f.ModuleSlug, &f.Method, &f.Key, &f.Median, &f.Units, &f.Runs, &f.Contributors)
		return f, err
	})
}
