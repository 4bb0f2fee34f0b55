package result

import "reflect"

// TestColumn declares one column of a test's figures. The database's table measurement, the data set's table results,
// GET /v1/results/{id}, the client's --json and a run's page all have the same columns. All but the page also use the
// same names.
type TestColumn struct {
	Key         string
	Unit        string // empty: none
	Description string
	Words       []string // all values of a text; nil: any
	Label       string   // heads the column of a page; empty: the page shows the value in the cell of With
	With        string
	// Field points to the value in f: a *string, *Ended, *int64 or *float64. For a value that may be unknown, it is a
	// **int64, a **float64, or an *int that is then 0.
	Field func(f *Figures) any
}

// TestNames lists the names of all tests in alphabetical order.
var TestNames = []string{
	AcrossWrite, BufferedRead, BufferedWrite, CheckedRead, EndureRead, EndureWrite, FillWrite, FullWrite, GapWrite,
	KeptWrite, Mixed, PlaceWrite, QueuedRead, QueuedWrite, RandRead, RandWrite, Record10MBPerS, Record30MBPerS,
	Record4MBPerS, RestedWrite, RoundWrite, SameRead, SeqRead, SeqReread, SeqRewrite, SeqWrite, Startup, StreamWrite,
	TurnWrite,
}

// TestColumns lists all columns of a test.
var TestColumns = []TestColumn{
	{Key: "test", Label: "Test", Description: "What was done", Words: TestNames,
		Field: func(f *Figures) any { return &f.Test }},
	{Key: "block_bytes", Label: "Block", Unit: "B", Description: "Bytes of one transfer",
		Field: func(f *Figures) any { return &f.BlockBytes }},
	{Key: "queue_depth", Label: "In flight", Description: "Transfers in flight; empty: not known",
		Field: func(f *Figures) any { return &f.QueueDepth }},
	{Key: "sync", Label: "Sync", Words: []string{"none", "fsync", "dsync", "sync"},
		Description: "How it was made sure that a write is on the module: fsync once at the end, the others at each write",
		Field:       func(f *Figures) any { return &f.Sync }},
	{Key: "mb_per_s", Label: "MB/s", Unit: "MB/s", Description: "10^6 bytes per second",
		Field: func(f *Figures) any { return &f.MBPerS }},
	{Key: "iops", Label: "IOPS", Unit: "IOPS", Description: "Transfers per second, of random tests",
		Field: func(f *Figures) any { return &f.IOPS }},
	{Key: "iops_low", With: "iops", Unit: "IOPS", Description: "Lower end of the 95 % interval of iops",
		Field: func(f *Figures) any { return &f.IOPSLow }},
	{Key: "iops_high", With: "iops", Unit: "IOPS", Description: "Upper end",
		Field: func(f *Figures) any { return &f.IOPSHigh }},
	{Key: "p50_ns", Label: "Median", Unit: "ns", Description: "Median latency",
		Field: func(f *Figures) any { return &f.P50NS }},
	{Key: "p99_ns", Label: "99 %", Unit: "ns", Description: "99 % of the transfers took no longer",
		Field: func(f *Figures) any { return &f.P99NS }},
	{Key: "p999_ns", Label: "99.9 %", Unit: "ns", Description: "99.9 % of the transfers took no longer",
		Field: func(f *Figures) any { return &f.P999NS }},
	{Key: "max_ns", Label: "Slowest", Unit: "ns", Description: "The longest transfer",
		Field: func(f *Figures) any { return &f.MaxNS }},
	{Key: "kib_per_op", Label: "Per transfer", Unit: "KiB",
		Description: "What the device transferred for one operation",
		Field:       func(f *Figures) any { return &f.KiBPerOp }},
	{Key: "ended", Label: "Ended", Words: []string{
		string(Complete), string(Converged), string(TimeLimit), string(Dead), string(Gone), string(Stopped)},
		Description: "Why the test ended: all of it was done, the figure was known, or the time was up; of endurance, " +
			"the module was dead, no host found it any more, or its owner stopped",
		Field: func(f *Figures) any { return &f.Ended }},
	{Key: "cv_percent", Label: "Varies by", Unit: "%",
		Description: "Variation of the rate over time: its standard deviation in percent of its mean",
		Field:       func(f *Figures) any { return &f.CVPercent }},
	{Key: "cliff_mb", Label: "Cliff", Unit: "MB",
		Description: "10^6 bytes written in a line before the rate fell for good; empty: it didn't, or that is not known",
		Field:       func(f *Figures) any { return &f.CliffMB }},
	{Key: "cliff_percent", With: "cliff_mb", Unit: "%",
		Description: "The rate after that in percent of the one before; 100: it didn't fall",
		Field:       func(f *Figures) any { return &f.CliffPercent }},
	{Key: "mb_per_s_low", With: "mb_per_s", Unit: "MB/s",
		Description: "Lower end of the 95 % interval of mb_per_s, of linear tests",
		Field:       func(f *Figures) any { return &f.MBPerSLow }},
	{Key: "mb_per_s_high", With: "mb_per_s", Unit: "MB/s", Description: "Upper end",
		Field: func(f *Figures) any { return &f.MBPerSHigh }},
	{Key: "ops", With: "max_ns", Description: "Transfers of a random test that count, of which max_ns is the longest",
		Field: func(f *Figures) any { return &f.Ops }},
	{Key: "duration_ns", With: "max_ns", Unit: "ns", Description: "How long they took together",
		Field: func(f *Figures) any { return &f.DurationNS }},
	{Key: "stalls_100ms", Label: "Over 0.1 s", Description: "How many of ops took longer than 0.1 s",
		Field: func(f *Figures) any { return &f.Stalls100MS.Count }},
	{Key: "stalls_100ms_low", With: "stalls_100ms",
		Description: "Lower end of the 95 % interval of the mean number in tests like this one",
		Field:       func(f *Figures) any { return &f.Stalls100MS.Low }},
	{Key: "stalls_100ms_high", With: "stalls_100ms", Description: "Upper end",
		Field: func(f *Figures) any { return &f.Stalls100MS.High }},
	{Key: "stalls_1s", Label: "Over 1 s", Description: "How many of ops took longer than 1 s",
		Field: func(f *Figures) any { return &f.Stalls1S.Count }},
	{Key: "stalls_1s_low", With: "stalls_1s",
		Description: "Lower end of the 95 % interval of the mean number in tests like this one",
		Field:       func(f *Figures) any { return &f.Stalls1S.Low }},
	{Key: "stalls_1s_high", With: "stalls_1s", Description: "Upper end",
		Field: func(f *Figures) any { return &f.Stalls1S.High }},
	{Key: "longest_1000_ns", Label: "Longest of 1,000", Unit: "ns",
		Description: "The longest of 1,000 transfers takes longer in half of all cases; empty: fewer than 1,000 count",
		Field:       func(f *Figures) any { return &f.Longest1000NS }},
	{Key: "longest_1000_low_ns", With: "longest_1000_ns", Unit: "ns", Description: "Lower end of its 95 % interval",
		Field: func(f *Figures) any { return &f.Longest1000LowNS }},
	{Key: "longest_1000_high_ns", With: "longest_1000_ns", Unit: "ns",
		Description: "Upper end; empty: too few transfers to know one",
		Field:       func(f *Figures) any { return &f.Longest1000HighNS }},
	{Key: "open_units", Label: "Open units",
		Description: "To so many places far from each other in turn the module writes as fast as to one, so it keeps " +
			"so many allocation units open; 64: no limit was found; kept-write: places that were chosen for that",
		Field: func(f *Figures) any { return &f.OpenUnits }},
	{Key: "allocation_unit_bytes", Label: "Allocation unit", Unit: "B",
		Description: "What the module opens as a whole, by the times of writes to both sides of its boundaries",
		Field:       func(f *Figures) any { return &f.AllocationUnitBytes }},
	{Key: "page_bytes", Label: "Page", Unit: "B",
		Description: "What the module writes as a whole; 4096: 4 KiB or less",
		Field:       func(f *Figures) any { return &f.PageBytes }},
	{Key: "ratio", Label: "Ratio",
		Description: "Of times: turn-write and kept-write, a write with one place more over one with open_units; " +
			"across-write, one that isn’t aligned over one that is; place-write, one in the middle over one at the " +
			"beginning. Of rates: queued-read and queued-write, with 32 under way over one at a time; rested-write, " +
			"after 60 s of rest over none",
		Field: func(f *Figures) any { return &f.Ratio }},
	{Key: "ratio_low", With: "ratio", Description: "Lower end of the 99.9 % interval of ratio",
		Field: func(f *Figures) any { return &f.RatioLow }},
	{Key: "ratio_high", With: "ratio", Description: "Upper end", Field: func(f *Figures) any { return &f.RatioHigh }},
	{Key: "buffer_bytes", Label: "Buffer", Unit: "B",
		Description: "With so much memory, a recorder that gets data at this rate would have lost none; empty: the " +
			"module did not keep up",
		Field: func(f *Figures) any { return &f.BufferBytes }},
	{Key: "under_way", Label: "Under way",
		Description: "Operations that waited in the kernel or were under way on average, of up to 32",
		Field:       func(f *Figures) any { return &f.UnderWay }},
	{Key: "wrong_ops", Label: "Wrong", Description: "Operations whose data are not what was written: reads beside " +
		"discarded blocks; of endurance, all, and those that failed",
		Field: func(f *Figures) any { return &f.WrongOps }},
}

// Value is the column's value in f, nil if it is unknown.
func (c TestColumn) Value(f *Figures) any {
	value := reflect.ValueOf(c.Field(f)).Elem()
	switch kind := value.Kind(); {
	case kind == reflect.Pointer && value.IsNil(), kind == reflect.Int && value.IsZero():
		return nil
	case kind == reflect.Pointer:
		return value.Elem().Interface()
	}
	return value.Interface()
}

// Known returns the columns of f that are known, by their keys.
func (f *Figures) Known() map[string]any {
	known := map[string]any{}
	for _, c := range TestColumns {
		if v := c.Value(f); v != nil {
			known[c.Key] = v
		}
	}
	return known
}
