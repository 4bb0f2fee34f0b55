package chart

import (
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// LaptopDiskIOPS is the 4K random write rate of a 5400 rpm laptop disk, the yardstick of the Flash Module Benchmark
// Collection (altechnative.net, 2012).
const LaptopDiskIOPS = 90

// Module holds the figures of a module by one method.
type Module struct {
	Classes []catalogue.SpeedClass // every known class
	Printed []string               // labels of the classes printed on the module
	Summary *figure.Summary        // of all units
	Units   []figure.Unit
}

// Strips draws a strip for each figure that several units have. With run, it draws a strip for each of the run's
// figures.
func (m Module) Strips(prefix string, run *figure.Set) (all Charts) {
	for _, key := range figure.KeyFigures {
		e, known := m.Summary.Figures.Find(key)
		var f figure.Figure
		measured := false
		if run != nil {
			f, measured = run.Find(key)
		}
		if !known || e.N < 2 && run == nil || !measured && run != nil {
			continue
		}
		metric := figure.MetricOf(key)
		s := Spread{Figure: e, Unit: metric.Unit, References: m.references(key)}
		at := slices.Index(figure.FigureKeys, key)
		for _, unit := range m.Units { // NaN for a unit without the figure, which isn't drawn
			s.Values = append(s.Values, unit.Values[at])
		}
		if measured {
			s.This = &Mark{"this run " + result.Number(f.Value), f.Value}
		}
		title := strings.ToUpper(metric.Name[:1]) + metric.Name[1:] + ", " + metric.Unit
		all.Add(Strip(prefix+strings.ReplaceAll(key, "_", "-"), title, s))
	}
	return all
}

// references returns the marks of a laptop disk, of the promises of A1 and A2, and of the promises printed on the
// module.
func (m Module) references(key string) (marks []Mark) {
	if key == figure.RandWriteIOPS {
		marks = append(marks, Mark{"laptop disk " + result.Number(LaptopDiskIOPS), LaptopDiskIOPS})
	}
	for _, class := range m.Classes {
		promised := map[string]float64{
			figure.RandWriteIOPS: class.RandWriteIOPS, figure.RandReadIOPS: class.RandReadIOPS,
		}[key]
		if key == figure.SeqWriteMBPerS && slices.Contains(m.Printed, class.Label) {
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

// sampled lists the tests that are drawn over time, and how.
var sampled = []struct {
	test, id, title string
	draw            func(id, title string, runs []Run) (Chart, bool)
}{
	{result.SeqWrite, "seq-write-rate", "Linear write: rate over what was written", Throughput},
	{result.RandWrite, "rand-write-rate", "4K random write: rate over time", Throughput},
	{result.RandWrite, "rand-write-latency", "4K random write: how long one takes", Latency},
	{result.RandRead, "rand-read-latency", "4K random read: how long one takes", Latency},
}

// Samples draws the rates of a run over time and its latencies, in front of other runs.
func Samples(prefix, label string, tests []result.Test, others []figure.SampledRun) (all Charts) {
	for _, s := range sampled {
		main := testOf(tests, s.test)
		if main == nil {
			continue
		}
		var runs []Run
		key := "the module’s other runs"
		for _, o := range others {
			if t := testOf(o.Tests, s.test); t != nil {
				runs = append(runs, Run{Label: key, Class: Behind, Test: t})
				key = ""
			}
		}
		all.Add(s.draw(prefix+s.id, s.title, append(runs, Run{Label: label, Class: Main, Test: main})))
	}
	return all
}

// Compared draws one run of each of at most MaxSeveral modules on common axes. The tests of a module may be nil. It
// leaves out tests that only one module has.
func Compared(prefix string, labels []string, tests [][]result.Test) (all Charts) {
	for _, s := range sampled {
		var runs []Run
		for i, label := range labels {
			if t := testOf(tests[i], s.test); t != nil {
				runs = append(runs, Run{Label: Letter(i) + " " + label, Class: Several(i), Test: t, End: Letter(i)})
			}
		}
		if len(runs) > 1 {
			all.Add(s.draw(prefix+s.id, s.title, runs))
		}
	}
	return all
}

func testOf(tests []result.Test, name string) *result.Test {
	if i := slices.IndexFunc(tests, func(t result.Test) bool { return t.Name == name }); i >= 0 {
		return &tests[i]
	}
	return nil
}
