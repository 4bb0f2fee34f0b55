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

// upload is a valid document and everything that is stored with it.
type upload struct {
	secret        []byte
	sub           submission.Submission
	module        catalogue.Module
	namedBy       string // key of the evidence that named the module
	bodySHA256    []byte
	schemaVersion int
	body          []byte
	origin        submission.Origin
	derived

	// What the database answers:
	outcome string // see function store_result in package migrations
	current catalogue.Module
}

// submissionColumns are the columns that an upload writes and that are read back with a submission. not_ranked isn't
// among them, because it is derived.
func submissionColumns(s *submission.Submission) []column {
	return []column{
		{"id", &s.ID}, {"received_at", &s.ReceivedAt}, {"state", &s.State}, {"state_reason", &s.StateReason},
		{"state_rule", &s.StateRule}, {"method", &s.Method}, {"profile", &s.Profile}, {"client", &s.Client},
		{"host_board", &s.Host}, {"bus_mode", &s.BusMode}, {"unit_tag", (*zeronull.Text)(&s.UnitTag)},
	}
}

// uploadColumns are all columns of table submission except the contributor.
var uploadColumns columns[upload] = func(u *upload) []column {
	return slices.Concat(submissionColumns(&u.sub), []column{
		{"module_slug", &u.module.Slug}, {"body_sha256", &u.bodySHA256}, {"schema_version", &u.schemaVersion},
		{"document", &u.body}, {"confirms", &u.module.Confirmed}, {"named_by", &u.namedBy},
		{"network", &u.origin.Network}, {"token", &u.origin.Token.State},
		{"begun_at", (*zeronull.Timestamptz)(&u.origin.Token.BegunAt)},
		{"ended_at", (*zeronull.Timestamptz)(&u.origin.Token.EndedAt)},
	}, derivedColumns(&u.derived))
}

// parameters are the named parameters of the statements that store an upload.
func (u *upload) parameters() []column {
	known := []map[string]any{} // a check of the capacity has no test, and nil would be null
	for i := range u.tests {
		known = append(known, u.tests[i].Known())
	}
	return slices.Concat(uploadColumns(u), moduleColumns(&u.module), measurementColumns.arrays(u.tests),
		[]column{{"secret", &u.secret}, {"networks", &u.origin.Networks}},
		[]column{{"samples", &u.samples}, {"measurements", &known}})
}

// callUpload stores an upload in one statement, which is a transaction of its own: one trip to the database and one
// commit. It returns the outcome and the module under its current name.
var callUpload = prepare("select outcome, " + knownModule + " from store_result(secret => @secret, " +
	"networks => @networks, samples => @samples, measurements => @measurements, " +
	join("%[1]s => @%[1]s", slices.Concat(uploadColumns(new(upload)), moduleColumns(new(catalogue.Module))[1:])) +
	`) as stored (outcome)
	left join module m on m.slug = (select module_slug from module_name where slug = @slug)`)

// insert stores an upload, unless its secret was retired or its id is taken.
func (s *Store) insert(ctx context.Context, u *upload) error {
	to := append([]any{&u.outcome}, values(moduleColumns(&u.current))...)
	return s.pool.QueryRow(ctx, callUpload.sql, callUpload.with(u.parameters()...)...).Scan(to...)
}

// On Citus, function store_result would lock out other uploads from the tables that every node has a copy of, and it
// would commit in two phases on all nodes.
//
// So an upload takes more round trips on Citus. The first ones only read, from the coordinator. The last one is a
// transaction on the one node that keeps all data of this submission. Only the first upload of a contributor or of a
// module also writes to the copied tables. On a single server this way would take a fifth more time.

// selectKnown returns whether the contributor @contributor and the module @slug are known, and the module under its
// current name. A module that is about to be removed because its last result was deleted is not known.
var selectKnown = prepare(`
	select exists (select 1 from contributor where secret_sha256 = @contributor),
		exists (select 1 from module where slug = @slug and orphaned_at is null), ` + knownModule + `
	from (values (1)) as one
	left join module m on m.slug = (select module_slug from module_name where slug = @slug)`)

