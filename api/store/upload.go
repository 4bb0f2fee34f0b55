package store

import (
	"context"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// upload is a valid document and all that is stored of it.
type upload struct {
	sender        contributorID // hash of the secret that it was sent with
	sub           submission.Submission
	module        catalogue.Module
	bodySHA256    []byte
	schemaVersion int
	body          []byte
	derived

	// What the database answers:
	by             contributorID // whose secret it is
	retired, isNew bool          // the secret was replaced; the upload was stored
	current        catalogue.Module
}

// submissionColumns are the columns that are written by an upload and read back with a submission.
func submissionColumns(s *submission.Submission) []column {
	return []column{
		{"id", &s.ID}, {"received_at", &s.ReceivedAt}, {"state", &s.State}, {"state_reason", &s.StateReason},
		{"state_rule", &s.StateRule}, {"method", &s.Method}, {"profile", &s.Profile}, {"client", &s.Client},
		{"host_board", &s.Host}, {"bus_mode", &s.BusMode}, {"unit_tag", (*zeronull.Text)(&s.UnitTag)},
		{"not_ranked", &s.NotRanked},
	}
}

// uploadColumns are all columns of table submission but the contributor.
var uploadColumns columns[upload] = func(u *upload) []column {
	return slices.Concat(submissionColumns(&u.sub), []column{
		{"module_slug", &u.module.Slug}, {"body_sha256", &u.bodySHA256}, {"schema_version", &u.schemaVersion},
		{"document", &u.body}, {"confirms", &u.module.Confirmed},
	}, derivedColumns(&u.derived))
}

// parameters are the named parameters of the statements that store an upload.
func (u *upload) parameters() []column {
	event, outbox := result.NewID(), result.NewID()
	return slices.Concat(uploadColumns(u), moduleColumns(&u.module), measurementColumns.arrays(u.tests), []column{
		{"secret", &u.sender}, {"event_id", &event}, {"actor", &u.sub.History[0].Actor}, {"outbox_id", &outbox},
	})
}

// insertUpload stores an upload in one statement, which is a transaction of its own: one trip to the database and one
// commit. Every other insert takes its rows from the first, so a taken id or a retired secret leaves no trace.
//
// A module that is shown is locked against removal, in a way that other uploads of it need not wait for. removeUnused
// relies on that. A module that is hidden, or was just removed, is shown again.
//
// It returns the contributor whose secret it is, whether that secret was retired, whether the upload was stored, and
// the module under its current name.
var insertUpload = prepare(`
	with sender as (` + ofSecret + `), fresh as (
		insert into submission (contributor, ` + uploadColumns.list("") + `)
		select contributor, ` + uploadColumns.list("@") + ` from sender where not retired
		on conflict (id) do nothing
		returning id, contributor
	), contributed as (
		insert into contributor (secret_sha256, first_seen)
		select contributor, @received_at from fresh on conflict do nothing
	), kept as (
		select m.slug from fresh join module m on m.slug = @slug and m.orphaned_at is null for key share of m
	), named as (
		insert into module (` + moduleColumns.list("") + `)
		select ` + moduleColumns.list("@") + ` from fresh where not exists (select 1 from kept)` + showModuleAgain + `
	), measured as (
		insert into measurement (submission_id, ` + measurementColumns.list("") + `)
		select fresh.id, test.* from fresh, ` + measurementColumns.unnest() + ` as test
	), happened as (
		insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
		select id, @event_id, @received_at, null, @state, @state_reason, @actor from fresh
	), told as (
		insert into outbox (submission_id, id, created_at) select id, @outbox_id, @received_at from fresh
	)
	select sender.contributor, sender.retired, exists (select 1 from fresh), ` + knownModule + `
	from sender left join module m on m.slug = (select module_slug from module_name where slug = @slug)`)

// insert stores an upload, unless its secret was retired or its id is taken.
func (s *Store) insert(ctx context.Context, u *upload) error {
	to := append([]any{&u.by, &u.retired, &u.isNew}, values(moduleColumns(&u.current))...)
	return s.pool.QueryRow(ctx, insertUpload.sql, insertUpload.with(u.parameters()...)...).Scan(to...)
}

// On Citus, insertUpload would run table by table and ask every node for each. It would lock the tables that every node
// has a copy of against other uploads, and commit in two phases at all nodes.
//
// So an upload there takes two trips. The first only reads, at the coordinator. The second is a transaction at the one
// node that keeps everything of this submission. Only the first upload of a contributor or of a module also writes the
// tables that have copies. One server alone would need a fifth more time this way.

// selectKnown returns the contributor whose secret @secret is, whether that secret was retired, whether the contributor
// and the module @slug are known, and the module under its current name. A module that is about to be removed because
// its last result was deleted is not known.
var selectKnown = prepare(`
	select sender.contributor, sender.retired, c.secret_sha256 is not null,
		exists (select 1 from module where slug = @slug and orphaned_at is null), ` + knownModule + `
	from (` + ofSecret + `) as sender
	left join contributor c on c.secret_sha256 = sender.contributor
	left join module m on m.slug = (select module_slug from module_name where slug = @slug)`)

const (
	insertContributor = "insert into contributor (secret_sha256, first_seen) values ($1, $2) on conflict do nothing"
	showModuleAgain   = " on conflict (slug) do update set orphaned_at = null where module.orphaned_at is not null"
	insertOutbox      = "insert into outbox (submission_id, id, created_at) values ($1, $2, $3)"
	insertEvent       = `insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
		values ($1, $2, $3, nullif($4, ''), $5, $6, $7)`
)

var insertSubmission = prepare(`
	insert into submission (contributor, ` + uploadColumns.list("") + `)
	values (@contributor, ` + uploadColumns.list("@") + `)`)

// insertSpread is insert for Citus.
func (s *Store) insertSpread(ctx context.Context, u *upload) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	parameters := append(u.parameters(), column{"contributor", &u.by})
	var knownContributor, knownModule bool
	to := append([]any{&u.by, &u.retired, &knownContributor, &knownModule}, values(moduleColumns(&u.current))...)
	err = conn.QueryRow(ctx, selectKnown.sql, selectKnown.with(parameters...)...).Scan(to...)
	if err != nil || u.retired {
		return err
	}
	var batch pgx.Batch
	batch.Queue("begin") // else Citus takes each statement for a transaction
	batch.Queue(insertSubmission.sql, insertSubmission.with(parameters...)...)
	batch.Queue(insertMeasurements.sql, insertMeasurements.with(parameters...)...)
	queueEvent(&batch, u.sub.ID, u.sub.History[0])
	if !knownContributor {
		batch.Queue(insertContributor, u.by, u.sub.ReceivedAt)
	}
	if !knownModule {
		batch.Queue(insertModule.sql+showModuleAgain, insertModule.with(parameters...)...)
	}
	batch.Queue("commit")
	err = conn.SendBatch(ctx, &batch).Close()
	if err != nil {
		_, _ = conn.Exec(ctx, "rollback") // if it fails, the pool closes the connection
	}
	u.isNew = err == nil
	// A unique_violation; Citus passes on no more than its message.
	if sqlState(err) == "23505" && strings.Contains(err.Error(), "submission_pkey") {
		return nil
	}
	return err
}
