package result_test

import (
	"math"
	"testing"

	"flashdex/result"
)

// The values of R's prop.test(x, n, correct = FALSE).
func TestProportion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found, n  int
		low, high float64
	}{
		{0, 0, 0, 1}, {0, 1, 0, 0.7934507}, {1, 1, 0.2065493, 1}, {7, 51, 0.0681110, 0.2572169}, {5, 10, 0.2365931, 0.7634069},
		{448, 448, 0.9914982, 1},
	} {
		low, high := result.Proportion(c.found, c.n)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("%d of %d: %.7f to %.7f, want %.7f to %.7f", c.found, c.n, low, high, c.low, c.high)
		}
	}
}
