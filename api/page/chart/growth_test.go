package chart

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGrowthHasEveryMonth(t *testing.T) {
	t.Parallel()
	c, ok := Growth("runs", "Runs", "runs", []string{"2026-11", "2027-02"}, []int64{3, 1})
	want := [][]string{{"2026-11", "3", "3"}, {"2026-12", "0", "3"}, {"2027-01", "0", "3"}, {"2027-02", "1", "4"}}
	if diff := cmp.Diff(want, c.Numbers.Rows); diff != "" || !ok {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The last value is at the top, because the scale ends at 4, and there is room for its label beside it.
	of := drawn(t, c)
	if d := "M0 190L227 47.5L455 47.5L682 47.5L909 0"; len(of.Paths) != 1 || of.Paths[0].D != d {
		t.Errorf("%+v, want %s", of.Paths, d)
	}
	if len(of.X) != 4 || of.X[3].Label != "2027-02" || of.X[3].At != 90.91 {
		t.Errorf("%+v", of.X)
	}
	if _, ok := Growth("runs", "Runs", "runs", nil, nil); ok {
		t.Error("nothing was drawn")
	}
}
