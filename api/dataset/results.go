package dataset

import (
	"slices"

	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

type (
	test     = figure.Test
	specimen = figure.Specimen
	host     = figure.Host
)

// Results lists the tests of accepted uploads.
var Results = table(Table{
	Name: "results", Description: "One row for each test of each result. The column data of samples says which linear " +
		"tests wrote zeros: some modules are faster with these than with random data.",
	Key:        []string{"result", "test", "block_bytes"},
	References: []string{"module", "unit", "host"},
	Indexed:    []string{"module", "unit"},
}, slices.Concat([]Column[test]{
	{Field{"result", Key, "", "Id of the result: its page is /r/<result>. The rows are in the order of ids, which those " +
		"of most clients have by the day of the run", required}, func(t *test) any { return &t.Result }},
	{Field{"module", Key, "", "Key of the module: its page is /modules/<module>/", required},
		func(t *test) any { return &t.Module }},
	{Field{"name", Text, "", "The module as one reads it", none}, func(t *test) any { return &t.ModuleName }},
	{Field{"method", Key, "", "How it was measured; compare rows of one method only", required},
		func(t *test) any { return &t.Method }},
	{Field{"profile", Key, "", "Profile of the run; only standard ones are ranked", none},
		func(t *test) any { return &t.Profile }},
}, testColumns("test", "ended"), []Column[test]{
	{Field{"not_ranked", Text, "", "Why the result counts in no ranking; empty: it counts", none},
		func(t *test) any { return &t.NotRanked }},
	{Field{"host", Text, "", "Computer it was measured in", required}, func(t *test) any { return &t.Host }},
	{Field{"client", Text, "", "Program that measured, and its version", none}, func(t *test) any { return &t.Client }},
	{Field{"date", Date, "", "Day it was received, UTC", required}, func(t *test) any { return &t.ReceivedOn }},
	{Field{"host_class", Key, "", "Kind of host: a Raspberry Pi, another card slot, a USB link, ATA",
		Rules{Enum: hostClasses()}}, func(t *test) any { return &t.HostClass }},
	{Field{"bus_mode", Text, "", "Mode of the bus as the host showed it", none}, func(t *test) any { return &t.BusMode }},
	{Field{"bus_mb_per_s", Number, "MB/s", "What the bus carries at most in that mode; empty: not known", notNegative},
		func(t *test) any { return given(&t.BusMBPerS) }},
	{Field{"variant", Text, "", "What the unit says of the silicon in it: manufacturer and OEM id, name and revision " +
		"of a card", none}, func(t *test) any { return &t.Variant }},
}, testColumns("cv_percent", "cliff_percent"), []Column[test]{
	{Field{"unit", Key, "", "Tag of the unit; empty: it shows no serial number", none},
		func(t *test) any { return &t.Unit }},
}, testColumns("mb_per_s_low", "longest_1000_high_ns"), []Column[test]{
	{Field{"named_by", Key, "", "What named the module: the evidence of its registers, ids, part number or typed name, " +
		"its contributor, several contributors, an operator, or merged: it came under another name of the module; " +
		"empty: not known", none},
		func(t *test) any { return &t.NamedBy }},
}, testColumns("open_units", "wrong_ops"), []Column[test]{
	{Field{"signs", Key, "", "What the signs weigh that the unit isn't what it says: its registers and a check of its " +
		"capacity together, whatever its label says; empty: it shows no registers, and its capacity was not checked",
		Rules{Enum: sign.Weights}}, func(t *test) any { return &t.Signs }},
	{Field{"wear_told_by", Key, "", "How the module told its wear before the run, as flashdex health asks it; none: asked in " +
		"vain; empty: the contributor didn't want it asked or told",
		Rules{Enum: append([]string{result.WearNotTold}, result.WearDialects...)}},
		func(t *test) any { return &t.Wear.ToldBy }},
	{Field{"wear_life_tenths", Integer, "", "Tenth of its rated life that the module said it uses up; 11: it is past all",
		notNegative}, func(t *test) any { return &t.Wear.LifeTenths }},
	{Field{"written_gb", Integer, "GB", "How much was ever written to the unit before the run, to two digits", notNegative},
		func(t *test) any { return given(&t.Wear.WrittenGB) }},
	{Field{"written_by", Key, "", "What counted that: the module itself, or a file system since it was made", none},
		func(t *test) any { return &t.Wear.WrittenBy }},
}))

func hostClasses() (keys []string) {
	for _, class := range figure.HostClasses {
		keys = append(keys, class.Key)
	}
	return keys
}

// testColumns returns the columns of result.TestColumns from one key to another.
func testColumns(from, to string) (columns []Column[test]) {
	for _, c := range result.TestColumns {
		if c.Key != from && len(columns) == 0 {
			continue
		}
		columns = append(columns, testColumn(c))
		if c.Key == to {
			break
		}
	}
	return columns
}

func testColumn(c result.TestColumn) Column[test] {
	f := Field{c.Key, Number, c.Unit, c.Description, notNegative}
	switch c.Field(&result.Figures{}).(type) {
	case *string, *result.Ended:
		f.Type, f.Rules = Key, Rules{Required: c.Key == "test", Enum: c.Words}
	case *int64:
		f.Type, f.Rules = Integer, counted
	case *int, **int64:
		f.Type = Integer
	}
	return Column[test]{f, func(t *test) any { return c.Field(&t.Figures) }}
}

// Units lists the specimens that show a serial number.
var Units = table(Table{
	Name: "units",
	Description: "One row for each unit that shows a serial number, which is not told: its tag is all that says " +
		"that results are of the same one.",
	Key: []string{"unit"}, References: []string{"module"},
}, []Column[specimen]{
	{Field{"unit", Key, "", "Tag: 32 hex digits that only the contributor can make from the serial number " +
		"(docs/privacy.md)", required}, func(u *specimen) any { return &u.Tag }},
	{Field{"module", Key, "", "Key of the module, by its newest result", required},
		func(u *specimen) any { return &u.Module }},
	{Field{"results", Integer, "", "Results of it", notNegative}, func(u *specimen) any { return &u.Results }},
	{Field{"first_date", Date, "", "Day that the first of them was received, UTC", required},
		func(u *specimen) any { return &u.FirstOn }},
	{Field{"last_date", Date, "", "Day that the last of them was received", required},
		func(u *specimen) any { return &u.LastOn }},
	{Field{"variant", Text, "", "What it says of the silicon in it, by its newest result", none},
		func(u *specimen) any { return &u.Variant }},
	{Field{"crc_wrong", Boolean, "", "The checksum of its CID is wrong", required},
		func(u *specimen) any { return &u.CRCWrong }},
	{Field{"serial_near_zero", Boolean, "", "Its serial number is below 65,536, which is rare", required},
		func(u *specimen) any { return &u.SerialNearZero }},
	{Field{"less_capacity", Boolean, "", "flashdex verify, or a tool whose output was imported, found less on it than " +
		"it claims", required},
		func(u *specimen) any { return &u.LessCapacity }},
})

// Hosts lists the models of computers.
var Hosts = table(Table{
	Name: "hosts", Description: "One row for each model of computer that modules were measured in.", Key: []string{"host"},
}, []Column[host]{
	{Field{"host", Text, "", "Board as its firmware names it, or the architecture where no board is known", required},
		func(h *host) any { return &h.Name }},
	{Field{"results", Integer, "", "Results in it", notNegative}, func(h *host) any { return &h.Results }},
	{Field{"units", Integer, "", "Units with a serial number that were measured in it", notNegative},
		func(h *host) any { return &h.Units }},
	{Field{"modules", Integer, "", "Modules that were measured in it", notNegative},
		func(h *host) any { return &h.Modules }},
	{Field{"first_date", Date, "", "Day that the first result was received, UTC", required},
		func(h *host) any { return &h.FirstOn }},
	{Field{"last_date", Date, "", "Day that the last result was received", required},
		func(h *host) any { return &h.LastOn }},
})
