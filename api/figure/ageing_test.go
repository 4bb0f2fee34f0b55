package figure

import (
	"math"
	"testing"
	"time"

	"flashdex/result/ageing"
)

const days = 24 * time.Hour

// aged makes runs of one unit that count, 40 days apart, each with this part of the rate before.
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
