package page

import (
	"fmt"
	"slices"
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

// shownUnits are the units in the heads of columns, by the unit of a column. Labels or cells show other units.
var shownUnits = map[string]string{"B": "KiB", "KiB": "KiB", "ns": "ms", "%": "%"}

// testColumn is a figure.TestColumn that a page shows.
type testColumn struct {
	figure.TestColumn
	Head  string // the unit in its head
	Class string // of its cells
}

// testColumns are the figure.TestColumns that have a label.
var testColumns = func() (shown []testColumn) {
	for _, c := range figure.TestColumns {
		class := "number"
		switch {
		case c.Label == "":
			continue
		case c.Key == "cliff_mb":
			class = "date"
		case len(c.Words) > 0:
			class = "medium"
		}
		shown = append(shown, testColumn{c, shownUnits[c.Unit], class})
	}
	return shown
}()

// Columns are the columns of the table of tests.
func (r Run) Columns() []testColumn { return testColumns }

type testRow struct {
	Name  string
	Cells []Cell
	Test  *result.Test // nil: the document lacks it
}

// Tests are the rows of the table of tests.
func (r Run) Tests() (rows []testRow) {
	for _, f := range r.Result.Tests {
		row := testRow{Name: testNames[f.Test]}
		for _, c := range testColumns[1:] { // the first has the name
			cell := testCellOf(c.TestColumn, &f)
			cell.Class = c.Class
			row.Cells = append(row.Cells, cell)
		}
		same := func(t result.Test) bool { return t.Name == f.Test && t.BlockBytes == f.BlockBytes }
		if i := slices.IndexFunc(r.Document.Tests, same); i >= 0 {
			row.Test = &r.Document.Tests[i]
		}
		rows = append(rows, row)
	}
	return rows
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
