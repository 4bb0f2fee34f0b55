package main

import (
	"math"
	"strings"
	"testing"

	"flashdex/result"
)

// The drawing shows all of the test's operations, however its intervals fall on the columns.
func TestRatesOverTimeKeepTheirSum(t *testing.T) {
	t.Parallel()
	intervals := []result.Interval{{Ops: 10, NS: 1e9}, {Ops: 100, NS: 2.5e9}, {Ops: 1, NS: 0.1e9}, {Ops: 0, NS: 4e9},
		{Ops: 7, NS: 1.3e9}}
	for columns := 1; columns < 9; columns++ {
		rates, seconds := overTime(intervals, func(v result.Interval) float64 { return float64(v.Ops) }, columns)
		sum := 0.0
		for _, rate := range rates {
			sum += rate * seconds / float64(len(rates))
		}
		if len(rates) != columns || math.Abs(sum-118) > 1e-6 || math.Abs(seconds-8.9) > 1e-9 {
			t.Errorf("%d columns: %v, %g operations in %g s", columns, rates, sum, seconds)
		}
	}
}

func TestClassesOfLatenciesEndAt1And2And5(t *testing.T) {
	t.Parallel()
	for ns, end := range map[float64]float64{0: 1, 1: 1, 1.5: 2, 2: 2, 2.1: 5, 9: 10, 123_456: 200_000, 5e9: 5e9,
		5.1e9: 1e10} {
		if got := endOf(classOf(ns)); got != end {
			t.Errorf("%g ns ends at %g, want %g", ns, got, end)
		}
	}
}

// Every line of the drawing fits the terminal.
func TestPlotFitsTheTerminal(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	const narrowest = 62 // the width of the text alone
	for _, columns := range []int{20, 60, 80, 110} {
		for line := range strings.Lines(plot(doc, columns, ramps[true])) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > max(columns, narrowest) {
				t.Errorf("%d of %d columns: %q", n, columns, line)
			}
		}
	}
}

func TestResultWithoutRatesHasNoDrawing(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	for i := range doc.Tests {
		doc.Tests[i].Intervals = nil
	}
	if text := plot(doc, 80, ramps[false]); !strings.Contains(text, "no rates over time") {
		t.Error(text)
	}
}

// The mark of a rate is in its decade. A rate beyond the scale is marked at the scale's end.
func TestScaleMarksTheRate(t *testing.T) {
	t.Parallel()
	for iops, column := range map[float64]int{0: 0, 0.1: 0, 1: 10, 31.7: 25, 100: 30, 2000: 43, 1e5: 60, 7e6: 60} {
		lines := strings.Split(scale(iops, 80, true), "\n")
		if len(lines) != 6 {
			t.Fatalf("%q", lines)
		}
		axis := []rune(strings.TrimSpace(lines[3]))
		if len(axis) != 61 || axis[column] != '●' {
			t.Errorf("%g IOPS: %s, want its mark at %d", iops, string(axis), column)
		}
		for name, at := range map[string]int{"laptop disk ▲": 30, "A1 ▲": 37, "A2 ▲": 43} {
			before, _, found := strings.Cut(lines[4], name)
			if end := len([]rune(before+name)) - 1 - len("  "); !found || end != at {
				t.Errorf("%s ends at %d of %q, want %d", name, end, lines[4], at)
			}
		}
	}
	if text := scale(100, 80, false); strings.Trim(text, "\x00\n !\"#$%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ"+
		"^_`abcdefghijklmnopqrstuvwxyz|") != "" {
		t.Errorf("not ASCII: %s", text)
	}
	if text := scale(100, 60, true); text != "" {
		t.Errorf("it doesn't fit 60 columns: %s", text)
	}
}
