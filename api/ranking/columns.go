package ranking

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

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

// Columns lists the columns in the order of the tables. figure.Metrics declares the figures among them. The worst write
// of a test isn't among them, because it depends on how many writes the test did, which differs from row to row. A
// run's page has both.
var Columns = slices.Concat(
	group("module", "",
		Column{Key: "rank", Label: "Rank", Type: "number", Direction: "lower",
			Description: "Place among the modules that were measured by the same method: a range, such as 1–4, where " +
				"nobody can tell yet which of several is faster; empty where there is too little evidence."},
		textColumn("module", "Module", "What a buyer can buy: maker, product line, capacity and form."),
		textColumn("form", "Form", "The shape of the module: SD, microSD, CF, USB stick or eMMC."),
		Column{Key: "capacity_gb", Label: "Capacity", Unit: "GB", Type: "number", Digits: 3, Direction: "none",
			Description: "Capacity as marketed, in gigabytes of 10⁹ bytes."},
		Column{Key: "classes", Label: "Classes", Type: "list", Direction: "none",
			Description: "Speed classes printed on the module: what it promises, not what was measured."}),
	group("random", "4K random",
		figureColumn(figure.RandWriteIOPS, 1, 200_000),
		figureColumn(figure.RandReadIOPS, 100, 200_000)),
	group("linear", "Linear",
		figureColumn(figure.SeqWriteMBPerS, 1, 1000),
		figureColumn(figure.SeqReadMBPerS, 1, 1000)),
	group("latency", "Latency",
		figureColumn(figure.RandWriteP99MS, 10_000, 1),
		figureColumn(figure.RandWriteP999MS, 10_000, 1),
		figureColumn(figure.RandWriteLongest1000MS, 10_000, 1)),
	group("stability", "Stability",
		figureColumn(figure.RandWriteStalls100MSPer1000, 1000, 0.1),
		figureColumn(figure.RandWriteStalls1SPer1000, 1000, 0.1),
		figureColumn(figure.RandWriteStalls100MSPerMinute, 600, 0.1),
		figureColumn(figure.RandWriteStalls1SPerMinute, 60, 0.1),
		figureColumn(figure.RandWriteCVPercent, 100, 1),
		figureColumn(figure.SeqWriteCVPercent, 100, 1),
		figureColumn(figure.SeqWriteCliffMB, 10, 1000),
		figureColumn(figure.SeqWriteCliffPercent, 10, 100)),
	group("evidence", "",
		Column{Key: "units", Label: "Units", Type: "number", Direction: "higher",
			Description: "How many single specimens of the module contributors have measured."},
		Column{Key: "contributors", Label: "Contributors", Type: "number", Direction: "higher",
			Description: "How many contributors measured it. Each weighs one, however many units and results they have."},
		Column{Key: "results", Label: "Results", Type: "number", Direction: "higher",
			Description: "How many results contributors have uploaded: one for each run of the test."}),
	group("source", "",
		textColumn("source", "Source", "Who measured: Flashdex's contributors, or a published source.")),
)

// MethodColumn is the column that tables of all methods have besides Columns.
var MethodColumn = textColumn("method", "Method",
	"How it was measured: only what was measured by the same method can be compared.")

// HostsColumn is a column that only the table of everything has: how much of the uncertainty is due to hosts.
var HostsColumn = Column{Key: "hosts_percent", Label: "Hosts’ doubt", Unit: "%", Type: "number", Digits: 3,
	Direction: "lower", Group: "evidence", Description: "How much of the variance of the 4K random write is due to " +
		"the hosts it was measured in, in percent. The rest is that of the cards."}

// OpenUnitsColumn and AllocationUnitColumn are columns that only the table of everything has, with findings of the
// structure profile. If a module has several units, they show the lowest number.
var (
	OpenUnitsColumn = Column{Key: "open_units", Label: "Open units", Type: "number", Digits: 3, Direction: "higher",
		Group: "module", Description: "How many places in turn the module writes to as fast as to one, because it keeps so " +
			"many allocation units open. Of several cards of a module, the lowest number."}
	AllocationUnitColumn = Column{Key: "allocation_unit_mib", Label: "Allocation unit", Unit: "MiB", Type: "number",
		Digits: 3, Direction: "none", Group: "module", Description: "The piece of flash that the module opens at a time, " +
			"in MiB of 1,048,576 bytes. Of several cards of a module, the smallest."}
)

// PriceColumn is a column that the table of everything has for each currency ("USD") in which a price is known.
func PriceColumn(currency string) Column {
	return Column{Key: strings.ToLower(currency) + "_per_gb", Label: "Price in " + currency, Unit: "for each GB",
		Type: "number", Digits: 3, Direction: "lower", Group: "module",
		Description: "What was paid for each 10⁹ bytes that are printed on the module: the median of what contributors " +
			"say, else of published prices. Nothing is converted."}
}

// group gives columns a common head.
func group(key, label string, columns ...Column) []Column {
	for i := range columns {
		columns[i].Group, columns[i].GroupLabel = key, label
	}
	return columns
}

func textColumn(key, label, description string) Column {
	return Column{Key: key, Label: label, Type: "text", Direction: "none", Description: description}
}

// figureColumn returns the column of a metric, with the ends of its scale, the worst one first.
func figureColumn(key string, low, high float64) Column {
	m := figure.MetricOf(key)
	direction := "higher"
	if m.LowerIsBetter {
		direction = "lower"
	}
	return Column{key, m.Label, m.Unit, "number", 3, direction, "", "", m.Description, scaleOf(low, high)}
}

// ColumnOf returns the column of a key. It panics if there is none.
func ColumnOf(key string) Column {
	return Columns[slices.IndexFunc(Columns, func(c Column) bool { return c.Key == key })]
}

// Scale is the fixed logarithmic scale of a figure, for tints and drawings on all pages.
type Scale struct {
	Low   float64 `json:"low"` // the worst end: above High if less is better
	High  float64 `json:"high"`
	Ticks []Tick  `json:"ticks"`
}

// Tick is a power of ten on a scale.
type Tick struct {
	Label string `json:"label"`
	At    string `json:"at"`
}

func scaleOf(low, high float64) *Scale {
	s := &Scale{Low: low, High: high, Ticks: []Tick{}}
	for v := 0.1; v <= 100_000; v *= 10 {
		if v >= min(low, high) && v <= max(low, high) {
			s.Ticks = append(s.Ticks, Tick{result.Number(v), s.At(v)})
		}
	}
	return s
}

// position returns the place of v: 0 at the low end and before it, 1 at the high end and after it. Values of 0 or less
// are at the lower value's end.
func (s *Scale) position(v float64) float64 {
	if v <= 0 {
		v = min(s.Low, s.High)
	}
	return max(0, min(1, math.Log(v/s.Low)/math.Log(s.High/s.Low)))
}

// At returns the place as a coordinate of a drawing, "3.00%" to "97.00%" of its width.
func (s *Scale) At(v float64) string { return fmt.Sprintf("%.2f%%", s.Percent(v)) }

// Percent is At as a number.
func (s *Scale) Percent(v float64) float64 { return 3 + 94*s.position(v) }

// Heat returns the place in eight steps. More is better.
func (s *Scale) Heat(v float64) int { return int(math.Round(8 * s.position(v))) }
