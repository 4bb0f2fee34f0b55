package publish

import (
	"fmt"
	"testing"

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
