package store

import (
	"context"
	"encoding/json"
	"slices"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// tallyFrom is how many units a module must have for its summaries to be updated instead of recomputed. Reading and
// summing up that many units takes about 17 ms. It is a variable for tests.
var tallyFrom = 2_000

// summaryColumns hold a summary and its tally. Column tally holds tallies of an older version.
var summaryColumns columns[figure.Summary] = func(s *figure.Summary) []column {
	return append(summaryKey(s), column{"contributors", &s.Contributors}, column{"summary", (*summaryJSON)(s)},
		column{"tally_json", &s.Tally}, column{"shares", (*sharesArray)(&s.Shares)})
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
func recomputeSummaries(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change,
	by fitter) error {
	if _, err := tx.Exec(ctx, touch+"where slug = any($1) "+touchAgain, modules); err != nil {
		return err
	}
	others, err := updateTallied(ctx, tx, modules, changes, by)
	if err != nil || len(others) == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, "delete from module_summary where module_slug = any($1)", others); err != nil {
		return err
	}
	var made []figure.Summary
	if err := unitsByModule(ctx, tx, func(_ string, of []unit) error {
		made = append(made, by.summariesOf(of)...)
		return nil
	}, "where module_slug = any($1)", others); err != nil {
		return err
	}
	return summaryColumns.copyTo(ctx, tx, "module_summary", made)
}

var updateSummary = prepare(`
	update module_summary set contributors = @contributors, summary = @summary, tally_json = @tally_json, shares = @shares
	where module_slug = @module_slug and method = @method and host_class = @host_class and variant = @variant`)

// updateTallied updates the summaries of modules that have tallies, without reading their units. It returns the modules
// without tallies, and the modules whose tallies don't suffice for the changes.
func updateTallied(ctx context.Context, tx pgx.Tx, modules []string, changes map[string][]figure.Change,
	by fitter) (others []string, err error) {
	rows, _ := tx.Query(ctx, "select "+summaryColumns.list("")+` from module_summary
		where module_slug = any($1) and tally_json is not null order by module_slug`, modules)
	updated, methods := map[string][]*figure.Summary{}, map[string][]string{}
	byModule := groups[string, figure.Summary]{done: func(module string, of []figure.Summary) error {
		changed, ok := figure.Update(of, changes[module])
		if !ok {
			return nil
		}
		updated[module], methods[module] = changed, nil
		for _, s := range changed {
			if s.Whole() {
				methods[module] = append(methods[module], s.Method)
			}
		}
		return nil
	}}
	if err := byModule.finish(summaryColumns.each(rows, func(s figure.Summary) error {
		return byModule.add(s.ModuleSlug, s)
	})); err != nil {
		return nil, err
	}
	samples, err := by.samples(ctx, tx, methods)
	if err != nil {
		return nil, err
	}
	lines, err := ageingUnits(ctx, tx, methods)
	if err != nil {
		return nil, err
	}
	var batch pgx.Batch
	for module, changed := range updated {
		by.setEvidence(changed, samples[module])
		for _, s := range changed {
			if s.Whole() {
				s.SetAgeing(lines[module][s.Method])
			}
			by.fit(s)
			batch.Queue(updateSummary.sql, updateSummary.with(summaryColumns(s)...)...)
		}
	}
	others = slices.DeleteFunc(slices.Clone(modules), func(slug string) bool {
		_, is := updated[slug]
		return is
	})
	return others, tx.SendBatch(ctx, &batch).Close()
}

// summariesOf sums up all units of one module, which come by contributor.
func (f fitter) summariesOf(units []unit) []figure.Summary {
	var all []figure.Contribution
	for i, u := range units {
		if i == 0 || u.contributor != units[i-1].contributor {
			all = append(all, figure.Contribution{Contributor: len(all)})
		}
		of := &all[len(all)-1]
		of.Units = append(of.Units, u.Unit)
	}
	summaries := figure.SummariesOf(units[0].module, all, len(units) >= tallyFrom)
	completed := make([]*figure.Summary, len(summaries))
	for i := range summaries {
		f.fit(&summaries[i])
		completed[i] = &summaries[i]
	}
	f.setEvidence(completed, byContributor(units))
	return summaries
}

// Expressions that read a summary: whole, or without the figures of variants. These make up most of a summary, and few
// pages show them.
const (
	wholeSummary          = "summary"
	withoutVariantFigures = "case variant when '' then summary else summary - 'figures' end"
)

// summaries reads the summaries that where picks, by one of the expressions above.
func summaries(ctx context.Context, q querier, what, where string, args ...any) ([]figure.Summary, error) {
	var read columns[figure.Summary] = func(s *figure.Summary) []column {
		return append(summaryKey(s), column{what, (*summaryJSON)(s)})
	}
	rows, _ := q.Query(ctx, "select "+read.list("")+" from module_summary "+where+
		" order by module_slug, method, host_class, variant", args...)
	return pgx.CollectRows(rows, read.scan)
}

// summaryJSON is a summary as JSON, which has neither its key nor its tally.
type summaryJSON figure.Summary

// ScanBytes implements pgtype.BytesScanner. pgx itself would empty the fields that are not in the JSON.
func (s *summaryJSON) ScanBytes(text []byte) error { return json.Unmarshal(text, (*figure.Summary)(s)) }
