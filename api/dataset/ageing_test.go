package dataset_test

import (
	"strings"
	"testing"

	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result/ageing"

	"github.com/google/go-cmp/cmp"
)

func TestAgeingOfARow(t *testing.T) {
	t.Parallel()
	row := ranking.Row{Method: "flashdex-1", Figures: figure.Set{}, AgeingPerYear: &ageing.Change{Units: 3, Contributors: 2,
		Runs: 19, Percent: -8.12345678, Low: -14, High: -3, Says: ageing.Slower},
		AgeingPerTB: &ageing.Change{Units: 1, Contributors: 1, Runs: 7, Percent: -2, Low: -9, High: 5, Says: ageing.Steady}}
	got := map[string]string{}
	for name, cell := range cells(t, dataset.Figures, dataset.Figure{Row: row}) {
		if strings.HasPrefix(name, "ageing_") {
			got[name] = cell
		}
	}
	want := map[string]string{"ageing_per_year": "-8.12346", "ageing_per_year_low": "-14", "ageing_per_year_high": "-3",
		"ageing_per_year_units": "3", "ageing_per_year_says": "slower", "ageing_per_tb": "-2", "ageing_per_tb_low": "-9",
		"ageing_per_tb_high": "5", "ageing_per_tb_units": "1", "ageing_per_tb_says": "steady"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
