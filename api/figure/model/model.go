// Package model estimates from the runs of many people a module's figure, how sure it is, and the module's place among
// others. It works on logarithms of rates, on one figure of one method at a time.
//
// The model, for the mean y of one contributor's cards of a module in one class of hosts:
//
//	y = module + class of hosts + what the module does in that class and no other + the contributor's cards
//
// The first term is free. The others are normal around zero, with variances that are learned from all modules together
// (Calibrate), so that a module of one contributor has an interval, too. A contributor who is far off has bounded
// influence (Huber, Robust Estimation of a Location Parameter, Annals of Mathematical Statistics 35, 1964). Only the
// effects of classes couple modules. They are estimated with the modules absorbed (Henderson's mixed-model equations),
// so a system as large as the number of classes is solved, however many modules there are.
//
// A Calibration holds what all modules share. Given one, a module's figure is a function of its own shares
// (Calibration.Module), and a place follows from the differences of modules (Calibration.Places): errors of hosts that
// two modules share cancel there.
//
// Comments call the formulas by numbers:
//
//	(1) the shares, and where a module begins: at their median
//	(2) the variance of a share
//	(3) a module, given the hosts
//	(4) the hosts, the modules absorbed
//	(5) the spread of cards, and (6) of what a module does in one class and no other
//	(7) the figure in the standard mix of hosts, and (8) in one class
//	(9) differences and places
package model

import (
	"cmp"
	"math"
	"slices"
)

// Share is what one contributor's cards of one module showed in one class of hosts.
type Share struct {
	Class        int     // index in Calibration.Classes
	LogRate      float64 // y: mean over the cards of ln(rate); for latencies with the opposite sign
	Cards        int     // n
	Scatter      float64 // sum over the cards of (ln(rate) - y)²
	Error2       float64 // e²: mean squared relative standard error of the runs
	Classes      int     // k: in how many classes the contributor measured the module
	HeldBack     bool    // the host carries no more, or may carry no more
	Contributors int     // how many contributors showed exactly this
}

// Class is a class of hosts, or of hosts and methods of published figures. A class is part of another if its key is the
// other's followed by a slash and more. Its effect is then distributed around the other's.
type Class struct {
	Key          string  `json:"key"`
	Mix          float64 `json:"mix,omitempty"`          // π: its part of the standard mix of hosts; all parts sum to 1
	Spread       float64 `json:"spread"`                 // u: its effect's variance, in those of an ordinary class
	Published    bool    `json:"published,omitempty"`    // its figures are left out once enough contributors measured
	Contributors int     `json:"contributors,omitempty"` // contributors who own such a host
}

// Assumption stands in for measurements before there are any. Spreads are standard deviations of logarithms; the
// weights say how many contributors or classes it takes to outweigh them.
type Assumption struct {
	Cards, CardsWeight             float64 // φ: between contributors' cards
	Within, WithinWeight           float64 // ω: between one contributor's cards
	Interaction, InteractionWeight float64 // τ: what a module does in one class and no other
	Hosts, HostsWeight             float64 // σ: between classes; Hosts 0: classes differ only in what they hold back
}

// Assumptions for random writes, random reads and linear rates.
var (
	RandomWrites = Assumption{0.30, 20, 0.25, 10, 0.15, 20, 0.35, 6}
	RandomReads  = Assumption{0.20, 20, 0.25, 10, 0.10, 20, 0.35, 6}
	LinearRates  = Assumption{0.30, 20, 0.25, 10, 0.15, 20, 0, 0}
)

// RankedFrom is the number of contributors from which on a module is ranked. One liar among three can't make its
// figure.
const RankedFrom = 3

// Calibration holds what modules share.
type Calibration struct {
	Assumption `json:"assumption"`
	Classes    []Class `json:"classes"`
	// Spreads as estimated: variances of logarithms.
	Phi2       float64     `json:"phi2"`
	Omega2     float64     `json:"omega2"`
	Tau2       float64     `json:"tau2"`
	Sigma2     float64     `json:"sigma2"`
	Effects    []float64   `json:"effects"`    // H: of each class
	Covariance [][]float64 `json:"covariance"` // V_H: of the errors of Effects
	// Joined says for each class whether modules connect it with the standard mix; nil: classes have no effects.
	Joined []bool `json:"joined,omitempty"`
	// Carries is the logarithm of the rate that hosts of each class carry, huge if it is not known; nil: classes have
	// effects.
	Carries []float64 `json:"carries,omitempty"`
	Shares  int       `json:"shares"` // behind it
	Modules int       `json:"modules"`
}

