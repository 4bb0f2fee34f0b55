package result

import "math"

// Student returns the quantile of Student's distribution with so many degrees of freedom, to ten digits, at a
// probability above 0.5. Above 0 the distribution function is concave, so Newton's steps from 0 never pass the
// quantile.
func Student(probability, freedom float64) (t float64) {
	whole, _ := math.Lgamma((freedom + 1) / 2)
	part, _ := math.Lgamma(freedom / 2)
	top := math.Exp(whole-part) / math.Sqrt(freedom*math.Pi) // the density at 0
	for range 100 {
		at := 1 - incompleteBeta(freedom/2, 0.5, freedom/(freedom+t*t))/2
		density := top * math.Exp(-(freedom+1)/2*math.Log1p(t*t/freedom))
		step := (probability - at) / density
		t += step
		if step <= 1e-12*t {
			break
		}
	}
	return t
}

// incompleteBeta returns the regularized incomplete beta function I_x(a, b), by its continued fraction with Lentz's
// method (NIST Digital Library of Mathematical Functions, 8.17.22, https://dlmf.nist.gov/8.17#v).
func incompleteBeta(a, b, x float64) float64 {
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(b, a, 1-x)
	}
	lab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := range 500 {
		m := float64(i / 2)
		step := 1.0
		switch {
		case i == 0:
		case i%2 == 0:
			step = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			step = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 + step*d
		if math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		c = 1 + step/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		f *= c * d
		if math.Abs(1-c*d) < 1e-14 {
			break
		}
	}
	return front * (f - 1)
}
