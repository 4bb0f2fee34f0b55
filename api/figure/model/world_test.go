package model_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"flashdex/api/figure/model"
)

// known is how many classes the standard mix has. Two more classes are connected with nothing.
const known = 10

// world describes a world with a known truth. All spreads are standard deviations of logarithms.
type world struct {
	name        string
	modules     int
	host        float64   // between classes of hosts
	confounded  float64   // the part of a module's contributors who have the same class of hosts
	each        int       // contributors of each module; 0: many for a few modules, few for many
	wrong       float64   // the part of contributors' values that are off by a factor of 2.7 or 4.5
	liars       float64   // the part of contributors who multiply a fifth of the modules by 2.7
	spread      float64   // between modules
	fastInFast  bool      // fast modules are bought for fast hosts
	coarse      bool      // hosts are classified half as finely as they differ
	refined     bool      // the same, but there is evidence for the parts: each is a class around that of two
	carries     []float64 // linear rates: what classes carry at most, as logarithms
	plain       bool      // no command queue, no two kinds under one name, no class that nothing connects
	interaction float64
	density     float64 // contributors per module on average; 0: 12
	tail        float64 // how steeply that falls from the most measured module on; 0: 1.1
}

// card is one card as a contributor measured it.
type card struct {
	module, contributor, class int
	value                      float64
	held                       bool
}

// drawn is a world with random values.
type drawn struct {
	world
	cards  []card
	truth  []float64   // of each module: the median of honest cards in the standard mix
	inHost [][]float64 // the same in each class
	island []bool
}

// withDefaults sets values that a world leaves out.
func (w world) withDefaults() world {
	if w.spread == 0 {
		w.spread = 0.6
	}
	if w.host == 0 && w.carries == nil {
		w.host = 0.25
	}
	if w.interaction == 0 && w.carries == nil {
		w.interaction = 0.12
	}
	if w.density == 0 {
		w.density, w.tail = 12, 1.1
	}
	return w
}

func (w world) draw(r *rand.Rand) drawn {
	w = w.withDefaults()
	n := w.modules
	effects := make([]float64, known+2)
	for h := range effects {
		effects[h] = r.NormFloat64() * w.host
	}
	center(effects)
	d := drawn{world: w, truth: make([]float64, n), inHost: make([][]float64, n), island: make([]bool, n)}
	own, theta := make([][]float64, n), make([]float64, n)
	sd, gap, second := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		own[i] = make([]float64, known+2)
		for h := range own[i] {
			own[i][h] = r.NormFloat64() * w.interaction
		}
		if !w.plain && r.Float64() < 0.2 { // the command queue
			own[i][0] += 0.4
			own[i][5] += 0.4
		}
		center(own[i])
		theta[i], sd[i] = r.NormFloat64()*w.spread, 0.2+0.15*r.Float64()
		if two := 0.15; w.plain && r.Float64() < 0.1 && w.carries != nil || !w.plain && r.Float64() < two {
			gap[i], second[i] = 0.8, 0.3 // two kinds under one name, 30 % of them 2.2 times as fast
		}
		middle := medianOfTwo(sd[i], gap[i], second[i])
		d.truth[i], d.inHost[i] = theta[i]+middle, make([]float64, known+2)
		for h := range effects {
			d.inHost[i][h] = d.truth[i] + effects[h] + own[i][h]
		}
		d.island[i] = !w.plain && r.Float64() < 0.05
	}
	seats := w.seats(r)
	total := 0
	for _, s := range seats {
		total += s
	}
	people := w.people(r, total)
	favourites := w.favourites(r, theta, effects)
	liar, praised := make([]bool, len(people.host)), make([]bool, n)
	ownHost := make([]float64, len(people.host))
	for c := range people.host {
		liar[c], ownHost[c] = r.Float64() < w.liars, r.NormFloat64()*0.1
	}
	for i := range n {
		praised[i] = w.liars > 0 && r.Float64() < 0.2
	}
	for i := range n {
		island := known
		if r.Float64() < 0.5 {
			island++
		}
		for _, c := range people.seated(r, w, seats[i], favourites[i]) {
			h := people.host[c]
			if d.island[i] {
				h = island
			}
			cards := 1
			if r.Float64() < 0.1 {
				cards = 2 + r.IntN(4)
			}
			wrong, batch := 0.0, r.NormFloat64()*0.5*sd[i]
			if r.Float64() < w.wrong {
				wrong = []float64{-1.5, -1, 1, 1.5}[r.IntN(4)]
			}
			if liar[c] && praised[i] {
				wrong++
			}
			for range cards {
				y := theta[i] + batch + r.NormFloat64()*sd[i]*math.Sqrt(0.75)
				if r.Float64() < second[i] {
					y += gap[i]
				}
				held := false
				if w.carries == nil {
					y += effects[h] + own[i][h] + ownHost[c] + wrong
				} else { // the host only holds back
					top := w.carries[h] + r.NormFloat64()*0.03
					y += wrong
					held, y = y > top-math.Log(1/0.8), min(y, top)
				}
				y += r.NormFloat64() * (0.02 + 0.06*r.Float64())
				if w.coarse && h < known {
					h = h / 2 * 2
				}
				d.cards = append(d.cards, card{i, c, h, y, held})
			}
		}
	}
	return d
}

// center shifts effects so that their mean in the standard mix is 0.
func center(effects []float64) {
	mean := 0.0
	for h, part := range mix[:known] {
		mean += part * effects[h]
	}
	for h := range known {
		effects[h] -= mean
	}
}

