package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// Folding brings the figures of modules up to date with the submissions.
//
// Whatever changes a submission (an upload, a deletion, a moderator's decision) adds a row to the table outbox in the
// same transaction. Fold takes rows out of the outbox and recomputes what their submissions belong to, in two steps.
// From all submissions of one contributor and module it computes the units of this share (unit.go). From all units of a
// module it computes the module's summaries (summary.go). So a change of one submission never reads all other
// submissions of its module.
//
// One transaction takes the rows, stores the new figures and raises the generation. A crash undoes all of it:
// the rows are still in the outbox, and the next fold takes them again. The generation's row is locked meanwhile, so
// two folds take turns.

// foldBatch limits how many submissions one transaction of Fold takes.
const foldBatch = 10_000

// Fold recomputes the units and summaries that the submissions in the outbox belong to, and once a day the calibrations
// by which figures are made. It returns how many submissions it took and the generation, which rises by one with each
// transaction that changed something.
func (s *Store) Fold(ctx context.Context) (taken int, generation int64, err error) {
	if err := cmp.Or(s.nameSome(ctx), s.deriveSome(ctx), s.forgetNetworks(ctx), s.forgetObjections(ctx)); err != nil {
		return 0, 0, err
	}
	taken, generation, err = s.foldOutbox(ctx)
	if err == nil {
		generation, err = s.recalibrate(ctx, generation)
	}
	return taken, generation, err
}

// foldOutbox takes as many rows as were waiting when it began. It leaves later rows to the next call, because more may
// keep arriving and nothing is published until it returns.
func (s *Store) foldOutbox(ctx context.Context) (taken int, generation int64, err error) {
	for waited := -1; ; {
		var waiting int
		var outdated bool
		err := s.pool.QueryRow(ctx, `
			select (select count(*) from outbox), units or summaries, folded
			from publication, (`+selectStale+`) as stale where name = 'site'`,
			figure.UnitVersion, figure.SummaryVersion).Scan(&waiting, &outdated, &generation)
		if waited < 0 {
			waited = waiting
		}
		if err != nil || !outdated && (waiting == 0 || taken >= waited) {
			return taken, generation, wrap(err)
		}
		var batch int
		generation, err = s.change(ctx, func(tx pgx.Tx) (changed bool, err error) {
			batch, changed, err = s.foldOnce(ctx, tx)
			return changed, err
		})
		taken += batch
		if err != nil || batch < foldBatch {
			return taken, generation, err
		}
	}
}

func (s *Store) foldOnce(ctx context.Context, tx pgx.Tx) (taken int, changed bool, err error) {
	rebuilt, err := s.rebuild(ctx, tx)
	if err == nil && rebuilt {
		_, err = relist(ctx, tx, "true")
	}
	if err != nil {
		return 0, false, err
	}
	c, err := takeOutbox(ctx, tx)
	if err != nil || len(c.ids) == 0 && !rebuilt {
		return 0, false, err
	}
	// An older server may have stored them.
	if _, _, err := deriveAnew(ctx, tx, false, "id = any($2)", c.ids); err != nil {
		return 0, false, err
	}
	for _, step := range []func(context.Context, pgx.Tx, *changes) error{
		quarantineCopies, probation, s.nameAnew, compareNetworks, judgeDeviating, s.recompute, forgetDeleted,
	} {
		if err := step(ctx, tx, &c); err != nil {
			return 0, false, err
		}
	}
	return len(c.ids), true, nil
}

// share identifies everything that one contributor uploaded of one module.
type share struct {
	module      string
	contributor contributorID
}

var shareColumns columns[share] = func(s *share) []column {
	return []column{{"of_module", &s.module}, {"of_contributor", &s.contributor}}
}

