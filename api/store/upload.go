package store

import (
	"context"
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/result"
)

// insertUpload stores an upload in one statement, which is its own transaction: one trip to the database, and one commit.
// All other inserts take their rows from the first one's, so a taken id or a retired secret leaves no trace. It returns
// whose secret it is, whether that was retired, whether the upload was stored, and the module as it is called now.
const insertUpload = `
	with sender as (
		select coalesce(s.contributor, @secret) as contributor, s.retired_at is not null as retired
		from (values (1)) as one left join contributor_secret s on s.secret_sha256 = @secret
	), fresh as (
		insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, state_rule, method, profile,
			client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document,
			facts_version, figures, host_class, bus_mb_per_s, variant, evidence, price_amount, price_currency, price_on)
		select @id, contributor, @now, @body_sha256, @schema_version, @state, @reason, @rule, @method, @profile,
			@client, @host, @bus_mode, nullif(@unit_tag, ''), @slug, @not_ranked, @document,
			@facts_version, @figures, @host_class, @bus_mb_per_s, @variant, @evidence, @price_amount, @price_currency, @price_on
		from sender where not retired
		on conflict (id) do nothing
		returning id, contributor
	), contributed as (
		insert into contributor (secret_sha256, first_seen) select contributor, @now from fresh on conflict do nothing
	), shown_again as (
		update module set orphaned_at = null where slug = @slug and orphaned_at is not null and exists (select 1 from fresh)
	), named as (
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
		select @slug, @vendor, @product, @capacity_gb, @form, @classes, @known_from, @provisional from fresh on conflict do nothing
	), measured as (
		insert into measurement (submission_id, ` + measurementColumns + `)
		select fresh.id, test.* from fresh, ` + unnestMeasurements + `
	), happened as (
		insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
		select id, @event_id, @now, null, @state, @reason, @actor from fresh
	), told as (
		insert into outbox (submission_id, id, created_at) select id, @outbox_id, @now from fresh
	)
	select sender.contributor, sender.retired, exists (select 1 from fresh),
		coalesce(m.slug, @slug), coalesce(m.vendor, @vendor), coalesce(m.product, @product), coalesce(m.capacity_gb, @capacity_gb),
		coalesce(m.form, @form), coalesce(m.classes, @classes), coalesce(m.known_from, @known_from), coalesce(m.provisional, @provisional)
	from sender left join module m on m.slug = (select module_slug from module_name where slug = @slug)`

// uploadSQL is insertUpload with the numbered parameters that Postgres knows, and uploadNames the names in their order.
// pgx can do that too, but anew for each upload.
var uploadSQL, uploadNames = numbered(insertUpload)

var reName = regexp.MustCompile(`@[a-z0-9_]+`)

func numbered(query string) (sql string, names []string) {
	sql = reName.ReplaceAllStringFunc(query, func(name string) string {
		n := slices.Index(names, name[1:])
		if n < 0 {
			n = len(names)
			names = append(names, name[1:])
		}
		return "$" + strconv.Itoa(n+1)
	})
	return sql, names
}

func arguments(names []string, values map[string]any) []any {
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = values[name]
	}
	return args
}

// insertOnce runs insertUpload. isNew is false if the id is taken.
func (s *Store) insertOnce(ctx context.Context, secret, bodySHA256 [sha256.Size]byte, sub submission.Submission, doc *result.Document, body []byte, module catalogue.Module) (contributor []byte, isNew bool, known catalogue.Module, err error) {
	if s.spread {
		return s.insertSpread(ctx, secret, bodySHA256, sub, doc, body, module)
	}
	event := sub.History[0]
	values := map[string]any{
		"secret": secret[:], "id": sub.ID, "now": sub.ReceivedAt, "body_sha256": bodySHA256[:], "schema_version": doc.SchemaVersion,
		"state": sub.State, "reason": sub.StateReason, "rule": sub.StateRule, "method": sub.Method, "profile": sub.Profile,
		"client": sub.Client, "host": sub.Host, "bus_mode": sub.BusMode, "unit_tag": sub.UnitTag, "not_ranked": sub.NotRanked, "document": body,
		"slug": module.Slug, "vendor": module.Vendor, "product": module.Product, "capacity_gb": module.CapacityGB, "form": module.Form,
		"classes": append([]string{}, module.Classes...), "known_from": module.KnownFrom, "provisional": module.Provisional,
		"event_id": result.NewID(), "actor": event.Actor, "outbox_id": result.NewID(),
	}
	addFigures(values, doc)
	var retired bool
	if err := s.pool.QueryRow(ctx, uploadSQL, arguments(uploadNames, values)...).Scan(&contributor, &retired, &isNew, &known.Slug, &known.Vendor, &known.Product,
		&known.CapacityGB, &known.Form, &known.Classes, &known.KnownFrom, &known.Provisional); err != nil {
		return nil, false, known, err
	}
	if retired {
		return nil, false, known, secretRetired()
	}
	return contributor, isNew, known, nil
}
