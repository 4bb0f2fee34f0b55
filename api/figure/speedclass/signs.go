package speedclass

import "flashdex/api/catalogue"

// farBelow is the share of a class's promise below which a measurement is a sign. Genuine cards may miss their class by
// less, because of hosts, readers and wear.
const farBelow = 0.5

// Signs returns a sign for each promise that even the upper end of the measured interval misses by far. It leaves out
// every miss that may be the fault of the host, the reader or the test.
func Signs(verdicts []Verdict) (found []catalogue.Sign) {
	for _, v := range verdicts {
		for _, m := range v.Margins {
			if _, high := m.Measured.Ends(); m.Missed && high < farBelow*m.Promised {
				sign := catalogue.SignOf("far-below-class", m.Measure, high, m.Unit, v.Class, m.Promised)
				found = append(found, sign)
			}
		}
	}
	return found
}
