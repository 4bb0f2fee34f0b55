package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// AddSubmission stores a valid document in the state that verdict names. In the same transaction it stores the exact
// bytes, the figures derived from them, the module and the contributor if they are new, an event and a row of the
// outbox: all of it or nothing.
//
// The same bytes sent again under the same id by the same contributor add nothing. That is no error: the answer is the
// submission as it is by now. Otherwise a taken id is problem.Conflict, a deleted result problem.Deleted, a secret
// that was replaced by another problem.SecretRetired, and a test with the samples of another result problem.Copied.
//
// The store remembers for some days which networks a new result came from, the smallest first, so that an operator can
// reject a flood at once. It stores each as a hash that nobody can reverse, not even this server.
func (s *Store) AddSubmission(ctx context.Context, secret [secretBytes]byte, doc *result.Document, body []byte,
	module catalogue.Module, verdict submission.Decision, origin submission.Origin) (submission.Added, error) {
	// The document is valid. A sender who disconnects can no longer undo the upload.
	ctx, cancel := changing(ctx)
	defer cancel()
	hash := sha256.Sum256(body)
	u := upload{
		secret: secret[:], sub: newSubmission(doc, module, verdict), module: module, namedBy: module.NamedBy,
		bodySHA256: hash[:], schemaVersion: doc.SchemaVersion, body: body, origin: origin, derived: derive(doc),
	}
	u.sub.NotRanked, u.sub.Token = u.notRanked, origin.Token.State
	// nil would be null
	u.origin.Networks, u.origin.Network = append([][]byte{}, origin.Networks...), append([]byte{}, origin.Network...)
	insert := s.insert
	if s.spread {
		insert = s.insertSpread
	}
	if err := repeated(ctx, func() error { return insert(ctx, &u) }); err != nil {
		return submission.Added{}, err
	}
	if earlier, copied := strings.CutPrefix(u.outcome, "copy "); copied {
		return submission.Added{}, problem.New(problem.Copied, "The samples are those of the result /r/%s, which was "+
			"uploaded before under another id. Nothing was stored, and the file stays where it is. To contribute a result "+
			"of your own, measure again.", earlier)
	}
	switch u.outcome {
	case "retired":
		return submission.Added{}, secretRetired()
	case "taken":
		return submission.Added{}, problem.New(problem.Conflict, "The id %s belongs to another result, which stays as it "+
			"is; this one was not stored. A changed result needs its own id: measure again, or use the secret of the first "+
			"upload.", doc.ID)
	case "deleted":
		return submission.Added{}, s.deleted(ctx, "The result %s was deleted and can't be uploaded again. "+
			"Measure again to contribute a new one.", doc.ID)
	case submission.TokenCrowded:
		u.sub.Token = submission.TokenCrowded
	case "again":
		if err := settle(ctx, s.pool); err != nil {
			return submission.Added{}, err
		}
		stored, current, _, err := s.Submission(ctx, doc.ID)
		return submission.Added{Submission: stored, Module: current}, err
	}
	return submission.Added{New: true, Submission: u.sub, Module: u.current}, s.addWhyNot(ctx, secret, &u)
}

// addWhyNot adds to a submission that was just stored the reasons why it doesn't count yet.
func (s *Store) addWhyNot(ctx context.Context, secret [secretBytes]byte, u *upload) error {
	if fault := submission.TokenFaults[u.sub.Token]; fault != "" {
		u.sub.NotRanked = append(u.sub.NotRanked, fault)
	}
	var by, first contributorID
	var unconfirmed bool
	if err := s.pool.QueryRow(ctx, selectSender, secret[:]).Scan(&by, &unconfirmed); err != nil {
		return wrap(err)
	}
	if unconfirmed {
		most := 30 // a contributor on probation who has more may learn of its end one fold later
		received, err := receivedFrom(ctx, s.pool, []contributorID{by}, &most)
		if err != nil {
			return wrap(err)
		}
		if submission.Confirmation(received[by]) == "" {
			u.sub.NotRanked = append(u.sub.NotRanked, submission.OnProbation)
			return nil // the next query would read all results of a network that only contributors on probation use
		}
	}
	err := s.pool.QueryRow(ctx, firstOfNetwork, label(u.origin.Network), u.current.Slug).Scan(&first)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	} else if err == nil && first != by {
		u.sub.NotRanked = append(u.sub.NotRanked, submission.SecondOfNetwork)
	}
	return wrap(err)
}

