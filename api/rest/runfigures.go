package rest

import (
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
