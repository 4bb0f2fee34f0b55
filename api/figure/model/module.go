package model

import (
	"math"
	"slices"

	"flashdex/result"
)

// Module is what the shares of one module tell.
type Module struct {
	LogRate      float64 `json:"log_rate"`            // θ
	Own          float64 `json:"own"`                 // v_own
	Units        float64 `json:"units"`               // v_units with v_shape
	Contributors int     `json:"contributors"`        // of uploads
	Rows         int     `json:"rows"`                // contributors; without uploads authors, at most 2
	HeldBack     float64 `json:"held_back,omitempty"` // the part of its uploads, else of all shares, that a host held back
	Cells        []Cell  `json:"cells"`               // one for each class that it was measured in, in their order
}

// Cell is what a module showed in one class.
type Cell struct {
	Class        int     `json:"class"`
	Contributors int     `json:"contributors"`
	Mean         float64 `json:"mean"`  // ȳ
	Share        float64 `json:"share"` // a: its part of θ
	Kept         float64 `json:"kept"`  // B: how much of the effect seen there is the module's own
}

// Estimate is a figure of a module: the logarithm of a rate, and how sure it is.
type Estimate struct {
	LogRate float64
	// Variances due to what only this module knows, and due to the effects of hosts.
	Own, Hosts float64
	Freedom    float64 // ν
	AtLeast    bool    // hosts held the module back: only the lower end of the interval is known
	// loading is how strongly the figure depends on each effect: an error of the effect moves the figure by loading
	// times the error.
	loading []float64
}

// leastFreedom is the least degrees of freedom of an estimate.
const leastFreedom = 4

// (3) is repeated until a module moves by less than settled, at most rounds times. If two contributors contradict each
// other by far, both pull equally hard, wherever the module stands between them. It then moves slowly from the middle
// towards the one with less error, until rounds ends that.
const (
	rounds  = 30
	settled = 1e-9
)

// Module sums up the shares of a module. ok is false if there are none.
func (c *Calibration) Module(shares []Share) (m Module, ok bool) {
	if len(shares) == 0 {
		return Module{}, false
	}
	shares = c.heldBack(shares)
	if m = c.counted(shares); m.Contributors >= RankedFrom { // published figures no longer count
		shares = slices.DeleteFunc(shares, func(s Share) bool { return c.Classes[s.Class].Published })
		m = c.counted(shares)
	}
	if m.HeldBack == 1 { // nobody knows how fast it is: the figure is what the hosts carry
		for i := range shares {
			shares[i].HeldBack = m.Contributors > 0 && c.Classes[shares[i].Class].Published
		}
	}
	f := c.fittedOf(shares)
	for range rounds {
		before := f.theta
		if c.settle(&f); math.Abs(f.theta-before) < settled {
			break
		}
	}
	shape := c.centers(&f, shares)
	m.LogRate, m.Own = f.theta, 1/f.q
	for i := range f.cells {
		at := &f.cells[i]
		share := at.q / f.q
		m.Units += share * share / at.weight
		m.Cells = append(m.Cells, Cell{at.class, int(contributorsOf(at.shares)), at.mean, share, c.Tau2 * at.q})
	}
	if !c.hasEffects() {
		m.Cells = cellsOf(f.cells[0].shares)
	}
	if m.Contributors >= shapeFrom {
		off := f.theta - shape
		extra := max(off*off-m.Units/2, 0)
		m.Own, m.Units = m.Own+extra, m.Units+extra
	}
	return m, true
}

// cellsOf divides sorted shares by class, if classes have no effects. In the fit all of them are one cell.
func cellsOf(shares []Share) (cells []Cell) {
	all := contributorsOf(shares)
	for len(shares) > 0 {
		class := shares[0].Class
		end := slices.IndexFunc(shares, func(s Share) bool { return s.Class != class })
		if end < 0 {
			end = len(shares)
		}
		at := Cell{Class: class, Contributors: int(contributorsOf(shares[:end]))}
		for i := range shares[:end] {
			at.Mean += shares[i].LogRate * float64(shares[i].Contributors) / float64(at.Contributors)
		}
		at.Share = float64(at.Contributors) / all
		cells, shares = append(cells, at), shares[end:]
	}
	return cells
}

// shapeFrom is how many contributors it takes to see that center and median differ, as they do if two kinds of module
// have one name.
const shapeFrom = 6

// heldBack returns a copy of shares that also marks shares near their class's rate as held back.
func (c *Calibration) heldBack(shares []Share) []Share {
	shares = slices.Clone(shares)
	for i := range shares {
		if s := &shares[i]; c.Carries != nil && s.LogRate >= c.Carries[s.Class]+nearLimit {
			s.HeldBack = true
		}
	}
	return shares
}

