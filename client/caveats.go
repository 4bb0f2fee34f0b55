package main

import (
	"fmt"
	"slices"

	"flashdex/client/measure"
	"flashdex/result"
)

// mostOverhead is the share of a test's time that the client may take itself without a caveat.
const mostOverhead = 0.02

// caveats returns what a reader of the figures should know about how they were measured.
func caveats(doc *result.Document) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if doc.Imported != nil && slices.ContainsFunc(doc.Tests, func(t result.Test) bool { return !t.Direct }) {
		say("Tests through the page cache may have measured the computer's memory as much as the module.")
	}
	standard := measure.Standard(0).RandWriteLimit()
	var overhead float64 // the highest, if there are many tests
	for _, t := range doc.Tests {
		f := t.Figures()
		switch {
		case f.OverheadShare <= mostOverhead:
		case len(doc.Tests) > 4:
			overhead = max(overhead, f.OverheadShare)
		default:
			say("%s: the client itself took %s %% of the time, between operations; the figure leaves that out.",
				t.Name, result.Number(100*f.OverheadShare))
		}
		if doc.Method == result.MethodAltechnative2012 && t.Name == result.RandWrite && f.KiBPerOp != nil {
			say("%s: the device wrote %s KiB for each operation of 4 KiB.", t.Name, result.Number(*f.KiBPerOp))
		}
		if f.SourceMBPerS > 0 && f.SourceMBPerS < f.MBPerS {
			say("%s: this computer makes random data at %s MB/s, slower than the module writes them. The data were made in "+
				"advance, so that did not slow the test.", t.Name, result.Number(f.SourceMBPerS))
		}
		limited := doc.Method == result.MethodFlashdex1 || doc.Method == result.MethodStack1
		if limited && t.Name == result.RandWrite && t.TimeLimitNS > standard.Nanoseconds() {
			say("%s: the limit was raised from %.0f to %.0f s.", t.Name, standard.Seconds(), float64(t.TimeLimitNS)/1e9)
		}
	}
	if doc.Stack != nil {
		say("These figures are of several modules together. The site shows them apart and counts them for no module.")
	}
	if doc.Resumed > 0 {
		say("Interruptions after which the run was resumed: %d. In a pause a module may tidy itself up.", doc.Resumed)
	}
	if doc.Target.Mkfs != "" {
		say("The file system was made for the test: %s.", doc.Target.Mkfs)
	}
	if overhead > 0 {
		say("The client itself took up to %s %% of a test's time, between operations; the figures leave that out.",
			result.Number(100*overhead))
	}
	return all
}

// listItem begins the line of a list.
const listItem = "  - "

// verdict says whether anything spoiled the figures, and if the result isn't ranked, why, in lists.
func verdict(doc *result.Document) []string {
	if doc.Imported != nil {
		return []string{"Verdict: Flashdex did not watch this measurement. The site shows it apart from Flashdex's own " +
			"results and never ranks it."}
	}
	spoiled := doc.Spoiled()
	others := slices.DeleteFunc(doc.NotRanked(), func(reason string) bool { return slices.Contains(spoiled, reason) })
	lines, more := []string{"Verdict: clean, nothing was seen that spoils the figures."}, "Shown, but not ranked:"
	if len(spoiled) > 0 {
		lines, more = []string{"Verdict: not clean, and so shown but not ranked:"}, "It would not be ranked anyway:"
	}
	for _, reason := range spoiled {
		lines = append(lines, listItem+reason)
	}
	if len(others) > 0 {
		lines = append(lines, more)
	}
	for _, reason := range others {
		lines = append(lines, listItem+reason)
	}
	return lines
}

// Random write figures to compare with: the published rate of a 5400 rpm laptop disk, and the rates that the SD
// specification requires of the application performance classes.
const (
	laptopDiskIOPS = 90
	a1WriteIOPS    = 500
	a2WriteIOPS    = 2000
)

// meaning puts a 4K random write rate into words.
func meaning(iops float64) string {
	compared, ratio := "about as many as", iops/laptopDiskIOPS
	switch {
	case ratio >= 1.1:
		compared = result.Number(ratio) + " times as many as"
	case ratio <= 0.9:
		compared = result.Number(1/ratio) + " times fewer than"
	}
	a1, a2 := result.Count(a1WriteIOPS), result.Count(a2WriteIOPS)
	rate, class := result.NumberBeside(iops, a2WriteIOPS), "more than class A2 requires ("+a2+")"
	switch {
	case iops < a1WriteIOPS:
		rate, class = result.NumberBeside(iops, a1WriteIOPS), "less than class A1 requires ("+a1+")"
	case iops < a2WriteIOPS:
		class = "between class A1 (" + a1 + ") and class A2 (" + a2 + ")"
	}
	return fmt.Sprintf("4K random writes decide how quick a small computer feels. This module does %s a second, %s a "+
		"5400 rpm laptop disk (%d). That is %s, but the classes are measured differently: without a sync of each write, "+
		"and A2 with many writes at once.", rate, compared, laptopDiskIOPS, class)
}
