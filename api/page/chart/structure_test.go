package chart

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// insideOf returns the tests of a module that writes to this many places at once.
func insideOf(places int64) []result.Test {
	turns := result.Test{Name: result.TurnWrite, BlockBytes: 4096, AreaBytes: 2 << 30}
	for _, n := range []int64{1, places, places + 1} {
		ns := int64(2e6)
		if n > places {
			ns = 60e6
		}
		for range 12 {
			turns.Intervals = append(turns.Intervals, result.Interval{
				Kind: result.Kind{Places: n}, Ops: result.StructureOps, NS: result.StructureOps * ns, MaxNS: ns,
			})
		}
	}
	return []result.Test{
		{Name: result.SeqWrite}, turns, {Name: result.GapWrite, BlockBytes: 4096},
		{Name: result.AcrossWrite, BlockBytes: result.PageBlockBytes},
		{Name: result.AcrossWrite, BlockBytes: result.UnalignedBytes}, {Name: result.PlaceWrite, BlockBytes: 4096},
	}
}

// A table and words show what the tests tell, and also what they don't.
func TestInsideIsToldInWordsAndNumbers(t *testing.T) {
	t.Parallel()
	p := ProfileOf(result.MethodStructure1, "x-", []Profiled{
		{Letter: "A", Label: "a run", Class: Main, Tests: insideOf(5)},
		{Letter: "B", Label: "another", Class: Several(1), Tests: insideOf(1)},
	})
	if len(p.Tables) != 1 || len(p.Charts) != 1 {
		t.Fatalf("%+v", p)
	}
	want := [][]string{
		{"A Open units; with one more", "5", "30", "30 to 30"},
		{"A Allocation unit", "can’t tell", "", ""}, {"A Page", "can’t tell", "", ""},
		{"A Unaligned write of 4 KiB", "", "", ""},
		{"A Middle against beginning", "", "", ""},
	}
	if diff := cmp.Diff(want, p.Tables[0].Rows[:5]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{
		"A a run: the module writes to 5 places at once; with one more, each write takes 30 times as long.",
		"B another: the module writes to one place at once; with one more, each write takes 30 times as long.", ">places written to in turn<",
	} {
		if !strings.Contains(p.Charts[0].SVG, text) {
			t.Errorf("the chart lacks %q", text)
		}
	}
	if want := []string{"A a run", "6", "60"}; !cmp.Equal(p.Charts[0].Numbers.Rows[2], want) {
		t.Errorf("its numbers have %q, want %q", p.Charts[0].Numbers.Rows[2], want)
	}
	if p := ProfileOf(result.MethodStructure1, "x-", []Profiled{{Tests: insideOf(5)[2:]}}); len(p.Charts) != 0 {
		t.Error("there is a chart of no places")
	}
}

// A module that opens each unit in a place of its own has a sentence of its own, and both numbers in the table.
func TestPlacesThatWereChosenAreToldApart(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../result/testdata/valid/structure-3.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	p := ProfileOf(result.MethodStructure1, "x-", []Profiled{{Label: "a run", Class: Main, Tests: doc.Tests}})
	want := "a run: the module writes to 4 places at once if they are chosen for that, since some places close each other. " +
		"A write that opens another takes 24.9 times as long."
	if !slices.Contains(p.Said, want) {
		t.Errorf("%q, want %q", p.Said, want)
	}
	for _, row := range [][]string{
		{"Open units; with one more", "can’t tell"}, {"Allocation unit", "4 MiB"},
		{"Open units that were chosen; with another", "4"},
	} {
		if !slices.ContainsFunc(p.Tables[0].Rows, func(r []string) bool { return slices.Equal(r[:2], row) }) {
			t.Errorf("%q is not in %q", row, p.Tables[0].Rows)
		}
	}
}
