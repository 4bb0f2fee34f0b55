// Package figure holds measured figures: their type, the metrics that modules are compared by, and the statistics that
// make figures of a run into figures of a unit and of a module.
//
// The way of a figure: result.Test.Figures derives the figures of each test of a run. OfRun picks the Metrics among
// them. UnitsOf sums up the runs of one contributor's unit, and SummariesOf sums up the units of a module.
package figure

import (
	"math"
	"slices"
)

// Figure is one number with everything that is known of its precision. It is a rate of one run, the figure of a module
// (by its model, else a median over its units), or a score computed from such figures. Its unit is its Metric's. A
// figure of a single run has only Value and, if the samples allow it, Low and High.
type Figure struct {
	Value float64 `json:"value"`
	// Low and High are the ends of the confidence interval; both are nil where there is none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Confidence is the probability with which the interval holds. For a median it is at least 0.95, or less if there
	// are too few contributors. 0: there is no interval, or it is a run's, which holds with 95 %.
	Confidence float64 `json:"confidence,omitempty"`
	// If published figures measured different things, To is the greatest of them and Value the least. 0: Value stands
	// alone.
	To float64 `json:"to,omitempty"`
	// AtLeast means that hosts held the module back: Value is the lower end of its interval, and there is no upper one.
	AtLeast bool `json:"at_least,omitempty"`
	// AtMost is the same for a time that is computed from such rates: Value is the upper end of its interval. For the
	// lower end, only a bus limits these rates, if it is known.
	AtMost bool `json:"at_most,omitempty"`
	// HostsShare is the part of the interval's variance that is due to the hosts, from 0 to 1.
	HostsShare float64 `json:"hosts_share,omitempty"`
	// The weighted quartiles and extremes of the units; 0 if there is only one unit.
	P25 float64 `json:"p25,omitempty"`
	P75 float64 `json:"p75,omitempty"`
	Min float64 `json:"min,omitempty"`
	Max float64 `json:"max,omitempty"`
	// N counts the units of a module.
	N            int `json:"n,omitempty"`
	Runs         int `json:"runs,omitempty"`
	Contributors int `json:"contributors,omitempty"`
}

// Through returns a linear rate behind a bus that carries at most limit, both in MB/s.
func (f Figure) Through(limit float64) Figure {
	switch f.AtLeast = f.AtLeast && f.Value < limit; {
	case f.AtLeast: // the bus is the upper end that hosts hid
		f.Low, f.High = new(f.Value), &limit
	case f.HasInterval() && *f.Low >= limit:
		f.Low, f.High = nil, nil
	case f.HasInterval():
		f.Low, f.High = new(min(*f.Low, limit)), new(min(*f.High, limit))
	}
	f.Value, f.To = min(f.Value, limit), min(f.To, limit)
	if f.To == f.Value {
		f.To = 0
	}
	return f
}

// Set holds figures by the keys of their metrics. A figure that was not measured is not in it.
type Set struct{ PerMetric[Figure] }

// SetOf makes a Set of figures by the keys of their metrics.
func SetOf(figures map[string]Figure) Set { return Set{perMetric(figures)} }

// Through returns the figures with the linear reads and writes behind a bus that carries at most limit, in MB/s.
func (s Set) Through(limit float64) Set {
	left := Set{s.Clone()}
	for _, key := range []string{SeqReadMBPerS, SeqWriteMBPerS} {
		if f, ok := s.Find(key); ok {
			left.Put(key, f.Through(limit))
		}
	}
	return left
}

// Uncross puts the latencies into the order that they have in every run. Each is estimated by itself, so the 99.9 %
// latency can come out below the 99 % latency. Sorted values are nearer to the truth, and so are sorted ends of the
// intervals (Chernozhukov, Fernández-Val, Galichon: Quantile and Probability Curves Without Crossing, Econometrica 78,
// 2010).
func (s *Set) Uncross() {
	var keys []string
	var values, lows, highs []float64
	for _, key := range []string{RandWriteP99MS, RandWriteP999MS, RandWriteMaxMS} {
		if f := s.At(key); f.HasInterval() {
			keys, values = append(keys, key), append(values, f.Value)
			lows, highs = append(lows, *f.Low), append(highs, *f.High)
		}
	}
	slices.Sort(values)
	slices.Sort(lows)
	slices.Sort(highs)
	for i, key := range keys {
		f := s.At(key)
		f.Value = values[i]
		s.Put(key, f.within(lows[i], highs[i], f.Confidence))
	}
}

// HasInterval reports whether f has a confidence interval.
func (f Figure) HasInterval() bool { return f.Low != nil && f.High != nil }

// Ends returns the ends of the interval, or the value twice where there is none.
func (f Figure) Ends() (low, high float64) {
	if !f.HasInterval() {
		return f.Value, f.Value
	}
	return *f.Low, *f.High
}

// Span returns the ends of the interval. If hosts held the module back, the upper end is infinite.
func (f Figure) Span() (low, high float64) {
	if low, high = f.Ends(); f.AtLeast && !f.HasInterval() {
		high = math.Inf(1)
	}
	return low, high
}

// Apart reports whether both figures have intervals that share no value. Otherwise the data don't show which figure is
// larger. Nobody knows how sure a figure without an interval is, such as one that a single source printed.
func (f Figure) Apart(other Figure) bool {
	return f.HasInterval() && other.HasInterval() && (*f.Low > *other.High || *other.Low > *f.High)
}

// WithUnits returns f with the spread and number of the units behind another figure, and the number of contributors.
func (f Figure) WithUnits(units Figure, contributors int) Figure {
	f.P25, f.P75, f.Min, f.Max, f.N, f.Runs = units.P25, units.P75, units.Min, units.Max, units.N, units.Runs
	f.Contributors = contributors
	return f
}

// within returns f with an interval.
func (f Figure) within(low, high, confidence float64) Figure {
	f.Low, f.High, f.Confidence = &low, &high, confidence
	return f
}

// OfValues is the Set of a list in the order of FigureKeys, in which a figure that was not measured is NaN.
func OfValues(values []float64) Set {
	var figures Set
	for i, key := range FigureKeys {
		if !math.IsNaN(values[i]) {
			figures.Put(key, Figure{Value: values[i]})
		}
	}
	return figures
}

// Values lists the values of a Set in the order of FigureKeys; NaN: not measured.
func (s Set) Values() []float64 { return s.list(func(f Figure) float64 { return f.Value }) }

// Errors lists the relative standard errors of the values in the same order; NaN: not known.
func (s Set) Errors() []float64 { return s.list(Figure.StandardError) }

func (s Set) list(of func(Figure) float64) []float64 {
	list := make([]float64, len(FigureKeys))
	for i, key := range FigureKeys {
		f, measured := s.Find(key)
		if list[i] = of(f); !measured {
			list[i] = math.NaN()
		}
	}
	return list
}

// StandardError returns the relative standard error of a run's figure: the standard deviation of the logarithm that
// gives a normal distribution the same width of its 95 % interval. It is NaN if there is no interval, or if the
// interval begins at 0.
func (f Figure) StandardError() float64 {
	const normalQuantile = 1.959963985 // at 0.975
	if !f.HasInterval() || !(*f.Low > 0) {
		return math.NaN()
	}
	return math.Log(*f.High / *f.Low) / 2 / normalQuantile
}

// Padded extends values that an older version stored to the length of FigureKeys.
func Padded(values []float64) []float64 {
	for len(values) < len(FigureKeys) {
		values = append(values, math.NaN())
	}
	return values
}
