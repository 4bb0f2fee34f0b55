package store

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
)

// If new naming rules have moved all results of a module with a page to one other module, the old address leads there.
// It does so by an alias, like a merged module's. Unlike a merge, this doesn't cover future results: once a result
// belongs to the old module again, the alias is removed.

// ruleNames is the actor of events and aliases that naming rules cause.
const ruleNames = "rule names"

// toSeveral stands in module.moved_to if results went to several modules.
const toSeveral = "-"

// leadOn notes where results moved, and turns modules without any result left into aliases.
func leadOn(ctx context.Context, tx pgx.Tx, moved map[[2]string]bool) error {
	if len(moved) == 0 {
		return nil
	}
	var notes, aliases pgx.Batch
	from := map[string]bool{}
	for m := range moved {
		from[m[0]] = true
		notes.Queue("update module set moved_to = case when moved_to in ('', $2) then $2 else '"+toSeveral+
			"' end where slug = $1", m[0], m[1])
	}
	if err := tx.SendBatch(ctx, &notes).Close(); err != nil {
		return err
	}
	const merged = "exists (select 1 from module_alias a where slug in (a.from_slug, a.into_slug) and a.actor <> '" +
		ruleNames + "')"
	unused, _, err := partitionByUse(ctx, tx, "slug = any($1) and "+confirmable+" and confirmed and not "+merged,
		slices.Collect(maps.Keys(from)))
	if err != nil {
		return err
	}
	into, err := mapOf[string, string](ctx, tx, `
		select m.slug, n.module_slug from module m join module_name n on n.slug = m.moved_to
		where m.slug = any($1) and n.module_slug <> m.slug`, unused)
	if err != nil {
		return err
	}
	for slug, to := range into {
		aliases.Queue("update module_alias set into_slug = $2 where into_slug = $1", slug, to) // so that there are no chains
		aliases.Queue(`insert into module_alias (from_slug, into_slug, at, actor, reason)
			values ($1, $2, now(), '`+ruleNames+"', 'All results of it are of this module.') on conflict do nothing", slug, to)
	}
	return tx.SendBatch(ctx, &aliases).Close()
}

// queueBack makes a slug that was an alias a module of its own again.
func queueBack(batch *pgx.Batch, slug string) {
	batch.Queue("delete from module_alias where from_slug = $1 and actor = '"+ruleNames+"'", slug)
	batch.Queue("update module set moved_to = '' where slug = $1 and moved_to <> ''", slug)
}
