package figure

// Metric declares one figure that modules are compared by, for all that name it: tables, glossary, explorer, questions, the data set
// and its schema.
type Metric struct {
	Key           string
	Unit          string
	LowerIsBetter bool   // of times, and of what varies
	Label         string // over a column
	Name          string // in a sentence
	Description   string
}

// Keys of the metrics. The unit is in the name.
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

// Metrics are declared here and nowhere else. What is stored as a list of values is in this order: it is appended to, and nothing else.
var Metrics = []Metric{
	{RandWriteIOPS, "IOPS", false, "4K random write", "4K random write", "Writes of 4 KiB to random places per second: what decides whether an operating system on the module feels quick."},
	{RandReadIOPS, "IOPS", false, "4K random read", "4K random read", "Reads of 4 KiB from random places per second: how fast programs start."},
	{SeqWriteMBPerS, "MB/s", false, "Linear write", "linear write", "Writing one long file, in 10⁶ bytes per second: copying and filming."},
	{SeqReadMBPerS, "MB/s", false, "Linear read", "linear read", "Reading one long file, in 10⁶ bytes per second."},
	{RandWriteP99MS, "ms", true, "4K write, 99 %", "99th percentile of 4K random write", "99 of 100 random 4 KiB writes took no longer."},
	{RandWriteMaxMS, "ms", true, "4K write, worst", "worst 4K random write", "The longest single random 4 KiB write: how long the system may stand still."},
	{RandWriteP999MS, "ms", true, "4K write, 99.9 %", "99.9th percentile of 4K random write", "999 of 1,000 random 4 KiB writes took no longer: the pauses that one notices."},
	{RandWriteCVPercent, "%", true, "4K write, variation", "variation of 4K random write", "How much the 4K random write rate varied over time: its standard deviation in percent of its mean. 0 is perfectly even."},
	{SeqWriteCVPercent, "%", true, "Linear write, variation", "variation of linear write", "How much the linear write rate varied over time, in the same way."},
	{SeqWriteCliffMB, "MB", false, "Cliff after", "linear write before the cliff", "How much was written in a line before a cache was full and the rate fell for good, in 10⁶ bytes. Where no unit showed a fall there is none, which is the best there is."},
	{SeqWriteCliffPercent, "%", false, "Rate after cliff", "linear write after the cliff", "The linear write rate after that, in percent of the rate before; 100 where it did not fall."},
}

// FigureKeys are the keys of Metrics, in their order.
var FigureKeys = func() (keys []string) {
	for _, m := range Metrics {
		keys = append(keys, m.Key)
	}
	return keys
}()

// MetricOf returns the metric of a key of FigureKeys. It panics if there is none: keys come from this program, or were checked.
func MetricOf(key string) Metric {
	for _, m := range Metrics {
		if m.Key == key {
			return m
		}
	}
	panic("index: no metric " + key)
}

// LowerIsBetter reports whether a key is one of a figure whose least is the best.
func LowerIsBetter(key string) bool {
	for _, m := range Metrics {
		if m.Key == key {
			return m.LowerIsBetter
		}
	}
	return false
}
