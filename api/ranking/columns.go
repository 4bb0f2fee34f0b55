package ranking

import "flashdex/api/figure"

// Column describes one column of the ranking tables, for the site, its glossary, its explorer and the API.
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

// Columns lists the columns in the order of the tables. figure.Metrics declares the figures among them.
var Columns = grouped([]group{
	{"module", "", []Column{
		{Key: "rank", Label: "Rank", Type: "number", Direction: "lower",
			Description: "Place among the modules that were measured by the same method: a range, such as 1–4, where the " +
				"intervals of several overlap; empty where there is too little evidence."},
		textColumn("module", "Module", "none", "What a buyer can buy: maker, product line, capacity and form."),
		textColumn("form", "Form", "none", "The shape of the module: SD, microSD, CF, USB stick or eMMC."),
		{Key: "capacity_gb", Label: "Capacity", Unit: "GB", Type: "number", Digits: 3, Direction: "none",
			Description: "Capacity as marketed, in gigabytes of 10⁹ bytes."},
		{Key: "classes", Label: "Classes", Type: "list", Direction: "none",
			Description: "Speed classes printed on the module: what it promises, not what was measured."},
	}},
	{"random", "4K random", []Column{
		figureColumn(figure.RandWriteIOPS, scaleOf(1, 30_000)),
		figureColumn(figure.RandReadIOPS, scaleOf(100, 30_000)),
	}},
	{"linear", "Linear", []Column{
		figureColumn(figure.SeqWriteMBPerS, scaleOf(1, 400)),
		figureColumn(figure.SeqReadMBPerS, scaleOf(1, 400)),
	}},
	{"latency", "Latency", []Column{
		figureColumn(figure.RandWriteP99MS, scaleOf(10_000, 1)),
		figureColumn(figure.RandWriteP999MS, scaleOf(10_000, 1)),
		figureColumn(figure.RandWriteMaxMS, scaleOf(10_000, 1)),
	}},
	{"stability", "Stability", []Column{
		figureColumn(figure.RandWriteCVPercent, scaleOf(100, 1)),
		figureColumn(figure.SeqWriteCVPercent, scaleOf(100, 1)),
		figureColumn(figure.SeqWriteCliffMB, scaleOf(10, 1000)),
		figureColumn(figure.SeqWriteCliffPercent, scaleOf(10, 100)),
	}},
	{"evidence", "", []Column{
		{Key: "units", Label: "Units", Type: "number", Direction: "higher",
			Description: "How many single specimens of the module contributors have measured."},
		{Key: "results", Label: "Results", Type: "number", Direction: "higher",
			Description: "How many runs contributors have uploaded."},
		textColumn("source", "Source", "none", "Who measured: Flashdex's contributors, or a published source."),
	}},
})

// MethodColumn is the column that tables of all methods have besides Columns.
var MethodColumn = textColumn("method", "Method", "none",
	"How it was measured: only what was measured by the same method can be compared.")

// group holds columns with a common head.
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

// figureColumn returns the column of a metric.
func figureColumn(key string, scale *Scale) Column {
	m := figure.MetricOf(key)
	direction := "higher"
	if m.LowerIsBetter {
		direction = "lower"
	}
	return Column{
		Key: key, Label: m.Label, Unit: m.Unit, Type: "number", Digits: 3, Direction: direction,
		Description: m.Description, Scale: scale,
	}
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
