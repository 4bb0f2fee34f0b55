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

	test string // result.RandWrite…
	// of returns the value and the ends of its 95 % interval. Each is nil where it is not known.
	of func(t *result.Figures) (value, low, high *float64)

	Description string
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

	RandWriteLongest1000MS        = "rand_write_longest_1000_ms"
	RandWriteStalls100MSPer1000   = "rand_write_stalls_100ms_per_1000"
	RandWriteStalls1SPer1000      = "rand_write_stalls_1s_per_1000"
	RandWriteStalls100MSPerMinute = "rand_write_stalls_100ms_per_minute"
	RandWriteStalls1SPerMinute    = "rand_write_stalls_1s_per_minute"
)

// Metrics lists all metrics. The database stores values in this order, so new metrics go to the end and none is
// removed.
var Metrics = []Metric{
	{RandWriteIOPS, "IOPS", false, "4K random write", "4K random write", result.RandWrite, iops,
		"Writes of 4 KiB to random places per second: what decides whether an operating system on the module feels quick."},
	{RandReadIOPS, "IOPS", false, "4K random read", "4K random read", result.RandRead, iops,
		"Reads of 4 KiB from random places per second: how fast programs start."},
	{SeqWriteMBPerS, "MB/s", false, "Linear write", "linear write", result.SeqWrite, mbPerS,
		"Writing one long file, in 10⁶ bytes per second: copying and filming."},
	{SeqReadMBPerS, "MB/s", false, "Linear read", "linear read", result.SeqRead, mbPerS,
		"Reading one long file, in 10⁶ bytes per second."},
	{RandWriteP99MS, "ms", true, "4K write, 99\u00a0%", "99th percentile of 4K random write", result.RandWrite,
		func(t *result.Figures) (value, low, high *float64) {
			return milliseconds(t.P99NS), milliseconds(t.P99LowNS), milliseconds(t.P99HighNS)
		},
		"99 of 100 random 4 KiB writes took no longer."},
	{RandWriteMaxMS, "ms", true, "4K write, worst", "worst 4K random write", result.RandWrite,
		func(t *result.Figures) (value, low, high *float64) { return milliseconds(t.MaxNS), nil, nil },
		"The longest single random 4 KiB write of a test. A test with more writes meets longer ones, so modules compare " +
			"by the longest of 1,000."},
	{RandWriteP999MS, "ms", true, "4K write, 99.9\u00a0%", "99.9th percentile of 4K random write", result.RandWrite,
		func(t *result.Figures) (value, low, high *float64) {
			return milliseconds(t.P999NS), milliseconds(t.P999LowNS), milliseconds(t.P999HighNS)
		},
		"999 of 1,000 random 4 KiB writes took no longer: the pauses that one notices."},
	{RandWriteCVPercent, "%", true, "4K write, variation", "variation of 4K random write", result.RandWrite, variation,
		"How much the 4K random write rate varied over time: its standard deviation in percent of its mean. " +
			"0 is perfectly even."},
	{SeqWriteCVPercent, "%", true, "Linear write, variation", "variation of linear write", result.SeqWrite, variation,
		"How much the linear write rate varied over time, in the same way."},
	{SeqWriteCliffMB, "MB", false, "Cliff after", "linear write before the cliff", result.SeqWrite,
		func(t *result.Figures) (value, low, high *float64) { return t.CliffMB, nil, nil },
		"How much was written in a line before a cache was full and the rate fell for good, in 10⁶ bytes. " +
			"Where no unit showed a fall there is none, which is the best there is."},
	{SeqWriteCliffPercent, "%", false, "Rate after cliff", "linear write after the cliff", result.SeqWrite,
		func(t *result.Figures) (value, low, high *float64) { return t.CliffPercent, nil, nil },
		"The linear write rate after that, in percent of the rate before; 100 where it did not fall."},
	{RandWriteLongest1000MS, "ms", true, "Longest of 1,000", "longest of 1,000 4K random writes", result.RandWrite,
		func(t *result.Figures) (value, low, high *float64) {
			return milliseconds(t.Longest1000NS), milliseconds(t.Longest1000LowNS), milliseconds(t.Longest1000HighNS)
		},
		"How long the system may stand still: the longest of 1,000 random 4 KiB writes takes longer in half of all cases. " +
			"It does not depend on how many writes the test did."},
	{RandWriteStalls100MSPer1000, "per 1,000", true, "Stalls over 0.1 s", "4K random writes that took over 0.1 s",
		result.RandWrite, per1000(func(t *result.Figures) result.Stalls { return t.Stalls100MS }),
		"How many of 1,000 random 4 KiB writes took longer than 0.1 s."},
	{RandWriteStalls1SPer1000, "per 1,000", true, "Stalls over 1 s", "4K random writes that took over 1 s",
		result.RandWrite, per1000(func(t *result.Figures) result.Stalls { return t.Stalls1S }),
		"How many of 1,000 random 4 KiB writes took longer than 1 s."},
	{RandWriteStalls100MSPerMinute, "per minute", true, "Stalls over 0.1 s a minute",
		"4K random writes over 0.1 s in a minute", result.RandWrite,
		perMinute(func(t *result.Figures) result.Stalls { return t.Stalls100MS }),
		"How many random 4 KiB writes took longer than 0.1 s in each minute of writing."},
	{RandWriteStalls1SPerMinute, "per minute", true, "Stalls over 1 s a minute", "4K random writes over 1 s in a minute",
		result.RandWrite, perMinute(func(t *result.Figures) result.Stalls { return t.Stalls1S }),
		"How many random 4 KiB writes took longer than 1 s in each minute of writing."},
}

