package publish

import (
	"fmt"
	"slices"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"

	"github.com/google/go-cmp/cmp"
)

func TestPagesHoldAtMostTheirRows(t *testing.T) {
	t.Parallel()
	sections := []section[int]{{Label: "one", Rows: make([]int, 450)}, {Label: "none"},
		{Label: "two", Rows: make([]int, 150)}}
	var got []string
	for i, page := range paginate(sections, 200) {
		for _, s := range page {
			got = append(got, fmt.Sprintf("page %d: %s %d", i+1, s.Label, len(s.Rows)))
		}
	}
	want := []string{"page 1: one 200", "page 2: one 200", "page 3: one 50", "page 3: none 0", "page 3: two 150"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestColumnsWithoutContentAreLeftOutOneByOne(t *testing.T) {
	t.Parallel()
	row := func(slug string, known ...string) tableRow {
		row := tableRow{Slug: slug}
		for _, column := range cellColumns {
			cell := page.Cell{}
			if slices.Contains(known, column.Key) {
				cell.Value = column.Key
			}
			row.Cells = append(row.Cells, cell)
		}
		return row
	}
	rows := []tableRow{
		row("a", "form", figure.SeqWriteCVPercent), row("", figure.RandReadIOPS), row("b", "form", "units")}
	content := rankingContent{rankingPage: rankingPage{Metric: figure.RandWriteIOPS},
		Sections: []section[tableRow]{{Rows: rows[:2]}, {Rows: rows[2:]}}}
	content.foldEmpty()
	if len(content.Empty) != len(cellColumns)-4 || slices.Contains(content.Empty, figure.RandWriteIOPS) {
		t.Errorf("left out: %q", content.Empty)
	}
	for _, row := range rows {
		var values []string
		for _, cell := range row.Cells {
			values = append(values, cell.Value)
		}
		want := map[string][]string{
			"a": {"form", "", figure.SeqWriteCVPercent, ""}, "": {"", "", "", ""}, "b": {"form", "", "", "units"}}[row.Slug]
		if diff := cmp.Diff(want, values); diff != "" {
			t.Errorf("the row %q (-want +got):\n%s", row.Slug, diff)
		}
	}
}

// The templates of rows print these columns themselves, and all others as cells.
func TestARankingBeginsWithItsModuleAndEndsWithItsSource(t *testing.T) {
	t.Parallel()
	columns := ranking.Columns
	ends := []string{columns[0].Key, columns[1].Key, columns[len(columns)-1].Key}
	if diff := cmp.Diff([]string{"rank", "module", "source"}, ends); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(rankingCells(&ranking.Row{})); n != len(columns)-3 {
		t.Errorf("%d cells for %d columns", n, len(columns))
	}
}
