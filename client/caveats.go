package main

import (
	"fmt"
	"slices"

	"flashdex/client/measure"
	"flashdex/result"
)

// mostOverhead is the share of a test's time that the client may take itself without saying so.
const mostOverhead = 0.02

// caveats are what a reader of the figures should know of how they were measured.
func caveats(doc *result.Document) []string {
	var all []string
	if doc.Imported != nil && slices.ContainsFunc(doc.Tests, func(t result.Test) bool { return !t.Direct }) {
		all = append(all, "What went through the page cache may be the computer's memory as much as the module.")
	}
	var overhead float64 // the most, of many tests
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		switch {
		case f.OverheadShare <= mostOverhead:
		case len(doc.Tests) > 4:
			overhead = max(overhead, f.OverheadShare)
		default:
			all = append(all, fmt.Sprintf("%s: the client itself took %.1f %% of the time, between operations; the figure leaves that out.", t.Name, 100*f.OverheadShare))
		}
		if doc.Method == result.MethodAltechnative2012 && t.Name == result.RandWrite && f.KiBPerOp != nil {
			all = append(all, fmt.Sprintf("%s: the device wrote %.2f KiB for each operation of 4 KiB.", t.Name, *f.KiBPerOp))
		}
		if f.SourceMBPerS > 0 && f.SourceMBPerS < f.MBPerS {
			all = append(all, fmt.Sprintf("%s: this computer makes random data at %.*f MB/s, slower than the module takes them; they were made ahead, so that did not slow the test.",
				t.Name, places(f.SourceMBPerS), f.SourceMBPerS))
		}
		if standard := measure.Standard(0).RandWriteLimit(); (doc.Method == result.MethodFlashdex1 || doc.Method == result.MethodStack1) && t.Name == result.RandWrite && t.TimeLimitNS > standard.Nanoseconds() {
			all = append(all, fmt.Sprintf("%s: the limit was raised from %.0f to %.0f s.", t.Name, standard.Seconds(), float64(t.TimeLimitNS)/1e9))
		}
	}
	if doc.Stack != nil {
		all = append(all, "These are figures of several modules together. They are shown apart, and count for none of them.")
	}
	if doc.Resumed > 0 {
		all = append(all, fmt.Sprintf("Interruptions after which the run went on: %d. In a pause a module may put itself in order.", doc.Resumed))
	}
	if doc.Target.Mkfs != "" {
		all = append(all, "The file system was made for the test: "+doc.Target.Mkfs+".")
	}
	if overhead > 0 {
		all = append(all, fmt.Sprintf("The client itself took up to %.1f %% of a test's time, between operations; the figures leave that out.", 100*overhead))
	}
	return all
}

// verdict says whether anything was seen that spoils the figures, and why the result isn't ranked if it isn't, in lists of
// reasons below a head.
func verdict(doc *result.Document) []verdictPart {
	spoiled := doc.Spoiled()
	others := slices.DeleteFunc(doc.NotRanked(), func(reason string) bool { return slices.Contains(spoiled, reason) })
	if doc.Imported != nil {
		return []verdictPart{{"Verdict: nobody watched while it was measured, so that it is shown, apart from Flashdex's own results, and never ranked.", nil}}
	}
	clean := verdictPart{"Verdict: clean, nothing was seen that spoils the figures.", nil}
	if len(spoiled) > 0 {
		clean = verdictPart{"Verdict: not clean, and so shown but not ranked:", spoiled}
	}
	switch {
	case len(others) == 0:
		return []verdictPart{clean}
	case len(spoiled) > 0:
		return []verdictPart{clean, {"It would not be ranked anyway:", others}}
	}
	return []verdictPart{clean, {"Shown, but not ranked:", others}}
}

type verdictPart struct {
	head    string
	reasons []string
}
