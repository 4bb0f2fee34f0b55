package figure

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"

	"flashdex/api/figure/model"
)

// KindShare is a share of a module in one kind of hosts. A calibration says which of its classes the kind belongs to.
type KindShare struct {
	Kind string // Unit.HostKind
	model.Share
}

// Shares holds the shares of a module by one method, by the key of the figure. Equal shares are one share with a count,
// and shares are sorted by their fields.
type Shares map[string][]KindShare

// The numbers of a share are rounded to these steps, so that many shares are equal: rates to 1 in 100,000, errors to 1
// in 1,000. For a module of many units, rates are rounded to 4 in 1,000, a hundredth of the spread of cards, which
// leaves a few thousand numbers.
const (
	rateStep, coarseRateStep   = 1e-5, 4e-3
	errorStep, coarseErrorStep = 1e-3, 1e-2
)

// coarseFrom is how many units a module must have for its shares to be rounded coarsely.
var coarseFrom = 2_000 // a variable for tests

// add counts one contributor's units, or stops counting them if sign is -1. ok is false if they were not counted
// before.
func (s Shares) add(units []Unit, sign int, coarse bool) (ok bool) {
	for i, m := range Metrics {
		if _, has := assumptions[m.Key]; !has {
			continue
		}
		for _, share := range sharesOf(units, i, coarse) {
			of := s[m.Key]
			at, known := slices.BinarySearchFunc(of, share, compareShares)
			if !known {
				of = slices.Insert(of, at, share)
				of[at].Contributors = 0
			}
			switch of[at].Contributors += sign; {
			case of[at].Contributors < 0:
				return false
			case of[at].Contributors == 0:
				of = slices.Delete(of, at, at+1)
			}
			if s[m.Key] = of; len(of) == 0 {
				delete(s, m.Key)
			}
		}
	}
	return true
}

// compareShares orders shares by everything except how many contributors showed them.
func compareShares(a, b KindShare) int {
	held := func(s *KindShare) int {
		if s.HeldBack {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.LogRate, b.LogRate), cmp.Compare(a.Cards, b.Cards),
		cmp.Compare(a.Scatter, b.Scatter), cmp.Compare(a.Error2, b.Error2), cmp.Compare(a.Classes, b.Classes),
		cmp.Compare(held(&a), held(&b)))
}

// sharesOf makes shares from one contributor's units in one metric, one share for each kind of host.
func sharesOf(units []Unit, metric int, coarse bool) (shares []KindShare) {
	of := map[string][]*Unit{}
	for i := range units {
		if u := &units[i]; u.HostClass != "" && u.Runs > 0 && u.Values[metric] > 0 {
			kind := cmp.Or(u.HostKind, u.HostClass) // an older version didn't derive the kind
			of[kind] = append(of[kind], u)
		}
	}
	rates, errors := rateStep, errorStep
	if coarse {
		rates, errors = coarseRateStep, coarseErrorStep
	}
	m := &Metrics[metric]
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		s := KindShare{kind, model.Share{Cards: len(of[kind]), Classes: len(of), Contributors: 1}}
		n := float64(s.Cards)
		var squares, held float64
		for _, u := range of[kind] {
			y := m.logRate(u.Values[metric])
			s.LogRate, squares = s.LogRate+y/n, squares+y*y
			if metric < len(u.Errors) && !math.IsNaN(u.Errors[metric]) { // else it is part of the spread of cards
				s.Error2 += u.Errors[metric] * u.Errors[metric] / n
			}
			if IsLinear(m.Key) && u.BusMBPerS > 0 && u.Values[metric] >= model.HeldBackFrom*u.BusMBPerS {
				held++
			}
		}
		s.HeldBack = held > n/2
		if s.Cards > 1 {
			spread := math.Sqrt(max(squares-n*s.LogRate*s.LogRate, 0) / (n - 1))
			s.setSpread(math.Round(spread/errors) * errors)
		}
		s.LogRate = math.Round(s.LogRate/rates) * rates
		s.setError(math.Round(math.Sqrt(s.Error2)/errors) * errors)
		shares = append(shares, s)
	}
	return shares
}

// The spread of a contributor's cards and the error of their runs are standard deviations of logarithms.
func (s *KindShare) spread() float64 { return math.Sqrt(s.Scatter / float64(max(s.Cards-1, 1))) }
func (s *KindShare) setSpread(spread float64) {
	s.Scatter = spread * spread * float64(max(s.Cards-1, 1))
}
func (s *KindShare) error() float64         { return math.Sqrt(s.Error2) }
func (s *KindShare) setError(error float64) { s.Error2 = error * error }

