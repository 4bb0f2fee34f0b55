package publish

import (
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"

	"github.com/google/go-cmp/cmp"
)

// The explorer tells by the length of a cell what it holds: a value, the ends of several published figures, or a value
// and its interval.
func TestCellsOfTheExplorer(t *testing.T) {
	t.Parallel()
	low, high := 400.0, 600.0
	row := exploredRow{Row: &ranking.Row{Module: catalogue.Module{Slug: "a"},
		Figures: figure.SetOf(map[string]figure.Figure{
			figure.RandWriteIOPS: {Value: 1140.75, To: 3066.5, N: 6}, figure.RandReadIOPS: {Value: 500, Low: &low, High: &high},
			figure.SeqWriteMBPerS: {Value: 40},
		})}}
	e := explored{Words: map[string][]string{}}
	of := new(site).exploredCells(&e, row)
	got := map[string]any{}
	for i, column := range exploredColumns {
		if column.Scale != nil && of[i] != nil {
			got[column.Key] = of[i]
		}
	}
	want := map[string]any{figure.RandWriteIOPS: [2]float64{1141, 3067}, figure.RandReadIOPS: [3]float64{500, 400, 600},
		figure.SeqWriteMBPerS: 40.0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestGroupsOfColumnsThatAreEmpty(t *testing.T) {
	t.Parallel()
	columns := []ranking.Column{{Key: "a", Group: "one"}, {Key: "b", Group: "two"}, {Key: "c", Group: "one"},
		{Key: "d", Group: "three"}, {Key: "e", Group: "three"}}
	if got := emptyGroups(columns, map[string]bool{"two": true, "one": false}); !slices.Equal(got, []string{"one", "three"}) {
		t.Error(got)
	}
}

// One unranked upload doesn't hide a table of many modules.
func TestExplorerBeginsWithTheMethodThatRanksTheMost(t *testing.T) {
	t.Parallel()
	row := func(method string, place int) exploredRow {
		return exploredRow{Row: &ranking.Row{}, method: method, place: ranking.Place{First: place, Last: place}}
	}
	for _, c := range []struct {
		name, want string
		rows       []exploredRow
	}{
		{"nobody measured", "", []exploredRow{row("", 0), row("", 0)}},
		{"an upload without a rank", "theirs", []exploredRow{row("ours", 0), row("theirs", 0), row("theirs", 0), row("", 0)}},
		{"ranks go before rows", "ours", []exploredRow{row("ours", 1), row("theirs", 0), row("theirs", 0)}},
		{"the nearest to ours", "ours", []exploredRow{row("ours", 1), row("theirs", 1)}},
	} {
		if got := firstMethod(c.rows); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
