package chart

import (
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// LaptopDiskIOPS is the 4K random write rate of a 5400 rpm laptop disk, the yardstick of the Flash Module Benchmark
// Collection (altechnative.net, 2012).
const LaptopDiskIOPS = 90

// SpreadKeys are the figures whose units are drawn.
var SpreadKeys = []string{
	figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS,
	figure.RandWriteP99MS, figure.RandWriteMaxMS,
}

// Module is a module by one method.
type Module struct {
	Classes []catalogue.SpeedClass // every known class
	Printed []string               // labels of the classes printed on the module
	Summary *figure.Summary        // of all units
	Units   []figure.Unit
}

// Strips draws the units for each figure that several units have. With a run, it draws each figure of the run.
func (m Module) Strips(prefix string, run figure.Set) []Chart {
	charts := []Chart{}
	for _, key := range SpreadKeys {
		e, known := m.Summary.Figures[key]
		if !known || e.N < 2 && run == nil {
			continue
		}
		metric := figure.MetricOf(key)
		s := Spread{Figure: e, Unit: metric.Unit, References: m.references(key)}
		at := slices.Index(figure.FigureKeys, key)
		for _, unit := range m.Units {
			if v := unit.Values[at]; !math.IsNaN(v) {
				s.Values = append(s.Values, v)
			}
		}
		if run != nil {
			f, measured := run[key]
			if !measured {
				continue
			}
			s.This = &Mark{"this run " + result.Number(f.Value), f.Value}
		}
		title := strings.ToUpper(metric.Name[:1]) + metric.Name[1:] + ", " + metric.Unit
		if c, ok := Strip(prefix+strings.ReplaceAll(key, "_", "-"), title, s); ok {
			charts = append(charts, c)
		}
	}
	return charts
}

// references are a laptop disk, the promises of A1 and A2, and the promises printed on the module.
func (m Module) references(key string) (marks []Mark) {
	if key == figure.RandWriteIOPS {
		marks = append(marks, Mark{"laptop disk " + result.Number(LaptopDiskIOPS), LaptopDiskIOPS})
	}
	for _, class := range m.Classes {
		promised := 0.0
		switch {
		case key == figure.RandWriteIOPS:
			promised = class.RandWriteIOPS
		case key == figure.RandReadIOPS:
			promised = class.RandReadIOPS
		case key == figure.SeqWriteMBPerS && slices.Contains(m.Printed, class.Label):
			promised = class.SeqWriteMBPerS
		}
		if promised == 0 {
			continue
		}
		same := slices.IndexFunc(marks, func(o Mark) bool { return o.Value == promised })
		if same < 0 {
			marks = append(marks, Mark{class.Label + " " + result.Number(promised), promised})
		} else {
			marks[same].Label = class.Label + ", " + marks[same].Label
		}
	}
	return marks
}

// sampled are the tests that are drawn over time, and how.
var sampled = []struct{ test, id, throughput, latency string }{
	{result.SeqWrite, "seq-write", "Linear write: rate over what was written", ""},
	{result.RandWrite, "rand-write", "4K random write: rate over time", "4K random write: how long one takes"},
	{result.RandRead, "rand-read", "", "4K random read: how long one takes"},
}

// Samples draws the rates of a run over time and its latencies, in front of other runs.
func Samples(prefix, label string, tests []result.Test, others []figure.SampledRun) []Chart {
	return samples(prefix, func(test string) (runs []Run) {
		main := testOf(tests, test)
		if main == nil {
			return nil
		}
		key := "the module’s other runs"
		for _, o := range others {
			if t := testOf(o.Tests, test); t != nil {
				runs = append(runs, Run{Label: key, Class: Behind, Test: t})
				key = ""
			}
		}
		return append(runs, Run{Label: label, Class: Main, Test: main})
	})
}

// Compared draws a run each of at most MaxSeveral modules on common axes. The tests of a module may be nil. Tests that
// only one module has are left out.
func Compared(prefix string, labels []string, tests [][]result.Test) []Chart {
	return samples(prefix, func(test string) (runs []Run) {
		for i, label := range labels {
			if t := testOf(tests[i], test); t != nil {
				runs = append(runs, Run{Label: Letter(i) + " " + label, Class: Several(i), Test: t, End: Letter(i)})
			}
		}
		if len(runs) < 2 {
			return nil
		}
		return runs
	})
}

// samples draws each test that has runs.
func samples(prefix string, runsOf func(test string) []Run) []Chart {
	charts := []Chart{}
	for _, s := range sampled {
		runs := runsOf(s.test)
		if s.throughput != "" {
			if c, ok := Throughput(prefix+s.id+"-rate", s.throughput, runs); ok {
				charts = append(charts, c)
			}
		}
		if s.latency != "" {
			if c, ok := Latency(prefix+s.id+"-latency", s.latency, runs); ok {
				charts = append(charts, c)
			}
		}
	}
	return charts
}

func testOf(tests []result.Test, name string) *result.Test {
	if i := slices.IndexFunc(tests, func(t result.Test) bool { return t.Name == name }); i >= 0 {
		return &tests[i]
	}
	return nil
}
