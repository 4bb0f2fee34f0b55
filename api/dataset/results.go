package dataset

import (
	"slices"

	"flashdex/api/figure"
	"flashdex/result"
)

type test = figure.Test

var (
	kindsOfTests = oneOf(figure.TestNames...)
	kindsOfHosts = func() (r Rules) {
		for _, class := range figure.HostClasses {
			r.Enum = append(r.Enum, class.Key)
		}
		return r
	}()
)

// Results lists the tests of accepted uploads.
var Results = table(Table{
	Name: "results", Description: "One row for each test of each uploaded run.",
	Key:        []string{"result", "test", "block_bytes"},
	References: []Reference{{"module", "modules", "module"}, {"unit", "units", "unit"}, {"host", "hosts", "host"}},
	Indexed:    []string{"module", "unit"},
}, slices.Concat([]Column[test]{
	{Field{"result", Key, "", "Id of the run: its page is /r/<result>. The rows are in the order of ids, which those " +
		"of most clients have by the day of the run", required},
		func(t *test) Value { return word(t.Result) }},
	{Field{"module", Key, "", "Key of the module: its page is /modules/<module>/", required},
		func(t *test) Value { return word(t.Module) }},
	{Field{"name", Text, "", "The module as one reads it", none}, func(t *test) Value { return word(t.ModuleName) }},
	{Field{"method", Key, "", "How it was measured; compare rows of one method only", required},
		func(t *test) Value { return word(t.Method) }},
	{Field{"profile", Key, "", "Profile of the run; only standard ones are ranked", none},
		func(t *test) Value { return word(t.Profile) }},
}, testColumns("test", "ended"), []Column[test]{
	{Field{"not_ranked", Text, "", "Why the run counts in no ranking; empty: it counts", none},
		func(t *test) Value { return word(t.NotRanked) }},
	{Field{"host", Text, "", "Computer it was measured in", required}, func(t *test) Value { return word(t.Host) }},
	{Field{"client", Text, "", "Program that measured, and its version", none},
		func(t *test) Value { return word(t.Client) }},
	{Field{"date", Date, "", "Day it was received, UTC", required}, func(t *test) Value { return day(t.ReceivedOn) }},
	{Field{"host_class", Key, "", "Kind of host: a Raspberry Pi, another card slot, a USB link, ATA", kindsOfHosts},
		func(t *test) Value { return word(t.HostClass) }},
	{Field{"bus_mode", Text, "", "Mode of the bus as the host showed it", none},
		func(t *test) Value { return word(t.BusMode) }},
	{Field{"bus_mb_per_s", Number, "MB/s", "What the bus carries at most in that mode; empty: not known", notNegative},
		func(t *test) Value { return positive(t.BusMBPerS) }},
	{Field{"variant", Text, "", "What the unit says of the silicon in it: manufacturer and OEM id, name and revision " +
		"of a card", none},
		func(t *test) Value { return word(t.Variant) }},
}, testColumns("cv_percent", "cliff_percent"), []Column[test]{
	{Field{"unit", Key, "", "Tag of the unit; empty: it shows no serial number", none},
		func(t *test) Value { return word(t.Unit) }},
}))

// testColumns returns the columns of figure.TestColumns from one key to another.
func testColumns(from, to string) (columns []Column[test]) {
	for _, c := range figure.TestColumns {
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

func testColumn(c figure.TestColumn) Column[test] {
	column := func(of Type, rules Rules, get func(*test) Value) Column[test] {
		return Column[test]{Field{c.Key, of, c.Unit, c.Description, rules}, get}
	}
	switch c.Field(&result.Figures{}).(type) {
	case *string:
		rules := oneOf(c.Words...)
		rules.Required = c.Key == "test"
		return column(Key, rules, func(t *test) Value { return word(*c.Field(&t.Figures).(*string)) })
	case *result.Ended:
		return column(Key, oneOf(c.Words...), func(t *test) Value { return word(string(t.Ended)) })
	case *int:
		return column(Integer, notNegative, func(t *test) Value { return count(*c.Field(&t.Figures).(*int)) })
	case *int64:
		return column(Integer, with(required, notNegative), func(t *test) Value {
			return whole(*c.Field(&t.Figures).(*int64))
		})
	case **int64:
		return column(Integer, notNegative, func(t *test) Value { return optional(*c.Field(&t.Figures).(**int64), whole) })
	case *float64:
		return column(Number, notNegative, func(t *test) Value { return number(*c.Field(&t.Figures).(*float64)) })
	}
	return column(Number, notNegative, func(t *test) Value { return optional(*c.Field(&t.Figures).(**float64), number) })
}

func with(a, b Rules) Rules {
	b.Required = b.Required || a.Required
	return b
}

// Units lists the specimens that show a serial number.
var Units = table(Table{
	Name: "units",
	Description: "One row for each specimen that shows a serial number, which is not told: its tag is all that says " +
		"that runs are of the same one.",
	Key: []string{"unit"}, References: []Reference{{"module", "modules", "module"}},
}, []Column[figure.Specimen]{
	{Field{"unit", Key, "", "Tag: 32 hex digits that only the contributor can make from the serial number " +
		"(docs/privacy.md)", required},
		func(u *figure.Specimen) Value { return word(u.Tag) }},
	{Field{"module", Key, "", "Key of the module, by its newest run", required},
		func(u *figure.Specimen) Value { return word(u.Module) }},
	{Field{"results", Integer, "", "Runs of it", notNegative}, func(u *figure.Specimen) Value { return whole(u.Results) }},
	{Field{"first_date", Date, "", "Day that the first of them was received, UTC", required},
		func(u *figure.Specimen) Value { return day(u.FirstOn) }},
	{Field{"last_date", Date, "", "Day that the last of them was received", required},
		func(u *figure.Specimen) Value { return day(u.LastOn) }},
	{Field{"variant", Text, "", "What it says of the silicon in it, by its newest run", none},
		func(u *figure.Specimen) Value { return word(u.Variant) }},
	{Field{"crc_wrong", Boolean, "", "The checksum of its CID is wrong, which no maker's is", required},
		func(u *figure.Specimen) Value { return truth(u.CRCWrong) }},
	{Field{"serial_near_zero", Boolean, "", "Its serial number is below 65,536, which is rare", required},
		func(u *figure.Specimen) Value { return truth(u.SerialNearZero) }},
	{Field{"less_capacity", Boolean, "", "flashdex verify found less on it than it claims", required},
		func(u *figure.Specimen) Value { return truth(u.LessCapacity) }},
})

// Hosts lists the models of computers.
var Hosts = table(Table{
	Name: "hosts", Description: "One row for each model of computer that modules were measured in.", Key: []string{"host"},
}, []Column[figure.Host]{
	{Field{"host", Text, "", "Board as its firmware names it, or the architecture where no board is known", required},
		func(h *figure.Host) Value { return word(h.Name) }},
	{Field{"results", Integer, "", "Runs in it", notNegative}, func(h *figure.Host) Value { return whole(h.Results) }},
	{Field{"units", Integer, "", "Specimens with a serial number that were measured in it", notNegative},
		func(h *figure.Host) Value { return whole(h.Units) }},
	{Field{"modules", Integer, "", "Modules that were measured in it", notNegative},
		func(h *figure.Host) Value { return whole(h.Modules) }},
	{Field{"first_date", Date, "", "Day that the first run was received, UTC", required},
		func(h *figure.Host) Value { return day(h.FirstOn) }},
	{Field{"last_date", Date, "", "Day that the last run was received", required},
		func(h *figure.Host) Value { return day(h.LastOn) }},
})