// sorted returns a module's shares in one fixed order, so that sums are always rounded in the same way.
func sorted(shares []Share) []Share {
	return slices.SortedFunc(slices.Values(shares), func(a, b Share) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.LogRate, b.LogRate), cmp.Compare(a.Cards, b.Cards),
			cmp.Compare(a.Error2, b.Error2), cmp.Compare(a.Classes, b.Classes), cmp.Compare(a.Contributors, b.Contributors))
	})
}

// cell holds the shares of a module in one class.
type cell struct {
	class  int
	shares []Share
	weight float64 // W: Σ w/v
	mean   float64 // ȳ
	q      float64 // 1/(τ² + 1/W)
	own    float64 // g: what the module does in this class and no other
}

// fitted is a module while it is being fitted.
type fitted struct {
	cells  []cell
	shares float64 // how many, equal ones counted
	theta  float64 // θ
	before float64 // θ of the round before
	q      float64 // Q: Σ q
}

// fittedOf divides a module's shares by class. If classes have no effects, all shares are in one cell.
func (c *Calibration) fittedOf(shares []Share) (f fitted) {
	shares = sorted(shares)
	values := make([]weighted, len(shares)) // (1)
	for i, from := 0, 0; i < len(shares); i++ {
		s := &shares[i]
		values[i] = weighted{s.LogRate, float64(s.Contributors)}
		f.shares += float64(s.Contributors)
		class := s.Class
		if !c.hasEffects() {
			class = 0
		}
		if len(f.cells) == 0 || f.cells[len(f.cells)-1].class != class {
			f.cells, from = append(f.cells, cell{class: class}), i
		}
		f.cells[len(f.cells)-1].shares = shares[from : i+1]
	}
	f.theta = median(values)
	return f
}

func (c *Calibration) hasEffects() bool { return c.Hosts > 0 }

func (c *Calibration) effect(class int) float64 {
	if !c.hasEffects() {
		return 0
	}
	return c.Effects[class]
}

// variance is (2): how far one contributor's mean lies from what the module does in the class. Each contributor weighs
// one, even if they measured the module in several classes.
func (c *Calibration) variance(s *Share) float64 {
	alike := min(c.Omega2/c.Phi2, 0.8) * (1 - 1/float64(s.Cards))
	return c.Phi2*(1-alike)*float64(s.Classes) + s.Error2
}

// settle is (3): the module, given everything else. A share that a host held back only pulls up, never down.
func (c *Calibration) settle(f *fitted) {
	for i := range f.cells {
		at := &f.cells[i]
		base := c.effect(at.class) + f.theta + at.own
		var weight, sum float64
		for j := range at.shares {
			s := &at.shares[j]
			v, r := c.variance(s), s.LogRate-base
			w := float64(s.Contributors)
			if r*r > v {
				w *= math.Sqrt(v) / math.Abs(r)
			}
			if s.HeldBack && r < 0 {
				w = float64(s.Contributors) * 1e-6
			}
			weight += w / v
			sum += w / v * s.LogRate
		}
		at.weight, at.mean = weight, sum/weight
		at.q = 1 / (c.Tau2 + 1/weight)
	}
	c.center(f)
}

// center is the rest of (3): θ and the interactions from the means of the cells.
func (c *Calibration) center(f *fitted) {
	var q, sum float64
	for i := range f.cells {
		at := &f.cells[i]
		q += at.q
		sum += at.q * (at.mean - c.effect(at.class))
	}
	f.q, f.theta = q, sum/q
	for i := range f.cells {
		at := &f.cells[i]
		at.own = c.Tau2 * at.q * (at.mean - c.effect(at.class) - f.theta)
	}
}

// weighted is a value and how many times it counts.
type weighted struct{ value, weight float64 }

// median sorts values and returns the middle one, or the mean of the two in the middle.
func median(values []weighted) float64 {
	slices.SortFunc(values, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	var half, sum float64
	for _, v := range values {
		half += v.weight / 2
	}
	for i, v := range values {
		if sum += v.weight; sum > half {
			return v.value
		} else if sum == half && i+1 < len(values) {
			return (v.value + values[i+1].value) / 2
		}
	}
	return values[len(values)-1].value
}
