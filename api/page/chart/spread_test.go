package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

func TestUnitsStandOnALogarithmicScale(t *testing.T) {
	t.Parallel()
	low, high := 100.0, 1000.0
	c, ok := Strip("x", "4K random write", Spread{
		Unit: "IOPS", Values: []float64{1000, 100, 316.22776601683796, 100},
		Figure:     figure.Figure{Value: 200, Low: &low, High: &high, P25: 100, P75: 500},
		References: []Mark{{"laptop disk 90", 90}, {"A2 2,000", 2000}, {"far", 100_000}}, This: &Mark{"this run 500", 500},
	})
	if !ok {
		t.Fatal("nothing is drawn")
	}
	of := drawn(t, c)
	// There are four names of 15 pixels above 58 pixels of dots. The scale reaches from 50 to 2000; 100 is 18.79 % of
	// the way. The second of two dots at a place lies 7 pixels above the first.
	want := []Dot{{Unit, 18.79, 89}, {Unit, 18.79, 82}, {Unit, 50, 89}, {Unit, 81.21, 89}, {This, 62.42, 89}}
	if diff := cmp.Diff(want, of.Dots); diff != "" {
		t.Errorf("dots (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Area{{Quartiles, 18.79, 43.63, 60, 58}}, of.Areas); diff != "" {
		t.Errorf("quartiles (-want +got):\n%s", diff)
	}
	var texts []string
	for _, text := range of.Texts {
		texts = append(texts, text.Label+" "+text.Anchor)
	}
	if diff := cmp.Diff(
		[]string{"laptop disk 90 start", "A2 2,000 end", "figure 200 middle", "this run 500 middle"}, texts,
	); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if !slices.Contains(of.Lines, Segment{Interval, 18.79, 81.21, 123, 123}) {
		t.Errorf("no interval in %v", of.Lines)
	}
	desc := "4 of 4 units, from 100 to 1,000 IOPS; the figure is 200. this run 500: 3 of the 4 are below."
	if !strings.HasPrefix(of.Desc, desc) {
		t.Errorf("%q, want %q", of.Desc, desc)
	}
}

func TestOneUnitIsEnough(t *testing.T) {
	t.Parallel()
	c, ok := Strip("x", "Units", Spread{Unit: "ms", Values: []float64{7}, Figure: figure.Figure{Value: 7}})
	if of := drawn(t, c); !ok || len(of.Dots) != 1 || len(of.Areas) != 0 || of.Desc != "One unit, 7 ms." {
		t.Errorf("%v %+v", ok, c)
	}
}

func TestManyUnitsStayWithinThePlot(t *testing.T) {
	t.Parallel()
	values := make([]float64, figure.MaxChartedUnits)
	for i := range values {
		values[i] = 100
	}
	c, _ := Strip("x", "Units", Spread{Unit: "IOPS", Values: values, Figure: figure.Figure{Value: 100, N: 5000}})
	of := drawn(t, c)
	for _, d := range of.Dots { // below the name of the median
		if d.Y < spreadRows || d.Y > spreadRows+spreadDots {
			t.Fatalf("a dot at %v is out of the plot", d.Y)
		}
	}
	if !strings.Contains(of.Desc, "200 of 5,000 units") {
		t.Errorf("%q", of.Desc)
	}
}

func TestAModuleIsComparedWithWhatItPromises(t *testing.T) {
	t.Parallel()
	m := Module{
		Classes: []catalogue.SpeedClass{
			{Label: "A1", RandWriteIOPS: 500, RandReadIOPS: 1500, SeqWriteMBPerS: 10}, {Label: "V10", SeqWriteMBPerS: 10},
			{Label: "V30", SeqWriteMBPerS: 30},
		},
		Printed: []string{"A1", "V10"},
	}
	for key, want := range map[string][]Mark{
		figure.RandWriteIOPS: {{"laptop disk 90", 90}, {"A1 500", 500}}, figure.RandReadIOPS: {{"A1 1,500", 1500}},
		figure.SeqWriteMBPerS: {{"V10, A1 10", 10}}, figure.SeqReadMBPerS: nil,
	} {
		if diff := cmp.Diff(want, m.references(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}
