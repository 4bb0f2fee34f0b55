package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"flashdex/api/figure"
	"flashdex/result"
)

const second = 1_000_000_000

// random returns a 4K random write test with intervals of this many operations and seconds.
func random(intervals ...[2]float64) *result.Test {
	t := &result.Test{Name: result.RandWrite}
	for _, i := range intervals {
		t.Intervals = append(
			t.Intervals, result.Interval{Ops: int64(i[0]), Bytes: 4096 * int64(i[0]), NS: int64(i[1] * second)},
		)
		t.Batches = append(t.Batches, result.Batch{Ops: int64(i[0]), NS: int64(i[1] * second)})
	}
	return t
}

// written returns a linear write of pieces of 10 MB at these rates in MB/s.
func written(rates ...float64) *result.Test {
	t := &result.Test{Name: result.SeqWrite}
	for _, r := range rates {
		ns := int64(10 / r * second)
		t.Intervals = append(t.Intervals, result.Interval{Ops: 1, Bytes: 10e6, NS: ns})
		t.Bytes += 10e6
		t.DurationNS += ns
	}
	return t
}

func TestFewIntervalsAreDrawnAsTheyAre(t *testing.T) {
	t.Parallel()
	got := columnsOf(random([2]float64{100, 1}, [2]float64{0, 2}, [2]float64{30, 0.5}), 3, true)
	want := []Column{{0, 1, 100, 100, 100}, {1, 3, 0, 0, 0}, {3, 3.5, 60, 60, 60}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a random test, by time (-want +got):\n%s", diff)
	}
	got = columnsOf(written(20, 5), 300, false)
	if diff := cmp.Diff([]Column{{0, 10, 20, 20, 20}, {10, 20, 5, 5, 5}}, got); diff != "" {
		t.Errorf("a linear test, by what was written (-want +got):\n%s", diff)
	}
}

// Of 900 seconds at 100 IOPS, one second had 1. Three seconds share a column, whose mean is (100 + 1 + 100) / 3 = 67.
func TestAStallOfOneIntervalSurvives(t *testing.T) {
	t.Parallel()
	test := random()
	for i := range 900 {
		ops := int64(100)
		if i == 451 {
			ops = 1
		}
		test.Intervals = append(test.Intervals, result.Interval{Ops: ops, NS: second})
		test.Batches = append(test.Batches, result.Batch{Ops: ops, NS: second})
	}
	columns := columnsOf(test, 300, true)
	if len(columns) != 300 {
		t.Fatalf("%d columns", len(columns))
	}
	for i, c := range columns {
		want := Column{3 * float64(i), 3 * float64(i+1), 100, 100, 100}
		if i == 150 {
			want.Low, want.Mean = 1, 67
		}
		if diff := cmp.Diff(want, c, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("column %d (-want +got):\n%s", i, diff)
		}
	}
	c, ok := Throughput("x", "Rate", []Run{{Label: "it", Class: Main, Test: test}})
	of := drawn(t, c)
	if !ok || len(of.Paths) != 2 || of.Paths[0].Class != Envelope || of.Paths[1].Class != Main {
		t.Fatalf("%v %+v", ok, of.Paths)
	}
	// 0 to 100 IOPS on 190 pixels: 1 lies at 188.1.
	if !strings.Contains(of.Paths[0].D, "V188.1") || !strings.Contains(of.Paths[1].D, "V188.1") {
		t.Errorf("the stall isn't drawn: %s", of.Paths[0].D)
	}
	if len(of.Paths[0].D)+len(of.Paths[1].D) > 12_000 {
		t.Errorf("the paths have %d and %d bytes", len(of.Paths[0].D), len(of.Paths[1].D))
	}
}

