package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure"
)

// R's survfit with conf.type="log-log" says the same of all. The survey's 27 units are there by module, and those that still live, or whose end isn't told, as such: a module of
// which too few have died has no median life.
func TestEnduranceCountsUnitsThatStillLive(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	of := s.endurance()
	if len(of) != 2 || len(of[0].Charts) != 1 || len(of[1].Charts) != 1 {
		t.Fatalf("%d tables", len(of))
	}
	row := func(id, name string) []string {
		t.Helper()
		table := of.table(t, id)
		i := slices.IndexFunc(table, func(r []string) bool { return strings.HasPrefix(r[0], name) })
		if i < 0 {
			t.Fatalf("%s lacks %s", id, name)
		}
		return table[i][1:]
	}
	for _, c := range []struct {
		id, name string
		want     []string
	}{
		{"first-error", "All", []string{"27", "27", "0", "1415", "219 to 1,785"}},
		{"dead", "All", []string{"27", "15", "12", "4035", "1,582 to 4,596"}},
		{"first-error", "SanDisk Ultra", []string{"3", "3", "0", "1583", "395 or more"}},
		{"dead", "SanDisk Ultra", []string{"3", "2", "1", "3122", "2,209 or more"}},
		{"dead", "Lexar Blue", []string{"3", "0", "3", "more than 2,057", ""}},
	} {
		if got := row(c.id, c.name); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.id, c.name, got, c.want)
		}
	}
}