const (
	insertContributor = "insert into contributor (secret_sha256, first_seen) values ($1, $2) on conflict do nothing"
	showModuleAgain   = " on conflict (slug) do update set orphaned_at = null where module.orphaned_at is not null"
	isCrowded         = "select crowded($1, $2, $3)"
	insertNetworks    = "insert into submission_network (submission_id, at, networks) values ($1, $2, $3)"
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
	by, err := contributorOf(ctx, conn, [secretBytes]byte(u.secret))
	if err != nil {
		return err
	}
	outcome, token := "new", &u.origin.Token
	if token.State == submission.TokenValid {
		var crowded bool
		if err := conn.QueryRow(ctx, isCrowded, by, token.BegunAt, token.EndedAt).Scan(&crowded); err != nil {
			return err
		} else if crowded {
			outcome, token.State = submission.TokenCrowded, submission.TokenCrowded
		}
	}
	parameters := append(u.parameters(), column{"contributor", &by})
	claimed, copied, err := claimSamples(ctx, conn, u)
	if err != nil || copied {
		return err
	}
	var knownContributor, knownModule bool
	to := append([]any{&knownContributor, &knownModule}, values(moduleColumns(&u.current))...)
	if err := conn.QueryRow(ctx, selectKnown.sql, selectKnown.with(parameters...)...).Scan(to...); err != nil {
		return err
	}
	var batch pgx.Batch
	batch.Queue("begin") // else Citus takes each statement for a transaction
	batch.Queue(insertSubmission.sql, insertSubmission.with(parameters...)...)
	batch.Queue(insertMeasurements.sql, insertMeasurements.with(parameters...)...)
	queueEvent(&batch, u.sub.ID, u.sub.History[0])
	if !knownContributor {
		batch.Queue(insertContributor, by, u.sub.ReceivedAt)
	}
	if !knownModule {
		batch.Queue(insertModule.sql+showModuleAgain, insertModule.with(parameters...)...)
	}
	batch.Queue("commit")
	if len(u.origin.Networks) > 0 { // on the coordinator, so it can't be part of the node's transaction
		batch.Queue(insertNetworks, u.sub.ID, u.sub.ReceivedAt, u.origin.Networks)
	}
	err = conn.SendBatch(ctx, &batch).Close()
	if err != nil {
		_, _ = conn.Exec(ctx, "rollback") // if it fails, the pool closes the connection
		// If it fails, the samples wait for another try of this upload.
		_, _ = conn.Exec(ctx, forgetSamples, u.sub.ID, claimed)
	}
	u.outcome = outcome
	// A unique_violation, of which Citus passes on only the message.
	if sqlState(err) == "23505" && strings.Contains(err.Error(), "submission_pkey") {
		return checkSame(ctx, conn, u, by)
	}
	return err
}

// checkSame reports whether a taken id belongs to this same upload. It locks the row, so that the standby of the row's
// node has what the answer confirms: settle writes only to the coordinator's log.
func checkSame(ctx context.Context, q querier, u *upload, by contributorID) error {
	const compare = `
		select case when state = 'deleted' then state when contributor = $2 and body_sha256 = $3 then 'again' else 'taken' end
		from submission where id = $1 for update`
	return q.QueryRow(ctx, compare, u.sub.ID, by, u.bodySHA256).Scan(&u.outcome)
}

// queueEvent appends an event to a submission's log, whose rows nothing ever changes or removes. It also adds the
// submission to the outbox for Fold.
func queueEvent(batch *pgx.Batch, id string, e submission.Event) {
	batch.Queue(insertEvent, id, result.NewID(), e.At, e.From, e.To, e.Reason, e.Actor)
	batch.Queue(insertOutbox, id, result.NewID(), e.At)
}
