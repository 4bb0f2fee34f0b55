package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// What a module shows is made in two steps, so that a change of one submission doesn't touch all others of its module:
// submissions make the figures of units and the counts of contributors (a share is all that one contributor has of one
// module), and these make the figures and counts of modules.

// The submissions of some shares, given as arrays of modules and contributors, and those of all.
const (
	ofShares = `unnest($1::text[], $2::bytea[]) as share (module_slug, contributor)
		join submission s on s.contributor = share.contributor
		join module_name n on n.slug = s.module_slug and n.module_slug = share.module_slug`
	ofAll = `submission s join module_name n on n.slug = s.module_slug`
)

// Which figure comes from which test is index.FiguresOf's definition, and a test holds the two together.
const figureOfTest = `
	join measurement m on m.submission_id = s.id
	cross join lateral (values
		('rand_write_iops',    case when m.test = 'rand-write' then m.iops end),
		('rand_read_iops',     case when m.test = 'rand-read'  then m.iops end),
		('seq_write_mb_per_s', case when m.test = 'seq-write'  then m.mb_per_s end),
		('seq_read_mb_per_s',  case when m.test = 'seq-read'   then m.mb_per_s end),
		('rand_write_p99_ms',  case when m.test = 'rand-write' then m.p99_ns / 1e6::float8 end),
		('rand_write_max_ms',  case when m.test = 'rand-write' then m.max_ns / 1e6::float8 end)
	) as f (figure, value)`

// ranked picks the runs that count.
const ranked = "s.state = 'accepted' and s.not_ranked = '{}' and f.value is not null"

// unitsOf makes the figures of units: medians over runs. Runs of a contributor whose module has no tag are taken for runs
// of one unit.
func unitsOf(submissions string) string {
	return `
	insert into unit_figure (module_slug, contributor, method, figure, unit, value, weight, runs)
	select n.module_slug, s.contributor, s.method, f.figure, coalesce(s.unit_tag, ''), percentile_cont(0.5) within group (order by f.value),
		1 / count(*) over (partition by n.module_slug, s.contributor, s.method, f.figure)::float8, count(*)
	from ` + submissions + figureOfTest + `
	where ` + ranked + `
	group by 1, 2, 3, 4, 5`
}

// countsOf makes the counts of contributors.
func countsOf(submissions string) string {
	return `
	insert into module_contributor (module_slug, contributor, method, results, newest, newest_at)
	select n.module_slug, s.contributor, s.method, count(*), (array_agg(s.id order by s.received_at desc, s.id desc))[1], max(s.received_at)
	from ` + submissions + `
	where s.state = 'accepted'
	group by 1, 2, 3`
}

// queueShares makes units and counts what the submissions of shares say.
func queueShares(batch *pgx.Batch, of shares) {
	const these = " as t using unnest($1::text[], $2::bytea[]) as share (module_slug, contributor) where t.module_slug = share.module_slug and t.contributor = share.contributor"
	for _, statement := range []string{"delete from unit_figure" + these, unitsOf(ofShares), "delete from module_contributor" + these, countsOf(ofShares)} {
		batch.Queue(statement, of.modules, of.contributors)
	}
}

// figuresOf makes the figures of modules: the weighted median over units (docs/method.md). Weights are fractions, and their
// sums not exact: what is within 10^-9 of one half of all is one half.
func figuresOf(where string) string {
	return `
	with whole as (
		select module_slug, method, figure, count(*) as units, sum(runs) as runs, round(sum(weight)) as contributors
		from unit_figure ` + where + `
		group by module_slug, method, figure
	), ordered as (
		select module_slug, method, figure, value, sum(weight) over (partition by module_slug, method, figure order by value rows unbounded preceding) as upto
		from unit_figure ` + where + `
	)
	insert into module_figure (module_slug, method, figure, median, units, runs, contributors)
	select module_slug, method, figure,
		(min(value) filter (where upto > contributors * (0.5 - 1e-9)) + min(value) filter (where upto > contributors * (0.5 + 1e-9))) / 2,
		units, runs, contributors
	from ordered join whole using (module_slug, method, figure)
	group by module_slug, method, figure, units, runs, contributors`
}

// methodsOf makes the counts of modules.
func methodsOf(where string) string {
	return `
	insert into module_method (module_slug, method, results, newest)
	select module_slug, method, sum(results), (array_agg(newest order by newest_at desc, newest desc))[1]
	from module_contributor ` + where + `
	group by module_slug, method`
}

// queueModules makes the figures and counts of modules what their units and contributors say.
func queueModules(batch *pgx.Batch, modules []string) {
	const these = " where module_slug = any($1)"
	for _, statement := range []string{"delete from module_figure" + these, figuresOf(these), "delete from module_method" + these, methodsOf(these)} {
		batch.Queue(statement, modules)
	}
}

// rebuild makes everything anew if the units are not of the generation that was folded last.
func rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	if err := tx.QueryRow(ctx, "select units_folded <> folded from publication where name = 'site'").Scan(&rebuilt); err != nil || !rebuilt {
		return false, err
	}
	var batch pgx.Batch
	for _, statement := range []string{
		"set local statement_timeout = 0", // it may take an hour where there are ten million results
		"delete from unit_figure", unitsOf(ofAll), "delete from module_contributor", countsOf(ofAll),
		"delete from module_figure", figuresOf(""), "delete from module_method", methodsOf(""),
		"update publication set units_folded = folded where name = 'site'",
	} {
		batch.Queue(statement)
	}
	return true, tx.SendBatch(ctx, &batch).Close()
}
