package chart

import (
	"fmt"
	"slices"

	"flashdex/result"
)

// iozoneColumns are the tests in the order of iozone's table.
var iozoneColumns = []struct{ name, test string }{
	{"write", result.SeqWrite}, {"rewrite", result.SeqRewrite}, {"read", result.SeqRead}, {"reread", result.SeqReread},
	{"random read", result.RandRead}, {"random write", result.RandWrite},
}

// IozoneHead is the head of iozone's table.
func IozoneHead(first string) []string {
	head := []string{first, "kB", "reclen"}
	for _, column := range iozoneColumns {
		head = append(head, column.name)
	}
	return head
}

// IozoneRow is a row of iozone's table. kbPerS has rates in kB (1,024 bytes) per second by test; 0: not measured.
// areaBytes is 0 if it is not known.
func IozoneRow(first string, areaBytes, recordBytes int64, kbPerS map[string]float64) []string {
	area := ""
	if areaBytes > 0 {
		area = fmt.Sprint(areaBytes >> 10)
	}
	row := []string{first, area, fmt.Sprint(recordBytes >> 10)}
	for _, column := range iozoneColumns {
		cell := ""
		if v := kbPerS[column.test]; v > 0 {
			cell = fmt.Sprint(int64(v))
		}
		row = append(row, cell)
	}
	return row
}

// iozone makes the table that iozone prints, for each run.
func iozone(runs []Profiled) Numbers {
	table := Numbers{Title: "Iozone’s table, kB/s", Head: IozoneHead("Run")}
	for _, r := range runs {
		for _, bytes := range recordSizes(r.Tests) {
			rates, cut := kbPerS(r.Tests, bytes)
			row := IozoneRow(r.label(), r.Tests[0].AreaBytes, bytes, rates)
			for i, column := range iozoneColumns {
				if cut[column.test] {
					row[3+i] += "*"
					table.Note = "*: stopped at its time limit; what was written till then is the area of the tests after it."
				}
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

// iozoneAgainst returns the same table in percent of a baseline.
func iozoneAgainst(runs []Profiled, base int) Numbers {
	table := Numbers{Title: "In per cent of " + runs[base].label(), Head: slices.Delete(IozoneHead("Run"), 1, 2)}
	for i, r := range runs {
		if i == base {
			continue
		}
		for _, bytes := range recordSizes(r.Tests) {
			of, _ := kbPerS(r.Tests, bytes)
			to, _ := kbPerS(runs[base].Tests, bytes)
			row := []string{r.label(), fmt.Sprint(bytes >> 10)}
			for _, column := range iozoneColumns {
				cell := ""
				if of[column.test] > 0 && to[column.test] > 0 {
					cell = result.Number(100 * of[column.test] / to[column.test])
				}
				row = append(row, cell)
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

// kbPerS returns the rates with records of one size, and which tests their time limit cut off.
func kbPerS(tests []result.Test, bytes int64) (rates map[string]float64, cut map[string]bool) {
	rates, cut = map[string]float64{}, map[string]bool{}
	for _, t := range tests {
		if t.BlockBytes == bytes && t.DurationNS > 0 {
			rates[t.Name] = float64(t.Bytes) / 1024 / (float64(t.DurationNS) / 1e9)
			cut[t.Name] = t.Ended == result.TimeLimit
		}
	}
	return rates, cut
}

// recordSizes returns the block sizes of tests, in ascending order.
func recordSizes(tests []result.Test) (sizes []int64) {
	for i := range tests {
		sizes = append(sizes, tests[i].BlockBytes)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}
