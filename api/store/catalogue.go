package store

import (
	"context"
	"reflect"

	"flashdex/api/catalogue"

	"github.com/jackc/pgx/v5"
)

// moduleColumns hold the stored fields of a module. The others only serve to find it.
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
	replaceModule = " on conflict (slug) do update set " + moduleColumns.updates() + ", orphaned_at = null"
	selectModules = "select " + moduleColumns.list("") + " from module"
	// knownModule selects the module m, or the one in the parameters if m is null.
	knownModule = moduleColumns.format("coalesce(m.%[1]s, @%[1]s)")
)

const (
	// namedBy picks the module that the slug $1 means.
	namedBy = " where slug = (select module_slug from module_name where slug = $1)"
	// withPage picks modules that have a page: not those merged into others, nor those whose only results were deleted.
	withPage = ` where orphaned_at is null
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
		}
	}
}

var (
	ownSlug          = publishedColumns("module_slug")
	replacePublished = prepare("insert into published (" + ownSlug.list("") + ") values (" + ownSlug.list("@") + `)
		on conflict (source, line) do update set ` + ownSlug.updates())
)

// ImportCatalogue replaces the stored modules and published figures by the given ones. Modules that are no longer
// given are deleted, unless they are provisional or submissions refer to them. A module that lists former slugs takes
// over all results and links of these. If nothing differs, nothing changes, and neither does the generation.
func (s *Store) ImportCatalogue(ctx context.Context, modules []catalogue.Module, figures []catalogue.Published) error {
	return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		generation, err := lockGeneration(ctx, tx)
		if err != nil {
			return err
		}
		var batch pgx.Batch
		if err := diffModules(ctx, tx, &batch, modules); err != nil {
			return err
		}
		if err := diffPublished(ctx, tx, &batch, figures); err != nil {
			return err
		}
		changed := batch.Len() > 0
		if changed {
			if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
				return err
			}
		}
		merged, err := mergeFormer(ctx, tx, modules)
		if err != nil || !changed && !merged {
			return err
		}
		_, err = tx.Exec(ctx, setGeneration, generation+1)
		return err
	})
}

func diffModules(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, wanted []catalogue.Module) error {
	all, err := modules(ctx, tx, "")
	if err != nil {
		return err
	}
	stored, gone := map[string]catalogue.Module{}, map[string]bool{}
	for _, m := range all {
		stored[m.Slug] = m
		gone[m.Slug] = !m.Provisional
	}
	for _, m := range wanted {
		gone[m.Slug] = false
		old, ok := stored[m.Slug]
		if values := moduleColumns(&m); !ok || !reflect.DeepEqual(moduleColumns(&old), values) {
			batch.Queue(insertModule.sql+replaceModule, insertModule.with(values...)...)
		}
	}
	for slug, is := range gone {
		if !is {
			continue
		}
		var needed bool
		const hasAlias = "select exists (select 1 from module_alias where into_slug = $1)"
		if err := tx.QueryRow(ctx, hasAlias, slug).Scan(&needed); err != nil {
			return err
		}
		if !needed {
			if err := tx.QueryRow(ctx, isUsed, []string{slug}).Scan(&needed); err != nil {
				return err
			}
		}
		if !needed {
			batch.Queue("delete from module where slug = $1", slug)
			batch.Queue("delete from module_touched where module_slug = $1", slug)
		}
	}
	return nil
}

func diffPublished(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, wanted []catalogue.Published) error {
	type key struct {
		source string
		line   int
	}
	all, err := published(ctx, tx, "p.module_slug")
	if err != nil {
		return err
	}
	stored := map[key]catalogue.Published{}
	for _, p := range all {
		stored[key{p.Source, p.Line}] = p
	}
	for _, p := range wanted {
		k := key{p.Source, p.Line}
		if old, ok := stored[k]; !ok || !reflect.DeepEqual(old, p) {
			batch.Queue(replacePublished.sql, replacePublished.with(ownSlug(&p)...)...)
		}
		delete(stored, k)
	}
	for k := range stored {
		batch.Queue("delete from published where source = $1 and line = $2", k.source, k.line)
	}
	return nil
}

func modules(ctx context.Context, tx pgx.Tx, where string) ([]catalogue.Module, error) {
	rows, _ := tx.Query(ctx, selectModules+where+" order by slug")
	return pgx.CollectRows(rows, moduleColumns.scan)
}

// published reads the published figures. module is the expression that selects the slug of a figure's module.
func published(ctx context.Context, tx pgx.Tx, module string) ([]catalogue.Published, error) {
	all := publishedColumns(module)
	rows, _ := tx.Query(ctx, "select "+all.list("")+` from published p
		left join module_alias a on a.from_slug = p.module_slug order by source, line`)
	return pgx.CollectRows(rows, all.scan)
}
