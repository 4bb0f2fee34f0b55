package figure

import (
	"slices"

	"flashdex/result"
)

// Metric declares one figure that modules are compared by. Tables, the glossary, the explorer, the questions, the
// data set and its schema all read it from here.
type Metric struct {
	Key           string // holds the unit
	Unit          string
	LowerIsBetter bool   // times and variations
	Label         string // over a column
	Name          string // in a sentence
	Description   string

	test string                          // result.RandWrite…
	of   func(t *result.Figures) *Figure // nil: not measured
}

// Keys of the metrics.
const (
	RandWriteIOPS        = "rand_write_iops"
	RandReadIOPS         = "rand_read_iops"
	SeqWriteMBPerS       = "seq_write_mb_per_s"
	SeqReadMBPerS        = "seq_read_mb_per_s"
	RandWriteP99MS       = "rand_write_p99_ms"
	RandWriteMaxMS       = "rand_write_max_ms"
	RandWriteP999MS      = "rand_write_p999_ms"
	RandWriteCVPercent   = "rand_write_cv_percent"
	SeqWriteCVPercent    = "seq_write_cv_percent"
	SeqWriteCliffMB      = "seq_write_cliff_mb"
	SeqWriteCliffPercent = "seq_write_cliff_percent"
)

// Metrics lists all metrics. The database stores values in this order, so new metrics go to the end and none is
// removed.
var Metrics = []Metric{
	{Key: RandWriteIOPS, Unit: "IOPS", Label: "4K random write", Name: "4K random write",
		Description: "Writes of 4 KiB to random places per second: what decides whether an operating system on the module " +
			"feels quick.",
		test: result.RandWrite, of: iops},
	{Key: RandReadIOPS, Unit: "IOPS", Label: "4K random read", Name: "4K random read",
		Description: "Reads of 4 KiB from random places per second: how fast programs start.",
		test:        result.RandRead, of: iops},
	{Key: SeqWriteMBPerS, Unit: "MB/s", Label: "Linear write", Name: "linear write",
		Description: "Writing one long file, in 10⁶ bytes per second: copying and filming.",
		test:        result.SeqWrite, of: mbPerS},
	{Key: SeqReadMBPerS, Unit: "MB/s", Label: "Linear read", Name: "linear read",
		Description: "Reading one long file, in 10⁶ bytes per second.",
		test:        result.SeqRead, of: mbPerS},
	{Key: RandWriteP99MS, Unit: "ms", LowerIsBetter: true,
		Label: "4K write, 99 %", Name: "99th percentile of 4K random write",
		Description: "99 of 100 random 4 KiB writes took no longer.",
		test:        result.RandWrite, of: func(t *result.Figures) *Figure { return milliseconds(t.P99NS) }},
	{Key: RandWriteMaxMS, Unit: "ms", LowerIsBetter: true,
		Label: "4K write, worst", Name: "worst 4K random write",
		Description: "The longest single random 4 KiB write: how long the system may stand still.",
		test:        result.RandWrite, of: func(t *result.Figures) *Figure { return milliseconds(t.MaxNS) }},
	{Key: RandWriteP999MS, Unit: "ms", LowerIsBetter: true,
		Label: "4K write, 99.9 %", Name: "99.9th percentile of 4K random write",
		Description: "999 of 1,000 random 4 KiB writes took no longer: the pauses that one notices.",
		test:        result.RandWrite, of: func(t *result.Figures) *Figure { return milliseconds(t.P999NS) }},
	{Key: RandWriteCVPercent, Unit: "%", LowerIsBetter: true,
		Label: "4K write, variation", Name: "variation of 4K random write",
		Description: "How much the 4K random write rate varied over time: its standard deviation in percent of its mean. " +
			"0 is perfectly even.",
		test: result.RandWrite, of: func(t *result.Figures) *Figure { return optional(t.CVPercent) }},
	{Key: SeqWriteCVPercent, Unit: "%", LowerIsBetter: true,
		Label: "Linear write, variation", Name: "variation of linear write",
		Description: "How much the linear write rate varied over time, in the same way.",
		test:        result.SeqWrite, of: func(t *result.Figures) *Figure { return optional(t.CVPercent) }},
	{Key: SeqWriteCliffMB, Unit: "MB", Label: "Cliff after", Name: "linear write before the cliff",
		Description: "How much was written in a line before a cache was full and the rate fell for good, in 10⁶ bytes. " +
			"Where no unit showed a fall there is none, which is the best there is.",
		test: result.SeqWrite, of: func(t *result.Figures) *Figure { return optional(t.CliffMB) }},
	{Key: SeqWriteCliffPercent, Unit: "%", Label: "Rate after cliff", Name: "linear write after the cliff",
		Description: "The linear write rate after that, in percent of the rate before; 100 where it did not fall.",
		test:        result.SeqWrite, of: func(t *result.Figures) *Figure { return optional(t.CliffPercent) }},
}

func mbPerS(t *result.Figures) *Figure { return &Figure{Value: t.MBPerS} }

func iops(t *result.Figures) *Figure {
	if t.IOPS == nil {
		return nil
	}
	return &Figure{Value: *t.IOPS, Low: t.IOPSLow, High: t.IOPSHigh}
}

func optional(v *float64) *Figure {
	if v == nil {
		return nil
	}
	return &Figure{Value: *v}
}

func milliseconds(ns *int64) *Figure {
	if ns == nil {
		return nil
	}
	return &Figure{Value: float64(*ns) / 1e6}
}

// comparedBlockBytes holds the block size at which modules are compared in each test. Runs may try others.
var comparedBlockBytes = map[string]int64{
	result.RandWrite: 4096, result.RandRead: 4096, result.SeqWrite: 1 << 20, result.SeqRead: 1 << 20,
}

// OfRun picks the figures of the Metrics from the tests of one run. Tests of another block size, or with several
// transfers in flight, which other tools do, are left out.
func OfRun(tests []result.Figures) Set {
	figures := Set{}
	for i := range tests {
		t := &tests[i]
		if size, compared := comparedBlockBytes[t.Test]; !compared || t.BlockBytes != size || t.QueueDepth > 1 {
			continue
		}
		for _, m := range Metrics {
			if m.test != t.Test {
				continue
			}
			if f := m.of(t); f != nil {
				figures[m.Key] = *f
			}
		}
	}
	return figures
}

// FigureKeys are the keys of Metrics, in their order.
var FigureKeys = func() (keys []string) {
	for _, m := range Metrics {
		keys = append(keys, m.Key)
	}
	return keys
}()

// MetricOf returns the metric of a key. It panics if there is none: keys come from this program, or were checked.
func MetricOf(key string) Metric { return Metrics[slices.Index(FigureKeys, key)] }

// LowerIsBetter reports whether a key belongs to a metric whose least value is the best.
func LowerIsBetter(key string) bool {
	i := slices.Index(FigureKeys, key)
	return i >= 0 && Metrics[i].LowerIsBetter
}
