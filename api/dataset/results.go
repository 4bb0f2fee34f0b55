package dataset

import (
	"flashdex/api/figure"
	"flashdex/result"
)

type test = figure.Test

var (
	kindsOfTests = oneOf(result.RandRead, result.RandWrite, result.SeqRead, result.SeqReread, result.SeqRewrite, result.SeqWrite, result.Startup)
	kindsOfHosts = func() (r Rules) {
		for _, class := range figure.HostClasses {
			r.Enum = append(r.Enum, class.Key)
		}
		return r
	}()
)

// Results are the accepted uploads.
var Results = table(Table{
	Name: "results", Description: "One row for each test of each uploaded run.", Key: []string{"result", "test", "block_bytes"},
	References: []Reference{{"module", "modules", "module"}, {"unit", "units", "unit"}, {"host", "hosts", "host"}},
	Indexed:    []string{"module", "unit"},
}, []Column[test]{
	{Field{"result", Key, "", "Id of the run: its page is /r/<result>. The rows are in the order of ids, which those of most clients have by the day of the run", required}, func(t *test) Value { return word(t.Result) }},
	{Field{"module", Key, "", "Key of the module: its page is /modules/<module>/", required}, func(t *test) Value { return word(t.Module) }},
	{Field{"name", Text, "", "The module as one reads it", none}, func(t *test) Value { return word(t.ModuleName) }},
	{Field{"method", Key, "", "How it was measured; compare rows of one method only", required}, func(t *test) Value { return word(t.Method) }},
	{Field{"profile", Key, "", "Profile of the run; only standard ones are ranked", none}, func(t *test) Value { return word(t.Profile) }},
	{Field{"test", Key, "", "What was done", with(required, kindsOfTests)}, func(t *test) Value { return word(t.Name) }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", with(required, notNegative)}, func(t *test) Value { return whole(t.BlockBytes) }},
	{Field{"queue_depth", Integer, "", "Transfers in flight", notNegative}, func(t *test) Value { return count(t.QueueDepth) }},
	{Field{"sync", Key, "", "How it was made sure that a write is on the module: fsync once at the end, the others at each write", oneOf("none", "fsync", "dsync", "sync")}, func(t *test) Value { return word(t.Sync) }},
	{Field{"mb_per_s", Number, "MB/s", "10^6 bytes per second", notNegative}, func(t *test) Value { return number(t.MBPerS) }},
	{Field{"iops", Number, "IOPS", "Transfers per second, of random tests", notNegative}, func(t *test) Value { return number(t.IOPS) }},
	{Field{"iops_low", Number, "IOPS", "Lower end of the 95 % interval of iops", notNegative}, func(t *test) Value { return number(t.IOPSLow) }},
	{Field{"iops_high", Number, "IOPS", "Upper end", notNegative}, func(t *test) Value { return number(t.IOPSHigh) }},
	{Field{"p50_ns", Integer, "ns", "Median latency", notNegative}, func(t *test) Value { return latency(t.P50NS) }},
	{Field{"p99_ns", Integer, "ns", "99 % of the transfers took no longer", notNegative}, func(t *test) Value { return latency(t.P99NS) }},
	{Field{"p999_ns", Integer, "ns", "99.9 % of the transfers took no longer", notNegative}, func(t *test) Value { return latency(t.P999NS) }},
	{Field{"max_ns", Integer, "ns", "The longest transfer", notNegative}, func(t *test) Value { return latency(t.MaxNS) }},
	{Field{"kib_per_op", Number, "KiB", "What the device transferred for one operation", notNegative}, func(t *test) Value { return number(t.KiBPerOp) }},
	{Field{"ended", Key, "", "Why the test ended: all of it was done, the figure was known, or the time was up", oneOf("complete", "converged", "time-limit")}, func(t *test) Value { return word(t.Ended) }},
	{Field{"not_ranked", Text, "", "Why the run counts in no ranking; empty: it counts", none}, func(t *test) Value { return word(t.NotRanked) }},
	{Field{"host", Text, "", "Computer it was measured in", required}, func(t *test) Value { return word(t.Host) }},
	{Field{"client", Text, "", "Program that measured, and its version", none}, func(t *test) Value { return word(t.Client) }},
	{Field{"date", Date, "", "Day it was received, UTC", required}, func(t *test) Value { return day(t.ReceivedOn) }},
	{Field{"host_class", Key, "", "Kind of host: a Raspberry Pi, another card slot, a USB link, ATA", kindsOfHosts}, func(t *test) Value { return word(t.HostClass) }},
	{Field{"bus_mode", Text, "", "Mode of the bus as the host showed it", none}, func(t *test) Value { return word(t.BusMode) }},
	{Field{"bus_mb_per_s", Number, "MB/s", "What the bus carries at most in that mode; empty: not known", notNegative}, func(t *test) Value { return positive(t.BusMBPerS) }},
	{Field{"variant", Text, "", "What the unit says of the silicon in it: manufacturer and OEM id, name and revision of a card", none}, func(t *test) Value { return word(t.Variant) }},
	{Field{"cv_percent", Number, "%", "Variation of the rate over time: its standard deviation in percent of its mean", notNegative}, func(t *test) Value { return number(t.CVPercent) }},
	{Field{"cliff_mb", Number, "MB", "10^6 bytes written in a line before the rate fell for good; empty: it didn't, or that is not known", notNegative}, func(t *test) Value { return number(t.CliffMB) }},
	{Field{"cliff_percent", Number, "%", "The rate after that in percent of the one before; 100: it didn't fall", notNegative}, func(t *test) Value { return number(t.CliffPercent) }},
	{Field{"unit", Key, "", "Tag of the unit; empty: it shows no serial number", none}, func(t *test) Value { return word(t.Unit) }},
})

// latency is in nanoseconds; less than 0: not known.
func latency(ns int64) Value {
	if ns < 0 {
		return Value{}
	}
	return whole(ns)
}

func with(a, b Rules) Rules {
	b.Required = b.Required || a.Required
	return b
}

// Units are the specimens that show a serial number.
var Units = table(Table{
	Name: "units", Description: "One row for each specimen that shows a serial number, which is not told: its tag is all that says that runs are of the same one.",
	Key: []string{"unit"}, References: []Reference{{"module", "modules", "module"}},
}, []Column[figure.Specimen]{
	{Field{"unit", Key, "", "Tag: 32 hex digits that only the contributor can make from the serial number (docs/privacy.md)", required}, func(u *figure.Specimen) Value { return word(u.Tag) }},
	{Field{"module", Key, "", "Key of the module, by its newest run", required}, func(u *figure.Specimen) Value { return word(u.Module) }},
	{Field{"results", Integer, "", "Runs of it", notNegative}, func(u *figure.Specimen) Value { return whole(u.Results) }},
	{Field{"first_date", Date, "", "Day that the first of them was received, UTC", required}, func(u *figure.Specimen) Value { return day(u.FirstOn) }},
	{Field{"last_date", Date, "", "Day that the last of them was received", required}, func(u *figure.Specimen) Value { return day(u.LastOn) }},
	{Field{"variant", Text, "", "What it says of the silicon in it, by its newest run", none}, func(u *figure.Specimen) Value { return word(u.Variant) }},
	{Field{"crc_wrong", Boolean, "", "The checksum of its CID is wrong, which no maker's is", required}, func(u *figure.Specimen) Value { return truth(u.CRCWrong) }},
	{Field{"serial_near_zero", Boolean, "", "Its serial number is below 65,536, which is rare", required}, func(u *figure.Specimen) Value { return truth(u.SerialNearZero) }},
	{Field{"less_capacity", Boolean, "", "flashdex verify found less on it than it claims", required}, func(u *figure.Specimen) Value { return truth(u.LessCapacity) }},
})

// Hosts are the computers.
var Hosts = table(Table{
	Name: "hosts", Description: "One row for each model of computer that modules were measured in.", Key: []string{"host"},
}, []Column[figure.Host]{
	{Field{"host", Text, "", "Board as its firmware names it, or the architecture where no board is known", required}, func(h *figure.Host) Value { return word(h.Name) }},
	{Field{"results", Integer, "", "Runs in it", notNegative}, func(h *figure.Host) Value { return whole(h.Results) }},
	{Field{"units", Integer, "", "Specimens with a serial number that were measured in it", notNegative}, func(h *figure.Host) Value { return whole(h.Units) }},
	{Field{"modules", Integer, "", "Modules that were measured in it", notNegative}, func(h *figure.Host) Value { return whole(h.Modules) }},
	{Field{"first_date", Date, "", "Day that the first run was received, UTC", required}, func(h *figure.Host) Value { return day(h.FirstOn) }},
	{Field{"last_date", Date, "", "Day that the last run was received", required}, func(h *figure.Host) Value { return day(h.LastOn) }},
})
