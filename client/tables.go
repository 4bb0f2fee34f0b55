package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"flashdex/client/measure"
	"flashdex/result"
)

// rowsOf returns the table of a result, with its head.
func rowsOf(doc *result.Document) [][]string {
	switch doc.Profile {
	case result.ProfileSweep:
		return sweepRows(doc)
	case result.ProfileIozone:
		return iozoneRows(doc)
	case result.ProfileFiles:
		return filesRows(doc)
	case result.ProfileStartup:
		return rows(doc, startupRow, "PROGRAM", "STARTS", "MEAN", "SPREAD", "FASTEST", "SLOWEST", "USER", "SYSTEM", "FILES",
			"READ EACH")
	case result.ProfileSustained:
		return rows(doc, sustainedRow, "TEST", "MEAN", "VARIATION", "WORST SECOND", "CLIFF", "MOVED", "TIME")
	case result.ProfileRecording:
		return rows(doc, recordingRow, "RECORDING", "KEPT UP", "LONGEST WAIT", "MEMORY TO BRIDGE IT", "BUSY")
	case result.ProfileRecorder:
		return rows(doc, recorderRow, "RECORDING", "BLOCK", "KEPT UP", "BUFFER NEEDED", "OVER 0.1 s", "0.5 s", "1 s", "p99",
			"MAX")
	case result.ProfileStructure:
		return structureRows(doc)
	case result.ProfileQueue:
		return queueRows(doc)
	case result.ProfileSaturate:
		return rows(doc, saturateRow, "TEST", "RATE", intervalHead, "WRITTEN", "ROUNDS", "ENDED")
	case result.ProfileMixed:
		return mixedRows(doc)
	case result.ProfileEndure:
		return rows(doc, endureRow, "TEST", "MEAN", "FIRST PASS", "LAST PASS", "PASSES", "BLOCKS", "WRONG", "FAILED", "ENDED")
	case result.ProfileImported:
		return rows(doc, importedRow, "TEST", "BLOCK", "FIGURE", "IN FLIGHT", "PAGE CACHE", "SYNC", "p50", "p99", "MAX")
	}
	return rows(doc, testRow, "TEST", "FIGURE", intervalHead, "p50", "p99", "MAX", "ENDED")
}

// hasTestRows reports whether a result's table has a row for each test, which shows how the test ended.
func hasTestRows(doc *result.Document) bool {
	return slices.Contains([]string{result.ProfileStandard, result.ProfileQuick, result.ProfileReference}, doc.Profile)
}

// intervalHead is the head of a column of intervals.
const intervalHead = "95 % INTERVAL"

// rows returns a table with a row for each test.
func rows(doc *result.Document, row func(*result.Document, *result.Test) []string, head ...string) [][]string {
	all := [][]string{head}
	for i := range doc.Tests {
		all = append(all, row(doc, &doc.Tests[i]))
	}
	return all
}

func testRow(_ *result.Document, t *result.Test) []string {
	f := t.Figures()
	ended := map[result.Ended]string{
		result.Complete:  fmt.Sprintf("all %d MiB", t.AreaBytes>>20),
		result.Converged: "settled",
		result.TimeLimit: "time limit",
	}[t.Ended]
	return []string{nameOf(t), figure(t), intervalOf(f), ms(f.P50NS), ms(f.P99NS), ms(f.MaxNS),
		cmp.Or(ended, string(t.Ended))}
}

// intervalOf writes the interval of the rate.
func intervalOf(f result.Figures) string {
	low, high := cmp.Or(f.IOPSLow, f.MBPerSLow), cmp.Or(f.IOPSHigh, f.MBPerSHigh)
	if low == nil {
		return "-"
	}
	return result.Number(*low) + " to " + result.Number(*high)
}

// nameOf names a test, with its block or its data where a profile has tests that differ in these.
func nameOf(t *result.Test) string {
	name := t.Name
	if !t.IsRandom() && t.BlockBytes < 1<<20 {
		name += " " + measure.Size(t.BlockBytes)
	}
	if t.Data != "" {
		name += " " + t.Data
	}
	return name
}

// figure is the test's main figure with its unit.
func figure(t *result.Test) string {
	f := t.Figures()
	if f.IOPS != nil {
		return unit(f.IOPS, "IOPS")
	}
	return unit(&f.MBPerS, "MB/s")
}

func unit(v *float64, unit string) string {
	if v == nil {
		return "-"
	}
	return result.Number(*v) + " " + unit
}

func ms(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return result.Number(float64(*ns)/1e6) + " ms"
}

// importedRow also says how the test was done, since other tools do it in different ways.
func importedRow(_ *result.Document, t *result.Test) []string {
	cache := "through"
	if t.Direct {
		cache = "past"
	}
	depth := "-"
	if t.QueueDepth > 0 {
		depth = strconv.Itoa(t.QueueDepth)
	}
	f := t.Figures()
	return []string{
		t.Name, measure.Size(t.BlockBytes), figure(t), depth, cache, t.Sync, ms(f.P50NS), ms(f.P99NS),
		ms(f.MaxNS),
	}
}

