package result

import "math"

// skewWidening returns the factors, at least 1, by which the slower and the faster side of a symmetric interval of the
// mean must grow. A few batches far above the others suggest that slower ones exist that the test didn't meet. The
// method is the cube-root transformation of Student's t (Hall 1992; Willink 2005).
func skewWidening(means []float64) (slower, faster float64) {
	n := float64(len(means))
	center := average(means)
	var squares, cubes float64
	for _, m := range means {
		d := m - center
		squares += d * d
		cubes += d * d * d
	}
	if squares == 0 {
		return 1, 1
	}
	skewness := n / ((n - 1) * (n - 2)) * cubes / math.Pow(squares/(n-1), 1.5)
	a := skewness / (6 * math.Sqrt(n))
	const symmetric = 1e-6 // below it the transformation is the identity, and numerically unstable
	if math.Abs(a) < symmetric {
		return 1, 1
	}
	transformed := func(t float64) float64 { return (math.Cbrt(1+6*a*(t-a)) - 1) / (2 * a) }
	return max(-transformed(-tQuantile)/tQuantile, 1), max(transformed(tQuantile)/tQuantile, 1)
}
