package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/result"
)

// R's survfit with conf.type="log-log" gives the same for all. The survey's 27 units are listed by module. Units that
// still live, or whose end isn't told, count as such. A module has no median life if too few of its units have died.
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
		return table[i][2:]
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

// Uploads stand beside the survey, in rows of their own. Two runs of one unit are one life: it died after 1,000 cycles,
// and isn't alive after 700. If a card doesn't identify itself, only its first run counts.
func TestEnduranceOfUploadsStandsBesideTheSurvey(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	life := func(unit string, cycles int64, ended result.Ended, failed int64) figure.LivedRun {
		of, _ := result.LifeOf([]result.Test{{
			Name: result.EndureWrite, BlockBytes: 1 << 20, AreaBytes: 1 << 30, Bytes: cycles << 30, Ended: ended,
			Intervals: []result.Interval{{Bytes: (cycles - 1) << 30}, {Bytes: 1 << 30, FailedOps: failed}}}})
		return figure.LivedRun{Unit: unit, Told: unit != "reader", Life: of}
	}
	lives := livesOf([]figure.LivedRun{
		life("a", 700, result.Stopped, 0), life("a", 300, result.Dead, 64),
		life("reader", 1200, result.Stopped, 0), life("reader", 300, result.Dead, 64),
		life("c", 800, result.Gone, 0)})
	want := []result.Life{{Cycles: 1000, Dead: true, FirstError: 1000, FailedOps: 64}, {Cycles: 1200},
		{Cycles: 800, Dead: true}}
	if !slices.Equal(lives, want) {
		t.Errorf("%+v, want %+v", lives, want)
	}
	s.lives = map[string][]result.Life{"sandisk-ultra-a1-32gb-microsd": lives}
	for id, want := range map[string]string{
		"first-error": "3,2,1,1000,800 or more", // dead without an error that anybody saw: that counts as one
		"dead":        "3,2,1,1000,800 or more",
	} {
		table := of(t, s.endurance(), id)
		if table[1][1] != "survey" || table[2][1] != "uploads" || strings.Join(table[2][2:], ",") != want {
			t.Errorf("%s: %q", id, table[1:3])
		}
		n := 0
		for _, row := range table {
			if strings.HasPrefix(row[0], "SanDisk Ultra") {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%s: %d rows of one module, want one of each source", id, n)
		}
	}
}

func of(t *testing.T, s study, id string) [][]string {
	t.Helper()
	if i := slices.IndexFunc(s, func(table studyTable) bool { return table.ID == id }); len(s[i].Charts[0].Key) != 3 {
		t.Errorf("%s: a line of each and the interval of one: %+v", id, s[i].Charts[0].Key)
	}
	return s.table(t, id)
}
