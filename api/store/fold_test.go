package store_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// estimate finds a figure of all units of a module.
func estimate(t testing.TB, s shown, slug, key string) figure.Figure {
	t.Helper()
	for _, sum := range s.Summaries {
		if f, ok := sum.Figures.Find(key); ok && sum.ModuleSlug == slug && sum.Whole() {
			return f
		}
	}
	t.Fatalf("%s has no %s in %+v", slug, key, s.Summaries)
	return figure.Figure{}
}

// median returns the figure in the one class of hosts that a module was measured in, which is a median.
func median(t testing.TB, s shown, slug, key string) figure.Figure {
	t.Helper()
	for _, sum := range s.Summaries {
		if f, ok := sum.Figures.Find(key); ok && sum.ModuleSlug == slug && sum.HostClass == "pi-4" {
			return f
		}
	}
	t.Fatalf("%s has no %s in %+v", slug, key, s.Summaries)
	return figure.Figure{}
}

// The runs, with their 4K random-write rates in IOPS:
//
//	alice, unit a: 100, 200, 400      -> 200
//	alice, no tag: 800, 1000          -> 900
//	bob,   unit a: 500                -> 500 (the tag is alice's, but under his secret it is another unit)
//	bob,   unit b: 2000, 2500         -> 2250
//
// The median of 200, 500, 900 and 2250 is 700. Over the eight runs it would be 650.
func TestFoldTakesTheMedianOfUnitsNotOfRuns(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	const a, b = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	for _, speed := range []int64{4, 1, 2} {
		add(t, s, alice, evo, a, speed)
	}
	add(t, s, alice, evo, "", 8)
	add(t, s, alice, evo, "", 10)
	add(t, s, bob, evo, a, 5)
	add(t, s, bob, evo, b, 25)
	add(t, s, bob, evo, b, 20)
	add(t, s, bob, ultra, b, 50)
	taken, generation, err := s.Fold(t.Context())
	if err != nil || taken != 9 || generation != 1 {
		t.Fatalf("Fold: took %d, generation %d, %v; want 9 and 1", taken, generation, err)
	}
	snapshot := snapshot(t, s)
	f := estimate(t, snapshot, evo.Slug, figure.RandWriteIOPS)
	if !(*f.Low < 670 && 670 < *f.High) || f.N != 4 || f.Runs != 8 || f.Contributors != 2 || math.Abs(f.Max-2250) > 1e-6 {
		t.Errorf("%+v; want an interval around 670 IOPS of 4 units, 8 runs and 2 contributors, up to 2250", f)
	}
	if f := median(t, snapshot, evo.Slug, figure.RandWriteIOPS); math.Abs(f.Value-700) > 1e-6 {
		t.Errorf("%+v; want 700 IOPS in this class of hosts", f)
	}
	if f := estimate(t, snapshot, ultra.Slug, figure.RandWriteIOPS); f.N != 1 || f.Value < 4999 || f.Value > 5001 {
		t.Errorf("the other module: %+v, want 5000 IOPS of one unit", f)
	}
	if n := value[int](t, url, "select count(*) from outbox"); n != 0 {
		t.Errorf("%d rows are left in the outbox", n)
	}
	if taken, generation, err := s.Fold(t.Context()); err != nil || taken != 0 || generation != 1 {
		t.Errorf("a second Fold took %d, generation %d, %v; want nothing to do", taken, generation, err)
	}
}

func TestManyRunsOfOneContributorWeighNoMore(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, bob, evo, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 1)
	for range 30 {
		add(t, s, alice, evo, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 5)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot := snapshot(t, s)
	if f := estimate(t, snapshot, evo.Slug, figure.RandWriteIOPS); f.Value < 223 || f.Value > 224 || f.N != 2 ||
		f.Runs != 31 {
		t.Errorf("%+v; want the middle of 100 and 500 IOPS on a scale of factors, of 2 units and 31 runs", f)
	}
}

func TestWhatIsNotRankedOrNotAcceptedDoesNotCount(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, evo, "", 1)
	doc, _ := run(t, "", 50)
	doc.Spoilers = []string{"busy-cpu"}
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddSubmission(t.Context(), bob, doc, body, evo, accepted, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	quarantined := add(t, s, bob, evo, "", 50)
	value[string](t, url, "update submission set state = 'quarantined' where id = $1 returning state", quarantined)
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 3 {
		t.Fatal(taken, err)
	}
	snapshot := snapshot(t, s)
	if f := estimate(t, snapshot, evo.Slug, figure.RandWriteIOPS); f.Runs != 1 || f.Value > 101 {
		t.Errorf("%+v; want the one ranked run of 100 IOPS", f)
	}
	if len(snapshot.Submissions) != 2 {
		t.Errorf("%d submissions are shown, want the ranked one and the one with its reason", len(snapshot.Submissions))
	}
}

