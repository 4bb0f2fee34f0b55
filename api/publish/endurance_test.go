package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/result"
)

// The survey's 34 units are there by module, and those that still live as such, whether a source tells for how long or
// not. A module of which too few have died has no median life, and one of which too little is told, no interval.
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
		{"first-error", "All", []string{"34", "28", "3", "3", "at least 1,521", ""}},
		{"dead", "All", []string{"34", "16", "4", "14", "at least 4,577", ""}},
		{"first-error", "All failed", []string{"196", "196", "", "", "1502", ""}},
		{"dead", "All failed", []string{"119", "119", "", "", "3616", ""}},
		{"first-error", "SanDisk Ultra", []string{"3", "3", "0", "0", "1583", "395 or more"}},
		{"dead", "SanDisk Ultra", []string{"3", "2", "0", "1", "at least 3,122", ""}},
		{"dead", "Lexar Blue", []string{"3", "0", "0", "3", "more than 2,057", ""}},
		{"first-error", "Samsung EVO Plus", []string{"3", "1", "2", "0", "more than 17,222", "1,415 or more"}},
		{"dead", "Samsung EVO Plus", []string{"3", "0", "3", "0", "more than 17,222", ""}},
		{"dead", "Hiksemi", []string{"3", "2", "1", "0", "19885", "5,917 or more"}},
		{"first-error", "Netac", []string{"3", "1", "0", "2", "at least 2,109", ""}},
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
		"first-error": "3,2,1,0,1000,800 or more", // dead without an error that was seen: that is one
		"dead":        "3,2,1,0,1000,800 or more",
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
