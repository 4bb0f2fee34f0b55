package model

import (
	"math"

	"flashdex/result"
)

func newMatrix(rows, columns int) [][]float64 {
	matrix, all := make([][]float64, rows), make([]float64, rows*columns)
	for i := range matrix {
		matrix[i] = all[i*columns : (i+1)*columns]
	}
	return matrix
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// quadratic returns x'Ax.
func quadratic(a [][]float64, x []float64) (sum float64) {
	for i := range x {
		if x[i] != 0 {
			sum += x[i] * dot(a[i], x)
		}
	}
	return sum
}

// root returns the lower triangular L with LL' = a (Cholesky). a is symmetric; where it is only semidefinite, rounding
// apart, a column of L is 0.
func root(a [][]float64) [][]float64 {
	n := len(a)
	l := newMatrix(n, n)
	for j := range n {
		pivot := a[j][j] - dot(l[j][:j], l[j][:j])
		if pivot <= 1e-14*a[j][j] {
			continue
		}
		l[j][j] = math.Sqrt(pivot)
		for i := j + 1; i < n; i++ {
			l[i][j] = (a[i][j] - dot(l[i][:j], l[j][:j])) / l[j][j]
		}
	}
	return l
}

// inverse inverts a positive definite matrix by its root.
func inverse(a [][]float64) [][]float64 {
	n := len(a)
	l := root(a)
	half := newMatrix(n, n) // L⁻¹, transposed
	for j := range n {
		half[j][j] = 1 / l[j][j]
		for i := j + 1; i < n; i++ {
			half[j][i] = -dot(l[i][j:i], half[j][j:i]) / l[i][i]
		}
	}
	of := newMatrix(n, n)
	for i := range n {
		for j := range i + 1 {
			of[i][j] = dot(half[i][i:], half[j][i:])
			of[j][i] = of[i][j]
		}
	}
	return of
}

// quantiles holds quantiles of Student's distribution at one probability, for 1 to 199 degrees of freedom. More degrees
// count as infinitely many. Each quantile takes about 2 µs and is computed when it is first needed.
type quantiles struct {
	probability float64
	most, least float64      // the quantiles for the fewest degrees of freedom and for the most
	known       [200]float64 // 0: not yet
}

func newQuantiles(probability float64) *quantiles {
	q := &quantiles{probability: probability}
	q.most, q.least = q.of(leastFreedom), q.of(math.Inf(1))
	return q
}

// allQuantiles computes all quantiles at once, so that they are safe for concurrent use.
func allQuantiles(probability float64) *quantiles {
	q := newQuantiles(probability)
	for i := range q.known {
		q.of(float64(i + 1))
	}
	return q
}

// of returns the quantile for so many degrees, rounded down.
func (q *quantiles) of(freedom float64) float64 {
	i := int(min(max(freedom, 1), float64(len(q.known)))) - 1
	if q.known[i] == 0 {
		if freedom = float64(i + 1); i == len(q.known)-1 {
			freedom = 1e6
		}
		q.known[i] = result.Student(q.probability, freedom)
	}
	return q.known[i]
}