func iops(t *result.Figures) (value, low, high *float64) { return t.IOPS, t.IOPSLow, t.IOPSHigh }
func mbPerS(t *result.Figures) (value, low, high *float64) {
	return &t.MBPerS, t.MBPerSLow, t.MBPerSHigh
}
func variation(t *result.Figures) (value, low, high *float64) { return t.CVPercent, nil, nil }

func per1000(of func(*result.Figures) result.Stalls) func(*result.Figures) (value, low, high *float64) {
	return func(t *result.Figures) (value, low, high *float64) {
		if t.Ops == nil {
			return nil, nil, nil
		}
		return of(t).Times(1000 / float64(*t.Ops))
	}
}

func perMinute(of func(*result.Figures) result.Stalls) func(*result.Figures) (value, low, high *float64) {
	return func(t *result.Figures) (value, low, high *float64) {
		if t.DurationNS == nil {
			return nil, nil, nil
		}
		return of(t).Times(60e9 / float64(*t.DurationNS))
	}
}

func milliseconds(ns *int64) *float64 {
	if ns == nil {
		return nil
	}
	return new(float64(*ns) / 1e6)
}

// comparedBlockBytes holds the block size at which modules are compared in each test. Runs may try others.
var comparedBlockBytes = map[string]int64{
	result.RandWrite: 4096, result.RandRead: 4096, result.SeqWrite: 1 << 20, result.SeqRead: 1 << 20,
}

// OfRun picks the figures of the Metrics from the tests of one run. It leaves out tests of another block size, and
// tests by other tools with several transfers in flight or an unknown number.
func OfRun(tests []result.Figures) Set {
	var figures Set
	for i := range tests {
		t := &tests[i]
		if size, compared := comparedBlockBytes[t.Test]; !compared || t.BlockBytes != size || t.QueueDepth != 1 {
			continue
		}
		for _, m := range Metrics {
			if m.test != t.Test {
				continue
			}
			value, low, high := m.of(t)
			if low == nil || high == nil {
				low, high = nil, nil
			}
			if value != nil {
				figures.Put(m.Key, Figure{Value: *value, Low: low, High: high})
			}
		}
	}
	return figures
}

// OfQueue returns the figures for which classes promise values with a full queue: the rates at MostDepth and the linear
// write of a run by MethodQueue1.
func OfQueue(tests []result.Figures) Set {
	alone := map[string]string{result.QueuedRead: result.RandRead, result.QueuedWrite: result.RandWrite}
	var of []result.Figures
	for _, t := range tests {
		if test, queued := alone[t.Test]; queued {
			t.Test, t.QueueDepth = test, 1
		}
		of = append(of, t)
	}
	return OfRun(of)
}

// FigureKeys are the keys of Metrics, in their order.
var FigureKeys = func() (keys []string) {
	for _, m := range Metrics {
		keys = append(keys, m.Key)
	}
	return keys
}()

// KeyFigures are the figures that pages rank by and draw. Short tables show the first four, MainFigures.
var (
	KeyFigures = []string{
		RandWriteIOPS, RandReadIOPS, SeqWriteMBPerS, SeqReadMBPerS, RandWriteP99MS, RandWriteLongest1000MS,
	}
	MainFigures = KeyFigures[:4:4]
)

// MetricOf returns the metric of a key. It panics if there is none: keys come from this program, or were checked.
func MetricOf(key string) Metric { return Metrics[slices.Index(FigureKeys, key)] }

// LowerIsBetter reports whether a key belongs to a metric whose least value is the best.
func LowerIsBetter(key string) bool {
	i := slices.Index(FigureKeys, key)
	return i >= 0 && Metrics[i].LowerIsBetter
}
