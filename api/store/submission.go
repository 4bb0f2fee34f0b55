package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// uploadTimeout bounds the transaction of an upload, which the sender's disconnecting does not. On a primary that has frozen, or waits
// for a standby that is away, it leaves time to come back within ten seconds, to the one that was promoted.
const uploadTimeout = 6 * time.Second

// AddSubmission stores a valid document in the state that verdict says, with the exact bytes it came in, the figures
// derived from it, the module it belongs to if that is new, the contributor if they are, an event and a row for the
// publisher: all of it or nothing.
//
// The same bytes again under the same id from the same contributor add nothing and are no error: the answer tells how it
// stands by now. Otherwise a taken id is problem.Conflict, and one whose result was taken back problem.Deleted. A secret
// that was changed for another is problem.SecretRetired.
func (s *Store) AddSubmission(ctx context.Context, secret [sha256.Size]byte, doc *result.Document, body []byte, module catalogue.Module, verdict submission.Decision) (submission.Added, error) {
	// The document is valid: from here on a sender who hangs up can't undo what is nearly stored.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTimeout)
	defer cancel()
	bodySHA256 := sha256.Sum256(body)
	now := time.Now().UTC()
	actor := "server"
	if verdict.Rule != "" {
		actor = "rule " + verdict.Rule
	}
	added := submission.Added{Submission: submissionOf(doc, now, module.Slug, verdict)}
	added.Submission.History = []submission.Event{{At: now, To: verdict.State, Reason: verdict.Reason, Actor: actor}}
	var contributor []byte
	err := repeated(ctx, func() (err error) {
		contributor, added.New, added.Module, err = s.insertOnce(ctx, secret, bodySHA256, added.Submission, doc, body, module)
		return err
	})
	if err != nil {
		return submission.Added{}, err
	}
	if !added.New {
		if err := s.sameAgain(ctx, doc.ID, contributor, bodySHA256); err != nil {
			return submission.Added{}, wrap(err)
		}
		added.Submission, added.Module, _, err = s.Submission(ctx, doc.ID)
	}
	return added, err
}

// submissionOf is the row that a new document makes.
func submissionOf(doc *result.Document, now time.Time, moduleSlug string, verdict submission.Decision) submission.Submission {
	sub := submission.Submission{
		ID: doc.ID, ReceivedAt: now, State: verdict.State, StateReason: verdict.Reason, StateRule: verdict.Rule, Method: doc.Method, Profile: doc.Profile,
		Client: doc.Client.Name + " " + doc.Client.Version, Host: doc.Host.Board, BusMode: doc.Host.BusMode, UnitTag: doc.UnitTag,
		ModuleSlug: moduleSlug, NotRanked: append([]string{}, doc.NotRanked()...),
	}
	if sub.Host == "" {
		sub.Host = doc.Host.Arch
	}
	if doc.Imported != nil {
		sub.Host = "not known"
	}
	return sub
}

// sameAgain reports whether a taken id is taken by this very upload. It locks the row, which is written, so that its end waits as
// every other commit does until a synchronous standby has it, and all that came before: the first sender may have been told to
// come back because that standby was away.
func (s *Store) sameAgain(ctx context.Context, id string, contributor []byte, bodySHA256 [sha256.Size]byte) error {
	var same bool
	var state string
	err := s.pool.QueryRow(ctx, "select contributor = $2 and body_sha256 = $3, state from submission where id = $1 for update",
		id, contributor, bodySHA256[:]).Scan(&same, &state)
	switch {
	case err != nil:
		return err
	case state == submission.Deleted:
		return problem.New(problem.Deleted, "The result %s was deleted and can't be uploaded again. Measure again to contribute a new one.", id)
	case !same:
		return problem.New(problem.Conflict,
			"The id %s holds another result, which stays as it is; this one was not stored. A result that was changed needs an id of its own: measure again, or use the secret it was first uploaded with.", id)
	}
	return nil
}

// Submission returns an uploaded result, its module and the exact bytes of its document. One that isn't there is
// problem.NotFound, one that was taken back problem.Deleted.
func (s *Store) Submission(ctx context.Context, id string) (sub submission.Submission, module catalogue.Module, document []byte, err error) {
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
		if sub.State == submission.Deleted {
			return problem.New(problem.Deleted, "The result %s was deleted, by its contributor or by an operator whom somebody asked to.", id)
		}
		if err := tx.QueryRow(ctx, "select document from submission where id = $1", id).Scan(&document); err != nil {
			return err
		}
		tests, err := measurements(ctx, tx, "where submission_id = $1", id)
		if err != nil {
			return err
		}
		sub.Tests = tests[id]
		if sub.History, err = history(ctx, tx, id); err != nil {
			return err
		}
		rows, err = tx.Query(ctx, selectModules+namedBy, sub.ModuleSlug)
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

func history(ctx context.Context, tx pgx.Tx, id string) ([]submission.Event, error) {
	rows, err := tx.Query(ctx, "select at, coalesce(from_state, ''), to_state, reason, actor from submission_event where submission_id = $1 order by at, id", id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e submission.Event, err error) {
		err = row.Scan(&e.At, &e.From, &e.To, &e.Reason, &e.Actor)
		e.At = e.At.UTC()
		return e, err
	})
}

// selectSubmissions gives each its module as that is called now.
const selectSubmissions = `
	select id::text, received_at, state, state_reason, state_rule, method, profile, client, host_board, bus_mode, host_class, bus_mb_per_s, variant, coalesce(unit_tag, ''),
		coalesce((select n.module_slug from module_name n where n.slug = submission.module_slug), module_slug), not_ranked
	from submission`

func scanSubmission(row pgx.CollectableRow) (s submission.Submission, err error) {
	var variant string
	err = row.Scan(&s.ID, &s.ReceivedAt, &s.State, &s.StateReason, &s.StateRule, &s.Method, &s.Profile, &s.Client, &s.Host, &s.BusMode,
		&s.HostClass, &s.BusMBPerS, &variant, &s.UnitTag, &s.ModuleSlug, &s.NotRanked)
	s.ReceivedAt, s.Variant = s.ReceivedAt.UTC(), figure.VariantOf(variant)
	return s, err
}