// selectSender selects the contributor with a secret, and whether no fold and no operator has confirmed them.
const selectSender = `
	select sender.id, exists (select 1 from contributor c
		where c.secret_sha256 = sender.id and c.confirmed_at is null and c.confirmed_by = '')
	from contributor_of($1) as sender`

func newSubmission(doc *result.Document, module catalogue.Module, verdict submission.Decision) submission.Submission {
	now, actor := time.Now().UTC(), "server"
	if verdict.Rule != "" {
		actor = "rule " + verdict.Rule
	}
	host := cmp.Or(doc.Host.Board, doc.Host.Arch)
	if doc.Imported != nil {
		host = "not known"
	}
	return submission.Submission{
		ID: doc.ID, ReceivedAt: now, State: verdict.State, StateReason: verdict.Reason, StateRule: verdict.Rule,
		Method: doc.Method, Profile: doc.Profile, Client: doc.Client.Name + " " + doc.Client.Version, Host: host,
		BusMode: doc.Host.BusMode, UnitTag: doc.UnitTag, ModuleSlug: module.Slug,
		NamedBy: module.NamedBy,
		History: []submission.Event{{At: now, To: verdict.State, Reason: verdict.Reason, Actor: actor}},
	}
}

// deleted is the error for a deleted result. The contributor's client notes the deletion when it gets it.
func (s *Store) deleted(ctx context.Context, detail, id string) error {
	if err := settle(ctx, s.pool); err != nil {
		return err
	}
	return problem.New(problem.Deleted, detail, id)
}

// Submission returns an uploaded result, its module and the exact bytes of its document. An unknown id is
// problem.NotFound, a deleted result problem.Deleted.
func (s *Store) Submission(ctx context.Context, id string) (
	sub submission.Submission, module catalogue.Module, document []byte, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, "select "+storedColumns.list("")+", document from submission where id = $1", id).
			Scan(append(values(storedColumns(&sub)), &document)...)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return problem.New(problem.NotFound,
				"There is no result %s. If it was measured but not uploaded yet, upload it first.", id)
		case err != nil:
			return err
		case sub.State == submission.Deleted:
			return s.deleted(ctx, "The result %s was deleted by its contributor, "+
				"or by an operator on somebody's request.", id)
		}
		tests, err := measurements(ctx, tx, "where submission_id = $1", id)
		if err != nil {
			return err
		}
		sub.Tests = tests[id]
		rows, _ := tx.Query(ctx, `
			select at, coalesce(from_state, ''), to_state, reason, actor
			from submission_event where submission_id = $1 order by at, id`, id)
		if sub.History, err = pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Event]); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, selectModules+namedBy, sub.ModuleSlug).Scan(values(shownModule(&module))...)
		if err != nil {
			return fmt.Errorf("module %s: %w", sub.ModuleSlug, err)
		}
		// If this very result confirms the module, it is unlisted only until the next fold, so don't say that it is.
		if module.Unlisted && module.KnownFrom != catalogue.KnownFromAmbiguous {
			const unconfirmed = "select state <> 'accepted' or not confirms from submission where id = $1"
			return tx.QueryRow(ctx, unconfirmed, id).Scan(&module.Unlisted)
		}
		return nil
	})
	return sub, module, document, err
}

// storedColumns read a stored submission, with the current slug of its module.
var storedColumns columns[submission.Submission] = func(s *submission.Submission) []column {
	return slices.Concat(submissionColumns(s), []column{
		{whyNot("submission"), &s.NotRanked}, {"host_class", &s.HostClass}, {"bus_mb_per_s", &s.BusMBPerS},
		{"variant", &s.Variant}, {"token", &s.Token},
		{`coalesce((select n.module_slug from module_name n where n.slug = submission.module_slug), module_slug)`,
			&s.ModuleSlug},
		{`case when exists (select 1 from module_alias a where a.from_slug = submission.module_slug)
			then '` + submission.NamedByMerge + "' else named_by end", &s.NamedBy},
		{"coalesce((select g.module_slug from agreement g where g.registers = submission.registers), '')", &s.Agreed},
	})
}

var selectSubmissions = "select " + storedColumns.list("") + " from submission"