// sustainedRow shows how much the rate varied, and where it fell for good.
func sustainedRow(_ *result.Document, t *result.Test) []string {
	f := t.Figures()
	cliff := "-"
	switch {
	case f.CliffMB != nil:
		cliff = "after " + unit(f.CliffMB, "MB") + ", to " + unit(f.CliffPercent, "%")
	case f.CliffPercent != nil:
		cliff = "none seen"
	}
	return []string{
		t.Name, unit(&f.MBPerS, "MB/s"), unit(f.CVPercent, "%"), unit(f.WorstMBPerS, "MB/s"), cliff,
		result.Number(float64(t.Bytes)/1e9) + " GB", result.Number(float64(t.DurationNS)/1e9) + " s",
	}
}

// recordingRow shows whether the module kept up with a camera. It also shows the longest time that data waited, how
// much data came meanwhile, and the share of the time in which the module wrote.
func recordingRow(_ *result.Document, t *result.Test) []string {
	asked := float64(result.RecordedMBPerS(t.Name))
	rate, keptUp := t.Figures().MBPerS, "yes"
	if t.Ended != result.Complete {
		keptUp = "no: " + unit(&rate, "MB/s")
	}
	behind := result.SumIntervals(t.Intervals).BehindNS
	megabytes, busy := asked*float64(behind)/1e9, 100*float64(t.DurationNS)/float64(t.DurationNS+t.OverheadNS)
	return []string{unit(&asked, "MB/s"), keptUp, ms(&behind), unit(&megabytes, "MB"), unit(&busy, "%")}
}

// startupRow shows the starts of a program: their mean and standard deviation, the mean processor time in the program's
// own code and in the kernel, the size of the files that it uses, and how much each start read.
func startupRow(doc *result.Document, t *result.Test) []string {
	n := float64(len(t.Intervals))
	mean, squares := float64(t.DurationNS)/n, 0.0
	fastest, slowest := t.DurationNS, int64(0)
	for _, run := range t.Intervals {
		squares += (float64(run.NS) - mean) * (float64(run.NS) - mean)
		fastest, slowest = min(fastest, run.NS), max(slowest, run.NS)
	}
	spread := "-"
	if n > 1 {
		spread = result.Number(math.Sqrt(squares/(n-1))/1e6) + " ms"
	}
	user, system, files := "-", "-", "-"
	if sum := result.SumIntervals(t.Intervals); sum.UserNS+sum.SystemNS > 0 {
		user, system = result.Number(float64(sum.UserNS)/n/1e6)+" ms", result.Number(float64(sum.SystemNS)/n/1e6)+" ms"
	}
	if doc.Target.ProgramBytes > 0 {
		files = result.Number(float64(doc.Target.ProgramBytes)/1e6) + " MB"
	}
	name := doc.Target.Program
	if doc.Target.Configuration != "" {
		name += ", " + doc.Target.Configuration
	}
	return []string{
		name, fmt.Sprint(len(t.Intervals)), result.Number(mean/1e6) + " ms", spread, ms(&fastest), ms(&slowest), user, system,
		files, result.Number(float64(t.Bytes)/n/1e6) + " MB",
	}
}

// sweepRows shows the rate of each test by record size.
func sweepRows(doc *result.Document) [][]string {
	return sizeRows(doc, []string{"RECORD", "MB/s: LINEAR WRITE", "LINEAR READ", "RANDOM WRITE", "RANDOM READ"},
		[]string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead},
		func(bytes int64) []string { return []string{measure.Size(bytes)} },
		func(t *result.Test) string { return result.Number(t.Figures().MBPerS) })
}

// iozoneRows returns the table that iozone prints, in whole kB (1,024 bytes) a second.
func iozoneRows(doc *result.Document) [][]string {
	return sizeRows(doc, []string{"kB", "reclen", "write", "rewrite", "read", "reread", "random read", "random write"},
		[]string{result.SeqWrite, result.SeqRewrite, result.SeqRead, result.SeqReread, result.RandRead, result.RandWrite},
		func(bytes int64) []string {
			return []string{fmt.Sprint(doc.Tests[0].AreaBytes >> 10), fmt.Sprint(bytes >> 10)}
		},
		func(t *result.Test) string {
			cell := fmt.Sprint(int64(t.Figures().MBPerS * 1e6 / 1024))
			if t.Ended == result.TimeLimit {
				cell += "*"
			}
			return cell
		})
}

