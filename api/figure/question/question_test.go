package question_test

import (
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"
)

var loaded = sync.OnceValues(func() ([]question.Question, error) { return question.Load(data.FS) })

func load(t testing.TB) map[string]question.Question {
	t.Helper()
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]question.Question{}
	for _, p := range presets {
		byKey[p.Key] = p
	}
	return byKey
}

func alone(v float64) figure.Figure { return figure.Figure{Value: v} }

func within(low, v, high float64) figure.Figure {
	return figure.Figure{Value: v, Low: &low, High: &high}
}

func score(v float64, ends ...float64) figure.Figure {
	if len(ends) == 0 {
		return figure.Figure{Value: v}
	}
	return figure.Figure{Value: v, Low: &ends[0], High: &ends[1]}
}

// card has 4K random writes of 400 to 800 per second, and other figures without an interval.
func card() figure.Set {
	return figure.SetOf(map[string]figure.Figure{
		figure.RandWriteIOPS:          within(400, 500, 800),
		figure.RandReadIOPS:           alone(1500),
		figure.SeqWriteMBPerS:         within(9, 10, 12),
		figure.SeqReadMBPerS:          alone(20),
		figure.RandWriteLongest1000MS: alone(250),
	})
}

func without(key string) (figures figure.Set) {
	for of, f := range card().All() {
		if of != key {
			figures.Put(of, f)
		}
	}
	return figures
}

func with(key string, m figure.Figure) figure.Set {
	figures := card()
	figures.Put(key, m)
	return figures
}

// Computed by hand from the counts in data/presets.json.
func TestScores(t *testing.T) {
	t.Parallel()
	presets := load(t)
	for name, tc := range map[string]struct {
		key     string
		figures figure.Set
		prices  map[string]float64
		want    figure.Figure
		reason  string
	}{
		// 6000/1500 + 200/500 + 100/20 + 5/10 s; good: 200/800, 5/12; bad: 200/400, 5/9.
		"boot": {"boot", card(), nil, score(9.9, 9.6666667, 10.0555556), ""},
		"boot without an interval": {"boot", figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: alone(500),
			figure.RandReadIOPS: alone(1500), figure.SeqWriteMBPerS: alone(10), figure.SeqReadMBPerS: alone(20)}), nil,
			score(9.9), ""},
		"boot without linear reads": {"boot", without(figure.SeqReadMBPerS), nil, score(0),
			"the linear read was not measured"},
		"boot of what reads nothing": {"boot", with(figure.SeqReadMBPerS, alone(0)), nil, score(0),
			"the linear read is 0 MB/s"},
		// 4000/500 + 1000/1500 s; good: 4000/800; bad: 4000/400.
		"database": {"database", card(), nil, score(8.6666667, 5.6666667, 10.6666667), ""},
		"database, longest unknown": {"database", without(figure.RandWriteLongest1000MS), nil, score(0),
			"the longest of 1,000 4K random writes was not measured"},
		"database, at the limit": {"database", with(figure.RandWriteLongest1000MS, alone(1000)), nil,
			score(8.6666667, 5.6666667, 10.6666667), ""},
		"database, stands still": {"database", with(figure.RandWriteLongest1000MS, alone(1300)), nil, score(0),
			"the longest of 1,000 4K random writes took 1,300 ms, more than 1,000"},
		"camera": {"camera", card(), nil, figure.Figure{Value: 9, Low: new(9.0), High: new(12.0)}, ""},
		// 10000/1500 + 1000/20 s; nothing tells how much faster than 20 MB/s it reads.
		"games, at least": {"games", with(figure.SeqReadMBPerS, figure.Figure{Value: 20, AtLeast: true}), nil,
			figure.Figure{Value: 56.6666667, Low: new(6.6666667), High: new(56.6666667), AtMost: true}, ""},
		"cheap": {"cheap", with(figure.RandWriteIOPS, within(500, 600, 800)), map[string]float64{"EUR": 8}, score(8), ""},
		"cheap, and may be slow": {"cheap", card(), map[string]float64{"EUR": 8}, score(0),
			"the 4K random write may be 400 IOPS, less than 500"},
		"cheap, in dollars": {"cheap", with(figure.RandWriteIOPS, alone(500)), map[string]float64{"USD": 8}, score(0),
			"no price in EUR is known"},
		"home-assistant":             {"home-assistant", card(), nil, score(138.24, 86.4, 172.8), ""},
		"camera without an interval": {"camera", with(figure.SeqWriteMBPerS, alone(31)), nil, score(31), ""},
		"camera without linear write": {"camera", without(figure.SeqWriteMBPerS), nil, score(0),
			"the linear write was not measured"},
		"per euro": {"per-euro", card(), map[string]float64{"EUR": 8, "USD": 1}, score(62.5, 50, 100), ""},
		"per euro, in dollars": {"per-euro", card(), map[string]float64{"USD": 8}, score(0),
			"no price in EUR is known"},
		"per euro, for nothing": {"per-euro", card(), map[string]float64{"EUR": 0}, score(0),
			"no price in EUR is known"},
		"an interval beside the value": {"per-euro", with(figure.RandWriteIOPS, within(600, 500, 800)),
			map[string]float64{"EUR": 8},
			score(62.5), ""},
		"an interval down to nothing": {"per-euro", with(figure.RandWriteIOPS, within(0, 500, 800)),
			map[string]float64{"EUR": 8}, score(62.5), ""},
		"an endless rate": {"per-euro", with(figure.RandWriteIOPS, alone(math.Inf(1))),
			map[string]float64{"EUR": 8}, score(0), "the 4K random write is +Inf IOPS"},
		"no rate": {"camera", with(figure.SeqWriteMBPerS, alone(math.NaN())), nil, score(0),
			"the linear write is NaN MB/s"},
	} {
		got, reason, ok := presets[tc.key].Score(tc.figures, tc.prices)
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateApprox(1e-7, 0)); diff != "" || reason != tc.reason ||
			ok != (tc.reason == "") {
			t.Errorf("%s: %q, %v\n%s", name, reason, ok, diff)
		}
	}
}

