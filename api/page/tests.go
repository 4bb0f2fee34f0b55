package page

import (
	"fmt"
	"strconv"

	"flashdex/api/figure"
	"flashdex/result"
)

var (
	testNames = map[string]string{
		result.SeqWrite: "Linear write", result.SeqRead: "Linear read",
		result.RandWrite: "Random write", result.RandRead: "Random read",
		result.SeqRewrite: "Linear rewrite", result.SeqReread: "Linear reread", result.Startup: "Start of a program",
	}
	endings = map[result.Ended]string{
		result.Complete: "after the whole test area", result.Converged: "when the interval was tight enough",
		result.TimeLimit: "at its time limit",
	}
)

// shownUnits are the units in the heads of columns, by the unit of a column. Other units stand in the label or the cells.
var shownUnits = map[string]string{"B": "KiB", "KiB": "KiB", "ns": "ms", "%": "%"}

type tableHead struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Class string `json:"class"`
}

type testRow struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// testTable is the table of a run's tests. Its columns are the figure.TestColumns that have a label.
func testTable(tests []result.Figures, doc *result.Document) (head []tableHead, rows []testRow) {
	rows = make([]testRow, len(tests))
	for _, c := range figure.TestColumns {
		if c.Label == "" {
			continue
		}
		h, class := tableHead{c.Label, shownUnits[c.Unit], "number"}, "number"
		switch {
		case c.Key == "cliff_mb":
			h.Class, class = "", "date"
		case len(c.Words) > 0:
			h.Class, class = "", "medium"
		}
		head = append(head, h)
		for i := range tests {
			if c.Key == "test" {
				rows[i].Name = testNames[tests[i].Test]
				continue
			}
			cell := testCellOf(c, &tests[i])
			cell.Class = class
			rows[i].Cells = append(rows[i].Cells, cell)
		}
	}
	if doc.Imported == nil {
		return head, rows
	}
	head = append(head, tableHead{Label: "How"})
	for i := range tests {
		rows[i].Cells = append(rows[i].Cells, Cell{Value: howMeasured(&tests[i], doc), Class: "medium"})
	}
	return head, rows
}

func testCellOf(c figure.TestColumn, f *result.Figures) (cell Cell) {
	switch c.Key {
	case "ended":
		return Cell{Value: endings[f.Ended]}
	case "block_bytes":
		return Cell{Value: result.Exact(float64(f.BlockBytes) / 1024)}
	case "iops":
		if f.IOPSLow != nil {
			cell.Interval = Interval(*f.IOPSLow, *f.IOPSHigh)
		}
	case "cliff_mb":
		switch {
		case f.CliffMB != nil && f.CliffPercent != nil:
			cell.Value = fmt.Sprintf("after %s MB, to %s %%", result.Number(*f.CliffMB), result.Number(*f.CliffPercent))
		case f.CliffMB != nil:
			cell.Value = fmt.Sprintf("after %s MB", result.Number(*f.CliffMB))
		case f.CliffPercent != nil:
			cell.Value = "none"
		}
		return cell
	}
	switch v := c.Value(f).(type) {
	case string:
		cell.Value = v
	case int:
		cell.Value = strconv.Itoa(v)
	case int64:
		cell.Value = result.Number(float64(v) / 1e6) // ns as ms
	case float64:
		cell.Value = result.Number(v)
	}
	return cell
}

// howMeasured says how another tool did a test.
func howMeasured(f *result.Figures, doc *result.Document) string {
	for _, t := range doc.Tests {
		if t.Name != f.Test || t.BlockBytes != f.BlockBytes {
			continue
		}
		how := "through the page cache"
		if t.Direct {
			how = "past the page cache"
		}
		if t.QueueDepth > 1 {
			how += fmt.Sprintf(", %d in flight", t.QueueDepth)
		}
		switch t.Sync {
		case "fsync":
			how += ", fsync at the end"
		case "dsync", "sync":
			how += ", each write on the module (" + t.Sync + ")"
		}
		return how
	}
	return ""
}
