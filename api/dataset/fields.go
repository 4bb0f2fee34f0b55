package dataset

import (
	"strings"

	"flashdex/api/index"
)

// Field is one column of a file. Columns are appended, never renamed.
type Field struct{ Name, Description string }

// Table is the columns of a file in Markdown.
func Table(fields []Field) string {
	var b strings.Builder
	b.WriteString("| column | meaning |\n|---|---|\n")
	for _, f := range fields {
		b.WriteString("| `" + f.Name + "` | " + f.Description + " |\n")
	}
	return b.String()
}

// ModuleFields are the columns of modules.csv.
var ModuleFields = append([]Field{
	{"module", "Key of the module: its page is /modules/<module>/"},
	{"name", "The module as one reads it"},
	{"vendor", "Maker; empty where no source names it"},
	{"product", "Product line"},
	{"capacity_gb", "Capacity as marketed, 10^9 bytes"},
	{"form", "sd, microsd, cf, usb, emmc or other; reference: not a module but a line to compare with, such as a laptop disk"},
	{"classes", "Speed classes printed on it, separated by spaces"},
	{"provisional", "true: seen by the kernel or typed, not confirmed by the catalogue"},
	{"known_from", "Where the module is known from"},
	{"method", "Method of the figures in this row; a module has one row for each; empty: not measured yet"},
	{"rand_write_iops", "4 KiB random writes per second; median over units, of published figures over rows"},
	{"rand_write_iops_low", "Lower end of its interval, where there is one"},
	{"rand_write_iops_high", "Upper end"},
	{"rand_read_iops", "4 KiB random reads per second"},
	{"seq_write_mb_per_s", "Linear write, 10^6 bytes per second"},
	{"seq_read_mb_per_s", "Linear read, 10^6 bytes per second"},
	{"rand_write_p99_ms", "99 % of the 4 KiB random writes took no longer, milliseconds"},
	{"rand_write_max_ms", "The longest 4 KiB random write, milliseconds"},
	{"units", "Specimens measured by contributors"},
	{"results", "Runs uploaded by contributors"},
	{"not_ranked", "Why the row is not ranked; empty: ranked"},
	{"rand_write_p999_ms", "99.9 % of the 4 KiB random writes took no longer, milliseconds"},
	{"rand_write_cv_percent", "Variation of the 4 KiB random write rate over time: its standard deviation in percent of its mean"},
	{"seq_write_cv_percent", "The same of linear write"},
	{"seq_write_cliff_mb", "10^6 bytes written in a line before the rate fell for good; empty: it didn't, or that is not known"},
	{"seq_write_cliff_percent", "The rate after that in percent of the one before; 100: it didn't fall"},
	{"contributors", "Who measured the units"},
	{"boards", "Models of hosts that they were measured in"},
	{"rank", "Best place that the interval of rand_write_iops allows among the rows of the method; empty: not ranked"},
	{"rank_to", "Worst place that it allows"},
	{"prices", "Median of what was paid for a unit and, in brackets, for how many, by currency: EUR 9.99 (3); USD 12.5 (1)"},
}, intervalFields()...)

// newFigures are those of index.FigureKeys whose values stand behind not_ranked.
var newFigures = []string{index.RandWriteP999MS, index.RandWriteCVPercent, index.SeqWriteCVPercent, index.SeqWriteCliffMB, index.SeqWriteCliffPercent}

// intervalFields are the ends of the intervals, but for those that ModuleFields has already, and how sure each interval is.
func intervalFields() (fields []Field) {
	for _, key := range index.FigureKeys {
		if key != index.RandWriteIOPS {
			fields = append(fields, Field{key + "_low", "Lower end of the interval of " + key}, Field{key + "_high", "Upper end"})
		}
		fields = append(fields, Field{key + "_confidence", "That the interval covers the median: 0.95 or more, less where there are too few contributors for that"})
	}
	return fields
}

// ResultFields are the columns of results.csv.
var ResultFields = []Field{
	{"kind", "upload: measured by a contributor with Flashdex; published: taken from a source"},
	{"result", "Id of the upload: its page is /r/<result>"},
	{"source", "Key of the source of a published figure, see /sources/"},
	{"source_line", "Line of the figure in data/published/<source>.csv"},
	{"module", "Key of the module, as in modules.csv"},
	{"name", "The module as one reads it"},
	{"method", "How it was measured; compare rows of one method only"},
	{"profile", "Profile of an upload"},
	{"test", "seq-write, seq-read, rand-write, rand-read, or a source's own test"},
	{"block_bytes", "Bytes of one transfer"},
	{"queue_depth", "Transfers in flight"},
	{"sync", "none, fsync, dsync or sync"},
	{"mb_per_s", "10^6 bytes per second"},
	{"iops", "Transfers per second"},
	{"iops_low", "Lower end of the 95 % interval"},
	{"iops_high", "Upper end"},
	{"p50_ns", "Median latency, nanoseconds"},
	{"p99_ns", "99 % of the transfers took no longer, nanoseconds"},
	{"p999_ns", "99.9 % of the transfers took no longer, nanoseconds"},
	{"max_ns", "The longest transfer, nanoseconds"},
	{"kib_per_op", "KiB that the device transferred for one operation"},
	{"ended", "complete, converged or time-limit"},
	{"not_ranked", "Why an upload is not ranked; empty: ranked"},
	{"as_printed", "A published figure as its source prints it"},
	{"host", "Computer it was measured in"},
	{"client", "Program that measured"},
	{"date", "Day it was received, UTC; of a published figure the date its source gives"},
	{"note", "Note on a published figure"},
	{"host_class", "Kind of host of an upload: pi-5, pi-4, pi-3, pi-zero-2, pi-2, pi-1, slot, usb-3, usb-2, usb-1, ata or other"},
	{"bus_mode", "Mode of the bus as the host showed it"},
	{"bus_mb_per_s", "What the bus carries at most in that mode, 10^6 bytes per second; empty: not known"},
	{"variant", "What the unit says of the silicon in it, in words: manufacturer and OEM id, name and revision of a card"},
	{"cv_percent", "Variation of the rate over time: its standard deviation in percent of its mean"},
	{"cliff_mb", "10^6 bytes written in a line before the rate fell for good; empty: it didn't, or that is not known"},
	{"cliff_percent", "The rate after that in percent of the one before; 100: it didn't fall"},
}
