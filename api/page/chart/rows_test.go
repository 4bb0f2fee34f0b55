package chart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"flashdex/api/figure"
	"flashdex/result"
)

func value(v float64) *float64 { return &v }

func TestRowsHoldEveryFigureWithItsUnitsAndInterval(t *testing.T) {
	t.Parallel()
	c, ok := Rows("x", "4K random write", "IOPS", []Row{
		{figure.Figure{Value: 100, Low: value(10), High: value(1000)}, "A", []float64{20, 100, 500}},
		{figure.Figure{}, "B", nil}, {figure.Figure{Value: 10}, "C", nil},
		{figure.Figure{Value: 1000, Low: value(0), High: value(1000)}, "D", []float64{-1}},
	})
	if !ok || !strings.Contains(c.SVG, fmt.Sprintf(`height="%d" aria`, 3*row+24)) || drawn(t, c).YName != "" {
		t.Fatalf("%v %+v", ok, c)
	}
	// From 10 to 1000, 100 lies in the middle; a name of 18 pixels, 26 for dots, 8 below.
	want := shapes{
		Dots:  []Dot{{Unit, 15.05, 31}, {Unit, 50, 31}, {Unit, 84.95, 31}, {Main, 0, 83}, {Main, 100, 135}},
		Lines: []Segment{{Interval, 0, 100, 47, 47}, {Main, 50, 50, 18, 50}, {Interval, 0, 100, 151, 151}},
		Texts: []Text{{"name", 0, 13, "start", "A"}, {"name", 0, 65, "start", "C"}, {"name", 0, 117, "start", "D"}},
	}
	if diff := cmp.Diff(
		want, drawn(t, c), cmpopts.IgnoreFields(shapes{}, "X", "XName", "Desc"),
	); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(
		[][]string{{"A", "100", "10 to 1,000", "3"}, {"C", "10", "", ""}, {"D", "1,000", "0 to 1,000", ""}}, c.Numbers.Rows,
	); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if c, ok := Rows("x", "", "", []Row{{figure.Figure{Value: 100}, "A", nil}, {figure.Figure{}, "B", nil}}); ok {
		t.Errorf("one figure alone has nothing beside it: %+v", c)
	}
}

func TestComparedHasALineForEachModule(t *testing.T) {
	t.Parallel()
	linear, fast, slow := *written(20, 20), *random([2]float64{900, 1}), *random([2]float64{2, 1})
	got := Compared("x-", []string{"one", "two", "three"}, [][]result.Test{{linear, fast}, nil, {slow}})
	if len(got) != 1 || !strings.Contains(got[0].SVG, `id="x-rand-write-rate-title"`) {
		t.Fatalf("what only one of them has is drawn, or what two have isn't: %+v", got)
	}
	c := got[0]
	if diff := cmp.Diff([]Key{{"several-1", "A one"}, {"several-3", "C three"}}, c.Key); diff != "" {
		t.Errorf("a module keeps its letter and line (-want +got):\n%s", diff)
	}
	ends := ""
	of := drawn(t, c)
	for _, text := range of.Texts {
		ends += text.Class + " " + text.Label + " "
	}
	if ends != "several-1 A several-3 C " || !strings.Contains(of.Desc, "C three: 2 IOPS on the whole.") {
		t.Errorf("%q, %q", ends, of.Desc)
	}
}

func TestWordsAtTheEndsOfLinesDoNotCoverEachOther(t *testing.T) {
	t.Parallel()
	d := drawing{
		ends: []end{{"several-2", "B", 100, 52}, {"several-1", "A", 100, 50}, {"several-3", "C", 60, 51}},
	}
	c, _ := d.finish("")
	want := []Text{
		{"several-1", 100, 54, "start", "A"}, {"several-3", 60, 55, "start", "C"}, {"several-2", 100, 66, "start", "B"},
	}
	if diff := cmp.Diff(want, drawn(t, c).Texts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
