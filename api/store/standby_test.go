package store_test

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/store/cluster"
	"flashdex/api/submission"
	"flashdex/migrations"
	"flashdex/result"
)

// withoutPromise lists the methods whose answers don't promise that something is stored. They read, or they store what
// the next process would store again.
var withoutPromise = []string{
	"Acquire", "Ageing", "AmbiguousResults", "ChartData", "Close", "Connections", "ContributorOf", "ContributorSubmissions",
	"Dataset", "Decision", "Decisions", "DeletedSince", "DividedModules", "Fold", "Generation", "ImportCatalogue",
	"KeepIn", "KeptIn", "Known", "Merges", "NameBy", "Objections", "ObjectionsTo", "OpenObjections", "Operator",
	"Operators", "Overview", "Pick", "Profiled", "Queue", "ReadFrom", "Recent", "Release", "ReplicaReads", "Review",
	"SchemaVersion", "Snapshot", "Spread", "Summaries", "TestsFrom", "TokenKeys", "TryMerge", "Typical",
	"UnlistedModules", "Unrestricted", "VouchedModules", "Waiting", "WithTx",
}

// A request may reach the primary while the standby is away. Its sender is told to try again, and does. The answer that
// everything was done already must wait, too: if the primary were lost, what it confirms would be lost with it.
func TestNothingIsConfirmedThatTheStandbyLacks(t *testing.T) {
	t.Parallel()
	if throughPooler() {
		t.Skip("the test needs a Postgres of its own")
	}
	dir := filepath.Join(t.TempDir(), "postgres")
	own, err := cluster.Start(context.WithoutCancel(t.Context()),
		cluster.Config{Dir: dir, Durable: true, Log: func(m string) { t.Log(m) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = own.Stop() // this test needs none of its data
		if elsewhere, err := os.Readlink(dir); err == nil {
			_ = os.RemoveAll(elsewhere)
		}
	})
	if err := migrations.Up(t.Context(), own.URL()); err != nil {
		t.Fatal(err)
	}
	open := func(name string) *store.Store {
		s, err := store.Open(t.Context(), own.URL()+"&lock_timeout=0&application_name="+name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	s := open("first")
	secret := func(name string) [sha256.Size]byte { return sha256.Sum256([]byte(name)) }
	ids := map[string]string{}
	for _, name := range []string{
		"delete", "deleted", "all", "rotate", "ask", "moderate", "undo", "erase", "confirm", "choose", "name",
	} {
		ids[name] = add(t, s, secret(name), evo, "", 1)
	}
	add(t, s, alice, ultra, "", 1)
	add(t, s, alice, typo, "", 1)
	fold(t, s)
	if err := s.MergeModules(t.Context(), typo.Slug, evo.Slug, "Because.", by("carol")); err != nil {
		t.Fatal(err)
	}
	doc, body := run(t, "", 1)
	verdict := submission.Decision{State: submission.Rejected, Reason: "A RAM disk."}
	const operator, reason = "carol", "Because."
	if err := s.AddOperator(t.Context(), operator, secret("token")); err != nil {
		t.Fatal(err)
	}
	if err := s.AddOperator(t.Context(), "erin", secret("token of another")); err != nil {
		t.Fatal(err)
	}
	decision := result.NewID()
	undone := submission.Decision{State: submission.Rejected, Reason: reason, ID: decision}
	if err := s.Moderate(t.Context(), ids["undo"], undone, by(operator)); err != nil {
		t.Fatal(err)
	}
	if err := s.Object(t.Context(), submission.Objection{Result: ids["ask"], Kind: "other", Words: "No."}); err != nil {
		t.Fatal(err)
	}
	objection := value[string](t, own.URL(), "select id::text from objection")
	// Each is done once before the standby goes away, and once after, when there is nothing left to do.
	cases := map[string]func(*store.Store) error{
		"AddSubmission": func(s *store.Store) error {
			_, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
			return err
		},
		"DeleteSubmission": func(s *store.Store) error {
			return s.DeleteSubmission(t.Context(), secret("delete"), ids["delete"])
		},
		"DeleteContributor": func(s *store.Store) error {
			_, err := s.DeleteContributor(t.Context(), secret("all"))
			return err
		},
		"RotateSecret": func(s *store.Store) error {
			return s.RotateSecret(t.Context(), secret("rotate"), secret("rotated"))
		},
		"Moderate": func(s *store.Store) error { return s.Moderate(t.Context(), ids["moderate"], verdict, by(operator)) },
		"Erase":    func(s *store.Store) error { return s.Erase(t.Context(), ids["erase"], operator, reason) },
		"ChooseModule": func(s *store.Store) error {
			return s.ChooseModule(t.Context(), secret("choose"), ids["choose"], pro)
		},
		"NameResult": func(s *store.Store) error {
			return s.NameResult(t.Context(), ids["name"], evo.Slug, reason, by(operator))
		},
		"MergeModules": func(s *store.Store) error {
			return s.MergeModules(t.Context(), ultra.Slug, evo.Slug, reason, by(operator))
		},
		"UndoMerge": func(s *store.Store) error { return s.UndoMerge(t.Context(), typo.Slug, reason, by(operator)) },
		"RevokeOperator": func(s *store.Store) error {
			_, err := s.RevokeOperator(t.Context(), operator)
			return err
		},
		"DecideAll": func(s *store.Store) error {
			which := submission.Selection{Rule: "one-that-nothing-breaks-any-more"}
			return s.DecideAll(t.Context(), which, verdict, by(operator), false, func(submission.Submission) error { return nil })
		},
		"Undo": func(s *store.Store) error {
			_, _, err := s.Undo(t.Context(), decision, reason, by(operator))
			return err
		},
		"CloseObjection": func(s *store.Store) error {
			return s.CloseObjection(t.Context(), objection, reason, submission.Authority{Token: secret("token of another")})
		},
		"SignOut":       func(s *store.Store) error { return s.SignOut(t.Context(), secret("nobody")) },
		"ConfirmModule": func(s *store.Store) error { return s.ConfirmModule(t.Context(), evo.Slug, reason, by(operator)) },
		"UnconfirmModule": func(s *store.Store) error {
			return s.UnconfirmModule(t.Context(), evo.Slug, reason, by(operator))
		},
		"UnconfirmContributor": func(s *store.Store) error {
			return s.UnconfirmContributor(t.Context(), ids["confirm"], reason, by(operator))
		},
		"ConfirmContributor": func(s *store.Store) error {
			return s.ConfirmContributor(t.Context(), ids["confirm"], reason, by(operator))
		},
		// A client forgets its old secret once the site knows the new one.
		"Contributor": func(s *store.Store) error {
			_, err := s.Contributor(t.Context(), secret("ask"))
			return err
		},
		// A client forgets a result once the site says that it is deleted.
		"Submission": func(s *store.Store) error {
			if _, _, _, err := s.Submission(t.Context(), ids["deleted"]); kind(err) != problem.Deleted {
				return err
			}
			return nil
		},
		// These are always new.
		"SignIn": func(s *store.Store) error {
			_, err := s.SignIn(t.Context(), secret("token of another"))
			return err
		},
		"Object": func(s *store.Store) error {
			return s.Object(t.Context(), submission.Objection{Module: evo.Slug, Kind: "other", Words: "No."})
		},
		"AddOperator": func(s *store.Store) error { return s.AddOperator(t.Context(), "dave", secret(result.NewID())) },
	}
	methods := reflect.TypeFor[*store.Store]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if _, tested := cases[name]; tested == slices.Contains(withoutPromise, name) {
			t.Errorf("does the answer of %s promise that something is stored? Test it here, or list it", name)
		}
	}
	if err := s.DeleteSubmission(t.Context(), secret("deleted"), ids["deleted"]); err != nil {
		t.Fatal(err)
	}
	for name, do := range cases {
		if err := do(s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}

	// Every commit waits for a standby that doesn't exist.
	execute(t, own.URL(), "alter system set synchronous_standby_names = 'nobody'")
	execute(t, own.URL(), "select pg_reload_conf()")
	// Or it waits for a commit that does so and holds a lock.
	awaitsStandby := func(name string) bool {
		return value[bool](t, own.URL(), `select exists (select from pg_stat_activity
			where application_name = $1 and (wait_event = 'SyncRep' or cardinality(pg_blocking_pids(pid)) > 0))`, name)
	}
	again := func(name string, do func(*store.Store) error) (answered chan error) {
		s, answered := open(name), make(chan error, 1)
		go func() { answered <- do(s) }()
		return answered
	}
	for !awaitsStandby("probe") { // until Postgres has read its configuration
		probe := again("probe", cases["AddOperator"])
		for waiting := true; waiting && !awaitsStandby("probe"); {
			select {
			case <-probe:
				waiting = false
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	answers := map[string]chan error{}
	for name, do := range cases {
		answers[name] = again(name, do)
	}
	for name := range cases {
		for !awaitsStandby(name) {
			select {
			case err := <-answers[name]:
				t.Errorf("%s is answered with %v before the standby has it", name, err)
			case <-time.After(10 * time.Millisecond):
				continue
			}
			delete(answers, name)
			break
		}
	}
	execute(t, own.URL(), "alter system reset synchronous_standby_names")
	execute(t, own.URL(), "select pg_reload_conf()")
	for name, answered := range answers {
		if err := <-answered; err != nil {
			t.Errorf("%s, when the standby has it: %v", name, err)
		}
	}
}
