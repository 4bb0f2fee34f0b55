package result

// Tests of MethodMixed1.
const (
	Mixed       = "mixed"        // random reads and writes of 4 KiB; MixedReads in MixedOf are reads
	RestedWrite = "rested-write" // random writes after a rest of Kind.RestNS; 0: none
)

// MixedReads of MixedOf operations of Mixed are reads.
const MixedReads, MixedOf = 7, 10

// RestsNS are the rests of RestedWrite.
var RestsNS = [...]int64{0, 1e9, 10e9, 60e9}

// RestedOps is the number of writes in a counted interval of RestedWrite. They are the first ones after a rest.
const RestedOps = 32

// AfterRest returns how many times as many writes the module did after a rest as in the same time without one. Each
// rest is one sample.
func (t *Test) AfterRest(restNS int64) Ratio {
	times := TimesOf(t.Intervals)
	return RatioOf(times[Kind{}], times[Kind{RestNS: restNS}])
}

// RateAfterRest returns the rate of the writes after a rest, in operations per second. It returns nil if there are
// none.
func (t *Test) RateAfterRest(restNS int64) *float64 {
	sum := SumIntervals(t.counted(Kind{RestNS: restNS}))
	if sum.Ops == 0 || sum.NS == 0 {
		return nil
	}
	return new(float64(sum.Ops) * 1e9 / float64(sum.NS))
}

// addMixed adds the figures of a test of MethodMixed1: the rate of Mixed, or how much the longest rest gains in
// RestedWrite.
func (t *Test) addMixed(f *Figures) {
	f.MaxNS = unlessZero(SumIntervals(t.Intervals).MaxNS)
	if t.Name == RestedWrite {
		if r := t.AfterRest(RestsNS[len(RestsNS)-1]); r.Low > 0 {
			f.Ratio, f.RatioLow, f.RatioHigh = &r.Times, &r.Low, &r.High
		}
		return
	}
	f.addRate(EstimateOf(batchesOf(t.counted(Kind{}))))
}
