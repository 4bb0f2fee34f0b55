package publish

import (
	"math"

	"flashdex/api/page"
	"flashdex/result"
)

func counted(n int, noun string) string { return page.Counted(n, noun) }

// exact writes a count or a capacity: a whole number with all of its digits.
func exact(v float64) string {
	if v == math.Trunc(v) {
		return result.Count(int(v))
	}
	return result.Number(v)
}
