package publish

import (
	"html"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
)

// A module's page never begins with a rate between figures that measured different things. It never says that nobody
// published any figure if somebody did. Its picture says the same.
func TestHeadOfAModulesPageSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	ranges, alone := 0, 0
	for _, m := range s.snapshot.Modules {
		values, lone := map[string]bool{}, false
		for _, p := range s.placed[m.Slug] {
			if f, known := p.row.Figures.Find(figure.RandWriteIOPS); known {
				values[speedOf(p.method, p.row, f).Value] = true
				lone = lone || f.To == 0
			}
		}
		page, picture := s.module(m, &moduleResults{}), s.modulePicture(m)
		if len(values) == 0 {
			if page.Speed != nil || page.Scale != nil || picture.Figure != "Not known yet" {
				t.Errorf("%s: %+v, picture %+v", m.Slug, page.Speed, picture)
			}
			continue
		}
		if page.Speed == nil || !values[page.Speed.Value] || picture.Figure != page.Speed.Value+" IOPS" {
			t.Fatalf("%s: head %+v, picture %q, want one of %v", m.Slug, page.Speed, picture.Figure, values)
		}
		of := page.Speed
		if of.Several == lone || of.Several != strings.Contains(of.Value, " to ") || of.Several != (of.Faster == "") ||
			of.Several != (of.LeastTimes != "" && of.MostTimes != "") ||
			lone != (page.Scale != nil) || of.Behind == "" || page.MarkdownRow == "" {
			t.Errorf("%s: %+v, scale %+v", m.Slug, of, page.Scale)
		}
		if lone {
			alone++
		} else {
			ranges++
		}
	}
	if ranges == 0 || alone < 100 {
		t.Errorf("%d modules with a range, %d with a figure that stands alone", ranges, alone)
	}
}

// A badge shows the figure at the head of the module's page, with the same range and the same interval.
func TestBadgesSayWhatPagesDo(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	ranges := 0
	for _, m := range s.snapshot.Modules {
		want := "not measured yet"
		if of := s.module(m, &moduleResults{}).Speed; of != nil {
			want = of.Value + " IOPS"
			if of.Low != "" {
				want += " (" + of.Low + " to " + of.High + ")"
			}
			want += ", " + of.Method // nothing is ours yet
			if of.Several {
				ranges++
			}
		}
		badge, err := page.Badge(m, s.moduleRows(m.Slug), s.catalogue)
		if err != nil || !strings.Contains(html.UnescapeString(string(badge)), ">"+want+"</text>") {
			t.Errorf("%s: want %q: %v\n%s", m.Slug, want, err, badge)
		}
	}
	if ranges == 0 {
		t.Error("no badge shows a range")
	}
}

// If only a range is known, both of its ends are compared with the laptop disk.
func TestBothEndsOfARangeAreComparedWithTheDisk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		least, greatest       float64
		leastTimes, mostTimes string
	}{{161, 986, "1.8", "11"}, {4, 90, "0.044", "1"}} {
		of := speedOf(catalogue.Method{}, new(ranking.Row), figure.Figure{Value: c.least, To: c.greatest})
		if of.LeastTimes != c.leastTimes || of.MostTimes != c.mostTimes || of.Faster != "" {
			t.Errorf("%v to %v: %+v", c.least, c.greatest, of)
		}
	}
}

// The head counts people and not runs, and says where its figures come from. For measurements it names the kinds of
// hosts.
func TestHeadSaysWhoseFiguresAndHowFarApart(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	uploaded := newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)
	for slug, of := range map[string]struct {
		*site
		want string
	}{
		"samsung-evo-plus-32gb-microsd": {fresh, "4 units by 4 authors, by host from 161 IOPS (LEGO MINDSTORMS EV3) to 986 " +
			"(Raspberry Pi 4 model B)"},
		"samsung-pro-plus-32gb-microsd": {uploaded, "1 unit by 1 author (Raspberry Pi (model not in the retrievable row)); " +
			"in all 5 published figures by 2 authors, 448 to 602 IOPS"},
		"sandisk-extreme-a2-64gb-microsd": {uploaded,
			"13 units of 837 to 915 IOPS by 8 independent contributors, by host from 881 IOPS (Raspberry Pi 4) to 885 " +
				"(Raspberry Pi 5)"},
	} {
		if got := of.module(of.modules[slug], &moduleResults{}).Speed.Behind; got != of.want {
			t.Errorf("%s: %q, want %q", slug, got, of.want)
		}
	}
}
