package model

import (
	"math"
	"slices"
)

// Module is what the shares of one module tell.
type Module struct {
	Contributors int     // of uploads
	HeldBack     float64 // the part of its shares that a host held back
	Cells        []Cell  // one for each class that it was measured in, in their order
	theta        float64 // θ
	own, units   float64 // v_own and v_units with v_shape
	rows         int     // contributors; without uploads authors, at most 2
}

// Cell is what a module showed in one class.
type Cell struct {
	Class        int
	Contributors int
	Mean         float64 // ȳ
	Share        float64 // a: its part of θ
	kept         float64 // B: how much of what was seen there is the module's own there
}

// Estimate is a figure of a module: the logarithm of a rate, and how sure it is.
type Estimate struct {
	LogRate float64
	// Variances: of what only this module knows, and of the effects of hosts.
	Own, Hosts float64
	Freedom    float64 // ν
	// loading is how the figure hangs on each effect: an error of it moves the figure by so many times that error.
	loading []float64
}

// leastFreedom is that of any estimate.
const leastFreedom = 4

// rounds of (3) that make a module from its shares. It moves by less than a millionth after them.
const rounds = 30

// Module sums up the shares of a module. ok is false if there are none.
func (c *Calibration) Module(shares []Share) (m Module, ok bool) {
	if len(shares) == 0 {
		return Module{}, false
	}
	m = c.counted(shares)
	if m.HeldBack == 1 { // nothing tells how far up it goes: the figure is what the hosts carry
		shares = slices.Clone(shares)
		for i := range shares {
			shares[i].HeldBack = false
		}
	}
	f := c.fittedOf(shares)
	for range rounds {
		c.settle(&f)
	}
	shape := c.centers(&f, shares)
	if m.Contributors >= RankedFrom { // published figures leave
		for i := range f.cells {
			if at := &f.cells[i]; c.Classes[at.class].Published && c.hasEffects() {
				at.q = 0
			}
		}
		c.center(&f)
	}
	m.theta, m.own = f.theta, 1/f.q
	for i := range f.cells {
		at := &f.cells[i]
		share := at.q / f.q
		m.units += share * share / at.weight
		m.Cells = append(m.Cells, Cell{at.class, contributorsOf(at.shares), at.mean, share, c.Tau2 * at.q})
	}
	if m.Contributors >= shapeFrom {
		off := f.theta - shape
		extra := max(off*off-m.units/2, 0)
		m.own, m.units = m.own+extra, m.units+extra
	}
	return m, true
}

// shapeFrom is how many contributors it takes to see that center and median differ: two kinds under one name.
const shapeFrom = 6

// counted counts contributors and shares.
func (c *Calibration) counted(shares []Share) (m Module) {
	uploaders, authors, held := map[uint64]bool{}, 0, 0
	for i := range shares {
		if s := &shares[i]; c.Classes[s.Class].Published {
			authors++
		} else {
			uploaders[s.Contributor] = true
		}
		if shares[i].HeldBack {
			held++
		}
	}
	m.Contributors, m.HeldBack = len(uploaders), float64(held)/float64(len(shares))
	if m.rows = m.Contributors; m.rows == 0 {
		m.rows = min(authors, 2)
	}
	return m
}

// centers is the median of what the shares say of the module.
func (c *Calibration) centers(f *fitted, shares []Share) float64 {
	left := make([]float64, 0, len(shares))
	for i := range f.cells {
		for _, s := range f.cells[i].shares {
			left = append(left, s.LogRate-c.effect(f.cells[i].class)-f.cells[i].own)
		}
	}
	return median(left)
}

func contributorsOf(shares []Share) (n int) {
	for i := range shares {
		if i == 0 || shares[i].Contributor != shares[i-1].Contributor {
			n++
		}
	}
	return n
}

// Standard is (7): the figure of a module in the standard mix of hosts.
func (c *Calibration) Standard(m *Module) Estimate {
	e := Estimate{LogRate: m.theta, Own: m.own, loading: make([]float64, len(c.Classes))}
	if c.hasEffects() {
		for h, class := range c.Classes {
			e.loading[h] = class.Mix
			e.LogRate += class.Mix * c.Effects[h]
		}
		for _, at := range m.Cells {
			e.loading[at.Class] -= at.Share
		}
		e.Hosts = quadratic(c.Covariance, e.loading)
	}
	v := e.Variance()
	// What the variances are worth: of cards by the module's contributors, of hosts and interactions by the calibration.
	e.Freedom = max(v*v/(m.units*m.units/float64(m.rows+3)+(v-m.units)*(v-m.units)/12), leastFreedom)
	return e
}

// In is (8): the figure of a module in one class of hosts. measured tells whether it was measured there, else it is
// foretold from others.
func (c *Calibration) In(m *Module, class int) (e Estimate, measured bool) {
	var at Cell
	for _, x := range m.Cells {
		if x.Class == class {
			at, measured = x, true
		}
	}
	b := at.kept
	e = Estimate{
		LogRate: b*at.Mean + (1-b)*(m.theta+c.effect(class)),
		Own:     c.Tau2*(1-b) + (1-b)*(1-b)*m.own,
		Freedom: max(float64(m.rows+3), leastFreedom),
		loading: make([]float64, len(c.Classes)),
	}
	if c.hasEffects() {
		e.loading[class] = 1 - b
		for _, x := range m.Cells {
			e.loading[x.Class] -= (1 - b) * x.Share
		}
		e.Hosts = quadratic(c.Covariance, e.loading)
	}
	return e, measured
}

// Variance is that of the logarithm.
func (e Estimate) Variance() float64 { return e.Own + e.Hosts }

// Interval returns the ends of the interval of the logarithm that holds with a probability.
func (e Estimate) Interval(probability float64) (low, high float64) {
	half := student((1+probability)/2, e.Freedom) * math.Sqrt(e.Variance())
	return e.LogRate - half, e.LogRate + half
}

// atLeastFrom is the part of shares held back from which on a figure is only "at least" its lower end.
const atLeastFrom = 1.0 / 3

// AtLeast reports whether hosts held so many of the shares back that only the lower end of the interval is known.
func (m *Module) AtLeast() bool { return m.HeldBack >= atLeastFrom }

// Verdict is what can be said about a promise.
type Verdict int

// The verdicts. CantTell is the zero value.
const (
	CantTell Verdict = iota
	Reached
	NotReached
)

// verdictSure is the probability of either end of the interval that a verdict needs.
const verdictSure = 0.95

// Verdict compares a figure with a promise on its logarithm.
func (e Estimate) Verdict(promise float64) Verdict {
	switch low, high := e.Interval(2*verdictSure - 1); {
	case low >= promise:
		return Reached
	case high < promise:
		return NotReached
	}
	return CantTell
}
