package figure

import (
	"math"
	"strings"
	"testing"
	"time"

	"flashdex/result"
	"flashdex/result/ageing"
)

const days = 24 * time.Hour

// aged makes counting runs of one unit, 40 days apart, each with this part of the previous rate.
func aged(tag, board string, runs int, part float64) (all []Run) {
	for i := range runs {
		r := ran(string(rune('a'+i)), tag, "pi-4", board, 50, 1000*math.Pow(part, float64(i)))
		r.ReceivedAt, r.Variant = time.Unix(0, 0).Add(time.Duration(i)*40*days), "sd"
		all = append(all, r)
	}
	return all
}

func lineOf(runs []Run) *ageing.Line {
	for _, u := range UnitsOf(runs) {
		if u.Best {
			return u.Ageing
		}
	}
	return nil
}

func TestAUnitAgesInOneHost(t *testing.T) {
	t.Parallel()
	runs := aged("a", "Pi 4", 5, 0.98)
	slower := aged("a", "Pi 3", 3, 0.5)
	line := lineOf(append(runs, slower...))
	if line == nil || line.Points != 5 || math.Abs(line.Slope-math.Log(0.98)*365.25/40) > 1e-9 {
		t.Errorf("%+v", line)
	}
}

func TestRunsThatTellNothingAboutAgeing(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*Run){
		"a unit without a serial number": func(r *Run) { r.Tag = "" },
		"a run that doesn't count":       func(r *Run) { r.Ranked = false },
		"a card that a reader hides":     func(r *Run) { r.Variant = "" },
		"a run without random writes":    func(r *Run) { r.Values = Padded(nil) },
		"runs that came within a single week": func(r *Run) {
			r.ReceivedAt = time.Unix(0, 0).Add(time.Duration(r.ID[0]) * days / 20)
		},
	} {
		runs := aged("a", "Pi 4", 5, 0.98)
		for i := range runs {
			change(&runs[i])
		}
		if line := lineOf(runs); line != nil {
			t.Errorf("%s: %+v", what, line)
		}
	}
}

// Runs in one host show a unit's change per TB written. A module's change per TB comes from the units that show one.
func TestAUnitAgesByWhatIsWritten(t *testing.T) {
	t.Parallel()
	worn := func(part float64, from int64) []Run {
		runs := aged("a", "Pi 4", 8, part)
		for i := range runs {
			runs[i].Wear = result.Wear{WrittenGB: from + int64(100*i), WrittenBy: "ext4"}
		}
		return runs
	}
	runs := worn(0.98, 100)
	if line := lineOf(runs); line == nil || line.PerTB == nil || line.PerTB.Points != 8 ||
		math.Abs(line.PerTB.Slope-10*math.Log(0.98)) > 1e-9 {
		t.Fatalf("%+v", line)
	}
	runs[3].Ranked = false
	if line := lineOf(runs); line == nil || line.PerTB == nil || line.PerTB.Runs != 7 {
		t.Errorf("with a run that doesn't count: %+v", line)
	}
	all := []Contribution{{0, UnitsOf(worn(0.98, 100))}, {1, UnitsOf(aged("b", "Pi 4", 8, 0.98))},
		{2, UnitsOf(worn(0.981, 200))}}
	for _, s := range SummariesOf("evo", all, false) {
		year, tb := s.AgeingPerYear, s.AgeingPerTB
		if s.Whole() && (year == nil || year.Units != 3 || tb == nil || tb.Units != 2 || tb.Contributors != 2 ||
			tb.Says != ageing.Slower || tb.Percent > -17 || tb.Percent < -19) {
			t.Errorf("a year %+v, a TB %+v", year, tb)
		}
		if !s.Whole() && tb != nil {
			t.Errorf("a part of the module has %+v", tb)
		}
		if s.SetAgeing(nil); s.AgeingPerTB != nil {
			t.Errorf("without units: %+v", s.AgeingPerTB)
		}
	}
}

func TestAModuleGetsSlower(t *testing.T) {
	t.Parallel()
	var all []Contribution
	for i, part := range []float64{0.98, 0.985, 0.979} {
		all = append(all, Contribution{i, UnitsOf(aged("a", "Pi 4", 8, part))})
	}
	summaries := SummariesOf("evo", all, false)
	for _, s := range summaries {
		switch c := s.AgeingPerYear; {
		case !s.Whole() && c != nil:
			t.Errorf("a part of the module has %+v", c)
		case s.Whole() && (c == nil || c.Says != ageing.Slower || c.Units != 3 || c.Contributors != 3 || c.Runs != 24):
			t.Errorf("%+v", c)
		}
	}
}

func TestWhatIsKnownOfAUnitsWear(t *testing.T) {
	t.Parallel()
	for want, wear := range map[string]*result.Wear{
		"":                            nil,
		"wear-not-told":               {ToldBy: result.WearNotTold},
		"wear-told":                   {ToldBy: "emmc", LifeTenths: 1},
		"written-known":               {WrittenGB: 10, WrittenBy: "ext4"},
		"wear-told written-known":     {ToldBy: "nvme-smart", WrittenGB: 10, WrittenBy: result.WrittenByModule},
		"wear-not-told written-known": {ToldBy: result.WearNotTold, WrittenGB: 10, WrittenBy: "f2fs"},
	} {
		doc := &result.Document{Identity: result.Identity{Bus: "sd", Wear: wear}}
		if got := strings.Join(FactsOf(doc, nil).Evidence, " "); got != want {
			t.Errorf("%+v: %q, want %q", wear, got, want)
		}
	}
}
