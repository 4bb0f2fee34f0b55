package store

import (
	"context"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// Snapshot reads everything that a publication shows, as of one moment.
func (s *Store) Snapshot(ctx context.Context) (*index.Snapshot, error) {
	var snapshot *index.Snapshot
	err := s.withLongTx(ctx, moment, func(tx pgx.Tx) (err error) {
		if snapshot, err = overview(ctx, tx); err != nil {
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
	return snapshot, err
}

// Overview is Snapshot without the submissions: what it takes does not grow with their number.
func (s *Store) Overview(ctx context.Context) (*index.Snapshot, error) {
	var snapshot *index.Snapshot
	err := s.WithTx(ctx, moment, func(tx pgx.Tx) (err error) {
		snapshot, err = overview(ctx, tx)
		return err
	})
	return snapshot, err
}

// Generation is that of what Overview would read now.
func (s *Store) Generation(ctx context.Context) (generation int64, err error) {
	err = s.pool.QueryRow(ctx, selectGeneration).Scan(&generation)
	return generation, wrap(err)
}

const selectGeneration = "select folded from publication where name = 'site'"

// moment is a transaction that reads everything as of one moment.
var moment = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

func overview(ctx context.Context, tx pgx.Tx) (*index.Snapshot, error) {
	snapshot := &index.Snapshot{Aliases: map[string]string{}}
	if err := tx.QueryRow(ctx, selectGeneration).Scan(&snapshot.Generation); err != nil {
		return nil, err
	}
	var err error
	if snapshot.Modules, err = modules(ctx, tx, shown); err != nil {
		return nil, err
	}
	if snapshot.Published, err = published(ctx, tx, "coalesce(n.module_slug, p.module_slug)"); err != nil {
		return nil, err
	}
	if snapshot.Figures, err = moduleFigures(ctx, tx); err != nil {
		return nil, err
	}
	if snapshot.Methods, err = moduleMethods(ctx, tx); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, "select slug, module_slug from module_name where slug <> module_slug")
	if err != nil {
		return nil, err
	}
	var from, into string
	_, err = pgx.ForEachRow(rows, []any{&from, &into}, func() error {
		snapshot.Aliases[from] = into
		return nil
	})
	return snapshot, err
}

func moduleMethods(ctx context.Context, tx pgx.Tx) ([]index.ModuleMethod, error) {
	rows, err := tx.Query(ctx, selectSubmissions+" where id in (select newest from module_method)")
	if err != nil {
		return nil, err
	}
	newest, err := pgx.CollectRows(rows, scanSubmission)
	if err != nil {
		return nil, err
	}
	tests, err := measurements(ctx, tx, "where submission_id in (select newest from module_method)")
	if err != nil {
		return nil, err
	}
	byID := map[string]index.Submission{}
	for _, sub := range newest {
		sub.Tests = tests[sub.ID]
		byID[sub.ID] = sub
	}
	if rows, err = tx.Query(ctx, "select module_slug, method, results, newest::text from module_method order by module_slug, method"); err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m index.ModuleMethod, err error) {
		var id string
		err = row.Scan(&m.ModuleSlug, &m.Method, &m.Results, &id)
		m.Newest = byID[id]
		return m, err
	})
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
