package figure

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
)

// Distribution is the weighted empirical distribution of the values of units. All units of one contributor together
// weigh one. Thin drops the values that are far from the ones a median is computed from, so that an update costs the
// same for a million units as for a hundred.
type Distribution struct {
	Steps               []Step
	Units, Contributors int
}

// Step is one value with the sum of its weights. A gap stands for all dropped values between its neighbours.
type Step struct {
	Value  float64 // not a number: a gap
	Weight float64
	Units  int
}

func (s Step) isGap() bool { return math.IsNaN(s.Value) }

// distributionJSON is a Distribution as JSON: its steps column by column, and the places of the gaps.
type distributionJSON struct {
	Values       []float64 `json:"values"` // 0: a gap
	Weights      []float64 `json:"weights"`
	StepUnits    []int     `json:"step_units"`
	Gaps         []int     `json:"gaps,omitempty"`
	Units        int       `json:"units"`
	Contributors int       `json:"contributors"`
}

// MarshalJSON implements json.Marshaler.
func (d Distribution) MarshalJSON() ([]byte, error) {
	j := distributionJSON{Units: d.Units, Contributors: d.Contributors}
	for i, s := range d.Steps {
		if s.isGap() {
			s.Value, j.Gaps = 0, append(j.Gaps, i)
		}
		j.Values, j.Weights = append(j.Values, s.Value), append(j.Weights, s.Weight)
		j.StepUnits = append(j.StepUnits, s.Units)
	}
	return json.Marshal(j)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Distribution) UnmarshalJSON(text []byte) error {
	var j distributionJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	if len(j.Weights) != len(j.Values) || len(j.StepUnits) != len(j.Values) {
		return errors.New("figure: the steps of a distribution lack a value, a weight or their units")
	}
	*d = Distribution{Steps: make([]Step, len(j.Values)), Units: j.Units, Contributors: j.Contributors}
	for i := range d.Steps {
		d.Steps[i] = Step{j.Values[i], j.Weights[i], j.StepUnits[i]}
	}
	for _, gap := range j.Gaps {
		if gap < 0 || gap >= len(d.Steps) {
			return errors.New("figure: a gap of a distribution is beyond its steps")
		}
		d.Steps[gap].Value = math.NaN()
	}
	return nil
}

// DistributionOf makes a distribution from values, which it sorts.
func DistributionOf(values []UnitValue) Distribution {
	slices.SortFunc(values, func(a, b UnitValue) int { return cmp.Compare(a.Value, b.Value) })
	weights, contributors := weightsOf(values)
	d := Distribution{Units: len(values), Contributors: contributors, Steps: make([]Step, 0, len(values))}
	for i, v := range values {
		if last := len(d.Steps) - 1; last >= 0 && d.Steps[last].Value == v.Value {
			d.Steps[last].Weight += weights[i]
			d.Steps[last].Units++
			continue
		}
		d.Steps = append(d.Steps, Step{v.Value, weights[i], 1})
	}
	return d
}

// Median is MedianOf the values that d was made from. ok is false if there are none, or if d has dropped too many.
func (d *Distribution) Median() (f Figure, ok bool) {
	if d.needsValues() {
		return Figure{}, false
	}
	return d.median()
}

// Quantile returns the p-quantile: the mean of the least value at which the cumulated share of the weight reaches p,
// and the least at which it exceeds p. ok is false if d has dropped one of them.
func (d *Distribution) Quantile(p float64) (value float64, ok bool) {
	if len(d.Steps) == 0 {
		return 0, false
	}
	low, high := d.around(p)
	value = (d.Steps[low].Value + d.Steps[high].Value) / 2
	return value, !math.IsNaN(value)
}

// needsValues reports whether the interval needs the values by contributor. d doesn't know whose values they are.
func (d *Distribution) needsValues() bool { return d.Contributors >= 3 && d.Contributors < 6 }

// median is MedianOf, but takes the interval only from the order of the values.
func (d *Distribution) median() (f Figure, ok bool) {
	if len(d.Steps) == 0 {
		return Figure{}, false
	}
	places := d.places()
	var values [len(places)]float64
	for i, place := range places {
		if d.Steps[place].isGap() {
			return Figure{}, false
		}
		values[i] = d.Steps[place].Value
	}
	f = Figure{
		Value: (values[3] + values[4]) / 2,
		P25:   (values[1] + values[2]) / 2, P75: (values[5] + values[6]) / 2, Min: values[0], Max: values[7],
		N: d.Units, Contributors: d.Contributors,
	}
	c := d.Contributors
	low, high, confidence := f.Min, f.Max, 1-math.Pow(2, float64(1-c))
	if c >= 6 {
		low, high = values[8], values[9]
		_, confidence = medianOrder(c)
	}
	if c >= 3 && high > 0 { // an interval from zero to zero would say that it never happens
		f = f.within(low, high, confidence)
	}
	return f, true
}