// medianOfTwo returns the median of a mixture of two normal distributions around 0 and gap.
func medianOfTwo(sd, gap, second float64) float64 {
	low, high := -0.1, gap+0.1
	for range 40 {
		m := (low + high) / 2
		if (1-second)*normal(m/sd)+second*normal((m-gap)/sd) < 0.5 {
			low = m
		} else {
			high = m
		}
	}
	return (low + high) / 2
}

func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// seats returns the number of contributors of each module.
func (w world) seats(r *rand.Rand) []int {
	seats, sum := make([]int, w.modules), 0.0
	for i := range seats {
		sum += math.Pow(float64(i+1), -w.tail)
	}
	for i := range seats {
		if seats[i] = w.each; w.each == 0 {
			seats[i] = max(poisson(r, math.Pow(float64(i+1), -w.tail)/sum*w.density*float64(w.modules)), 1+r.IntN(3))
		}
	}
	return seats
}

func poisson(r *rand.Rand, mean float64) int {
	if mean > 200 {
		return int(math.Round(mean + math.Sqrt(mean)*r.NormFloat64()))
	}
	n, p := 0, r.Float64()
	for limit := math.Exp(-mean); p > limit; n++ {
		p *= r.Float64()
	}
	return n
}

// people are contributors: their class of hosts, and how many cards they have, most one or two, some twenty.
type people struct {
	host, cards []int
	of          [known][]int
	sums        [known][]float64
}

func (w world) people(r *rand.Rand, total int) (p people) {
	zipf := rand.NewZipf(r, 2, 1, 1<<40)
	for sum := 0; sum < total || len(p.cards) < 4*known; {
		n := int(min(25, zipf.Uint64()+1))
		sum += n
		p.cards = append(p.cards, n)
	}
	for c := range p.cards {
		h := c
		if c >= known {
			h = picked(r, mix[:known])
		}
		p.host = append(p.host, h)
		p.of[h] = append(p.of[h], c)
		sums := p.sums[h]
		p.sums[h] = append(sums, float64(p.cards[c]))
		if len(sums) > 0 {
			p.sums[h][len(sums)] += sums[len(sums)-1]
		}
	}
	return p
}

// picked draws an index with a probability of its part.
func picked(r *rand.Rand, parts []float64) int {
	x := r.Float64()
	for i, part := range parts {
		if x -= part; x < 0 {
			return i
		}
	}
	return len(parts) - 1
}

// favourites returns, for each module, the class of hosts that most of its contributors have.
func (w world) favourites(r *rand.Rand, theta, effects []float64) []int {
	n := len(theta)
	favourites := make([]int, n)
	for i := range favourites {
		favourites[i] = picked(r, mix[:known])
	}
	if w.fastInFast {
		rank, noisy := make([]int, n), make([]float64, n)
		for i := range rank {
			rank[i], noisy[i] = i, theta[i]+r.NormFloat64()*w.spread
		}
		sort.Slice(rank, func(a, b int) bool { return noisy[rank[a]] < noisy[rank[b]] })
		slices.SortFunc(favourites, func(a, b int) int {
			return int(math.Copysign(1, effects[a]-effects[b]))
		})
		sortedBy := slices.Clone(favourites)
		for i, at := range rank {
			favourites[at] = sortedBy[i]
		}
	}
	return favourites
}

// seated draws n different contributors of one module.
func (p *people) seated(r *rand.Rand, w world, n, favourite int) (seated []int) {
	for len(seated) < n {
		h := picked(r, mix[:known])
		if w.confounded > 0 && r.Float64() < w.confounded {
			h = favourite
		}
		sums := p.sums[h]
		at, _ := slices.BinarySearch(sums, r.Float64()*sums[len(sums)-1])
		c := p.of[h][at]
		if w.each > 0 && slices.Contains(seated, c) {
			if c = r.IntN(len(p.host)); w.confounded > 0 && r.Float64() >= 0.3 {
				c = p.of[h][r.IntN(len(p.of[h]))]
			}
			if slices.Contains(seated, c) {
				continue
			}
		}
		seated = append(seated, c)
	}
	return seated
}

// shares groups the cards of a world, in the order of contributors.
func (d *drawn) shares() [][]model.Share {
	type key struct{ module, contributor, class int }
	groups, held, classes := map[key][]float64{}, map[key]bool{}, map[key]int{}
	for _, c := range d.cards {
		k := key{c.module, c.contributor, c.class}
		if groups[k] == nil {
			classes[key{c.module, c.contributor, 0}]++
		}
		groups[k] = append(groups[k], c.value)
		held[k] = held[k] || c.held
	}
	all := make([][]model.Share, d.modules)
	for _, k := range slices.SortedFunc(maps.Keys(groups), func(a, b key) int {
		return cmp.Or(a.module-b.module, a.contributor-b.contributor, a.class-b.class)
	}) {
		s := share(k.class, groups[k]...)
		s.HeldBack, s.Classes = held[k], classes[key{k.module, k.contributor, 0}]
		all[k.module] = append(all[k.module], s)
	}
	return all
}

// classes returns the classes that the world's hosts are sorted into.
func (d *drawn) classes() []model.Class {
	of := classes()
	if d.coarse {
		for h := 0; h < known; h += 2 {
			of[h].Mix, of[h+1].Mix = mix[h]+mix[h+1], 0
		}
	}
	if d.refined {
		for h := range known {
			whole := fmt.Sprintf("whole-%d", h/2)
			if h%2 == 0 {
				of = append(of, model.Class{Key: whole, Spread: 1})
			}
			of[h].Key, of[h].Spread = fmt.Sprintf("%s/part-%d", whole, h), 0.5
		}
	}
	return of
}
