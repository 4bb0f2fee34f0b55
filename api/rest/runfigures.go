package rest

import (
	"fmt"
	"strconv"

	"flashdex/api/figure"
	"flashdex/result"
)

// testJSON is what the API gives of one test: the columns of figure.TestColumns that are known.
func testJSON(f result.Figures) map[string]any {
	columns := map[string]any{}
	for _, c := range figure.TestColumns {
		if v := c.Value(&f); v != nil {
			columns[c.Key] = v
		}
	}
	return columns
}

// testTable is the table of a run's tests. Its columns are those of figure.TestColumns that have a label.
type testTable struct {
	Head []testHead
	Rows [][]testCell
}

type testHead struct{ Label, Unit, Class string }

type testCell struct{ Text, Small, Class string }

// shownUnits are the units that pages print for those of the columns. Others stand in the label or in the cell.
var shownUnits = map[string]string{"B": "KiB", "KiB": "KiB", "ns": "ms", "%": "%"}

func testTableOf(tests []result.Figures) testTable {
	t := testTable{Rows: make([][]testCell, len(tests))}
	for _, c := range figure.TestColumns {
		if c.Label == "" {
			continue
		}
		head := testHead{c.Label, shownUnits[c.Unit], "number"}
		class := "number"
		switch {
		case c.Key == "cliff_mb":
			head.Class, class = "", "date"
		case len(c.Words) > 0:
			head.Class, class = "", "medium"
		}
		t.Head = append(t.Head, head)
		for i := range tests {
			cell := testCellOf(c, &tests[i])
			cell.Class = class
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

func testCellOf(c figure.TestColumn, f *result.Figures) (cell testCell) {
	switch c.Key {
	case "test":
		return testCell{Text: testNames[f.Test]}
	case "ended":
		return testCell{Text: endings[f.Ended]}
	case "block_bytes":
		return testCell{Text: strconv.FormatFloat(float64(f.BlockBytes)/1024, 'f', -1, 64)}
	case "iops":
		if f.IOPSLow != nil {
			cell.Small = result.Number(*f.IOPSLow) + "–" + result.Number(*f.IOPSHigh)
		}
	case "cliff_mb":
		switch {
		case f.CliffMB != nil && f.CliffPercent != nil:
			cell.Text = fmt.Sprintf("after %s MB, to %s %%", result.Number(*f.CliffMB), result.Number(*f.CliffPercent))
		case f.CliffMB != nil:
			cell.Text = fmt.Sprintf("after %s MB", result.Number(*f.CliffMB))
		case f.CliffPercent != nil:
			cell.Text = "none"
		}
		return cell
	}
	switch v := c.Value(f).(type) {
	case string:
		cell.Text = v
	case int:
		cell.Text = strconv.Itoa(v)
	case int64:
		cell.Text = milliseconds(v)
	case float64:
		cell.Text = result.Number(v)
	}
	return cell
}
