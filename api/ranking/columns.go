package ranking

import "flashdex/api/index"

// Column describes one column of the ranking tables: those of the site, its glossary and its explorer, and the API's pages read it.
type Column struct {
	Key         string `json:"key"`
	Label       string `json:"label"`
	Unit        string `json:"unit"`
	Type        string `json:"type"` // number, text, list
	Digits      int    `json:"digits"`
	Direction   string `json:"direction"` // higher or lower is better, or none
	Group       string `json:"group"`
	GroupLabel  string `json:"group_label"` // over the group's columns; empty: nothing
	Description string `json:"description"`
	Scale       *Scale `json:"scale,omitempty"` // of a figure
}

// Columns are the columns in the order of the tables. They are declared here and nowhere else.
var Columns = grouped([]group{
	{"module", "", []Column{
		{Key: "rank", Label: "Rank", Type: "number", Direction: "lower", Description: "Place among the modules that were measured by the same method: a range, such as 1–4, where the intervals of several overlap; empty where there is too little evidence."},
		textColumn("module", "Module", "none", "What a buyer can buy: maker, product line, capacity and form."),
		textColumn("form", "Form", "none", "The shape of the module: SD, microSD, CF, USB stick or eMMC."),
		{Key: "capacity_gb", Label: "Capacity", Unit: "GB", Type: "number", Digits: 3, Direction: "none", Description: "Capacity as marketed, in gigabytes of 10⁹ bytes."},
		{Key: "classes", Label: "Classes", Type: "list", Direction: "none", Description: "Speed classes printed on the module: what it promises, not what was measured."},
	}},
	{"random", "4K random", []Column{
		figureColumn(index.RandWriteIOPS, "4K random write", "IOPS", scaleOf(1, 30_000), "Writes of 4 KiB to random places per second: what decides whether an operating system on the module feels quick."),
		figureColumn(index.RandReadIOPS, "4K random read", "IOPS", scaleOf(100, 30_000), "Reads of 4 KiB from random places per second: how fast programs start."),
	}},
	{"linear", "Linear", []Column{
		figureColumn(index.SeqWriteMBPerS, "Linear write", "MB/s", scaleOf(1, 400), "Writing one long file, in 10⁶ bytes per second: copying and filming."),
		figureColumn(index.SeqReadMBPerS, "Linear read", "MB/s", scaleOf(1, 400), "Reading one long file, in 10⁶ bytes per second."),
	}},
	{"latency", "Latency", []Column{
		figureColumn(index.RandWriteP99MS, "4K write, 99 %", "ms", scaleOf(10_000, 1), "99 of 100 random 4 KiB writes took no longer."),
		figureColumn(index.RandWriteP999MS, "4K write, 99.9 %", "ms", scaleOf(10_000, 1), "999 of 1,000 random 4 KiB writes took no longer: the pauses that one notices."),
		figureColumn(index.RandWriteMaxMS, "4K write, worst", "ms", scaleOf(10_000, 1), "The longest single random 4 KiB write: how long the system may stand still."),
	}},
	{"stability", "Stability", []Column{
		figureColumn(index.RandWriteCVPercent, "4K write, variation", "%", scaleOf(100, 1), "How much the 4K random write rate varied over time: its standard deviation in percent of its mean. 0 is perfectly even."),
		figureColumn(index.SeqWriteCVPercent, "Linear write, variation", "%", scaleOf(100, 1), "How much the linear write rate varied over time, in the same way."),
		figureColumn(index.SeqWriteCliffMB, "Cliff after", "MB", scaleOf(10, 1000), "How much was written in a line before a cache was full and the rate fell for good, in 10⁶ bytes; “none” where no unit showed a fall, which is the best there is."),
		figureColumn(index.SeqWriteCliffPercent, "Rate after cliff", "%", scaleOf(10, 100), "The linear write rate after that, in percent of the rate before; 100 where it did not fall."),
	}},
	{"evidence", "", []Column{
		{Key: "units", Label: "Units", Type: "number", Direction: "higher", Description: "How many single specimens of the module contributors have measured."},
		{Key: "results", Label: "Results", Type: "number", Direction: "higher", Description: "How many runs contributors have uploaded."},
		textColumn("source", "Source", "none", "Who measured: Flashdex's contributors, or a published source."),
	}},
})

// MethodColumn is what a table of all methods has beside Columns.
var MethodColumn = textColumn("method", "Method", "none", "How it was measured: only what was measured by the same method can be compared.")

// group is columns that stand beside each other under one head.
type group struct {
	key, label string
	columns    []Column
}

func grouped(groups []group) (all []Column) {
	for _, g := range groups {
		for _, c := range g.columns {
			c.Group, c.GroupLabel = g.key, g.label
			all = append(all, c)
		}
	}
	return all
}

func textColumn(key, label, direction, description string) Column {
	return Column{Key: key, Label: label, Type: "text", Direction: direction, Description: description}
}

func figureColumn(key, label, unit string, scale *Scale, description string) Column {
	direction := "higher"
	if index.LowerIsBetter(key) {
		direction = "lower"
	}
	return Column{Key: key, Label: label, Unit: unit, Type: "number", Digits: 3, Direction: direction, Description: description, Scale: scale}
}

// ColumnOf returns the column of a key. It panics if there is none.
func ColumnOf(key string) Column {
	for _, c := range Columns {
		if c.Key == key {
			return c
		}
	}
	panic("ranking: no column " + key)
}
