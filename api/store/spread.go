package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// On Citus insertUpload would be carried out table by table, ask every node for each of them, lock the tables that have a copy at every node against
// other uploads, and end in a commit of two phases at all nodes. So there an upload is two trips to the database: one that
// looks, at the coordinator alone, and one transaction that writes what is kept together, by the id of the submission, at one node. Only the
// first upload of a contributor, or of a module, writes the tables that have copies. One server alone would spend a fifth more on that.

// selectKnown tells whose the secret $1 is, whether it was retired, whether the contributor and the module $2 are known, and the module as it
// is called now, if so. A module that is about to go, since its last result was deleted, is not known.
const selectKnown = `
	select sender.id, sender.retired, c.secret_sha256 is not null, exists (select 1 from module where slug = $2 and orphaned_at is null),
		m.slug, m.vendor, m.product, m.capacity_gb, m.form, m.classes, m.known_from, m.provisional
	from (select coalesce(s.contributor, $1) as id, s.retired_at is not null as retired
		from (values (1)) as one left join contributor_secret s on s.secret_sha256 = $1) as sender
	left join contributor c on c.secret_sha256 = sender.id
	left join module m on m.slug = (select module_slug from module_name where slug = $2)`

const (
	insertContributor = "insert into contributor (secret_sha256, first_seen) values ($1, $2) on conflict do nothing"
	insertNamedModule = insertModule + " on conflict (slug) do update set orphaned_at = null where module.orphaned_at is not null"
	insertOutbox      = "insert into outbox (submission_id, id, created_at) values ($1, $2, $3)"
	insertEvent       = "insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor) values ($1, $2, $3, nullif($4, ''), $5, $6, $7)"
)

var insertSubmissionSQL, insertSubmissionNames = numbered(`
	insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, state_rule, method, profile,
		client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document,
		facts_version, figures, host_class, bus_mb_per_s, variant, evidence, price_amount, price_currency, price_on)
	values (@id, @contributor, @now, @body_sha256, @schema_version, @state, @reason, @rule, @method, @profile,
		@client, @host, @bus_mode, nullif(@unit_tag, ''), @slug, @not_ranked, @document,
		@facts_version, @figures, @host_class, @bus_mb_per_s, @variant, @evidence, @price_amount, @price_currency, @price_on)`)

// insertSpread is insertOnce in two trips.
func (s *Store) insertSpread(ctx context.Context, secret, bodySHA256 [sha256.Size]byte, sub submission.Submission, doc *result.Document, body []byte, module catalogue.Module) (contributor []byte, isNew bool, known catalogue.Module, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, false, known, err
	}
	defer conn.Release()
	var retired, knownContributor, knownModule bool
	var called struct {
		slug, vendor, product, form, knownFrom *string
		capacityGB                             *float64
		classes                                []string
		provisional                            *bool
	}
	if err := conn.QueryRow(ctx, selectKnown, secret[:], module.Slug).Scan(&contributor, &retired, &knownContributor, &knownModule, &called.slug, &called.vendor,
		&called.product, &called.capacityGB, &called.form, &called.classes, &called.knownFrom, &called.provisional); err != nil {
		return nil, false, known, err
	}
	if retired {
		return nil, false, known, secretRetired()
	}
	known = module
	if called.slug != nil {
		known = catalogue.Module{Slug: *called.slug, Vendor: *called.vendor, Product: *called.product, CapacityGB: *called.capacityGB, Form: *called.form,
			Classes: called.classes, KnownFrom: *called.knownFrom, Provisional: *called.provisional}
	}
	values := map[string]any{
		"id": sub.ID, "contributor": contributor, "now": sub.ReceivedAt, "body_sha256": bodySHA256[:], "schema_version": doc.SchemaVersion,
		"state": sub.State, "reason": sub.StateReason, "rule": sub.StateRule, "method": sub.Method, "profile": sub.Profile,
		"client": sub.Client, "host": sub.Host, "bus_mode": sub.BusMode, "unit_tag": sub.UnitTag, "not_ranked": sub.NotRanked, "document": body,
		"slug": module.Slug,
	}
	addFigures(values, doc)
	var batch pgx.Batch
	batch.Queue("begin") // Citus takes statements that are sent together for a transaction each
	batch.Queue(insertSubmissionSQL, arguments(insertSubmissionNames, values)...)
	batch.Queue(insertMeasurementsSQL, arguments(insertMeasurementsNames, values)...)
	queueEvent(&batch, sub.ID, sub.History[0])
	queueOutbox(&batch, sub.ID, sub.ReceivedAt)
	if !knownContributor {
		batch.Queue(insertContributor, contributor, sub.ReceivedAt)
	}
	if !knownModule {
		batch.Queue(insertNamedModule, moduleValues(module)...)
	}
	batch.Queue("commit")
	err = conn.SendBatch(ctx, &batch).Close()
	if err != nil {
		_, _ = conn.Exec(ctx, "rollback") // if it fails, the pool closes the connection
	}
	var e *pgconn.PgError
	if errors.As(err, &e) && e.Code == "23505" && strings.Contains(e.Message, "submission_pkey") { // unique_violation, of which Citus passes on the message alone
		return contributor, false, known, nil
	}
	return contributor, err == nil, known, err
}