// changes is what one transaction took out of the outbox.
type changes struct {
	ids      []string        // of submissions
	deleted  []string        // ids of submissions that were deleted by then; one deleted later is in the outbox again
	rejected []contributorID // whose results an operator has rejected
	senders  []contributorID // whose results began or ceased to count
	slugs    []string        // modules that they belong to or left, as stored

	// What has to be folded, which steps may add to:
	modules []string // slugs of today, sorted
	shares  []share
	has     map[share]bool
}

// takeOutbox takes the oldest submissions out of the outbox.
func takeOutbox(ctx context.Context, tx pgx.Tx) (c changes, err error) {
	entries, err := mapOf[string, string](ctx, tx, `
		select id::text, submission_id::text from outbox order by created_at limit $1`, foldBatch)
	if err != nil || len(entries) == 0 {
		return c, err
	}
	c.ids = slices.Collect(maps.Values(entries))
	left, means, err := takeRows(ctx, tx, c.ids, slices.Collect(maps.Keys(entries)))
	if err != nil {
		return c, err
	}
	rows, _ := tx.Query(ctx, `
		select s.id::text, s.state = 'deleted', s.state = 'rejected' and s.state_rule = '', s.module_slug, `+currentSlug+`,
			s.contributor
		from submission s `+joinAlias+` where s.id = any($1)`, c.ids)
	var id, slug string
	var deleted, rejected bool
	var of share
	slugs := map[string]bool{}
	c.has = map[share]bool{}
	_, err = pgx.ForEachRow(rows, []any{&id, &deleted, &rejected, &slug, &of.module, &of.contributor}, func() error {
		if deleted {
			c.deleted = append(c.deleted, id)
		}
		if rejected {
			c.rejected = append(c.rejected, of.contributor)
		}
		slugs[slug] = true
		c.add(of)
		for _, slug := range left[id] {
			slugs[slug] = true
			c.add(share{cmp.Or(means[slug], slug), of.contributor})
		}
		return nil
	})
	c.slugs = slices.Sorted(maps.Keys(slugs))
	return c, err
}

// takeRows deletes rows of the outbox. It returns the slugs of the modules that submissions left, by submission id, and
// today's slugs of these modules. Rows that were added since for the same submissions wait for the next fold.
func takeRows(ctx context.Context, tx pgx.Tx, ids, entries []string) (
	left map[string][]string, means map[string]string, err error) {
	rows, _ := tx.Query(ctx, `
		delete from outbox where submission_id = any($1) and id = any($2) returning submission_id::text, left_slug`,
		ids, entries)
	left = map[string][]string{}
	var id, slug string
	var slugs []string
	if _, err := pgx.ForEachRow(rows, []any{&id, &slug}, func() error {
		if slug != "" {
			left[id], slugs = append(left[id], slug), append(slugs, slug)
		}
		return nil
	}); err != nil || len(slugs) == 0 {
		return nil, nil, err
	}
	means, err = mapOf[string, string](ctx, tx, "select slug, module_slug from module_name where slug = any($1)", slugs)
	return left, means, err
}

// Today's slug of the module of a submission s. Modules may have been merged since it was uploaded.
const (
	currentSlug = "coalesce(a.into_slug, s.module_slug)"
	joinAlias   = "left join module_alias a on a.from_slug = s.module_slug"
)

// recompute recomputes the units of shares, then the summaries of their modules, and then which modules are listed.
func (s *Store) recompute(ctx context.Context, tx pgx.Tx, c *changes) error {
	changes, err := recomputeUnits(ctx, tx, c.shares)
	if err != nil {
		return err
	}
	by, err := s.fitter(ctx, tx, c.modules)
	if err != nil {
		return err
	}
	if err := recomputeSummaries(ctx, tx, c.modules, changes, by); err != nil {
		return err
	}
	_, err = relist(ctx, tx, "slug = any($1)", c.modules)
	return err
}

