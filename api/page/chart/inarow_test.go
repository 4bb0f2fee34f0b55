package chart

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunsInARow(t *testing.T) {
	t.Parallel()
	c, ok := InARow("hot", "Linear writes", "MB/s", []RunsInARow{
		{"Card, with a fan", Several(0), "A", []float64{600, 590, 600}},
		{"Card, without", Several(1), "B", []float64{600, 150}},
		{Label: "nothing"},
	})
	if !ok {
		t.Fatal("nothing was drawn")
	}
	want := [][]string{{"Card, with a fan", "600", "590", "600"}, {"Card, without", "600", "150", ""}}
	if diff := cmp.Diff(want, c.Numbers.Rows); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Module", "Run 1", "Run 2", "Run 3"}, c.Numbers.Head); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	for _, part := range []string{"Card, without: from 600 to 150 MB/s, the least 150.", `class="several-2"`, ">B<"} {
		if !strings.Contains(c.SVG, part) {
			t.Errorf("the chart lacks %q", part)
		}
	}
	if _, ok := InARow("hot", "", "MB/s", []RunsInARow{{Values: []float64{1}}}); ok {
		t.Error("one run is drawn as a line")
	}
}
