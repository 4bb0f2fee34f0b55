package store_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/migrations"
	"flashdex/result"
	"flashdex/result/schema"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	alice = sha256.Sum256([]byte("alice"))
	bob   = sha256.Sum256([]byte("bob"))
	evo   = catalogue.Module{
		Slug: "samsung-evo-32gb-microsd", Vendor: "Samsung", Product: "EVO", CapacityGB: 32, Form: "microsd",
		Classes: []string{"U1"}, KnownFrom: catalogue.KnownFromPublished,
	}
	accepted = submission.Decision{State: submission.Accepted}
	ultra    = catalogue.Module{Slug: "sandisk-ultra-16gb-sd", Vendor: "SanDisk", Product: "Ultra", CapacityGB: 16,
		Form: "sd", KnownFrom: catalogue.KnownFromTyped, Provisional: true, Confirmed: true}
)

// open returns a store on a fresh database, and the database's URL.
func open(t testing.TB) (*store.Store, string) {
	t.Helper()
	url := clustertest.New(t)
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, url
}

// run makes a valid, ranked document with its own id, in which every 4K random write took 10 ms divided by speed.
func run(t testing.TB, unit string, speed int64) (*result.Document, []byte) {
	t.Helper()
	return runIn(t, unit, speed, "Raspberry Pi 4 Model B Rev 1.4", "sd uhs DDR50")
}

