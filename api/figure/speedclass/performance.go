package speedclass

import "flashdex/api/catalogue"

// Performance lists the promises that were missed for certain, with the upper ends of the measured intervals, for
// catalogue.Signs. It leaves out every miss that may be the fault of the host, the reader or the test.
func Performance(verdicts []Verdict) (missed []catalogue.Performance) {
	for _, v := range verdicts {
		for _, m := range v.Margins {
			if m.Missed {
				_, high := m.Measured.Ends()
				missed = append(missed, catalogue.Performance{
					Class: v.Class, Measure: m.Measure, Unit: m.Unit, Promised: m.Promised, Measured: high,
				})
			}
		}
	}
	return missed
}
