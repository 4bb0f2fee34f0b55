package model

import "math"

// clippedSquare is what min(x², 1) is on average for a standard normal x: Φ(1)-Φ(-1) - 2φ(1) + 2(1-Φ(1)).
const clippedSquare = 0.5160585508

// Limits of Calibrate: rounds, and the change of a logarithm that ends them.
const (
	maxRounds = 40
	precision = 1e-3
)

// Calibrate estimates what modules share from the shares of all. The order of a module's shares makes no difference.
// That of the modules can change the last digits, so callers keep to one. The parts of the standard mix in classes have
// to sum to 1.
func Calibrate(modules [][]Share, classes []Class, assumed Assumption) *Calibration {
	c := &Calibration{
		Assumption: assumed, Classes: classes, Phi2: assumed.Cards * assumed.Cards,
		Tau2: assumed.Interaction * assumed.Interaction, Sigma2: assumed.Hosts * assumed.Hosts,
		Effects: make([]float64, len(classes)), Covariance: newMatrix(len(classes)),
	}
	var all []fitted
	contributors := map[uint64]bool{}
	for _, shares := range modules {
		if len(shares) > 0 {
			all = append(all, c.fittedOf(shares))
		}
		for i := range shares {
			contributors[shares[i].Contributor] = true
		}
	}
	c.Modules, c.Contributors = len(all), len(contributors)
	c.Omega2 = c.within(modules)
	for range maxRounds {
		moved := 0.0
		for i := range all {
			before := all[i].theta
			for range 3 {
				c.settle(&all[i])
			}
			all[i].before = before
		}
		c.setEffects(all)
		for i := range all {
			c.center(&all[i])
			moved = max(moved, math.Abs(all[i].theta-all[i].before))
		}
		phi2 := c.phi2(all) // (5) of the rates that (6) is about, too
		c.Tau2 = c.tau2(all)
		c.Phi2 = phi2
		if moved < precision {
			break
		}
	}
	return c
}

// within is ω² of (2).
func (c *Calibration) within(modules [][]Share) float64 {
	var variances []float64
	for _, shares := range modules {
		for i := range shares {
			if n := shares[i].Cards; n > 1 {
				variances = append(variances, shares[i].Scatter/float64(n-1))
			}
		}
	}
	sum, weight := c.WithinWeight*c.Within*c.Within, c.WithinWeight
	if n := float64(len(variances)); n > 0 {
		sum, weight = sum+1.5*n*median(variances), weight+n
	}
	return sum / weight
}

// setEffects is (4): the effects of classes, with the modules absorbed, and their spread.
func (c *Calibration) setEffects(all []fitted) {
	if !c.hasEffects() {
		return
	}
	k := len(c.Classes)
	a, b := newMatrix(k), make([]float64, k)
	for i := range all {
		f := &all[i]
		mean := 0.0
		for j := range f.cells {
			mean += f.cells[j].q * f.cells[j].mean
		}
		mean /= f.q
		for j := range f.cells {
			x := &f.cells[j]
			a[x.class][x.class] += x.q
			b[x.class] += x.q * (x.mean - mean)
			for l := range f.cells {
				a[x.class][f.cells[l].class] -= x.q * f.cells[l].q / f.q
			}
		}
	}
	for h, class := range c.Classes {
		a[h][h] += 1 / (class.Spread * c.Sigma2)
	}
	c.Covariance = inverse(a)
	sum := c.HostsWeight * c.Hosts * c.Hosts
	for h, class := range c.Classes {
		c.Effects[h] = dot(c.Covariance[h], b)
		sum += (c.Effects[h]*c.Effects[h] + c.Covariance[h][h]) / class.Spread
	}
	c.Sigma2 = sum / (c.HostsWeight + float64(k))
}

// phi2 is (5): the spread of contributors' cards, by Huber's proposal 2.
func (c *Calibration) phi2(all []fitted) float64 {
	var clipped, freedom float64
	for i := range all {
		f := &all[i]
		parameters := 1.0
		for j := range f.cells {
			x := &f.cells[j]
			parameters += c.Tau2 * x.q * (1 - x.q/f.q)
			base := c.effect(x.class) + f.theta + x.own
			for l := range x.shares {
				s := &x.shares[l]
				if r := s.LogRate - base; !s.HeldBack || r > 0 {
					clipped += min(r*r/c.variance(s, x.spread[l]), 1)
				}
			}
		}
		freedom += max(float64(f.shares)-parameters, 0)
	}
	return (c.CardsWeight*c.Cards*c.Cards + c.Phi2*clipped/clippedSquare) / (c.CardsWeight + freedom)
}

// tau2 is (6): the spread of what modules do in one class and no other, by Paule and Mandel's estimate, clipped in the
// same way as (5), from modules of two classes or more.
func (c *Calibration) tau2(all []fitted) float64 {
	if !c.hasEffects() {
		return c.Tau2
	}
	type part struct{ error2, off float64 } // 1/N; ȳ - H
	var several [][]part
	cells := 0
	for i := range all {
		if f := &all[i]; len(f.cells) > 1 {
			parts := make([]part, len(f.cells))
			for j := range f.cells {
				x := &f.cells[j]
				n := 0.0
				for l := range x.shares {
					n += 1 / c.variance(&x.shares[l], x.spread[l])
				}
				parts[j] = part{1 / n, x.mean - c.effect(x.class)}
			}
			several, cells = append(several, parts), cells+len(parts)
		}
	}
	k := float64(len(c.Classes))
	kept := max(1-(k-1)/max(float64(cells), k), 0.1)
	// excess compares the scatter with the one that the interaction's variance t leads one to expect. It falls with t.
	excess := func(t float64) float64 {
		seen := c.InteractionWeight * c.Interaction * c.Interaction / max(t, 1e-6)
		expected := c.InteractionWeight
		for _, parts := range several {
			var q, mean float64
			for _, p := range parts {
				q += 1 / (t + p.error2)
				mean += p.off / (t + p.error2)
			}
			mean /= q
			for _, p := range parts {
				own := 1 / (t + p.error2)
				free := max(1-own/q, 1e-6)
				seen += free * min(own*(p.off-mean)*(p.off-mean)/free, 1) / clippedSquare
				expected += free * kept
			}
		}
		return seen - expected
	}
	low, high := 0.0, 1.0
	for range 25 {
		if t := (low + high) / 2; excess(t) > 0 {
			low = t
		} else {
			high = t
		}
	}
	return (low + high) / 2
}
