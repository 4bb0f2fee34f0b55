package model

import (
	"math"
	"slices"
	"strings"
)

// clippedSquare is the mean of min(x², 1) for a standard normal x: Φ(1)-Φ(-1) - 2φ(1) + 2(1-Φ(1)).
const clippedSquare = 0.5160585508

// Limits of Calibrate: rounds, and the change of a logarithm that ends them.
const (
	maxRounds = 40
	precision = 1e-3
)

// Calibrate estimates what modules have in common from the shares of all modules. The order of a module's shares makes
// no difference. The order of the modules can change the last digits, so callers must keep to one order. The Mix of all
// classes must sum to 1.
func Calibrate(modules [][]Share, classes []Class, assumed Assumption) *Calibration {
	c := &Calibration{
		Assumption: assumed, Classes: classes, Phi2: assumed.Cards * assumed.Cards,
		Tau2: assumed.Interaction * assumed.Interaction, Sigma2: assumed.Hosts * assumed.Hosts,
		Effects: make([]float64, len(classes)), Covariance: newMatrix(len(classes), len(classes)),
	}
	if c.hasEffects() {
		c.Joined = joined(modules, classes)
	} else {
		c.Carries = carries(modules, len(classes))
	}
	var all []fitted
	for _, shares := range modules {
		if len(shares) > 0 {
			all = append(all, c.fittedOf(c.heldBack(shares)))
		}
		c.Shares += int(contributorsOf(shares))
	}
	c.Modules = len(all)
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
		phi2 := c.phi2(all) // (5) including the rates that (6) is about
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
	var variances []weighted
	n := 0.0
	for _, shares := range modules {
		for i := range shares {
			if s := &shares[i]; s.Cards > 1 {
				variances = append(variances, weighted{s.Scatter / float64(s.Cards-1), float64(s.Contributors)})
				n += float64(s.Contributors)
			}
		}
	}
	sum, weight := c.WithinWeight*c.Within*c.Within, c.WithinWeight
	if n > 0 {
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
	a, b := newMatrix(k, k), make([]float64, k)
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
	parents := parentsOf(c.Classes)
	for h, class := range c.Classes { // before anybody measured, an effect is normal around that of the parent, else 0
		sure := 1 / (class.Spread * c.Sigma2)
		a[h][h] += sure
		if p := parents[h]; p >= 0 {
			a[p][p] += sure
			a[h][p] -= sure
			a[p][h] -= sure
		}
	}
	c.Covariance = inverse(a)
	for h := range c.Classes {
		c.Effects[h] = dot(c.Covariance[h], b)
	}
	sum := c.HostsWeight * c.Hosts * c.Hosts
	for h, class := range c.Classes {
		off, v := c.Effects[h], c.Covariance[h][h]
		if p := parents[h]; p >= 0 {
			off, v = off-c.Effects[p], v+c.Covariance[p][p]-2*c.Covariance[h][p]
		}
		sum += (off*off + v) / class.Spread
	}
	c.Sigma2 = sum / (c.HostsWeight + float64(k))
}

// parentsOf returns, for each class, the index of the finest other class that it is part of, by their keys; -1: none.
func parentsOf(classes []Class) []int {
	at := map[string]int{}
	for h, class := range classes {
		at[class.Key] = h
	}
	parents := make([]int, len(classes))
	for h, class := range classes {
		parents[h] = -1
		for key := class.Key; parents[h] < 0; {
			end := strings.LastIndexByte(key, '/')
			if end < 0 {
				break
			}
			key = key[:end]
			if p, known := at[key]; known {
				parents[h] = p
			}
		}
	}
	return parents
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
					clipped += float64(s.Contributors) * min(r*r/c.variance(s), 1)
				}
			}
		}
		freedom += max(f.shares-parameters, 0)
	}
	return (c.CardsWeight*c.Cards*c.Cards + c.Phi2*clipped/clippedSquare) / (c.CardsWeight + freedom)
}

// tau2 is (6): the spread of what modules do in one class and no other. It is Paule and Mandel's estimate, clipped in
// the same way as (5), from modules measured in two or more classes.
func (c *Calibration) tau2(all []fitted) float64 {
	if !c.hasEffects() {
		return c.Tau2
	}
	type part struct{ error2, off float64 } // 1/N; ȳ - H
	var several [][]part
	cells, seen := 0, make([]bool, len(c.Classes))
	for i := range all {
		if f := &all[i]; len(f.cells) > 1 {
			parts := make([]part, len(f.cells))
			for j := range f.cells {
				x := &f.cells[j]
				n := 0.0
				for l := range x.shares {
					n += float64(x.shares[l].Contributors) / c.variance(&x.shares[l])
				}
				parts[j], seen[x.class] = part{1 / n, x.mean - c.effect(x.class)}, true
			}
			several, cells = append(several, parts), cells+len(parts)
		}
	}
	k := 0.0 // subclasses and published figures cost nothing if nobody measured there
	for h, parent := range parentsOf(c.Classes) {
		if seen[h] || parent < 0 && !c.Classes[h].Published {
			k++
		}
	}
	kept := max(1-(k-1)/max(float64(cells), k), 0.1)
	// excess compares the scatter with the scatter to expect from the interaction's variance t. It falls with t.
	excess := func(t float64) float64 {
		scatter := c.InteractionWeight * c.Interaction * c.Interaction / max(t, 1e-6)
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
				scatter += free * min(own*(p.off-mean)*(p.off-mean)/free, 1) / clippedSquare
				expected += free * kept
			}
		}
		return scatter - expected
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