func TestFoldsAndUploadsAtOnceMissNothing(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	const uploads = 60
	type upload struct {
		doc  *result.Document
		body []byte
	}
	var waiting [4][]upload
	for i := range uploads {
		doc, body := run(t, fmt.Sprintf("%032x", i), int64(1+i%5))
		waiting[i%4] = append(waiting[i%4], upload{doc, body})
	}
	var work sync.WaitGroup
	var sum sync.Map
	for w := range waiting {
		work.Go(func() {
			for _, u := range waiting[w] {
				if added, err := s.AddSubmission(t.Context(), alice, u.doc, u.body, evo, accepted,
					submission.Origin{}); err != nil || !added.New {
					t.Error(added, err)
				}
			}
		})
		work.Go(func() {
			total := 0
			for range 20 {
				taken, _, err := s.Fold(t.Context())
				if err != nil {
					t.Error(err)
				}
				total += taken
			}
			sum.Store(w, total)
		})
	}
	work.Wait()
	last, _, err := s.Fold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	total := last
	sum.Range(func(_, n any) bool { total += n.(int); return true })
	if total != uploads {
		t.Errorf("the folds took %d submissions, want %d", total, uploads)
	}
	f := median(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS)
	const want = "select percentile_cont(0.5) within group (order by iops) from measurement where test = 'rand-write'"
	if want := value[float64](t, url, want); f.Value != want || f.N != uploads {
		t.Errorf("%+v; want %v of %d units", f, want, uploads)
	}
}

// Updating a module with many units doesn't read unchanged units. Here, such a unit is missing.
func TestManyUnitsAreNotReadAgain(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i := range 9 {
		add(t, s, sha256.Sum256([]byte{byte(i)}), evo, "", int64(i+1))
	}
	fold := func() figure.Figure {
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		return median(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS)
	}
	fold()
	execute(t, url, "delete from unit where figures[1] > 850")
	add(t, s, alice, evo, "", 20)
	if f := fold(); f.N != 10 || math.Abs(f.Value-550) > 1e-3 || f.Runs != 10 || math.Abs(f.Max-2000) > 1e-3 {
		t.Errorf("brought up to date: %+v; want the median of 100, 200 ... 900 and 2000", f)
	}
	// As an older server writes it.
	execute(t, url, "update module_summary set tally = 'x', tally_json = null")
	add(t, s, alice, evo, "", 22)
	if f := fold(); f.N != 9 || math.Abs(f.Value-500) > 1e-3 || f.Runs != 10 {
		t.Errorf("made anew: %+v; want the median of 100, 200 ... 800 and 2100", f)
	}
}

// Newer rules rebuild everything: from the units if their rules are unchanged, else from the runs.
func TestNewerRulesMakeSummariesAnew(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i := range 7 {
		add(t, s, sha256.Sum256([]byte{byte(i)}), evo, "", int64(i+1))
		add(t, s, sha256.Sum256([]byte{byte(i)}), ultra, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", int64(i+1))
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	summaries, units := rows(t, url, "module_summary"), rows(t, url, "unit")
	for _, older := range []string{
		"update module_summary set summary = '{}', contributors = 99; update publication set summary_version = 0",
		"delete from module_summary; delete from unit; update publication set unit_version = 0",
		"delete from module_summary; update unit set figures = '{1}'; update publication set fitted = -1",
	} {
		execute(t, url, older)
		if taken, _, err := s.Fold(t.Context()); err != nil || taken != 0 {
			t.Fatal(taken, err)
		}
		if rows(t, url, "module_summary") != summaries || rows(t, url, "unit") != units {
			t.Errorf("after %s:\n%s\n%s", older, rows(t, url, "module_summary"), rows(t, url, "unit"))
		}
	}
}

// With many results, Postgres takes longer to sort them than a transaction may be idle.
func TestARebuildWaitsForItsReader(t *testing.T) {
	t.Parallel()
	first, url := open(t)
	add(t, first, alice, evo, "", 1)
	impatient, err := store.Open(t.Context(), url+"&idle_in_transaction_session_timeout=200ms")
	if err != nil {
		t.Fatal(err)
	}
	defer impatient.Close()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "update publication set facts_version = $1", figure.FactsVersion); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "begin; lock table submission in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	folded := make(chan error, 1)
	go func() {
		_, _, err := impatient.Fold(t.Context())
		folded <- err
	}()
	time.Sleep(time.Second)
	if _, err := conn.Exec(t.Context(), "commit"); err != nil {
		t.Fatal(err)
	}
	if err := <-folded; err != nil {
		t.Fatal(err)
	}
	if f := estimate(t, snapshot(t, first), evo.Slug, figure.RandWriteIOPS); f.N != 1 {
		t.Errorf("%+v", f)
	}
}