// places returns the steps that a median is computed from: the least value, the pairs around the three quartiles, the
// greatest value, and the ends of the interval if there are enough contributors.
func (d *Distribution) places() (steps [10]int) {
	steps[7] = len(d.Steps) - 1
	for i, p := range []float64{0.25, 0.5, 0.75} {
		steps[1+2*i], steps[2+2*i] = d.around(p)
	}
	if d.Contributors >= 6 {
		k, _ := medianOrder(d.Contributors)
		weight := float64(k) - float64(d.Contributors)*weightSlack
		steps[8], steps[9] = d.above(weight), d.belowTop(weight)
	}
	return steps
}

// around returns the two steps whose mean is the p-quantile.
func (d *Distribution) around(p float64) (low, high int) {
	total := float64(d.Contributors)
	return d.above(total * (p - weightSlack)), d.above(total * (p + weightSlack))
}

// above returns the first step at which the cumulated weight exceeds weight, or the last step.
func (d *Distribution) above(weight float64) int {
	sum := 0.0
	for i := range d.Steps {
		if sum += d.Steps[i].Weight; sum > weight {
			return i
		}
	}
	return len(d.Steps) - 1
}

// belowTop is above, cumulated from the greatest value downwards.
func (d *Distribution) belowTop(weight float64) int {
	sum := 0.0
	for i := len(d.Steps) - 1; i >= 0; i-- {
		if sum += d.Steps[i].Weight; sum > weight {
			return i
		}
	}
	return 0
}

// Thin keeps only keep steps on either side of each place that a median is computed from.
func (d *Distribution) Thin(keep int) {
	if len(d.Steps) == 0 {
		return
	}
	near := make([]bool, len(d.Steps))
	for _, place := range d.places() {
		for i := max(0, place-keep); i <= min(place+keep, len(near)-1); i++ {
			near[i] = true
		}
	}
	var thin []Step
	for i, s := range d.Steps {
		last := len(thin) - 1
		switch {
		case near[i]:
			thin = append(thin, s)
		case thin[last].isGap():
			thin[last].Weight += s.Weight
			thin[last].Units += s.Units
		default:
			thin = append(thin, Step{math.NaN(), s.Weight, s.Units})
		}
	}
	d.Steps = thin
}

// Replace replaces the values of one contributor's units. Either list may be empty. If ok is false, the values of
// before are not in d, and d is of no use any more.
func (d *Distribution) Replace(before, after []float64) (ok bool) {
	for _, v := range after {
		if !d.add(v, 1/float64(len(after)), 1) {
			return false
		}
	}
	for _, v := range before {
		if !d.add(v, -1/float64(len(before)), -1) {
			return false
		}
	}
	d.Units += len(after) - len(before)
	d.Contributors += min(len(after), 1) - min(len(before), 1)
	return true
}

// add adds units of one value, or subtracts them if units is negative.
func (d *Distribution) add(value, weight float64, units int) (ok bool) {
	at := slices.IndexFunc(d.Steps, func(s Step) bool { return s.Value >= value })
	if at < 0 {
		at = len(d.Steps)
	}
	switch {
	case at < len(d.Steps) && d.Steps[at].Value == value:
	case at > 0 && d.Steps[at-1].isGap():
		at--
	case units > 0:
		d.Steps = slices.Insert(d.Steps, at, Step{Value: value})
	default:
		return false
	}
	s := &d.Steps[at]
	s.Weight += weight
	if s.Units += units; s.Units > 0 {
		return true
	}
	if s.Units < 0 {
		return false
	}
	d.Steps = slices.Delete(d.Steps, at, at+1)
	if at > 0 && at < len(d.Steps) && d.Steps[at-1].isGap() && d.Steps[at].isGap() {
		d.Steps[at-1].Weight += d.Steps[at].Weight
		d.Steps[at-1].Units += d.Steps[at].Units
		d.Steps = slices.Delete(d.Steps, at, at+1)
	}
	return true
}
