package store_test

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// Contributors upload and delete results of one module that nobody else knows. Meanwhile the module is hidden and
// removed as quickly as possible. Whatever the order, each stored result has a module that is shown.
func TestAModuleComesAndGoesWithItsResults(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	// An upload waits between looking at the module and changing it, for as long as a fold takes.
	execute(t, url, `
		create function hesitate() returns trigger language plpgsql as $$ begin
			if current_query() like '%into submission (%' then perform pg_sleep(random() * 0.04); end if;
			return null;
		end $$;
		create trigger hesitates before update on module for each statement execute function hesitate()`)
	const senders, rounds = 2, 40
	var removed atomic.Int64 // how often the module was hidden
	var work sync.WaitGroup
	done := make(chan struct{})
	for sender := range senders {
		work.Go(func() {
			secret := sha256.Sum256([]byte{byte(sender)})
			for round := 1; ; round++ {
				doc, body := run(t, "", 1)
				added, err := s.AddSubmission(t.Context(), secret, doc, body, ultra, accepted, submission.Origin{})
				if err != nil || !added.New {
					t.Errorf("upload: %+v, %v", added, err)
				}
				if _, module, _, err := s.Submission(t.Context(), doc.ID); err != nil || module.Slug != ultra.Slug {
					t.Errorf("a confirmed upload is of module %q, %v", module.Slug, err)
				}
				if round >= rounds && removed.Load() > 0 || round >= 10*rounds {
					return // the last one stays
				}
				if err := s.DeleteSubmission(t.Context(), secret, doc.ID); err != nil {
					t.Errorf("deletion: %v", err)
				}
				// Now and then there is no result for as long as a fold takes.
				time.Sleep(rand.N(time.Duration(max(40, 20*(round-rounds))) * time.Millisecond))
			}
		})
	}
	var folds sync.WaitGroup
	folds.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			// The minute for which a module is kept for uploads under way is over at once.
			removed.Add(value[int64](t, url, `
				with old as (update module set orphaned_at = now() - interval '2 minutes'
					where orphaned_at is not null returning 1)
				select count(*) from old`))
			if _, _, err := s.Fold(t.Context()); err != nil {
				t.Errorf("fold: %v", err)
			}
		}
	})
	work.Wait()
	close(done)
	folds.Wait()
	fold(t, s)
	all := snapshot(t, s)
	if len(all.Submissions) != senders || len(all.Modules) != 1 || all.Modules[0].Slug != ultra.Slug {
		t.Fatalf("shown are %d results and the modules %+v", len(all.Submissions), all.Modules)
	}
	if f := estimate(t, all, ultra.Slug, figure.RandWriteIOPS); f.N != senders {
		t.Errorf("%+v", f)
	}
	if removed.Load() == 0 {
		t.Error("the module was never hidden: the test tests nothing")
	}
}

// An upload alone makes a hidden module shown again: nobody waits for the next fold.
func TestAnUploadShowsAHiddenModuleAgain(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for round := range 2 {
		id := add(t, s, alice, ultra, "", 1)
		const shown = "select orphaned_at is null from module where slug = $1"
		if !value[bool](t, url, shown, ultra.Slug) {
			t.Errorf("upload %d leaves its module hidden", round+1)
		}
		if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
			t.Fatal(err)
		}
		fold(t, s)
		if value[bool](t, url, shown, ultra.Slug) {
			t.Fatal("a module without results is not hidden: the test tests nothing")
		}
	}
}

// held is a connection in a transaction that blocks others.
type held struct {
	pgx.Tx
	url string
	pid uint32
}

// hold executes a statement in a transaction that stays open until the test commits it.
func hold(t *testing.T, url, statement string, args ...any) held {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // t's context has already ended
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := held{tx, url, conn.PgConn().PID()}
	h.do(t, statement, args...)
	return h
}

// addGate makes every insert into a table wait until the test commits the returned transaction.
func addGate(t *testing.T, url, table string) held {
	t.Helper()
	execute(t, url, `
		create table gate (open boolean);
		insert into gate values (false);
		create function wait_at_gate() returns trigger language plpgsql as
			$$ begin perform from gate for share; return new; end $$;
		create trigger gate before insert on `+table+` for each row execute function wait_at_gate()`)
	return hold(t, url, "select from gate for update")
}

