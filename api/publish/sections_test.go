package publish

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPagesHoldAtMostTheirRows(t *testing.T) {
	t.Parallel()
	sections := []section[int]{{Label: "one", Rows: make([]int, 450)}, {Label: "none"}, {Label: "two", Rows: make([]int, 150)}}
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
