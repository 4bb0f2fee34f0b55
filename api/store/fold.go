package store

import (
	"context"

	"flashdex/api/catalogue"

	"github.com/jackc/pgx/v5"
)

// foldBatch is how many submissions one transaction of Fold takes.
const foldBatch = 10_000

// Fold works the outbox into module_figure: it recomputes the figures of every module that a waiting submission belongs
// to. It returns how many submissions it took and the generation, which rises by one for each transaction that took some.
//
// The rows of the outbox go in the transaction that recomputes, so a crash in between loses and doubles nothing; two
// folds at once take turns.
func (s *Store) Fold(ctx context.Context) (taken int, generation int64, err error) {
	for {
		var waiting bool
		err := s.pool.QueryRow(ctx, "select exists (select from outbox), folded from publication where name = 'site'").Scan(&waiting, &generation)
		if err != nil || !waiting {
			return taken, generation, wrap(err)
		}
		var batch int
		err = s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) (err error) {
			batch, generation, err = foldOnce(ctx, tx)
			return err
		})
		taken += batch
		if err != nil || batch < foldBatch {
			return taken, generation, err
		}
	}
}

func foldOnce(ctx context.Context, tx pgx.Tx) (taken int, generation int64, err error) {
	if generation, err = lockGeneration(ctx, tx); err != nil {
		return 0, 0, err
	}
	rows, err := tx.Query(ctx, `
		with taken as (
			delete from outbox where (submission_id, id) in (
				select submission_id, id from outbox order by created_at limit $1 for update skip locked)
			returning submission_id)
		select s.id::text, s.module_slug from taken join submission s on s.id = taken.submission_id`, foldBatch)
	if err != nil {
		return 0, 0, err
	}
	var ids, slugs []string
	var id, slug string
	_, err = pgx.ForEachRow(rows, []any{&id, &slug}, func() error {
		ids, slugs = append(ids, id), append(slugs, slug)
		return nil
	})
	if err != nil || len(ids) == 0 {
		return 0, generation, err
	}
	if err := quarantineDeviating(ctx, tx, ids, slugs); err != nil {
		return 0, 0, err
	}
	generation++
	var batch pgx.Batch
	queueTombstones(&batch, ids, slugs)
	queueRecompute(&batch, slugs)
	batch.Queue(setGeneration, generation)
	return len(ids), generation, tx.SendBatch(ctx, &batch).Close()
}

// queueTombstones takes the module out of deleted submissions, which the recomputing that follows takes out of the module.
// A module that only contributors knew of, and that has no result left, is no longer shown; its name, which somebody
// typed, goes a minute later, when no upload under way can mean it.
func queueTombstones(batch *pgx.Batch, ids, slugs []string) {
	batch.Queue("update submission set module_slug = '' where id = any($1) and state = 'deleted'", ids)
	const used = `(exists (select from submission s where s.module_slug = m.slug) or
		exists (select from module_alias a join submission s on s.module_slug = a.from_slug where a.into_slug = m.slug))`
	batch.Queue(`update module m set orphaned_at = case when `+used+` then null else now() end
		where slug = any($1) and known_from in ('`+catalogue.KnownFromTyped+`', '`+catalogue.KnownFromKernel+`') and (orphaned_at is null) <> `+used, slugs)
	batch.Queue("delete from module m where orphaned_at < now() - interval '1 minute' and not " + used +
		" and not exists (select from module_alias where into_slug = m.slug)")
}

// queueRecompute makes the figures of modules what their submissions say. The modules may be given by slugs that stand
// for others.
func queueRecompute(batch *pgx.Batch, slugs []string) {
	const of = " (select module_slug from module_name where slug = any($1) union select unnest($1))"
	batch.Queue("delete from module_figure where module_slug in"+of, slugs)
	batch.Queue("delete from module_method where module_slug in"+of, slugs)
	batch.Queue(recompute, slugs)
	batch.Queue(recount, slugs)
}

// meant picks the names of all modules that the slugs $1 mean.
const meant = "n.module_slug = any(array(select module_slug from module_name where slug = any($1)))"

// recount counts what is shown of modules, ranked or not.
const recount = `
	insert into module_method (module_slug, method, results, newest)
	select n.module_slug, s.method, count(*), (array_agg(s.id order by s.received_at desc, s.id desc))[1]
	from module_name n
	join submission s on s.module_slug = n.slug
	where ` + meant + ` and s.state = 'accepted'
	group by n.module_slug, s.method`

// recompute counts contributors and units, not runs: a unit's value is the median over its runs, and the module's figure
// the weighted median over units (docs/method.md), in which all units of one contributor together weigh one. A unit is one
// contributor's module with one tag; runs of a contributor whose module has no tag are taken for runs of one unit. Which
// figure comes from which test is index.FiguresOf's definition, and a test holds the two together.
//
// Weights are fractions, and their sums not exact: a share within 10^-9 of one half is one half.
const recompute = `
	with unit as (
		select module_slug, method, figure, contributor, percentile_cont(0.5) within group (order by value) as value, count(*) as runs
		from (` + rankedRuns + `) run
		group by module_slug, method, figure, contributor, unit
	), weighed as (
		select *, 1 / count(*) over (partition by module_slug, method, figure, contributor)::float8 as weight
		from unit
	), ordered as (
		select *,
			sum(weight) over (partition by module_slug, method, figure order by value rows unbounded preceding) /
			sum(weight) over (partition by module_slug, method, figure) as share
		from weighed
	)
	insert into module_figure (module_slug, method, figure, median, units, runs, contributors)
	select module_slug, method, figure,
		(min(value) filter (where share > 0.5 - 1e-9) + min(value) filter (where share > 0.5 + 1e-9)) / 2,
		count(*), sum(runs), count(distinct contributor)
	from ordered
	group by module_slug, method, figure`

// rankedRuns are the figures of the accepted, ranked submissions of the modules that the slugs $1 mean.
const rankedRuns = `
	select n.module_slug, s.id, s.method, s.contributor, coalesce(s.unit_tag, 'untagged') as unit, f.figure, f.value
	from module_name n
	join submission s on s.module_slug = n.slug
	join measurement m on m.submission_id = s.id
	cross join lateral (values
		('rand_write_iops',    case when m.test = 'rand-write' then m.iops end),
		('rand_read_iops',     case when m.test = 'rand-read'  then m.iops end),
		('seq_write_mb_per_s', case when m.test = 'seq-write'  then m.mb_per_s end),
		('seq_read_mb_per_s',  case when m.test = 'seq-read'   then m.mb_per_s end),
		('rand_write_p99_ms',  case when m.test = 'rand-write' then m.p99_ns / 1e6::float8 end),
		('rand_write_max_ms',  case when m.test = 'rand-write' then m.max_ns / 1e6::float8 end)
	) as f (figure, value)
	where ` + meant + ` and s.state = 'accepted' and s.not_ranked = '{}' and f.value is not null`

// lockGeneration reads the generation and keeps others from changing what it counts until the transaction ends.
func lockGeneration(ctx context.Context, tx pgx.Tx) (generation int64, err error) {
	err = tx.QueryRow(ctx, selectGeneration+" for update").Scan(&generation)
	return generation, err
}

const setGeneration = "update publication set folded = $1 where name = 'site'"
