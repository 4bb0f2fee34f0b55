package result

import (
	"math"
	"slices"
)

// Median sorts values and returns the middle one, or the mean of the two in the middle. It is NaN if there are none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