func (h held) do(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := h.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// awaited waits until a statement waits for this transaction. It fails if ended is closed first.
func (h held) awaited(t *testing.T, ended <-chan struct{}) {
	t.Helper()
	const waits = "select exists (select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))"
	for !value[bool](t, h.url, waits, int(h.pid)) {
		select {
		case <-ended:
			t.Fatal("the statement ended and waited for nothing: the test tests nothing")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (h held) commit(t *testing.T) {
	t.Helper()
	if err := h.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// openPatient is open for tests that hold statements up, which may wait for as long as the test takes.
func openPatient(t *testing.T) (*store.Store, string) {
	t.Helper()
	if throughPooler() {
		t.Skip("a pooler hides who waits for whom")
	}
	url := clustertest.New(t)
	s, err := store.Open(t.Context(), url+"&lock_timeout=0&statement_timeout=0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, url
}

// orphan leaves the module ultra without a result, so that the next fold can remove it.
func orphan(t *testing.T, s *store.Store, url string) {
	t.Helper()
	fold(t, s)
	if err := s.DeleteSubmission(t.Context(), alice, add(t, s, alice, ultra, "", 1)); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	age(t, url)
}

// age makes the minute pass for which a hidden module is kept.
func age(t *testing.T, url string) {
	t.Helper()
	execute(t, url, "update module set orphaned_at = now() - interval '2 minutes' where orphaned_at is not null")
}

func fold(t testing.TB, s *store.Store) {
	t.Helper()
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// upload is an upload under way of the module ultra.
type upload struct {
	id    string
	ended chan struct{}
}

func startUpload(t *testing.T, s *store.Store) upload {
	t.Helper()
	doc, body := run(t, "", 1)
	u := upload{doc.ID, make(chan struct{})}
	go func() {
		defer close(u.ended)
		if added, err := s.AddSubmission(t.Context(), bob, doc, body, ultra, accepted,
			submission.Origin{}); err != nil || !added.New {
			t.Errorf("the upload: %+v, %v", added, err)
		}
	}()
	return u
}

// whole waits for the end of an upload, and checks that the result has its module, now and after a fold.
func (u upload) whole(t *testing.T, s *store.Store) {
	t.Helper()
	<-u.ended
	for _, when := range []string{"at once", "after a fold"} {
		if _, module, _, err := s.Submission(t.Context(), u.id); err != nil || module.Slug != ultra.Slug {
			t.Errorf("%s, a confirmed upload is of module %q, %v", when, module.Slug, err)
		}
		fold(t, s)
	}
	modules := snapshot(t, s).Modules
	if !slices.ContainsFunc(modules, func(m catalogue.Module) bool { return m.Slug == ultra.Slug }) {
		t.Errorf("the modules with a page are %+v", modules)
	}
}

// An upload finds its module hidden, and the module is removed before the upload can show it again.
func TestAModuleRemovedDuringAnUploadComesBack(t *testing.T) {
	t.Parallel()
	s, url := openPatient(t)
	orphan(t, s, url)
	remover := hold(t, url, "select from module where slug = $1 for update", ultra.Slug)
	u := startUpload(t, s)
	remover.awaited(t, u.ended)
	remover.do(t, "delete from module where slug = $1", ultra.Slug)
	remover.commit(t)
	u.whole(t, s)
}

// An upload finds its module shown. Before the upload ends, the module loses its last other result and is hidden, and
// its minute passes. The upload is held up before or after it looks for its module.
func TestAModuleInUseByAnUploadStays(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"submission", "measurement", "contributor"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s, url := openPatient(t)
			last, other := add(t, s, alice, ultra, "", 1), add(t, s, alice, evo, "", 1)
			fold(t, s)
			gate := addGate(t, url, at)
			u := startUpload(t, s)
			gate.awaited(t, u.ended)
			for _, id := range []string{last, other} { // the first hides the module, the second lets a fold remove it
				if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
					t.Fatal(err)
				}
				fold(t, s)
				age(t, url)
			}
			gate.commit(t)
			u.whole(t, s)
		})
	}
}
