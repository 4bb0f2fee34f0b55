package figure

import (
	"iter"
	"math"

	"flashdex/api/catalogue"
	"flashdex/api/figure/model"
)

// assumptions has an entry for each figure with a model. Figures that can be 0 have no model: they are medians.
var assumptions = map[string]model.Assumption{
	RandWriteIOPS: model.RandomWrites, RandReadIOPS: model.RandomReads, RandWriteP99MS: model.RandomWrites,
	RandWriteP999MS: model.RandomWrites, RandWriteMaxMS: model.RandomWrites, RandWriteLongest1000MS: model.RandomWrites,
	SeqWriteMBPerS: model.LinearRates, SeqReadMBPerS: model.LinearRates,
}

// IsLinear reports whether hosts can only hold a figure back.
func IsLinear(key string) bool { return assumptions[key] == model.LinearRates }

// Calibrations holds a calibration for each method and figure. nil: the assumptions.
type Calibrations struct {
	Version int // rises with each recalibration; 0: nothing was calibrated yet
	by      map[string]map[string]*model.Calibration
}

// CalibrationKey is the key of one of the Calibrations.
type CalibrationKey struct{ Method, Figure string }

// Of returns the calibration of a method and figure. Expected figures take PublishedMethod's. If there were no
// measurements to calibrate with, it is the assumption. It is nil for figures without a model.
func (c *Calibrations) Of(method, key string) *model.Calibration {
	if method == catalogue.MethodExpected {
		method = PublishedMethod
	}
	if c != nil && c.by[method][key] != nil {
		return c.by[method][key]
	}
	return assumed[key]
}

// Add adds the calibration of a method and figure.
func (c *Calibrations) Add(of CalibrationKey, calibration *model.Calibration) {
	if c.by == nil {
		c.by = map[string]map[string]*model.Calibration{}
	}
	if c.by[of.Method] == nil {
		c.by[of.Method] = map[string]*model.Calibration{}
	}
	c.by[of.Method][of.Figure] = calibration
}

// All yields all of them by their keys, in no particular order.
func (c *Calibrations) All() iter.Seq2[CalibrationKey, *model.Calibration] {
	return func(yield func(CalibrationKey, *model.Calibration) bool) {
		for method, of := range c.by {
			for key, calibration := range of {
				if !yield(CalibrationKey{method, key}, calibration) {
					return
				}
			}
		}
	}
}

// Differ reports whether any calibration differs from the older one by more than its errors
// (model.Calibration.Differs).
func (c *Calibrations) Differ(old *Calibrations) bool {
	for of, calibration := range c.All() {
		if calibration.Differs(old.Of(of.Method, of.Figure)) {
			return true
		}
	}
	return false
}

// Modelled reports whether the figure with this key has a model.
func Modelled(key string) bool { return assumed[key] != nil }

// Contributors counts people, in all and by the kind of host in which they measured.
type Contributors struct {
	All    int
	InKind map[string]int
}

// Calibrated makes a calibration from the shares of modules, in their order. mix is the standard mix of hosts.
func Calibrated(key string, modules [][]KindShare, by Contributors, mix map[string]float64) *model.Calibration {
	classes := HostClassesOf(modules, by.InKind, mix, MaxHostClasses)
	for i := range classes {
		classes[i].Contributors = contributorsIn(classes[i].Key, by.InKind)
	}
	classes = append(classes, publishedClasses(modules)...)
	all := make([][]model.Share, len(modules))
	for i := range modules {
		all[i] = inClasses(modules[i], classes)
	}
	return model.Calibrate(all, classes, assumptions[key])
}

// assumed holds the calibrations of figures before anything was measured.
var assumed = func() map[string]*model.Calibration {
	of := map[string]*model.Calibration{}
	for key := range assumptions {
		of[key] = Calibrated(key, nil, Contributors{}, StandardMix(0, nil))
	}
	return of
}()

// logRate is the logarithm by which values are compared: more is better.
func (m *Metric) logRate(value float64) float64 {
	if m.LowerIsBetter {
		return -math.Log(value)
	}
	return math.Log(value)
}

// Of turns an estimate of the model into a figure with its 95 % interval.
func (m *Metric) Of(e model.Estimate) (f Figure) {
	f = m.figure(e, confidenceLevel)
	if e.AtLeast { // only for rates
		return Figure{Value: *f.Low, AtLeast: true}
	}
	if v := e.Variance(); v > 0 {
		f.HostsShare = e.Hosts / v
	}
	return f
}

// verdictInterval is the probability of the interval that promises are compared with: each end holds with 95 %.
const verdictInterval = 0.90

// ForVerdict turns an estimate into a figure that promises are compared with. Where hosts held the module back, its
// interval has no upper end.
func ForVerdict(key string, e model.Estimate) (f Figure) {
	m := MetricOf(key)
	if f = m.figure(e, verdictInterval); e.AtLeast {
		*f.High = math.Inf(1)
	}
	return f
}

// figure turns an estimate into a figure with the interval at a probability.
func (m *Metric) figure(e model.Estimate, probability float64) Figure {
	low, high := e.Interval(probability)
	value := e.LogRate
	if m.LowerIsBetter {
		value, low, high = -value, -high, -low
	}
	return Figure{Value: math.Exp(value)}.within(math.Exp(low), math.Exp(high), probability)
}

// Fit computes the figures of a whole module that have a model, with the calibrations in force. published are the
// shares of the module's published figures.
func (s *Summary) Fit(by *Calibrations, published Shares) {
	s.Model = PerMetric[model.Module]{}
	for i := range Metrics {
		m := &Metrics[i]
		c := by.Of(s.Method, m.Key)
		if c == nil || len(s.Shares[m.Key]) == 0 {
			continue
		}
		shares := inClasses(s.Shares[m.Key], c.Classes)
		if published != nil {
			shares = append(shares, inClasses(published[m.Key], c.Classes)...)
		}
		of, ok := c.Module(shares)
		if !ok {
			continue
		}
		s.Model.Put(m.Key, of)
		s.Figures.Put(m.Key, m.Of(c.Standard(&of)).WithUnits(s.Figures.At(m.Key), of.Contributors))
	}
	s.Figures.Uncross()
}
