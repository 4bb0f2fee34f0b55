package store

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"slices"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// selectUnits are the units, or those of the modules $1, by module and contributor.
const (
	selectUnits  = "select " + unitFields + " from unit "
	ofModules    = "where module_slug = any($1) "
	unitsByOwner = "order by module_slug, contributor"
)

// tallyFrom is how many units a module has whose summaries are brought up to date rather than made anew: reading so many units and
// summing them up takes some 17 ms. A variable for tests.
var tallyFrom = 2_000

var summaryColumns = []string{"module_slug", "method", "host_class", "variant", "contributors", "summary", "tally"}

func summaryRow(s figure.Summary) ([]any, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var tally []byte
	if s.Tally != nil {
		var encoded bytes.Buffer
		if err := gob.NewEncoder(&encoded).Encode(s.Tally); err != nil {
			return nil, err
		}
		tally = encoded.Bytes()
	}
	return []any{s.ModuleSlug, s.Method, s.HostClass, s.Variant, s.Contributors, text, tally}, nil
}

// touch notes that what is shown of modules of their results may have changed.
const (
	touch      = "insert into module_touched (module_slug, at) select slug, clock_timestamp() from module "
	touchAgain = "on conflict (module_slug) do update set at = excluded.at"
)

// sumModules makes the summaries of modules what their units say, which have changed in this way.
func sumModules(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change) error {
	if len(modules) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, touch+"where slug = any($1) "+touchAgain, modules); err != nil {
		return err
	}
	updated, err := updateTallied(ctx, tx, modules, changes)
	if err != nil {
		return err
	}
	anew := slices.DeleteFunc(slices.Clone(modules), func(slug string) bool { return slices.Contains(updated, slug) })
	if len(anew) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, "delete from module_summary where module_slug = any($1)", anew); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectUnits+ofModules+unitsByOwner, anew)
	if err != nil {
		return err
	}
	var made [][]any
	g := gatherer{whole: func(m moduleUnits) error {
		rows, err := m.summaryRows()
		made = append(made, rows...)
		return err
	}}
	if err := g.addRows(rows); err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"module_summary"}, summaryColumns, pgx.CopyFromRows(made))
	return err
}

// updateTallied brings the summaries of those modules up to date that have many units, and returns the modules.
func updateTallied(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change) (updated []string, err error) {
	rows, err := tx.Query(ctx, "select module_slug, method, host_class, variant, summary, tally from module_summary "+ofModules+"and tally is not null order by module_slug", modules)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var batch pgx.Batch
	var of []figure.Summary
	update := func() error {
		if len(of) == 0 {
			return nil
		}
		changed, ok := figure.Update(of, changes[of[0].ModuleSlug])
		if !ok {
			return nil
		}
		for _, s := range changed {
			row, err := summaryRow(*s)
			if err != nil {
				return err
			}
			batch.Queue("update module_summary set contributors = $5, summary = $6, tally = $7 where module_slug = $1 and method = $2 and host_class = $3 and variant = $4", row...)
		}
		updated = append(updated, of[0].ModuleSlug)
		return nil
	}
	for rows.Next() {
		s, tally := figure.Summary{Tally: &figure.Tally{}}, []byte{}
		if err := scanSummary(rows, &s, &tally); err != nil {
			return nil, err
		}
		if err := gob.NewDecoder(bytes.NewReader(tally)).Decode(s.Tally); err != nil {
			return nil, err
		}
		if len(of) > 0 && of[0].ModuleSlug != s.ModuleSlug {
			if err := update(); err != nil {
				return nil, err
			}
			of = nil
		}
		of = append(of, s)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := update(); err != nil {
		return nil, err
	}
	return updated, tx.SendBatch(ctx, &batch).Close()
}

// moduleUnits are all units of one module.
type moduleUnits struct {
	shares []figure.Share
	of     []share // of shares
	n      int     // units in shares
}

// summaryRows are the rows of the module's summaries.
func (m moduleUnits) summaryRows() (rows [][]any, err error) {
	summaries := figure.SummariesOf
	if m.n >= tallyFrom {
		summaries = figure.TalliedSummariesOf
	}
	for _, s := range summaries(m.of[0].module, m.shares) {
		row, err := summaryRow(s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// gatherer gathers units, which come by module and contributor, into those of a module.
type gatherer struct {
	module moduleUnits
	whole  func(moduleUnits) error // takes each module when its units are together
}

func (g *gatherer) add(of share, units ...figure.Unit) error {
	m := &g.module
	if len(m.of) > 0 && of.module != m.of[0].module {
		if err := g.end(); err != nil {
			return err
		}
	}
	if len(m.of) == 0 || of != m.of[len(m.of)-1] {
		m.shares, m.of = append(m.shares, figure.Share{Contributor: len(m.of)}), append(m.of, of)
	}
	last := &m.shares[len(m.shares)-1]
	last.Units = append(last.Units, units...)
	m.n += len(units)
	return nil
}

// end hands over the module whose units came last.
func (g *gatherer) end() error {
	if len(g.module.of) == 0 {
		return nil
	}
	m := g.module
	g.module = moduleUnits{}
	return g.whole(m)
}

// addRows adds units as selectUnits gives them, up to the last.
func (g *gatherer) addRows(rows pgx.Rows) error {
	if err := eachUnit(rows, func(of share, u figure.Unit) error { return g.add(of, u) }); err != nil {
		return err
	}
	return g.end()
}

// What is read of a summary. Figures are nearly all of it, and of variants only few pages show them.
const (
	wholeSummary          = "summary"
	withoutVariantFigures = "case variant when '' then summary else summary - 'figures' end"
)

// summaries reads those that the condition picks.
func summaries(ctx context.Context, tx pgx.Tx, what, where string, args ...any) ([]figure.Summary, error) {
	rows, err := tx.Query(ctx, "select module_slug, method, host_class, variant, "+what+" from module_summary "+where+
		" order by module_slug, method, host_class, variant", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (s figure.Summary, err error) { return s, scanSummary(row, &s) })
}

// scanSummary reads a summary and its keys, and what comes behind them.
func scanSummary(row pgx.CollectableRow, s *figure.Summary, more ...any) error {
	var text []byte
	if err := row.Scan(append([]any{&s.ModuleSlug, &s.Method, &s.HostClass, &s.Variant, &text}, more...)...); err != nil {
		return err
	}
	return json.Unmarshal(text, s)
}
