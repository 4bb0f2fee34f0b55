package store

import (
	"context"
	"reflect"

	"flashdex/api/catalogue"

	"github.com/jackc/pgx/v5"
)

// ImportCatalogue makes the stored modules and published figures those given. What is no longer given goes, but for
// modules that submissions point to and provisional ones. Modules that the catalogue names as former ones of others are merged
// into these, with all their results and links. It changes nothing, and no generation, when nothing is new.
func (s *Store) ImportCatalogue(ctx context.Context, modules []catalogue.Module, published []catalogue.Published) error {
	return s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		generation, err := lockGeneration(ctx, tx)
		if err != nil {
			return err
		}
		var batch pgx.Batch
		if err := diffModules(ctx, tx, &batch, modules); err != nil {
			return err
		}
		if err := diffPublished(ctx, tx, &batch, published); err != nil {
			return err
		}
		news := batch.Len() > 0
		if news {
			if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
				return err
			}
		}
		merged, err := mergeFormer(ctx, tx, modules)
		if err != nil || !news && !merged {
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
		gone[m.Slug] = !m.Provisional // a provisional module that the catalogue now knows is updated like any other
	}
	for _, m := range wanted {
		gone[m.Slug] = false
		if old, ok := stored[m.Slug]; !ok || !reflect.DeepEqual(moduleValues(old), moduleValues(m)) {
			batch.Queue(insertModule+` on conflict (slug) do update set vendor = excluded.vendor, product = excluded.product,
				capacity_gb = excluded.capacity_gb, form = excluded.form, classes = excluded.classes, known_from = excluded.known_from,
				provisional = excluded.provisional, orphaned_at = null`, moduleValues(m)...)
		}
	}
	for slug, is := range gone {
		if !is {
			continue
		}
		var needed bool
		if err := tx.QueryRow(ctx, "select exists (select 1 from module_alias where into_slug = $1)", slug).Scan(&needed); err != nil {
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
			batch.Queue(`
				insert into published (source, line, module_slug, device_slug, method, test, block_bytes, queue_depth, mb_per_s, iops,
					restates, value_text, unit, host, tool, date, note)
				values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
				on conflict (source, line) do update set module_slug = excluded.module_slug, device_slug = excluded.device_slug,
					method = excluded.method, test = excluded.test, block_bytes = excluded.block_bytes, queue_depth = excluded.queue_depth,
					mb_per_s = excluded.mb_per_s, iops = excluded.iops, restates = excluded.restates, value_text = excluded.value_text,
					unit = excluded.unit, host = excluded.host, tool = excluded.tool, date = excluded.date, note = excluded.note`,
				p.Source, p.Line, p.ModuleSlug, p.DeviceSlug, p.Method, p.Test, p.BlockBytes, p.QueueDepth, p.MBPerS, p.IOPS,
				p.Restates, p.ValueText, p.Unit, p.Host, p.Tool, p.Date, p.Note)
		}
		delete(stored, k)
	}
	for k := range stored {
		batch.Queue("delete from published where source = $1 and line = $2", k.source, k.line)
	}
	return nil
}

const insertModule = `
	insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
	values ($1, $2, $3, $4, $5, $6, $7, $8)`

// moduleValues are the columns of insertModule: what is stored of a module. The rest of it is for finding it.
func moduleValues(m catalogue.Module) []any {
	classes := append([]string{}, m.Classes...)
	return []any{m.Slug, m.Vendor, m.Product, m.CapacityGB, m.Form, classes, m.KnownFrom, m.Provisional}
}

const selectModules = "select slug, vendor, product, capacity_gb, form, classes, known_from, provisional from module"

const (
	// namedBy picks the module that the slug $1 means.
	namedBy = " where slug = (select module_slug from module_name where slug = $1)"
	// shown picks what has a page: no module that stands for another one, and none whose only results were deleted.
	shown = " where orphaned_at is null and not exists (select 1 from module_alias a where a.from_slug = module.slug)"
)

func scanModule(row pgx.CollectableRow) (m catalogue.Module, err error) {
	err = row.Scan(&m.Slug, &m.Vendor, &m.Product, &m.CapacityGB, &m.Form, &m.Classes, &m.KnownFrom, &m.Provisional)
	return m, err
}

func modules(ctx context.Context, tx pgx.Tx, where string) ([]catalogue.Module, error) {
	rows, err := tx.Query(ctx, selectModules+where+" order by slug")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanModule)
}

// published reads the published figures, each with the slug that the SQL expression module gives.
func published(ctx context.Context, tx pgx.Tx, module string) ([]catalogue.Published, error) {
	rows, err := tx.Query(ctx, `
		select p.source, p.line, `+module+`, p.device_slug, p.method, p.test, p.block_bytes, p.queue_depth, p.mb_per_s, p.iops, p.restates,
			p.value_text, p.unit, p.host, p.tool, p.date, p.note
		from published p left join module_alias a on a.from_slug = p.module_slug order by p.source, p.line`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p catalogue.Published, err error) {
		err = row.Scan(&p.Source, &p.Line, &p.ModuleSlug, &p.DeviceSlug, &p.Method, &p.Test, &p.BlockBytes, &p.QueueDepth, &p.MBPerS, &p.IOPS,
			&p.Restates, &p.ValueText, &p.Unit, &p.Host, &p.Tool, &p.Date, &p.Note)
		return p, err
	})
}
