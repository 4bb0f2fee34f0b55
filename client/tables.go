package main

import (
	"fmt"
	"slices"

	"flashdex/client/measure"
	"flashdex/result"
)

// rowsOf is the table of a result, with its head.
func rowsOf(doc *result.Document) [][]string {
	switch doc.Profile {
	case result.ProfileSweep:
		return sweepRows(doc)
	case result.ProfileIozone:
		return iozoneRows(doc)
	case result.ProfileStartup:
		return startupRows(doc)
	case result.ProfileSustained:
		return sustainedRows(doc)
	case result.ProfileImported:
		return importedRows(doc)
	}
	rows := [][]string{{"TEST", "FIGURE", "95 % INTERVAL", "p50", "p99", "MAX", "ENDED"}}
	for i := range doc.Tests {
		rows = append(rows, row(&doc.Tests[i]))
	}
	return rows
}

// sustainedRows shows how even the rate was, and the cache cliff.
func sustainedRows(doc *result.Document) [][]string {
	rows := [][]string{{"TEST", "MEAN", "VARIATION", "WORST SECOND", "CLIFF", "MOVED", "TIME"}}
	mbPerS := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.*f MB/s", places(*v), *v)
	}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		variation, cliff := "-", "-"
		if f.CVPercent != nil {
			variation = fmt.Sprintf("%.*f %%", places(*f.CVPercent), *f.CVPercent)
		}
		switch {
		case f.CliffMB != nil:
			cliff = fmt.Sprintf("after %.0f MB, to %.0f %%", *f.CliffMB, *f.CliffPercent)
		case f.CliffPercent != nil:
			cliff = "none seen"
		}
		rows = append(rows, []string{
			t.Name, mbPerS(&f.MBPerS), variation, mbPerS(f.WorstMBPerS), cliff,
			fmt.Sprintf("%.1f GB", float64(t.Bytes)/1e9), fmt.Sprintf("%.0f s", float64(t.DurationNS)/1e9),
		})
	}
	return rows
}

// sweepRows shows the rate of each test by the size of its records.
func sweepRows(doc *result.Document) [][]string {
	rows := [][]string{{"RECORD", "MB/s: LINEAR WRITE", "LINEAR READ", "RANDOM WRITE", "RANDOM READ"}}
	for _, bytes := range blockSizes(doc) {
		row := []string{measure.Size(bytes)}
		for _, name := range []string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead} {
			cell := "-"
			if t := testOf(doc, name, bytes); t != nil {
				v := t.Figures().MBPerS
				cell = fmt.Sprintf("%.*f", places(v), v)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// iozoneRows is the table that iozone prints, in its kB (1,024 bytes) a second, whole ones as there.
func iozoneRows(doc *result.Document) [][]string {
	rows := [][]string{{"kB", "reclen", "write", "rewrite", "read", "reread", "random read", "random write"}}
	for _, bytes := range blockSizes(doc) {
		row := []string{fmt.Sprint(doc.Tests[0].AreaBytes >> 10), fmt.Sprint(bytes >> 10)}
		for _, name := range []string{result.SeqWrite, result.SeqRewrite, result.SeqRead, result.SeqReread, result.RandRead, result.RandWrite} {
			cell := "-"
			if t := testOf(doc, name, bytes); t != nil {
				cell = fmt.Sprint(int64(t.Figures().MBPerS * 1e6 / 1024))
				if t.Ended == result.TimeLimit {
					cell += "*"
				}
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// blockSizes are those of a result's tests, in ascending order.
func blockSizes(doc *result.Document) []int64 {
	var sizes []int64
	for _, t := range doc.Tests {
		sizes = append(sizes, t.BlockBytes)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func testOf(doc *result.Document, name string, blockBytes int64) *result.Test {
	for i := range doc.Tests {
		if t := &doc.Tests[i]; t.Name == name && t.BlockBytes == blockBytes {
			return t
		}
	}
	return nil
}

// notes says what the table of a profile doesn't.
func notes(doc *result.Document) string {
	cut := slices.ContainsFunc(doc.Tests, func(t result.Test) bool { return t.Ended == result.TimeLimit })
	switch {
	case doc.Profile == result.ProfileSweep:
		return "Where a column climbs and then stays level, a record has reached the size that the module works in, or what the computer sends at a time. " +
			"Random writes are on the module one by one (O_DSYNC); linear ones are flushed once, at the end."
	case doc.Profile == result.ProfileIozone && cut:
		return "In kB (1,024 bytes) a second, flushes included. *: stopped at its time limit; what was written till then is the area of the tests after it."
	case doc.Profile == result.ProfileIozone:
		return "In kB (1,024 bytes) a second, flushes included, as iozone -e -I -s 50M -r 4k -r 512k -i 0 -i 1 -i 2 prints them."
	}
	if doc.Profile == result.ProfileStartup {
		return "From the start of the process to its end. What other programs use too, such as the C library, stays in memory and isn't read again."
	}
	return ""
}
