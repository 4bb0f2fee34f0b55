package store_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"flashdex/api/store"
	"flashdex/result/ageing"
)

// aged stores runs of one unit, each of which came 40 days after the one before and is slower by a little.
func aged(t *testing.T, s *store.Store, url string, contributor [sha256.Size]byte, runs int) (ids []string) {
	t.Helper()
	unit := fmt.Sprintf("%x", contributor[:16])
	for i := range runs {
		id := add(t, s, contributor, evo, unit, 1)
		execute(t, url, fmt.Sprintf(`
			update submission set received_at = received_at - interval '%d days',
				figures[1] = figures[1] * %v, begun_at = begun_at - interval '%[1]d days' where id = '%[3]s'`,
			40*(runs-i), 1-0.03*float64(i), id))
		ids = append(ids, id)
	}
	return ids
}

func ofEvo(t *testing.T, s *store.Store) *ageing.Change {
	t.Helper()
	summaries, err := s.Summaries(t.Context(), evo.Slug)
	if err != nil {
		t.Fatal(err)
	}
	for i := range summaries {
		if summaries[i].Whole() {
			return summaries[i].AgeingPerYear
		}
	}
	t.Fatal("no summary")
	return nil
}

func TestAgeingIsFolded(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	ids := aged(t, s, url, alice, 6)
	once := add(t, s, bob, evo, "", 1)
	for i := range 6 { // as many units as are brought up to date without reading them all, see TestMain
		add(t, s, sha256.Sum256([]byte{byte(i)}), evo, "", 1)
	}
	fold(t, s)
	before := ofEvo(t, s)
	if before == nil || before.Says != ageing.Slower || before.Units != 1 || before.Runs != 6 {
		t.Fatalf("the module: %+v", before)
	}
	if line, err := s.Ageing(t.Context(), ids[3]); err != nil || line == nil || line.Points != 6 {
		t.Errorf("the unit of a result: %+v, %v", line, err)
	}
	if line, err := s.Ageing(t.Context(), once); err != nil || line != nil {
		t.Errorf("a unit that was measured once: %+v, %v", line, err)
	}
	aged(t, s, url, bob, 5)
	fold(t, s)
	if both := ofEvo(t, s); both == nil || both.Units != 2 || both.Contributors != 2 || both.Runs != 11 {
		t.Errorf("after another unit: %+v", both)
	}
	for _, id := range ids[:4] {
		if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
			t.Fatal(err)
		}
	}
	fold(t, s)
	if left := ofEvo(t, s); left == nil || left.Units != 1 || left.Runs != 5 {
		t.Errorf("after a deletion: %+v", left)
	}
}
