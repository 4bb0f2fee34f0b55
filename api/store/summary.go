package store

import (
	"context"
	"encoding/json"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// selectUnits are the units, or those of the modules $1, by module and contributor.
const (
	selectUnits = `
	select module_slug, contributor, method, tag, host_class, best, runs, figures, bus_mb_per_s, boards, results, newest, newest_at, variant, evidence,
		price_amount, price_currency, price_on
	from unit `
	ofModules    = "where module_slug = any($1) "
	unitsByOwner = "order by module_slug, contributor"
)

var summaryColumns = []string{"module_slug", "method", "host_class", "variant", "contributors", "summary"}

func summaryRow(s index.Summary) ([]any, error) {
	text, err := json.Marshal(s)
	return []any{s.ModuleSlug, s.Method, s.HostClass, s.Variant, s.Contributors, text}, err
}

// sumModules makes the summaries of modules what their units say.
func sumModules(ctx context.Context, tx pgx.Tx, modules []string) error {
	if len(modules) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, "delete from module_summary where module_slug = any($1)", modules); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectUnits+ofModules+unitsByOwner, modules)
	if err != nil {
		return err
	}
	var b moduleBuilder
	if err := b.addRows(rows, func() error { return nil }); err != nil {
		return err
	}
	return b.copyTo(ctx, tx)
}

// addRows adds units as selectUnits gives them, up to the last, and calls enough when it has added some thousand summaries.
func (b *moduleBuilder) addRows(rows pgx.Rows, enough func() error) error {
	defer rows.Close()
	var contributor []byte
	for rows.Next() {
		var of share
		var u index.Unit
		contributor = contributor[:0]
		if err := rows.Scan(&of.module, &contributor, &u.Method, &u.Tag, &u.HostClass, &u.Best, &u.Runs, &u.Values, &u.BusMBPerS, &u.Boards, &u.Results,
			&u.Newest, &u.NewestAt, &u.Variant, &u.Evidence, &u.Price.Amount, &u.Price.Currency, &u.Price.On); err != nil {
			return err
		}
		u.Values = index.Padded(u.Values)
		of.contributor = string(contributor)
		if err := b.add(of, u); err != nil {
			return err
		}
		if len(b.rows) >= rebuildBatch/10 {
			if err := enough(); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return b.sum()
}

// moduleBuilder gathers units, which come by module and contributor, into the summaries of modules.
type moduleBuilder struct {
	at     share
	shares []index.Share
	rows   [][]any
}

func (b *moduleBuilder) add(of share, units ...index.Unit) error {
	if of.module != b.at.module {
		if err := b.sum(); err != nil {
			return err
		}
	}
	if of != b.at {
		b.shares = append(b.shares, index.Share{Contributor: len(b.shares)})
		b.at = of
	}
	last := &b.shares[len(b.shares)-1]
	last.Units = append(last.Units, units...)
	return nil
}

// sum makes the summaries of the module whose units came last.
func (b *moduleBuilder) sum() error {
	for _, s := range index.SummariesOf(b.at.module, b.shares) {
		row, err := summaryRow(s)
		if err != nil {
			return err
		}
		b.rows = append(b.rows, row)
	}
	b.shares = nil
	return nil
}

// copyTo stores the summaries that are ready.
func (b *moduleBuilder) copyTo(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"module_summary"}, summaryColumns, pgx.CopyFromRows(b.rows))
	b.rows = nil
	return err
}

// summaries reads those that the condition picks.
func summaries(ctx context.Context, tx pgx.Tx, where string, args ...any) ([]index.Summary, error) {
	rows, err := tx.Query(ctx, "select module_slug, method, host_class, variant, summary from module_summary "+where+
		" order by module_slug, method, host_class, variant", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (s index.Summary, err error) {
		var text []byte
		if err = row.Scan(&s.ModuleSlug, &s.Method, &s.HostClass, &s.Variant, &text); err != nil {
			return s, err
		}
		return s, json.Unmarshal(text, &s)
	})
}