// A class of hosts carries the 95th percentile of the modules' fastest shares in it, if enough modules were measured
// there. Shares from 80 % of that on count as held back.
const (
	carriedBy    = 0.95
	carriedFrom  = 20 // modules
	HeldBackFrom = 0.8
)

var nearLimit = math.Log(HeldBackFrom)

func carries(modules [][]Share, classes int) []float64 {
	fastest := make([][]float64, classes)
	for _, shares := range modules {
		of := map[int]float64{}
		for i := range shares {
			s := &shares[i]
			if top, seen := of[s.Class]; !seen || s.LogRate > top {
				of[s.Class] = s.LogRate
			}
		}
		for class, top := range of {
			fastest[class] = append(fastest[class], top)
		}
	}
	limits := make([]float64, classes)
	for h, tops := range fastest {
		if limits[h] = math.MaxFloat64; len(tops) >= carriedFrom {
			slices.Sort(tops)
			limits[h] = tops[int(carriedBy*float64(len(tops)-1))]
		}
	}
	return limits
}

// joinedBy is how many modules that were measured in both of two classes connect the classes.
const joinedBy = 3

// joined reports, for each class, whether it is in the standard mix or connected with it, directly or through other
// classes.
func joined(modules [][]Share, classes []Class) []bool {
	both := newMatrix(len(classes), len(classes))
	for _, shares := range modules {
		measured := map[int]bool{}
		for i := range shares {
			measured[shares[i].Class] = true
		}
		for a := range measured {
			for b := range measured {
				both[a][b]++
			}
		}
	}
	joined := make([]bool, len(classes))
	var join func(h int)
	join = func(h int) {
		joined[h] = true
		for other, modules := range both[h] {
			if modules >= joinedBy && !joined[other] {
				join(other)
			}
		}
	}
	for h, class := range classes {
		if class.Mix > 0 && !joined[h] {
			join(h)
		}
	}
	return joined
}

// Ranked reports whether a module has a place: enough contributors measured it, in hosts that other modules connect
// with the standard mix.
func (c *Calibration) Ranked(m *Module) bool { return m.Contributors >= RankedFrom && c.Connected(m) }

// Connected reports whether other modules connect one of the hosts that a module was measured in with the standard mix.
func (c *Calibration) Connected(m *Module) bool {
	return !c.hasEffects() || slices.ContainsFunc(m.Cells, func(at Cell) bool { return c.Joined[at.Class] })
}

// hostsOfVerdict is how many contributors must own hosts of a class before modules are compared with promises in it.
const hostsOfVerdict = 20

// Fastest returns the class in which modules are compared with promises: the fastest one that enough contributors own.
// ok is false if there is none, or if hosts only hold modules back: then the module itself is compared.
func (c *Calibration) Fastest() (class int, ok bool) {
	if !c.hasEffects() {
		return 0, false
	}
	for h := range c.Classes {
		of := &c.Classes[h]
		if !of.Published && of.Contributors >= hostsOfVerdict && (!ok || c.Effects[h] > c.Effects[class]) {
			class, ok = h, true
		}
	}
	return class, ok
}

// A calibration differs from an older one if an effect moved by a quarter of its standard error, a spread or a class's
// rate by 5 %, or a part of the standard mix by a hundredth.
const (
	movedErrors  = 0.25
	movedSpreads = 0.05
	movedMix     = 0.01
)

// Differs reports whether c is worth computing figures again. It is if its classes differ from the older calibration's,
// if other classes are connected by modules or owned by many contributors, or if its effects or spreads have moved.
func (c *Calibration) Differs(old *Calibration) bool {
	same := func(a, b Class) bool {
		many := a.Contributors >= hostsOfVerdict == (b.Contributors >= hostsOfVerdict)
		mixed := math.Abs(a.Mix-b.Mix) <= movedMix // subclasses divide their class's part anew with every contributor
		a.Contributors, b.Contributors, a.Mix, b.Mix = 0, 0, 0, 0
		return a == b && many && mixed
	}
	if !slices.EqualFunc(c.Classes, old.Classes, same) || !slices.Equal(c.Joined, old.Joined) {
		return true
	}
	for h := range c.Effects {
		if math.Abs(c.Effects[h]-old.Effects[h]) > movedErrors*math.Sqrt(old.Covariance[h][h]) {
			return true
		}
	}
	for h := range c.Carries {
		if math.Abs(c.Carries[h]-old.Carries[h]) > movedSpreads {
			return true
		}
	}
	moved := func(now, before float64) bool { return math.Abs(math.Sqrt(now/before)-1) > movedSpreads }
	return moved(c.Phi2, old.Phi2) || moved(c.Tau2, old.Tau2)
}
