package store_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"flashdex/api/index"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// figure finds a module's figure in a snapshot.
func figure(t testing.TB, s *index.Snapshot, slug, key string) index.ModuleFigure {
	t.Helper()
	for _, f := range s.Figures {
		if f.ModuleSlug == slug && f.Key == key {
			return f
		}
	}
	t.Fatalf("%s has no %s in %v", slug, key, s.Figures)
	return index.ModuleFigure{}
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
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := index.ModuleFigure{ModuleSlug: evo.Slug, Method: "flashdex-1", Key: index.RandWriteIOPS, Median: 700, Units: 4, Runs: 8, Contributors: 2}
	near := cmpopts.EquateApprox(1e-9, 0)
	if diff := cmp.Diff(want, figure(t, snapshot, evo.Slug, index.RandWriteIOPS), near); diff != "" {
		t.Errorf("figure (-want +got):\n%s", diff)
	}
	if f := figure(t, snapshot, ultra.Slug, index.RandWriteIOPS); f.Units != 1 || f.Median < 4999 || f.Median > 5001 {
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
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f := figure(t, snapshot, evo.Slug, index.RandWriteIOPS); f.Median < 299.9 || f.Median > 300.1 || f.Units != 2 || f.Runs != 31 {
		t.Errorf("%+v; want the middle of 100 and 500 IOPS, of 2 units and 31 runs", f)
	}
}

// What one ranked run gives must be the same by both definitions: in SQL and in index.FiguresOf.
func TestFoldAgreesWithFiguresOf(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, alice, evo, "", 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]float64{}, map[string]float64{}
	for key, f := range index.FiguresOf(snapshot.Submissions[0].Tests) {
		want[key] = f.Value
	}
	for _, f := range snapshot.Figures {
		got[f.Key] = f.Median
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 4 {
		t.Errorf("figures of one run (-index +store):\n%s", diff)
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
	if _, err := s.AddSubmission(t.Context(), bob, doc, body, evo, accepted); err != nil {
		t.Fatal(err)
	}
	quarantined := add(t, s, bob, evo, "", 50)
	value[string](t, url, "update submission set state = 'quarantined' where id = $1 returning state", quarantined)
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 3 {
		t.Fatal(taken, err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f := figure(t, snapshot, evo.Slug, index.RandWriteIOPS); f.Runs != 1 || f.Median > 101 {
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
				if added, err := s.AddSubmission(t.Context(), alice, u.doc, u.body, evo, accepted); err != nil || !added.New {
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
	const want = "select percentile_cont(0.5) within group (order by iops) from measurement where test = 'rand-write'"
	if got := value[float64](t, url, "select median from module_figure where figure = 'rand_write_iops' and units = $1", uploads); got != value[float64](t, url, want) {
		t.Errorf("median %v, recomputed %v", got, value[float64](t, url, want))
	}
}