// runIn is run on a board in a mode of its SD bus.
func runIn(t testing.TB, unit string, speed int64, board, busMode string) (*result.Document, []byte) {
	t.Helper()
	data, err := os.ReadFile("../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	doc.ID, doc.UnitTag, doc.Spoilers = result.NewID(), unit, []string{}
	doc.StartedAt = copiestest.NextStart()
	doc.Host.Board, doc.Host.BusMode, doc.Host.BusClockHz, doc.Identity.USB = board, busMode, 0, nil
	test := doc.Test(result.RandWrite)
	test.DurationNS = 0
	for i := range test.Batches {
		test.Batches[i].NS /= speed
		test.DurationNS += test.Batches[i].NS
	}
	if data, err = json.MarshalIndent(&doc, "", "\t"); err != nil {
		t.Fatal(err)
	}
	read, err := schema.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return read, data
}

// by is an operator at the command line.
func by(name string) submission.Authority { return submission.Authority{Name: name} }

// add stores a run and fails the test unless it is new.
func add(t testing.TB, s *store.Store, contributor [sha256.Size]byte, module catalogue.Module, unit string,
	speed int64) string {
	t.Helper()
	doc, body := run(t, unit, speed)
	// From a network of their own.
	origin := submission.Origin{Network: append([]byte("key "), contributor[:]...)}
	added, err := s.AddSubmission(t.Context(), contributor, doc, body, module, accepted, origin)
	if err != nil || !added.New {
		t.Fatalf("AddSubmission: %v, %v", added, err)
	}
	return doc.ID
}

// value reads one value from the database, bypassing the store.
func value[T any](t testing.TB, url, query string, args ...any) (v T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// execute runs statements on the database, bypassing the store.
func execute(t testing.TB, url, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

// shown is what a publication would show.
type shown struct {
	*figure.Overview
	Submissions []submission.Submission // all, newest id first
}

// everyResult reads the accepted results one by one, newest id first.
func everyResult(t testing.TB, s *store.Store) (all []submission.Submission) {
	t.Helper()
	var ids []string
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, m figure.Records) error {
		return m.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			ids = append(ids, test.Result)
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	ids = slices.Compact(ids)
	slices.Reverse(ids)
	for _, id := range ids {
		sub, _, _, err := s.Submission(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		sub.History = nil
		all = append(all, sub)
	}
	return all
}

// measured lists the slugs of the modules that have results.
func measured(snapshot *figure.Overview) (slugs []string) {
	for _, sum := range snapshot.Summaries {
		slugs = append(slugs, sum.ModuleSlug)
	}
	return slices.Compact(slugs) // they are ordered by module
}

// snapshot reads a snapshot, and compares the newest results of each module with all results.
func snapshot(t testing.TB, s *store.Store) (all shown) {
	t.Helper()
	err := s.Snapshot(t.Context(), func(snapshot *figure.Overview, results submission.Results) error {
		all.Overview, all.Submissions = snapshot, everyResult(t, s)
		const limit = 2
		return results.Newest(t.Context(), measured(snapshot), limit,
			func(slug string, newest []submission.Submission) error {
				of := slices.DeleteFunc(slices.Clone(all.Submissions),
					func(s submission.Submission) bool { return s.ModuleSlug != slug })
				slices.SortFunc(of, func(a, b submission.Submission) int {
					return cmp.Or(b.ReceivedAt.Compare(a.ReceivedAt), strings.Compare(b.ID, a.ID))
				})
				if diff := gocmp.Diff(of[:min(limit, len(of))], newest, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("the newest results of %s (-of all +got):\n%s", slug, diff)
				}
				return nil
			})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func kind(err error) problem.Kind {
	if err == nil {
		return ""
	}
	return problem.Of(err).Kind
}

// The database's error code tells temporary errors from others.
func TestErrorsThatPass(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	execute(t, url, `
		create table failure (code text);
		create function fail() returns trigger language plpgsql as $$ begin
			raise exception 'made up' using errcode = (select code from failure); end $$;
		create trigger fails before insert on submission for each row execute function fail()`)
	doc, body := run(t, "", 1)
	for code, passes := range map[string]bool{
		"53100": true, "53200": true, "53300": true, // no room on the disk, no memory, too many connections
		"08006": true, "57P01": true, "57014": true, "58030": true, "55P03": true, "25006": true, "40001": true,
		"23514": false, "42501": false, "42P01": false, "XX000": false,
	} {
		execute(t, url, "delete from failure; insert into failure values ('"+code+"')")
		_, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
		if err == nil || (kind(err) == problem.Unavailable) != passes {
			t.Errorf("an error %s of the database is passed on as %v", code, err)
		}
	}
}

func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	doc, body := run(t, "", 1)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), "postgres:///nowhere?host=/nonexistent"); err == nil {
		t.Error("a store on no database was opened")
	}
	conn, err := pgx.Connect(t.Context(), clustertest.Admin(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	away := config.Database + "_away"
	for _, rename := range [][2]string{{config.Database, away}, {away, config.Database}} {
		if _, err := conn.Exec(t.Context(), "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
			rename[0]); err != nil {
			t.Fatal(err)
		}
		// Backends that were told to end may take a moment.
		for {
			_, err := conn.Exec(t.Context(), "alter database "+rename[0]+" rename to "+rename[1])
			var e *pgconn.PgError
			if errors.As(err, &e) && e.Code == "55006" { // still in use
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			break
		}
		if rename[1] == away {
			_, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
			if kind(err) != problem.Unavailable {
				t.Errorf("with the database away: %v, want unavailable", err)
			}
			if _, err := s.Generation(t.Context()); kind(err) != problem.Unavailable {
				t.Errorf("Generation with the database away: %v, want unavailable", err)
			}
		}
	}
	added, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
	for kind(err) == problem.Unavailable && throughPooler() { // the pooler doesn't notice at once
		added, err = s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
	}
	if err != nil || !added.New {
		t.Errorf("after it came back: %v, %v", added, err)
	}
}

// Two transactions that lock two rows in opposite order deadlock. The database ends one of them, and WithTx tries it
// again.
func TestWithTxRepeatsADeadlock(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for _, name := range []string{"a", "b"} {
		if _, held, err := s.Acquire(t.Context(), name, "nobody", 0); err != nil || !held {
			t.Fatal(held, err)
		}
	}
	var group, both sync.WaitGroup
	both.Add(2)
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		group.Go(func() {
			attempts := 0
			err := s.WithTx(t.Context(), pgx.TxOptions{}, func(tx pgx.Tx) error {
				attempts++
				for i, name := range order {
					if _, err := tx.Exec(t.Context(), "update lease set fence = fence + 1 where name = $1", name); err != nil {
						return err
					}
					if i == 0 && attempts == 1 {
						both.Done()
						both.Wait()
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if fences := value[[]int64](t, url, "select array_agg(fence) from lease"); !slices.Equal(fences, []int64{3, 3}) {
		t.Errorf("fences %v: each of the two transactions must have happened once", fences)
	}
}

// A request that another one blocks is told to come back, and doesn't wait forever.
func TestALockIsNotWaitedForForever(t *testing.T) {
	t.Parallel()
	if throughPooler() {
		t.Skip("a pooler passes no time-outs on: it sets its own")
	}
	_, url := open(t)
	s, err := store.Open(t.Context(), url+"&lock_timeout=100ms")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id := add(t, s, alice, evo, "", 1)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	held, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec(t.Context(), "select from submission where id = $1 for update", id); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, id); kind(err) != problem.Unavailable {
		t.Errorf("with the result held by another: %v", err)
	}
	if err := held.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
		t.Errorf("after it was let go: %v", err)
	}
	var settings [3]string
	err = s.WithTx(t.Context(), pgx.TxOptions{}, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select current_setting('statement_timeout'), current_setting('lock_timeout'),
			current_setting('idle_in_transaction_session_timeout')`).
			Scan(&settings[0], &settings[1], &settings[2])
	})
	if want := [3]string{"10s", "100ms", "30s"}; err != nil || settings != want {
		t.Errorf("time-outs %v, %v; want %v", settings, err, want)
	}
}

func TestWaitingCountsTheOutbox(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if n, since, err := s.Waiting(t.Context()); n != 0 || !since.IsZero() || err != nil {
		t.Errorf("an empty outbox: %d since %v, %v", n, since, err)
	}
	before := time.Now()
	for range 2 {
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	n, since, err := s.Waiting(t.Context())
	if n != 2 || since.Before(before.Add(-time.Millisecond)) || since.After(time.Now()) || err != nil {
		t.Errorf("%d since %v, %v; want 2 since just now", n, since, err)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, _, err := s.Waiting(t.Context()); n != 0 || err != nil {
		t.Errorf("after a fold %d wait, %v", n, err)
	}
}

func TestSchemaVersionIsTheNewest(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if version, err := s.SchemaVersion(t.Context()); err != nil || version != migrations.Newest() || version == 0 {
		t.Errorf("%d, %v; want %d", version, err, migrations.Newest())
	}
}

func TestConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if busy, idle, most, _, _ := s.Connections(); busy != 0 || idle < 1 || most < idle {
		t.Errorf("%d busy, %d idle, at most %d", busy, idle, most)
	}
}