func TestMeanings(t *testing.T) {
	t.Parallel()
	presets := load(t)
	for v, want := range map[float64]string{
		0.5: "too slow for video", 2: "standard definition", 9.99: "HD, and Full HD (1080p) of a low bit rate",
		10: "Full HD (1080p)", 29: "Full HD (1080p)", 30: "4K", 300: "4K",
	} {
		if got := presets["camera"].Meaning(v); got != want {
			t.Errorf("%v MB/s: %q, want %q", v, got, want)
		}
	}
	if got := presets["boot"].Meaning(3); got != "" {
		t.Errorf("boot has no steps, but means %q", got)
	}
}

// If a figure gets better, an answer never gets worse or lost, and the interval contains the value.
func TestBetterFiguresNeverHurt(t *testing.T) {
	t.Parallel()
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		worse, better := figure.Set{}, figure.Set{}
		for _, key := range figure.FigureKeys {
			v := math.Exp(rapid.Float64Range(-2, 9).Draw(t, key))
			low, high := v*rapid.Float64Range(0.05, 1).Draw(t, "low"), v*rapid.Float64Range(1, 5).Draw(t, "high")
			times := rapid.Float64Range(1, 20).Draw(t, "times")
			if figure.LowerIsBetter(key) {
				times = 1 / times
			}
			if rapid.Bool().Draw(t, "has an interval") {
				worse.Put(key, within(low, v, high))
				better.Put(key, within(low*times, v*times, high*times))
			} else {
				worse.Put(key, alone(v))
				better.Put(key, alone(v*times))
			}
		}
		price := rapid.Float64Range(0.5, 200).Draw(t, "price")
		cheaper := price / rapid.Float64Range(1, 20).Draw(t, "discount")
		for _, p := range presets {
			a, reason, ok := p.Score(worse, map[string]float64{"EUR": price})
			if !ok {
				continue
			}
			b, why, ok := p.Score(better, map[string]float64{"EUR": cheaper})
			if !ok {
				t.Fatalf("%s: %v was lost (%q, %q)", p.Key, a, reason, why)
			}
			if s := p.Direction; s == question.Higher && b.Value < a.Value || s == question.Lower && b.Value > a.Value {
				t.Fatalf("%s: better figures turned %v into %v", p.Key, a.Value, b.Value)
			}
			const rounding = 1e-12
			if a.Low != nil && (*a.Low > a.Value*(1+rounding) || *a.High < a.Value*(1-rounding)) {
				t.Fatalf("%s: %v is not within %v to %v", p.Key, a.Value, *a.Low, *a.High)
			}
		}
	})
}

// 69,120 writes a day of 4,096 B are 310 GB in 1,095 days: 4.84 rounds of 64 GB, 38.8 of 8 GB.
func TestTwoUnitsThatFailLeaveAModuleOut(t *testing.T) {
	t.Parallel()
	questions := load(t)
	for _, c := range []struct {
		key        string
		rounds     []int
		capacityGB float64
		want       string
	}{
		{"home-assistant", []int{163, 0, 0}, 64,
			"two units had their first error by round 1 of being written full, and the writes of 1,095 days take 4.84"},
		{"home-assistant", []int{3, 3}, 64,
			"two units had their first error by round 4 of being written full, and the writes of 1,095 days take 4.84"},
		{"home-assistant", []int{4, 4}, 64, ""}, // perhaps at the end of the fifth
		{"home-assistant", []int{1572, 0, 13758}, 8, ""},
		{"home-assistant", []int{0}, 8, ""},
		{"home-assistant", []int{0, 0}, 0, ""},
		{"home-assistant", nil, 64, ""},
		{"database", []int{0, 0}, 64, ""},
		{"camera", []int{0, 0}, 64, ""},
	} {
		if got := questions[c.key].WornOut(c.rounds, c.capacityGB); got != c.want {
			t.Errorf("%s: %v rounds of %v GB: %q, want %q", c.key, c.rounds, c.capacityGB, got, c.want)
		}
	}
}

func TestARecordingTellsMoreThanAMeanRate(t *testing.T) {
	t.Parallel()
	questions := load(t)
	for _, c := range []struct {
		key           string
		score, behind float64
		want          string
	}{
		{"camera", 45, 30, "it fell behind a recording of 30 MB/s"},
		{"camera", 45, 10, "it fell behind a recording of 10 MB/s"},
		{"camera", 25, 10, "it fell behind a recording of 10 MB/s"}, {"camera", 25, 30, ""}, {"camera", 8, 10, ""},
		{"camera", 45, 0, ""}, {"boot", 45, 30, ""}, {"per-euro", 45, 30, ""},
	} {
		if got := questions[c.key].FallsBehind(c.score, c.behind); got != c.want {
			t.Errorf("%s: %v, behind at %v MB/s: %q, want %q", c.key, c.score, c.behind, got, c.want)
		}
	}
}
