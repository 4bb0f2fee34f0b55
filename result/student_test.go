package result_test

import (
	"math"
	"testing"

	"flashdex/result"
)

// Quantiles of the table in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2
// (https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm).
func TestStudent(t *testing.T) {
	for _, of := range []struct{ probability, freedom, want float64 }{
		{0.975, 4, 2.776}, {0.975, 10, 2.228}, {0.95, 1, 6.314}, {0.95, 19, 1.729}, {0.975, 1e6, 1.960}, {0.999, 5, 5.893},
		{0.95, 4, 2.132}, {0.975, 30, 2.042}, {0.90, 7, 1.415},
	} {
		if got := result.Student(of.probability, of.freedom); math.Abs(got-of.want) > 5.01e-4 {
			t.Errorf("t(%v, %v) = %.4f, want %.4f", of.probability, of.freedom, got, of.want)
		}
	}
}
