package store

import (
	"context"
	"encoding/json"
	"slices"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// selectUnits selects all units, or with ofModules the units of the modules $1. unitsInOrder sorts them by share.
var selectUnits = "select " + unitColumns.list("") + " from unit "

const (
	ofModules    = "where module_slug = any($1) "
	unitsInOrder = "order by module_slug, contributor"
)

// tallyFrom is how many units a module must have for its summaries to be updated instead of recomputed. To read so many
// units and to sum them up takes about 17 ms. It is a variable for tests.
var tallyFrom = 2_000

// summaryColumns hold a summary and its tally. Column tally has the tallies of an older version.
var summaryColumns columns[figure.Summary] = func(s *figure.Summary) []column {
	return append(summaryKey(s), column{"contributors", &s.Contributors}, column{"summary", (*summaryJSON)(s)},
		column{"tally_json", &s.Tally})
}

// summaryKey is the primary key of a summary.
func summaryKey(s *figure.Summary) []column {
	return []column{
		{"module_slug", &s.ModuleSlug}, {"method", &s.Method}, {"host_class", &s.HostClass}, {"variant", &s.Variant},
	}
}

// touch notes that the pages of modules may have changed. A condition and touchAgain follow it.
const (
	touch      = "insert into module_touched (module_slug, at) select slug, clock_timestamp() from module "
	touchAgain = "on conflict (module_slug) do update set at = excluded.at"
)

// recomputeSummaries brings the summaries of modules up to date with their units. changes lists, by module, how the
// units changed.
func recomputeSummaries(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change) error {
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
	others := slices.DeleteFunc(slices.Clone(modules), func(slug string) bool { return slices.Contains(updated, slug) })
	if len(others) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, "delete from module_summary where module_slug = any($1)", others); err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, selectUnits+ofModules+unitsInOrder, others)
	var made []figure.Summary
	g := gatherer{done: func(m moduleUnits) error {
		made = append(made, m.summaries()...)
		return nil
	}}
	if err := g.addRows(rows); err != nil {
		return err
	}
	return summaryColumns.copyTo(ctx, tx, "module_summary", slices.Values(made))
}

var updateSummary = prepare(`
	update module_summary set contributors = @contributors, summary = @summary, tally_json = @tally_json
	where module_slug = @module_slug and method = @method and host_class = @host_class and variant = @variant`)

// updateTallied updates the summaries of the modules that have tallies, without reading their units, and returns these
// modules. It leaves out a module if its tallies don't suffice for the changes.
func updateTallied(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change) (
	updated []string, err error) {
	rows, _ := tx.Query(ctx, "select "+summaryColumns.list("")+" from module_summary "+ofModules+
		"and tally_json is not null order by module_slug", modules)
	var batch pgx.Batch
	var of []figure.Summary // one module's
	update := func() {
		if len(of) == 0 {
			return
		}
		changed, ok := figure.Update(of, changes[of[0].ModuleSlug])
		if !ok {
			return
		}
		for _, s := range changed {
			batch.Queue(updateSummary.sql, updateSummary.with(summaryColumns(s)...)...)
		}
		updated = append(updated, of[0].ModuleSlug)
	}
	if err := summaryColumns.each(rows, func(s figure.Summary) error {
		if len(of) > 0 && of[0].ModuleSlug != s.ModuleSlug {
			update()
			of = nil
		}
		of = append(of, s)
		return nil
	}); err != nil {
		return nil, err
	}
	update()
	return updated, tx.SendBatch(ctx, &batch).Close()
}

// moduleUnits are all units of one module.
type moduleUnits struct {
	shares []figure.Share
	of     []share // says whose each of the shares is
	n      int     // units in shares
}

func (m moduleUnits) summaries() []figure.Summary {
	if m.n >= tallyFrom {
		return figure.TalliedSummariesOf(m.of[0].module, m.shares)
	}
	return figure.SummariesOf(m.of[0].module, m.shares)
}

// gatherer gathers units, which come in the order of shares, by module.
type gatherer struct {
	module moduleUnits
	done   func(moduleUnits) error // takes each module with all its units
}

func (g *gatherer) add(of share, units ...figure.Unit) error {
	m := &g.module
	if len(m.of) > 0 && of.module != m.of[0].module {
		if err := g.finish(); err != nil {
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

// finish hands over the last module.
func (g *gatherer) finish() error {
	if len(g.module.of) == 0 {
		return nil
	}
	m := g.module
	g.module = moduleUnits{}
	return g.done(m)
}

// addRows adds the rows of selectUnits and finishes.
func (g *gatherer) addRows(rows pgx.Rows) error {
	if err := eachUnit(rows, func(u unit) error { return g.add(u.share, u.Unit) }); err != nil {
		return err
	}
	return g.finish()
}

// Expressions that read a summary: whole, or without the figures of variants, which are most of it and shown by few
// pages.
const (
	wholeSummary          = "summary"
	withoutVariantFigures = "case variant when '' then summary else summary - 'figures' end"
)

// summaries reads the summaries that where picks, by one of the expressions above.
func summaries(ctx context.Context, tx pgx.Tx, what, where string, args ...any) ([]figure.Summary, error) {
	var read columns[figure.Summary] = func(s *figure.Summary) []column {
		return append(summaryKey(s), column{what, (*summaryJSON)(s)})
	}
	rows, _ := tx.Query(ctx, "select "+read.list("")+" from module_summary "+where+
		" order by module_slug, method, host_class, variant", args...)
	return pgx.CollectRows(rows, read.scan)
}

// summaryJSON is a summary as JSON, which has neither its key nor its tally.
type summaryJSON figure.Summary

// ScanBytes implements pgtype.BytesScanner. pgx itself would empty the fields that are not in the JSON.
func (s *summaryJSON) ScanBytes(text []byte) error { return json.Unmarshal(text, (*figure.Summary)(s)) }
