package store

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

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
