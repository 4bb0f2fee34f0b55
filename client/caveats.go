package main

import (
	"fmt"

	"flashdex/client/measure"
	"flashdex/result"
)

// mostOverhead is the share of a test's time that the client may take itself without saying so.
const mostOverhead = 0.02

// caveats are what a reader of the figures should know of how they were measured.
func caveats(doc *result.Document) []string {
	var all []string
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		if f.OverheadShare > mostOverhead {
			all = append(all, fmt.Sprintf("%s: the client itself took %.1f %% of the time, between operations; the figure leaves that out.", t.Name, 100*f.OverheadShare))
		}
		if f.SourceMBPerS > 0 && f.SourceMBPerS < f.MBPerS {
			all = append(all, fmt.Sprintf("%s: this computer makes random data at %.*f MB/s, slower than the module takes them; they were made ahead, so that did not slow the test.",
				t.Name, places(f.SourceMBPerS), f.SourceMBPerS))
		}
		if standard := measure.Standard(0).RandWriteLimit(); t.Name == result.RandWrite && t.TimeLimitNS > standard.Nanoseconds() {
			all = append(all, fmt.Sprintf("%s: the limit was raised from %.0f to %.0f s.", t.Name, standard.Seconds(), float64(t.TimeLimitNS)/1e9))
		}
	}
	return all
}

// cleanliness says whether anything was seen that spoils the figures, and if the result isn't ranked, why.
func cleanliness(doc *result.Document) (verdict string, reasons []string) {
	reasons = doc.NotRanked()
	switch {
	case len(doc.Spoilers) > 0:
		return "Verdict: not clean, and so shown but not ranked:", reasons
	case len(reasons) > 0:
		return "Verdict: clean, nothing was seen that spoils the figures; but shown and not ranked:", reasons
	}
	return "Verdict: clean, nothing was seen that spoils the figures.", nil
}