// filesRows has a row for each test and record size, and a column for each file size. A cell shows the rate, and how
// many times the slowest rate it is: the slowest of all writes, or of all reads.
func filesRows(doc *result.Document) [][]string {
	head := []string{"TEST", "RECORD"}
	for _, v := range doc.Tests[0].Intervals {
		head = append(head, measure.Size(v.FileBytes)+", MB/s")
	}
	all := [][]string{head}
	for _, names := range [][]string{{result.BufferedWrite, result.SeqWrite}, {result.BufferedRead, result.SeqRead}} {
		slowest := math.Inf(1)
		var tests []*result.Test // first the tests through the page cache, then those past it
		for _, name := range names {
			for i := range doc.Tests {
				t := &doc.Tests[i]
				if t.Name != name {
					continue
				}
				tests = append(tests, t)
				for _, v := range t.Intervals {
					slowest = min(slowest, float64(v.Bytes)/float64(v.NS))
				}
			}
		}
		for _, t := range tests {
			row := []string{t.Name, measure.Size(t.BlockBytes)}
			for _, v := range t.Intervals {
				rate := float64(v.Bytes) / float64(v.NS)
				row = append(row, result.Number(rate*1e3)+" (×"+result.Number(rate/slowest)+")")
			}
			all = append(all, row)
		}
	}
	return all
}

// sizeRows returns a table with a row for each block size, in ascending order, and a column for each test.
func sizeRows(
	doc *result.Document, head, tests []string, size func(bytes int64) []string, cell func(*result.Test) string,
) [][]string {
	var sizes []int64
	for _, t := range doc.Tests {
		sizes = append(sizes, t.BlockBytes)
	}
	slices.Sort(sizes)
	all := [][]string{head}
	for _, bytes := range slices.Compact(sizes) {
		row := size(bytes)
		for _, name := range tests {
			text := "-"
			if t := doc.TestOf(name, bytes); t != nil {
				text = cell(t)
			}
			row = append(row, text)
		}
		all = append(all, row)
	}
	return all
}

// notes explains the table of a profile.
func notes(doc *result.Document) string {
	cut := slices.ContainsFunc(doc.Tests, func(t result.Test) bool { return t.Ended == result.TimeLimit })
	switch {
	case doc.Profile == result.ProfileReference:
		return doc.Treatment()
	case doc.Profile == result.ProfileSweep:
		return "Where a column climbs and then stays level, the record has reached the size that the module works in, or " +
			"the most that the computer sends at once. Random writes are synced one by one (O_DSYNC); linear ones are flushed " +
			"at the end."
	case doc.Profile == result.ProfileIozone && cut:
		return "In kB (1,024 bytes) a second, flushes included. *: stopped at its time limit; later tests use the area so " +
			"far."
	case doc.Profile == result.ProfileIozone:
		return "In kB (1,024 bytes) a second, flushes included, like iozone -e -I -s 50M -r 4k -r 512k -i 0 -i 1 -i 2."
	case doc.Profile == result.ProfileFiles:
		return "Whole files. buffered-: through the page cache, with an fsync at the end of a write and nothing in the " +
			"cache before a read; seq-: past it. ×: times the slowest of all that write, or of all that read."
	case doc.Profile == result.ProfileRecording:
		return "LONGEST WAIT: from the moment when a camera has all data of a block until the module has them. Meanwhile " +
			"the camera must keep what it records: with less memory than that it drops pictures."
	case doc.Profile == result.ProfileRecorder:
		return "BUFFER NEEDED: with so much memory, a recorder that gets its data at this rate would have lost none. " +
			"OVER 0.1 s, 0.5 s, 1 s: how many writes took longer."
	case doc.Profile == result.ProfileSaturate:
		return "seq-write and rand-write: as the standard profile sees the module, over 256 MiB as it was. " +
			"round-write: at random over all that fill-write wrote, in rounds of a minute, until five of them are " +
			"steady (SNIA). full-write: rand-write again, over its 256 MiB, when the module is full."
	case doc.Profile == result.ProfileEndure:
		return lifeWords(doc)
	case doc.Profile == result.ProfileMixed:
		return "A rest lets a cache in the module empty itself. TIMES AS MANY: the first 32 writes after it, against " +
			"as many without."
	case doc.Profile == result.ProfileQueue:
		return "UNDER WAY: how many the kernel had on average, of 32. A read of one block shows what the host and " +
			"the way to the card take. Writes may stay in the card's cache until the end. " + readBack(doc)
	case doc.Profile == result.ProfileStructure:
		words := "Open units: to so many places, far from each other, the module writes in turn as fast as to one. With " +
			"one more, a write takes TIMES AS LONG. A system that writes to more places at once, such as a database " +
			"beside a log, is so much slower. \"can't tell\": the times of this module don't show it, which says nothing " +
			"against it."
		if doc.Test(result.KeptWrite) != nil {
			words += " Chosen: units that stay open together, found one by one. A write to another closes one."
		}
		return words
	case doc.Profile == result.ProfileStartup:
		return "From the start of the process to its end, by the clock. USER and SYSTEM are processor time, of the " +
			"program's own code and of the kernel for it: waiting for the module is in neither. Files that other programs " +
			"use too, such as the C library, stay in memory and are not read again."
	}
	return ""
}
