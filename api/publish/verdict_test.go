package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/ranking"
	"flashdex/data"
)

// Each case is worked out by hand from the counts in data/presets.json.
func TestVerdictsNameTheFigureThatDecides(t *testing.T) {
	t.Parallel()
	const write, read, longest = figure.RandWriteIOPS, figure.RandReadIOPS, figure.RandWriteLongest1000MS
	between := func(low, value, high float64) figure.Figure {
		return figure.Figure{Value: value, Low: &low, High: &high}
	}
	questions, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	yardsticks := load(t).ReferenceDevices
	linear := map[string]figure.Figure{
		figure.SeqReadMBPerS: between(60, 70, 80), figure.SeqWriteMBPerS: {Value: 30, AtLeast: true}}
	for _, c := range []struct {
		key, word, why string
		figures        map[string]figure.Figure
	}{
		// Its linear writes are three times what class A2 asks, and its total time is half of that class's 55 s.
		{"updates", good, "4K random write 620 to 1,260 IOPS; class A1 asks 500",
			map[string]figure.Figure{write: between(620, 883, 1260)}},
		{"updates", good, "4K random write 2,100 to 3,000 IOPS; class A2 asks 2,000",
			map[string]figure.Figure{write: between(2100, 2500, 3000)}},
		{"updates", fine, "linear write at least 9 MB/s; class A1 asks 10", map[string]figure.Figure{
			write: between(620, 883, 1260), figure.SeqWriteMBPerS: {Value: 9, AtLeast: true}}},
		{"updates", fine, "4K random write 100 to 600 IOPS; class A1 asks 500",
			map[string]figure.Figure{write: between(100, 300, 600)}},
		{"updates", cantTell, "4K random write 80 to 600 IOPS; a 5400 rpm laptop disk does 90",
			map[string]figure.Figure{write: between(80, 300, 600)}},
		{"updates", tooSlow, "4K random write 2 to 8 IOPS; a 5400 rpm laptop disk does 90",
			map[string]figure.Figure{write: between(2, 4, 8)}},
		{"updates", cantTell, "4K random write 883 IOPS, nobody knows how surely; a 5400 rpm laptop disk does 90",
			map[string]figure.Figure{write: {Value: 883}}},
		// No yardstick has a linear read.
		{"boot", good, "4K random read 1,600 to 2,000 IOPS; class A1 asks 1,500",
			map[string]figure.Figure{write: between(600, 700, 800), read: between(1600, 1800, 2000)}},
		{"games", fine, "4K random read 700 to 2,000 IOPS; class A1 asks 1,500",
			map[string]figure.Figure{read: between(700, 1200, 2000)}},
		// Reads make up for writes beside a disk, but not beside a class.
		{"boot", fine, "4K random write 40 to 60 IOPS; class A1 asks 500",
			map[string]figure.Figure{write: between(40, 50, 60), read: between(1600, 1800, 2000)}},
		{"home-assistant", tooSlow, "longest of 1,000 4K random writes 1,200 ms, nobody knows how surely; more than " +
			"1,000 ms is too long", map[string]figure.Figure{write: between(620, 883, 1260), longest: {Value: 1200}}},
		{"home-assistant", tooSlow, "longest of 1,000 4K random writes 1,100 to 1,500 ms; more than 1,000 ms is too long",
			map[string]figure.Figure{write: between(620, 883, 1260), longest: between(1100, 1200, 1500)}},
		{"home-assistant", cantTell, "longest of 1,000 4K random writes 500 to 2,000 ms; more than 1,000 ms is too long",
			map[string]figure.Figure{write: between(620, 883, 1260), longest: between(500, 1001, 2000)}},
		{"home-assistant", cantTell, "longest of 1,000 4K random writes 65.8 to 1,520 ms; more than 1,000 ms is too long",
			map[string]figure.Figure{write: between(620, 883, 1260), longest: between(65.8, 317, 1520)}},
		{"home-assistant", cantTell, "the longest of 1,000 4K random writes was not measured",
			map[string]figure.Figure{write: between(620, 883, 1260)}},
		{"home-assistant", tooSlow, "4K random write 2 to 8 IOPS; a 5400 rpm laptop disk does 90",
			map[string]figure.Figure{write: between(2, 4, 8)}},
		{"camera", good, "4K: linear write at least 30 MB/s", nil},
		{"camera", fine, "Full HD (1080p): linear write 12 to 40 MB/s; 4K takes 30 MB/s",
			map[string]figure.Figure{figure.SeqWriteMBPerS: between(12, 20, 40)}},
		{"camera", tooSlow, "linear write 0.5 to 1.5 MB/s; standard definition takes 2 MB/s",
			map[string]figure.Figure{figure.SeqWriteMBPerS: between(0.5, 1, 1.5)}},
		{"camera", cantTell, "linear write 0.5 to 2.5 MB/s; standard definition takes 2 MB/s",
			map[string]figure.Figure{figure.SeqWriteMBPerS: between(0.5, 1, 2.5)}},
		{"camera", cantTell, "linear write 95 MB/s, nobody knows how surely",
			map[string]figure.Figure{figure.SeqWriteMBPerS: {Value: 95}}},
		{"camera, fell behind", fine, "Full HD (1080p): linear write at least 30 MB/s; it fell behind a recording of 30 MB/s",
			nil},
		{"home-assistant, worn out", wearsOut, "two units had their first error by round 1 of being written full, and the " +
			"writes of 1,095 days take 4.84",
			map[string]figure.Figure{write: between(620, 883, 1260), longest: between(65.8, 317, 900)}},
		{"per-euro", "", "", map[string]figure.Figure{write: between(620, 883, 1260)}},
	} {
		row := &ranking.Row{Module: catalogue.Module{Form: "microsd", CapacityGB: 64}}
		for _, figures := range []map[string]figure.Figure{linear, c.figures} {
			for key, f := range figures {
				row.Figures.Put(key, f)
			}
		}
		for _, q := range questions {
			key, known, _ := strings.Cut(c.key, ", ")
			if q.Key != key {
				continue
			}
			switch known {
			case "fell behind":
				row.FellBehind = 30
			case "worn out":
				row.FirstErrors = []int{163, 0, 0}
			}
			a := ranking.Answers(q, []*ranking.Row{row})[0]
			if got := verdictOn(q, a, yardsticks); got != (verdict{c.word, c.why}) {
				t.Errorf("%s of %v: %q, want %q", c.key, c.figures, got, verdict{c.word, c.why})
			}
		}
	}
}

