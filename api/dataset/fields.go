package dataset

// Field is one column of a file. Columns are appended, never renamed.
type Field struct{ Name, Description string }

// ModuleFields are the columns of modules.csv.
var ModuleFields = []Field{
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
	{"rand_write_iops_low", "Lower end of the 95 % interval, where there is one"},
	{"rand_write_iops_high", "Upper end"},
	{"rand_read_iops", "4 KiB random reads per second"},
	{"seq_write_mb_per_s", "Linear write, 10^6 bytes per second"},
	{"seq_read_mb_per_s", "Linear read, 10^6 bytes per second"},
	{"rand_write_p99_ms", "99 % of the 4 KiB random writes took no longer, milliseconds"},
	{"rand_write_max_ms", "The longest 4 KiB random write, milliseconds"},
	{"units", "Specimens measured by contributors"},
	{"results", "Runs uploaded by contributors"},
	{"not_ranked", "Why the row is not ranked; empty: ranked"},
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
}