// counted counts contributors, and the part of the shares that was held back: of uploads if there are any.
func (c *Calibration) counted(shares []Share) (m Module) {
	var contributors, held, shown [2]float64 // of uploads, of published figures
	for i := range shares {
		s, of, n := &shares[i], 0, float64(shares[i].Contributors)
		if c.Classes[s.Class].Published {
			of = 1
		}
		contributors[of] += n / float64(s.Classes)
		if shown[of] += n; s.HeldBack {
			held[of] += n
		}
	}
	m.Contributors = int(math.Round(contributors[0]))
	m.Rows, m.HeldBack = m.Contributors, held[0]/shown[0]
	if m.Contributors == 0 {
		m.Rows, m.HeldBack = min(int(math.Round(contributors[1])), 2), held[1]/shown[1]
	}
	return m
}

func contributorsOf(shares []Share) (n float64) {
	for i := range shares {
		n += float64(shares[i].Contributors)
	}
	return n
}

// centers returns the median of the module's values according to its shares.
func (c *Calibration) centers(f *fitted, shares []Share) float64 {
	left := make([]weighted, 0, len(shares))
	for i := range f.cells {
		for _, s := range f.cells[i].shares {
			value := s.LogRate - c.effect(f.cells[i].class) - f.cells[i].own
			left = append(left, weighted{value, float64(s.Contributors)})
		}
	}
	return median(left)
}

// Standard is (7): the figure of a module in the standard mix of hosts.
func (c *Calibration) Standard(m *Module) Estimate {
	e := Estimate{LogRate: m.LogRate, Own: m.Own, AtLeast: m.AtLeast(), loading: make([]float64, len(c.Classes))}
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
	// The degrees of freedom of the cards' variance come from the module's contributors, the ones of hosts and
	// interactions from the calibration.
	e.Freedom = max(v*v/(m.Units*m.Units/float64(m.Rows+3)+(v-m.Units)*(v-m.Units)/12), leastFreedom)
	return e
}

// Reaching returns the part of a module's cards, from 0 to 1, that reach a rate, given by its logarithm. The card of
// one more contributor differs from the estimate by the spread of cards (φ) and by the estimate's error.
func (c *Calibration) Reaching(e Estimate, logRate float64) float64 {
	return math.Erfc((logRate-e.LogRate)/math.Sqrt(2*(c.Phi2+e.Variance()))) / 2
}

// In is (8): the figure of a module in one class of hosts. measured reports whether it was measured there; else it is
// foretold from other classes. If hosts only hold modules back, the figure is at most what the class carries.
func (c *Calibration) In(m *Module, class int) (e Estimate, measured bool) {
	var at Cell
	for _, x := range m.Cells {
		if x.Class == class {
			at, measured = x, true
		}
	}
	if !c.hasEffects() {
		e = c.Standard(m)
		e.LogRate = min(e.LogRate, c.Carries[class])
		return e, measured
	}
	b := at.Kept
	e = Estimate{
		LogRate: b*at.Mean + (1-b)*(m.LogRate+c.Effects[class]),
		Own:     c.Tau2*(1-b) + (1-b)*(1-b)*m.Own,
		Freedom: max(float64(m.Rows+3), leastFreedom),
		loading: make([]float64, len(c.Classes)),
	}
	e.loading[class] = 1 - b
	for _, x := range m.Cells {
		e.loading[x.Class] -= (1 - b) * x.Share
	}
	e.Hosts = quadratic(c.Covariance, e.loading)
	return e, measured
}

// Variance is the variance of the logarithm.
func (e Estimate) Variance() float64 { return e.Own + e.Hosts }

// Interval returns the ends of the logarithm's interval at a probability.
func (e Estimate) Interval(probability float64) (low, high float64) {
	half := result.Student((1+probability)/2, e.Freedom) * math.Sqrt(e.Variance())
	return e.LogRate - half, e.LogRate + half
}

// atLeastFrom is the part of held-back shares from which on a figure is only "at least" its lower end.
const atLeastFrom = 1.0 / 3

// AtLeast reports whether hosts held back so many shares that only the lower end of the interval is known.
func (m *Module) AtLeast() bool { return m.HeldBack >= atLeastFrom }

// Verdict says whether a figure keeps a promise.
type Verdict int

// The verdicts. CantTell is the zero value.
const (
	CantTell Verdict = iota
	Reached
	NotReached
)

// verdictSure is the probability with which each end of the interval must hold for a verdict.
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