// forgetDeleted removes from deleted submissions what folding still needed, such as their module and contributor. It
// also removes objections to them. A module that was named by contributors alone and has no result left is hidden at
// once. Its name, which somebody typed, is deleted a minute later, when uploads under way can no longer refer to it.
func forgetDeleted(ctx context.Context, tx pgx.Tx, c *changes) error {
	const forget = `update submission set module_slug = '', contributor = '', network = '', registers = '', said = ''
		where id = any($1)`
	if _, err := tx.Exec(ctx, forget, c.deleted); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "delete from objection where submission_id = any($1)", c.deleted); err != nil {
		return err
	}
	unused, used, err := partitionByUse(ctx, tx, "slug = any($1) and "+contributed, c.slugs)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	batch.Queue("update module set orphaned_at = null where slug = any($1) and orphaned_at is not null", used)
	batch.Queue("update module set orphaned_at = now() where slug = any($1) and orphaned_at is null", unused)
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	_, err = removeUnused(ctx, tx, "orphaned_at < now() - interval '1 minute'")
	return err
}

// removeUnused deletes the modules that a condition picks and no submission refers to. It reports whether there were
// any. An upload under way locks its module's row until it commits. So if a row can be locked, no upload holds it, and
// the search for submissions, which comes after that, finds all.
func removeUnused(ctx context.Context, tx pgx.Tx, which string, args ...any) (removed bool, err error) {
	rows, _ := tx.Query(ctx, "select slug from module where "+noAlias+" and "+which, args...)
	candidates, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(candidates) == 0 {
		return false, err
	}
	var locks, removals pgx.Batch
	var locked []string
	for _, slug := range candidates {
		locks.Queue("select slug from module where slug = $1 for update skip locked", slug).Query(
			func(rows pgx.Rows) error {
				slugs, err := pgx.CollectRows(rows, pgx.RowTo[string])
				locked = append(locked, slugs...)
				return err
			})
	}
	if err := tx.SendBatch(ctx, &locks).Close(); err != nil {
		return false, err
	}
	unused, _, err := partitionByUse(ctx, tx, "slug = any($1)", locked)
	if err != nil {
		return false, err
	}
	removals.Queue("delete from module where slug = any($1)", unused)
	removals.Queue("delete from module_touched where module_slug = any($1)", unused)
	return len(unused) > 0, tx.SendBatch(ctx, &removals).Close()
}

// noAlias picks modules that no other was merged into.
const noAlias = "not exists (select 1 from module_alias a where a.into_slug = module.slug)"

// partitionByUse divides the modules that a condition picks into modules without and with a submission, under any of
// their names.
func partitionByUse(ctx context.Context, tx pgx.Tx, which string, args ...any) (unused, used []string, err error) {
	aliases, err := mapOf[string, []string](ctx, tx, `
		select slug, array(select a.from_slug from module_alias a where a.into_slug = module.slug)
		from module where `+which, args...)
	if err != nil {
		return nil, nil, err
	}
	var batch pgx.Batch
	for slug := range aliases {
		batch.Queue(isUsed, append(aliases[slug], slug)).QueryRow(func(row pgx.Row) error {
			var is bool
			err := row.Scan(&is)
			if is {
				used = append(used, slug)
			} else {
				unused = append(unused, slug)
			}
			return err
		})
	}
	return unused, used, tx.SendBatch(ctx, &batch).Close()
}

// isUsed reports whether a submission belongs to the module with the names $1.
const isUsed = "select exists (select 1 from submission where module_slug = any($1))"

// change locks the generation, runs do, and raises the generation if do changed something. It returns the generation.
func (s *Store) change(ctx context.Context, do func(pgx.Tx) (changed bool, err error)) (generation int64, err error) {
	err = s.withLongTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, selectGeneration+" for update").Scan(&generation); err != nil {
			return err
		}
		changed, err := do(tx)
		if err != nil || !changed {
			return err
		}
		generation++
		// If fitted was behind folded, it stays behind: units and summaries that were out of date still are.
		_, err = tx.Exec(ctx, `
			update publication set fitted = case fitted when folded then $1 else fitted end, folded = $1
			where name = 'site'`, generation)
		return err
	})
	return generation, err
}
