package publish

import (
	"encoding/json"
	"errors"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// The length of a cell tells the explorer what it holds: a value, the ends of several published figures, or a value and
// its interval.
func TestCellsOfTheExplorer(t *testing.T) {
	t.Parallel()
	low, high := 400.0, 600.0
	row := exploredRow{Row: &ranking.Row{Module: catalogue.Module{Slug: "a"},
		Figures: figure.SetOf(map[string]figure.Figure{
			figure.RandWriteIOPS: {Value: 1140.75, To: 3066.5, N: 6}, figure.RandReadIOPS: {Value: 500, Low: &low, High: &high},
			figure.SeqWriteMBPerS: {Value: 40},
		})}}
	e := explored{Columns: ranking.Columns, Words: map[string][]string{}}
	of := new(site).exploredCells(&e, row)
	got := map[string]any{}
	for i, column := range e.Columns {
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

// The home page, the whole ranking and the explorer count the same rows. The table figures has these rows, and one for
// each reference device.
func TestTotalsAreOfTheSameRows(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	r := rankingPage{Path: "/by/rand-write-iops/", Metric: figure.RandWriteIOPS, file: figure.RandWriteIOPS}
	sections := s.sections(r.Metric, s.rows, "", result.MethodFlashdex1)
	_, explored, notExplored := s.explore()
	_, notRanked := s.writeRanking(r, sections, nil)
	if err := errors.Join(notExplored, notRanked, s.writeHome(r, sections)); err != nil {
		t.Fatal(err)
	}
	var home, whole rankingContent
	if err := errors.Join(json.Unmarshal([]byte(read(t, s.input, homeFile)), &home),
		json.Unmarshal([]byte(read(t, s.input, "rankings/rand_write_iops-1.json")), &whole)); err != nil {
		t.Fatal(err)
	}
	figures := 0
	if err := dataset.EachFigure(s.snapshot, s.catalogue, func(f *dataset.Figure) error {
		if f.Reference == "" {
			figures++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all := explored.Rows + explored.Others
	if home.RowsTotal != all || whole.RowsTotal != all || figures != all || all < 100 {
		t.Errorf("%d rows on the home page, %d in the ranking, %d in the explorer, %d in figures",
			home.RowsTotal, whole.RowsTotal, all, figures)
	}
}

// A price by uploads goes before published ones; currencies are never mixed.
func TestPricesForEachGB(t *testing.T) {
	t.Parallel()
	a := catalogue.Module{Slug: "a", CapacityGB: 10}
	s := &site{
		catalogue: &catalogue.Catalogue{Methods: []catalogue.Method{{ID: "ours"}, {ID: "theirs"}}},
		rows: map[string][]*ranking.Row{
			"ours": {{Module: a, Prices: []figure.PriceMedian{{Amount: 5, Currency: "USD"}}}},
			"theirs": {
				{Module: a, Prices: []figure.PriceMedian{{Amount: 9, Currency: "USD"}, {Amount: 8, Currency: "EUR"}}},
				{Module: catalogue.Module{Slug: "b", CapacityGB: 20}, Prices: []figure.PriceMedian{{Amount: 4, Currency: "USD"}}},
				{Module: catalogue.Module{Slug: "c"}, Prices: []figure.PriceMedian{{Amount: 6, Currency: "USD"}}},
			}},
	}
	want := map[string]map[string]float64{"USD": {"a": 0.5, "b": 0.2}, "EUR": {"a": 0.8}}
	if diff := cmp.Diff(want, s.pricesPerGB()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.snapshot = new(figure.Overview)
	e := s.newExplored()
	keys := []string{e.Columns[len(e.Columns)-2].Key, e.Columns[len(e.Columns)-1].Key}
	if diff := cmp.Diff([]string{"usd_per_gb", "eur_per_gb"}, keys); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
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
