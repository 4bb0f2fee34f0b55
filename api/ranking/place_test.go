package ranking

import (
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func interval(low, value, high float64) *Row {
	return &Row{Figures: figure.Set{
		figure.RandWriteIOPS:  {Value: value, Low: &low, High: &high},
		figure.RandWriteP99MS: {Value: value, Low: &low, High: &high},
	}}
}

// Worked out by hand: A is above all others; B and C overlap, C and D too, B and D don't; E has no interval.
func TestPlacesAreRangesWhereIntervalsOverlap(t *testing.T) {
	t.Parallel()
	e := &Row{Figures: figure.Set{figure.RandWriteIOPS: {Value: 5}, figure.RandWriteP99MS: {Value: 5}}}
	noted := interval(1, 1e9, 1e10)
	noted.Note = "one lucky run"
	rows := []*Row{interval(900, 1000, 1100), noted, interval(300, 400, 500), interval(150, 250, 350),
		interval(100, 150, 200), e, {Reference: "a disk", Figures: e.Figures}}
	want := []Place{{1, 1}, {}, {2, 3}, {2, 4}, {3, 4}, {5, 5}, {}}
	if diff := cmp.Diff(want, Ranks(rows, figure.RandWriteIOPS)); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	want = []Place{{5, 5}, {}, {3, 4}, {2, 4}, {2, 3}, {1, 1}, {}} // of times the least is the best
	if diff := cmp.Diff(want, Ranks(rows, figure.RandWriteP99MS)); diff != "" {
		t.Errorf("places by a time (-want +got):\n%s", diff)
	}
}

// The plain definition, row by row.
func TestPlacesCountTheRowsThatAreSurelyBetterAndWorse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []*Row
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			low := rapid.IntRange(0, 20).Draw(t, "low")
			rows = append(rows, interval(float64(low), float64(low), float64(low+rapid.IntRange(0, 5).Draw(t, "width"))))
		}
		for i, place := range Ranks(rows, figure.RandWriteIOPS) {
			better, worse := 0, 0
			for _, other := range rows {
				a, b := other.Figures[figure.RandWriteIOPS], rows[i].Figures[figure.RandWriteIOPS]
				if *a.Low > *b.High {
					better++
				}
				if *a.High < *b.Low {
					worse++
				}
			}
			if want := (Place{better + 1, len(rows) - worse}); place != want {
				t.Fatalf("row %d is at %v, want %v", i, place, want)
			}
		}
	})
}