// inClasses returns shares with the classes of a calibration. It leaves out kinds of hosts that belong to no class.
func inClasses(shares []KindShare, all []model.Class) (of []model.Share) {
	classes := map[string]int{}
	for i := range shares {
		kind := shares[i].Kind
		class, known := classes[kind]
		if !known {
			class = ClassOf(kind, all)
			classes[kind] = class
		}
		if share := shares[i].Share; class >= 0 {
			share.Class = class
			of = append(of, share)
		}
	}
	return of
}

// sharesJSON holds shares column by column, in whole steps. It leaves out columns in which all shares have the default.
type sharesJSON struct {
	Kinds        []string `json:"kinds"`
	Kind         []int    `json:"kind"` // index in Kinds
	LogRate      []int    `json:"log_rate"`
	Cards        []int    `json:"cards,omitempty"`        // 1
	Spread       []int    `json:"spread,omitempty"`       // 0
	Error        []int    `json:"error,omitempty"`        // 0
	Classes      []int    `json:"classes,omitempty"`      // 1
	HeldBack     []int    `json:"held_back,omitempty"`    // 0
	Contributors []int    `json:"contributors,omitempty"` // 1
}

// sharesColumn is a column of sharesJSON.
type sharesColumn struct {
	values    *[]int
	otherwise int
	get       func(*KindShare) int
	set       func(*KindShare, int)
}

func (j *sharesJSON) columns() []sharesColumn {
	steps := func(value, step float64) int { return int(math.Round(value / step)) }
	return []sharesColumn{
		{&j.LogRate, math.MinInt, func(s *KindShare) int { return steps(s.LogRate, rateStep) },
			func(s *KindShare, v int) { s.LogRate = float64(v) * rateStep }},
		{&j.Cards, 1, func(s *KindShare) int { return s.Cards }, func(s *KindShare, v int) { s.Cards = v }},
		{&j.Spread, 0, func(s *KindShare) int { return steps(s.spread(), errorStep) },
			func(s *KindShare, v int) { s.setSpread(float64(v) * errorStep) }},
		{&j.Error, 0, func(s *KindShare) int { return steps(s.error(), errorStep) },
			func(s *KindShare, v int) { s.setError(float64(v) * errorStep) }},
		{&j.Classes, 1, func(s *KindShare) int { return s.Classes }, func(s *KindShare, v int) { s.Classes = v }},
		{&j.HeldBack, 0, func(s *KindShare) int {
			if s.HeldBack {
				return 1
			}
			return 0
		}, func(s *KindShare, v int) { s.HeldBack = v == 1 }},
		{&j.Contributors, 1, func(s *KindShare) int { return s.Contributors },
			func(s *KindShare, v int) { s.Contributors = v }},
	}
}

// PackShares writes the shares of one figure as JSON; nil: there are none.
func PackShares(shares []KindShare) []byte {
	if len(shares) == 0 {
		return nil
	}
	var j sharesJSON
	for i := range shares {
		if last := len(j.Kinds) - 1; last < 0 || j.Kinds[last] != shares[i].Kind {
			j.Kinds = append(j.Kinds, shares[i].Kind)
		}
		j.Kind = append(j.Kind, len(j.Kinds)-1)
	}
	for _, c := range j.columns() {
		different := false
		values := make([]int, len(shares))
		for i := range shares {
			values[i] = c.get(&shares[i])
			different = different || values[i] != c.otherwise
		}
		if different {
			*c.values = values
		}
	}
	text, _ := json.Marshal(j) // of numbers and texts
	return text
}

// UnpackShares reads what PackShares wrote.
func UnpackShares(text []byte) ([]KindShare, error) {
	var j sharesJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	shares := make([]KindShare, len(j.Kind))
	for i, kind := range j.Kind {
		if kind < 0 || kind >= len(j.Kinds) {
			return nil, errors.New("figure: the kind of a share is not listed")
		}
		shares[i].Kind = j.Kinds[kind]
	}
	for _, c := range j.columns() {
		if *c.values != nil && len(*c.values) != len(shares) {
			return nil, errors.New("figure: the columns of shares differ in length")
		}
		for i := range shares {
			v := c.otherwise
			if *c.values != nil {
				v = (*c.values)[i]
			}
			c.set(&shares[i], v)
		}
	}
	return shares, nil
}
