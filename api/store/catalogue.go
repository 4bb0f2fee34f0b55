package store

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"flashdex/api/catalogue"

	"github.com/jackc/pgx/v5"
)

// moduleColumns hold the stored fields of a module. The other fields only help to find it.
var moduleColumns columns[catalogue.Module] = func(m *catalogue.Module) []column {
	if m.Classes == nil {
		m.Classes = []string{} // nil would be null
	}
	return []column{
		{"slug", &m.Slug}, {"vendor", &m.Vendor}, {"product", &m.Product}, {"capacity_gb", &m.CapacityGB},
		{"form", &m.Form}, {"classes", &m.Classes}, {"known_from", &m.KnownFrom}, {"provisional", &m.Provisional},
	}
}

var (
	insertModule  = prepare("insert into module (" + moduleColumns.list("") + ") values (" + moduleColumns.list("@") + ")")
	replaceModule = " on conflict (slug) do update set " + moduleColumns.format(asExcluded) + ", orphaned_at = null"
	selectModules = "select " + shownModule.list("") + " from module"
	// knownModule selects the module m, or the one in the parameters if m is null.
	knownModule = moduleColumns.format("coalesce(m.%[1]s, @%[1]s)")
	// asExcluded has an insert replace the row that it conflicts with.
	asExcluded = "%[1]s = excluded.%[1]s"
	// namedBy picks the module that the slug $1 means.
	namedBy = " where slug = (select module_slug from module_name where slug = $1)"
	// withPage picks modules that have a page. A module has none if it was merged into another, if its only results
	// were deleted, or if it waits to be confirmed. waiting picks the ones that wait.
	withPage = shown + " and not (" + unlisted + ")"
	waiting  = shown + " and " + unlisted
	shown    = ` where orphaned_at is null
		and not exists (select 1 from module_alias a where a.from_slug = module.slug)`
)

// publishedColumns hold a published figure. module is the expression that selects the module's slug.
func publishedColumns(module string) columns[catalogue.Published] {
	return func(p *catalogue.Published) []column {
		return []column{
			{"source", &p.Source}, {"line", &p.Line}, {module, &p.ModuleSlug}, {"device_slug", &p.DeviceSlug},
			{"method", &p.Method}, {"test", &p.Test}, {"block_bytes", &p.BlockBytes}, {"queue_depth", &p.QueueDepth},
			{"mb_per_s", &p.MBPerS}, {"iops", &p.IOPS}, {"restates", &p.Restates}, {"value_text", &p.ValueText},
			{"unit", &p.Unit}, {"host", &p.Host}, {"tool", &p.Tool}, {"date", &p.Date}, {"note", &p.Note},
			{"kind", &p.Kind}, {"contributor", &p.Contributor}, {"host_mb_per_s", &p.HostMBPerS},
			{"of_unit", &p.OfUnit}, {"quality", &p.Quality}, {"ms", &p.MS},
		}
	}
}

var (
	ownSlug          = publishedColumns("module_slug")
	replacePublished = prepare("insert into published (" + ownSlug.list("") + ") values (" + ownSlug.list("@") + `)
		on conflict (source, line) do update set ` + ownSlug.format(asExcluded))
)

// ImportCatalogue replaces the stored modules and published figures by the given ones. Modules that are no longer
// given are deleted, unless they are provisional or submissions refer to them. A module that lists former slugs takes
// over all results and links of these. If nothing differs, nothing changes, and neither does the generation.
func (s *Store) ImportCatalogue(ctx context.Context, modules []catalogue.Module, figures []catalogue.Published) error {
	_, err := s.change(ctx, func(tx pgx.Tx) (changed bool, err error) {
		var batch pgx.Batch
		removed, err := diffModules(ctx, tx, &batch, modules)
		if err != nil {
			return false, err
		}
		if err := diffPublished(ctx, tx, &batch, figures); err != nil {
			return false, err
		}
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return false, err
		}
		merged, err := mergeFormer(ctx, tx, modules)
		if err != nil {
			return false, err
		}
		// During a rolling upgrade, an older server may have folded results that confirm a module.
		listed, err := relist(ctx, tx, "not confirmed")
		return listed || merged || removed || batch.Len() > 0, err
	})
	return err
}

// diffModules queues the statements that store new and changed modules, and deletes modules that are no longer wanted.
func diffModules(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, wanted []catalogue.Module) (
	removed bool, err error) {
	stored, err := modules(ctx, tx, "")
	if err != nil {
		return false, err
	}
	changed, gone := diff(moduleColumns, stored, wanted, func(m catalogue.Module) any { return m.Slug })
	for _, m := range changed {
		batch.Queue(insertModule.sql+replaceModule, insertModule.with(moduleColumns(&m)...)...)
	}
	var slugs []string
	for _, m := range gone {
		slugs = append(slugs, m.Slug)
	}
	return removeUnused(ctx, tx, "slug = any($1) and not provisional", slugs)
}

func diffPublished(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, wanted []catalogue.Published) error {
	stored, err := published(ctx, tx, "p.module_slug", "")
	if err != nil {
		return err
	}
	changed, gone := diff(ownSlug, stored, wanted, func(p catalogue.Published) any {
		return [2]any{p.Source, p.Line}
	})
	if len(changed)+len(gone) > 0 { // published figures of modules depend on them, too
		batch.Queue("update publication set calibrated_at = null where name = 'site'")
	}
	for _, p := range changed {
		batch.Queue(replacePublished.sql, replacePublished.with(ownSlug(&p)...)...)
	}
	for _, p := range gone {
		batch.Queue("delete from published where source = $1 and line = $2", p.Source, p.Line)
	}
	return nil
}

// diff returns the wanted rows that are new or differ from the stored ones, and the stored rows whose key no wanted row
// has.
func diff[T any](all columns[T], stored, wanted []T, key func(T) any) (changed, gone []T) {
	rest := map[any]T{}
	for _, row := range stored {
		rest[key(row)] = row
	}
	for _, row := range wanted {
		old, ok := rest[key(row)]
		if !ok || !reflect.DeepEqual(all(&old), all(&row)) {
			changed = append(changed, row)
		}
		delete(rest, key(row))
	}
	return changed, slices.Collect(maps.Values(rest))
}

func modules(ctx context.Context, tx pgx.Tx, where string) ([]catalogue.Module, error) {
	rows, _ := tx.Query(ctx, selectModules+where+" order by slug")
	return pgx.CollectRows(rows, shownModule.scan)
}

// published reads the published figures that a condition picks. module is the expression that selects the slug of a
// figure's module.
func published(ctx context.Context, tx pgx.Tx, module, where string, args ...any) ([]catalogue.Published, error) {
	all := publishedColumns(module)
	rows, _ := tx.Query(ctx, "select "+all.list("")+` from published p
		left join module_alias a on a.from_slug = p.module_slug `+where+" order by source, line", args...)
	return pgx.CollectRows(rows, all.scan)
}
