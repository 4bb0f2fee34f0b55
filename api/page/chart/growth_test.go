package chart_test

import (
	"testing"

	"flashdex/api/page/chart"

	"github.com/google/go-cmp/cmp"
)

func TestGrowthHasEveryMonth(t *testing.T) {
	t.Parallel()
	c, ok := chart.Growth("runs", "Runs", "runs", []chart.Added{{Month: "2026-11", N: 3}, {Month: "2027-02", N: 1}})
	want := [][]string{{"2026-11", "3", "3"}, {"2026-12", "0", "3"}, {"2027-01", "0", "3"}, {"2027-02", "1", "4"}}
	if diff := cmp.Diff(want, c.Table.Rows); diff != "" || !ok {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The last is at the top, for 4 is the end of the scale, and has room for its label beside it.
	if d := "M0 190L227 47.5L455 47.5L682 47.5L909 0"; len(c.Paths) != 1 || c.Paths[0].D != d {
		t.Errorf("%+v, want %s", c.Paths, d)
	}
	if len(c.X.Ticks) != 4 || c.X.Ticks[3].Label != "2027-02" || c.X.Ticks[3].At != 90.91 {
		t.Errorf("%+v", c.X.Ticks)
	}
	if _, ok := chart.Growth("runs", "Runs", "runs", nil); ok {
		t.Error("nothing was drawn")
	}
}
