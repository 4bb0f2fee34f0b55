package speedclass

import "flashdex/api/catalogue"

// Performance is what verdicts say of the promises that were missed for certain, for catalogue.Signs: the upper ends of
// the intervals. What could be the fault of the host, the reader or the test is not in it.
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
