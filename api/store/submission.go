package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/problem"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// uploadTimeout bounds the transaction of an upload, which the sender's disconnecting does not.
const uploadTimeout = 15 * time.Second

// AddSubmission stores a valid document with the exact bytes it came in, the figures derived from it, the module it
// belongs to if that is new, the contributor if they are, an event and a row for the publisher: all of it or nothing.
//
// The same bytes again under the same id from the same contributor add nothing and are no error. Otherwise a taken id
// is problem.Conflict, and one whose result was taken back problem.Deleted.
func (s *Store) AddSubmission(ctx context.Context, contributor [sha256.Size]byte, doc *result.Document, body []byte, module catalogue.Module) (added bool, err error) {
	// The document is valid: from here on a sender who hangs up can't undo what is nearly stored.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTimeout)
	defer cancel()
	bodySHA256 := sha256.Sum256(body)
	now := time.Now().UTC()
	notRanked := doc.NotRanked()
	if notRanked == nil {
		notRanked = []string{}
	}
	host := doc.Host.Board
	if host == "" {
		host = doc.Host.Arch
	}
	err = s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, method, profile,
				client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document)
			values ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10, $11, nullif($12, ''), $13, $14, $15)
			on conflict (id) do nothing`,
			doc.ID, contributor[:], now, bodySHA256[:], doc.SchemaVersion, index.Accepted, doc.Method, doc.Profile,
			doc.Client.Name+" "+doc.Client.Version, host, doc.Host.BusMode, doc.UnitTag, module.Slug, notRanked, body)
		if err != nil {
			return err
		}
		if added = tag.RowsAffected() == 1; !added {
			return sameAgain(ctx, tx, doc.ID, contributor, bodySHA256)
		}
		var batch pgx.Batch
		batch.Queue("insert into contributor (secret_sha256, first_seen) values ($1, $2) on conflict do nothing", contributor[:], now)
		batch.Queue(insertModule+" on conflict do nothing", moduleValues(module)...)
		queueMeasurements(&batch, doc)
		batch.Queue(`insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
			values ($1, $2, $3, null, $4, '', 'server')`, doc.ID, result.NewID(), now, index.Accepted)
		batch.Queue("insert into outbox (submission_id, id, created_at) values ($1, $2, $3)", doc.ID, result.NewID(), now)
		return tx.SendBatch(ctx, &batch).Close()
	})
	return added && err == nil, err
}

// sameAgain reports whether a taken id is taken by this very upload.
func sameAgain(ctx context.Context, tx pgx.Tx, id string, contributor, bodySHA256 [sha256.Size]byte) error {
	var same bool
	var state string
	err := tx.QueryRow(ctx, "select contributor = $2 and body_sha256 = $3, state from submission where id = $1",
		id, contributor[:], bodySHA256[:]).Scan(&same, &state)
	switch {
	case err != nil:
		return err
	case state == index.Deleted:
		return problem.New(problem.Deleted, "The result %s was taken back by its contributor and can't be uploaded again. Measure again to contribute a new one.", id)
	case !same:
		return problem.New(problem.Conflict,
			"The id %s holds another result, which stays as it is; this one was not stored. A result that was changed needs an id of its own: measure again, or use the secret it was first uploaded with.", id)
	}
	return nil
}

// Submission returns an uploaded result, its module and the exact bytes of its document. One that isn't there is
// problem.NotFound, one that was taken back problem.Deleted.
func (s *Store) Submission(ctx context.Context, id string) (sub index.Submission, module catalogue.Module, document []byte, err error) {
	read := func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectSubmissions+" where id = $1", id)
		if err != nil {
			return err
		}
		sub, err = pgx.CollectExactlyOneRow(rows, scanSubmission)
		if errors.Is(err, pgx.ErrNoRows) {
			return problem.New(problem.NotFound, "There is no result %s. If it was measured but not uploaded yet, upload it first.", id)
		} else if err != nil {
			return err
		}
		if sub.State == index.Deleted {
			return problem.New(problem.Deleted, "The result %s was taken back by its contributor.", id)
		}
		if err := tx.QueryRow(ctx, "select document from submission where id = $1", id).Scan(&document); err != nil {
			return err
		}
		tests, err := measurements(ctx, tx, "where submission_id = $1", id)
		if err != nil {
			return err
		}
		sub.Tests = tests[id]
		rows, err = tx.Query(ctx, selectModules+" where slug = $1", sub.ModuleSlug)
		if err != nil {
			return err
		}
		if module, err = pgx.CollectExactlyOneRow(rows, scanModule); err != nil {
			return fmt.Errorf("module %s: %w", sub.ModuleSlug, err)
		}
		return nil
	}
	err = s.WithTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, read)
	return sub, module, document, err
}

const selectSubmissions = `
	select id::text, received_at, state, state_reason, method, profile, client, host_board, bus_mode, coalesce(unit_tag, ''), module_slug, not_ranked
	from submission`

func scanSubmission(row pgx.CollectableRow) (s index.Submission, err error) {
	err = row.Scan(&s.ID, &s.ReceivedAt, &s.State, &s.StateReason, &s.Method, &s.Profile, &s.Client, &s.Host, &s.BusMode, &s.UnitTag,
		&s.ModuleSlug, &s.NotRanked)
	s.ReceivedAt = s.ReceivedAt.UTC()
	return s, err
}