// A column that ends within an interval takes its share of the interval, and the interval's rate.
func TestAnIntervalAcrossColumnsIsInBoth(t *testing.T) {
	t.Parallel()
	got := columnsOf(random([2]float64{10, 1}, [2]float64{40, 1}, [2]float64{10, 1}), 2, true)
	want := []Column{{0, 1.5, 10, 20, 40}, {1.5, 3, 10, 20, 40}}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheCliffIsMarked(t *testing.T) {
	t.Parallel()
	c, ok := Throughput(
		"x", "Linear write", []Run{{Label: "it", Class: Main, Test: written(20, 21, 20, 19, 20, 5, 5.1, 4.9, 5, 5, 5)}},
	)
	if !ok {
		t.Fatal("nothing is drawn")
	}
	var cliffs []Segment
	of := drawn(t, c)
	for _, l := range of.Lines {
		if l.Class == Cliff {
			cliffs = append(cliffs, l)
		}
	}
	// 50 of 110 MB.
	if diff := cmp.Diff([]Segment{{Cliff, 45.45, 45.45, 20, 216}}, cliffs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Text{{Cliff, 45.45, 16, "middle", "cliff after 50 MB"}}, of.Texts); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{
		"After 50 MB the rate fell for good, to 25 %", "the slowest interval had 4.9, the fastest 21, over 110 MB written",
	} {
		if !strings.Contains(of.Desc, part) {
			t.Errorf("%q lacks %q", of.Desc, part)
		}
	}
	if len(c.Numbers.Rows) != 10 || c.Numbers.Rows[0][0] != "0 to 11" {
		t.Errorf("table %v", c.Numbers)
	}
}

func TestTheWarmUpIsShaded(t *testing.T) {
	t.Parallel()
	test := random([2]float64{50, 1}, [2]float64{50, 1}, [2]float64{50, 1}, [2]float64{50, 1})
	test.WarmupOps = 60 // ends within the second interval
	c, _ := Throughput("x", "Rate", []Run{{Label: "it", Class: Main, Test: test}})
	if diff := cmp.Diff([]Area{{Warmup, 0, 50, 26, 190}}, drawn(t, c).Areas); diff != "" {
		t.Error(diff)
	}
}

func TestSeveralOnCommonAxes(t *testing.T) {
	t.Parallel()
	c, ok := Throughput(
		"x", "Rates",
		[]Run{
			{Label: "slow", Class: Several(0), Test: random([2]float64{2, 1}, [2]float64{2, 1})},
			{Label: "fast", Class: Several(1), Test: random([2]float64{900, 1})},
		},
	)
	of := drawn(t, c)
	if !ok || len(of.Paths) != 2 || len(c.Key) != 2 || len(c.Numbers.Rows) != 2 {
		t.Fatalf("%v %+v", ok, c)
	}
	if of.Y[0].Label != "1" || of.Y[len(of.Y)-1].Label != "1,000" {
		t.Errorf("rates that differ 450-fold need a logarithmic scale: %v", of.Y)
	}
	// 190 pixels from 0.2 to 1000, and half of two seconds: 190 log(1000/900) / log(5000) = 2.35.
	if of.Paths[1].D != "M0 2.4H500" {
		t.Errorf("fast is drawn as %s", of.Paths[1].D)
	}
}

func TestNothingToDraw(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]*result.Test{
		"no interval": {Name: result.RandWrite}, "no time": {Name: result.SeqWrite, Intervals: []result.Interval{{Bytes: 1}}},
		"no operation": random([2]float64{0, 5}),
	} {
		if c, ok := Throughput("x", "Rate", []Run{{Label: "it", Class: Main, Test: test}}); ok {
			t.Errorf("%s: %+v", name, c)
		}
		if c, ok := Latency("x", "Latency", []Run{{Label: "it", Class: Main, Test: test}}); ok {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, values := range [][]float64{nil, {0}, {math.NaN()}, {math.Inf(1), -3}} {
		if c, ok := Strip("x", "Units", Spread{Values: values}); ok {
			t.Errorf("%v: %+v", values, c)
		}
	}
	if _, ok := Throughput("x", "Rate", []Run{{Label: "it", Class: Main, Test: random([2]float64{7, 1})}}); !ok {
		t.Error("a single interval can be drawn")
	}
}

// Whatever a label contains, the markup is well-formed and shows it as text.
func TestHostileLabelsAreText(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script>{{.}}' & <!--`
	run := written(20, 21, 20, 19, 20, 5, 5.1, 4.9, 5, 5, 5)
	c, _ := Throughput(
		"x", hostile, []Run{{Label: hostile, Class: Main, Test: run}, {Label: hostile, Class: Several(1), Test: run}},
	)
	median := 3.0
	s, _ := Strip("y", hostile, Spread{
		Figure: figure.Figure{Value: median, Low: &median, High: &median, P25: 2, P75: 4},
		Unit:   hostile, Values: []float64{1, 2, 3, 4}, This: &Mark{hostile, 3}, References: []Mark{{hostile, 2}},
	})
	for _, chart := range []Chart{c, s} {
		page := chart.SVG
		if strings.Contains(page, "<script") {
			t.Errorf("markup: %s", page)
		}
		var text strings.Builder
		d := xml.NewDecoder(strings.NewReader(page))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("not well-formed: %v\n%s", err, page)
			}
			if data, ok := token.(xml.CharData); ok {
				fmt.Fprint(&text, string(data))
			}
		}
		if strings.Count(text.String(), hostile) < 2 {
			t.Errorf("the label is lost: %s", text.String())
		}
		for _, broken := range []string{"NaN", "Inf", "e+", "style="} {
			if strings.Contains(page, broken) {
				t.Errorf("the chart holds %s", broken)
			}
		}
	}
}
