package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"flashdex/client/spool"
	"flashdex/result"
)

// compareResults prints results side by side, each compared with the first.
func compareResults(_ context.Context, _ options, files []string) error {
	if len(files) < 2 {
		return usagef("compare takes two files or more; flashdex list shows your results")
	}
	docs := make([]*result.Document, len(files))
	for i, file := range files {
		var err error
		if docs[i], _, err = spool.Read(file); err != nil {
			return usageError(err)
		}
	}
	width := min(cmp.Or(terminalColumns(os.Stdout), textColumns), textColumns)
	fmt.Print(spool.Clean(comparison(docs, width), '\n'))
	return nil
}

func comparison(docs []*result.Document, width int) string {
	var b strings.Builder
	var rows [][]string
	head := []string{"TEST"}
	for i, doc := range docs {
		head = append(head, fmt.Sprint(i+1))
		b.WriteString(wrap(fmt.Sprintf("%d: %s", i+1, describe(doc)), width, "   "))
		b.WriteString(wrap("   "+howMeasured(doc), width, "   "))
		for j := range doc.Tests {
			if t := &doc.Tests[j]; doc.TestOf(t.Name, t.BlockBytes) == t && !inRows(rows, nameOf(t)) {
				rows = append(rows, comparedRow(docs, t))
			}
		}
	}
	b.WriteString("\n" + table(append([][]string{head}, rows...), width))
	for _, doc := range docs[1:] {
		if doc.Method != docs[0].Method || doc.Profile != docs[0].Profile {
			b.WriteString("\n" + wrap("They were measured in different ways, so a difference may be one of the ways.",
				width, ""))
			break
		}
	}
	b.WriteString("\n" + wrap("In brackets: against 1. A difference is given where the 95 % intervals don't touch. The "+
		"intervals are of the runs: another unit of the same product may differ more.", width, ""))
	return b.String()
}

func inRows(rows [][]string, name string) bool {
	for _, row := range rows {
		if row[0] == name {
			return true
		}
	}
	return false
}

// comparedRow has the figure of one test in each result.
func comparedRow(docs []*result.Document, of *result.Test) []string {
	row := []string{nameOf(of)}
	first := docs[0].TestOf(of.Name, of.BlockBytes)
	for i, doc := range docs {
		t := doc.TestOf(of.Name, of.BlockBytes)
		switch {
		case t == nil:
			row = append(row, "-")
		case i == 0 || first == nil:
			row = append(row, figure(t))
		default:
			row = append(row, figure(t)+" ("+against(first, t)+")")
		}
	}
	return row
}

// against says by how much the second test is faster or slower. It says that it can't tell if chance explains the
// difference.
func against(a, b *result.Test) string {
	figureOf := func(t *result.Test) (value float64, low, high *float64) {
		f := t.Figures()
		if f.IOPS != nil {
			return *f.IOPS, f.IOPSLow, f.IOPSHigh
		}
		return f.MBPerS, f.MBPerSLow, f.MBPerSHigh
	}
	av, aLow, aHigh := figureOf(a)
	bv, bLow, bHigh := figureOf(b)
	if aLow == nil || bLow == nil || av <= 0 || *aLow <= *bHigh && *bLow <= *aHigh {
		return "can't tell"
	}
	if ratio := bv / av; ratio >= 2 || ratio <= 0.5 {
		return "×" + result.Number(ratio)
	}
	return fmt.Sprintf("%+.0f %%", 100*(bv/av-1))
}
