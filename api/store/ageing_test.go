package store_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

// aged stores runs of one unit. Each run comes 40 days after the previous one and is a little slower. If gb isn't 0,
// each run finds gb more GB written to the unit.
func aged(t *testing.T, s *store.Store, url string, contributor [sha256.Size]byte, runs int, gb int64) (ids []string) {
	t.Helper()
	unit := fmt.Sprintf("%x", contributor[:16])
	for i := range runs {
		doc, body := run(t, unit, 1)
		if gb > 0 {
			doc.Identity.Wear = &result.Wear{WrittenGB: gb * int64(1+i), WrittenBy: doc.Target.Filesystem}
			var err error
			if body, err = json.Marshal(doc); err != nil {
				t.Fatal(err)
			}
			if doc, err = schema.Read(body); err != nil {
				t.Fatal(err)
			}
		}
		origin := submission.Origin{Network: append([]byte("key "), contributor[:]...)}
		if added, err := s.AddSubmission(t.Context(), contributor, doc, body, evo, accepted, origin); err != nil || !added.New {
			t.Fatalf("%v, %v", added, err)
		}
		id := doc.ID
		execute(t, url, fmt.Sprintf(`
			update submission set received_at = received_at - interval '%d days',
				figures[1] = figures[1] * %v, begun_at = begun_at - interval '%[1]d days' where id = '%[3]s'`,
			40*(runs-i), 1-0.03*float64(i), id))
		ids = append(ids, id)
	}
	return ids
}

func ofEvo(t *testing.T, s *store.Store) (perYear, perTB *ageing.Change) {
	t.Helper()
	summaries, err := s.Summaries(t.Context(), evo.Slug)
	if err != nil {
		t.Fatal(err)
	}
	for i := range summaries {
		if summaries[i].Whole() {
			return summaries[i].AgeingPerYear, summaries[i].AgeingPerTB
		}
	}
	t.Fatal("no summary")
	return nil, nil
}

func TestAgeingIsFolded(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	ids := aged(t, s, url, alice, 6, 100)
	once := add(t, s, bob, evo, "", 1)
	for i := range 6 { // enough units for an update without reading all of them, see TestMain
		add(t, s, sha256.Sum256([]byte{byte(i)}), evo, "", 1)
	}
	fold(t, s)
	before, perTB := ofEvo(t, s)
	if before == nil || before.Says != ageing.Slower || before.Units != 1 || before.Runs != 6 {
		t.Fatalf("the module: %+v", before)
	}
	if perTB == nil || perTB.Says != ageing.Slower || perTB.Percent > -25 || perTB.Percent < -29 {
		t.Errorf("the module by each TB: %+v", perTB)
	}
	if line, err := s.Ageing(t.Context(), ids[3]); err != nil || line == nil || line.Points != 6 || line.PerTB == nil ||
		line.PerTB.Points != 6 {
		t.Errorf("the unit of a result: %+v, %v", line, err)
	}
	if line, err := s.Ageing(t.Context(), once); err != nil || line != nil {
		t.Errorf("a unit that was measured once: %+v, %v", line, err)
	}
	aged(t, s, url, bob, 5, 0)
	fold(t, s)
	both, perTB := ofEvo(t, s)
	if both == nil || both.Units != 2 || both.Contributors != 2 || both.Runs != 11 || perTB == nil || perTB.Units != 1 {
		t.Errorf("after another unit: %+v, by each TB %+v", both, perTB)
	}
	execute(t, url, "update publication set unit_version = 0") // everything is rebuilt
	fold(t, s)
	if again, againPerTB := ofEvo(t, s); !cmp.Equal(again, both) || !cmp.Equal(againPerTB, perTB) {
		t.Errorf("made anew: %+v and %+v, was %+v and %+v", again, againPerTB, both, perTB)
	}
	for _, id := range ids[:4] {
		if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
			t.Fatal(err)
		}
	}
	fold(t, s)
	if left, perTB := ofEvo(t, s); left == nil || left.Units != 1 || left.Runs != 5 || perTB != nil {
		t.Errorf("after a deletion: %+v, by each TB %+v", left, perTB)
	}
}