// Each answer by a time or a rate has a verdict. A rate that only one source printed makes no module good or too slow.
func TestEachAnswerHasAVerdict(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	count := map[string]int{}
	for _, m := range s.snapshot.Modules {
		for _, a := range s.answersOf(m) {
			i := slices.IndexFunc(s.questions, func(q question.Question) bool { return "/for/"+q.Key+"/" == a.Path })
			if s.questions[i].Currency != "" { // a price has no yardstick
				continue
			}
			if a.verdict.word == "" || a.verdict.why == "" {
				t.Errorf("%s says nothing of %s", m.Slug, a.Use)
			}
			if count[a.Origin+" "+a.verdict.word]++; a.Origin == ranking.Published && a.verdict.word != cantTell &&
				a.verdict.word != wearsOut {
				t.Errorf("%s, which one source printed, is %+v for %s", m.Slug, a.verdict, a.Use)
			}
		}
	}
	for _, word := range []string{good, fine, tooSlow, cantTell} {
		if count[ranking.Expected+" "+word] == 0 {
			t.Errorf("nothing is %s: %v", word, count)
		}
	}
}

func TestGoodFor(t *testing.T) {
	t.Parallel()
	got := goodFor([]moduleAnswer{
		{Use: "a", verdict: verdict{tooSlow, "2 IOPS"}}, {Use: "b", verdict: verdict{good, "9 IOPS"}},
		{Use: "4K writes for a euro"}, {Use: "c", verdict: verdict{good, "9 IOPS"}},
		{Use: "d", verdict: verdict{good, "8 MB/s"}}, {Use: "e", verdict: verdict{cantTell, "1 ms"}},
		{Use: "f", verdict: verdict{good, "9 IOPS"}},
	})
	want := "Good for b, c and f (9 IOPS), for d (8 MB/s); too slow for a (2 IOPS); nobody can tell yet for e (1 ms)."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := goodFor([]moduleAnswer{{Use: "4K writes for a euro"}}); got != "" {
		t.Errorf("%q of nothing", got)
	}
}
