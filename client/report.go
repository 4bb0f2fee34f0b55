package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"flashdex/result"
)

// What a random write figure is compared with: the published rate of a 5400 rpm laptop disk, and what the SD
// specification asks of the application performance classes.
const (
	laptopDiskIOPS = 90
	a1WriteIOPS    = 500
	a2WriteIOPS    = 2000
)

// printResult shows a result as a table, what it means, and why it isn't ranked if it isn't.
func printResult(w io.Writer, doc *result.Document) {
	host := doc.Host.Board
	if host == "" {
		host = doc.Host.CPU
	}
	fmt.Fprintf(w, "\n%s\nin %s, %s, profile %s\n\n", describe(doc), host, doc.StartedAt, doc.Profile)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TEST\tFIGURE\t95 % INTERVAL\tp50\tp99\tMAX\tENDED")
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		figure, interval := fmt.Sprintf("%.*f MB/s", places(f.MBPerS), f.MBPerS), "-"
		if f.IOPS != nil {
			figure = fmt.Sprintf("%.*f IOPS", places(*f.IOPS), *f.IOPS)
		}
		if f.IOPSLow != nil {
			interval = fmt.Sprintf("%.*f to %.*f", places(*f.IOPSLow), *f.IOPSLow, places(*f.IOPSHigh), *f.IOPSHigh)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, figure, interval, ms(f.P50NS), ms(f.P99NS), ms(f.MaxNS), ended(t))
	}
	table.Flush()
	if t := doc.Test(result.RandWrite); t != nil {
		if f := t.Figures(); f.IOPS != nil {
			fmt.Fprintln(w, verdict(*f.IOPS))
		}
	}
	if reasons := doc.NotRanked(); len(reasons) > 0 {
		fmt.Fprintln(w, "\nThis result is shown but not ranked:")
		for _, reason := range reasons {
			fmt.Fprintln(w, "  -", reason)
		}
	}
}

func ms(ns *int64) string {
	if ns == nil {
		return "-"
	}
	v := float64(*ns) / 1e6
	return fmt.Sprintf("%.*f ms", places(v), v)
}

func ended(t *result.Test) string {
	switch t.Ended {
	case result.Complete:
		return fmt.Sprintf("complete: all %d MiB", t.AreaBytes>>20)
	case result.Converged:
		return "converged: the interval is tight"
	case result.TimeLimit:
		return "time limit"
	}
	return string(t.Ended)
}

// verdict puts a 4K random write rate into words.
func verdict(iops float64) string {
	text := fmt.Sprintf("\n4K random writes decide how quick a small computer feels. This module does %.*f a second, ", places(iops), iops)
	switch ratio := iops / laptopDiskIOPS; {
	case ratio >= 1.1:
		text += fmt.Sprintf("%.1f times as many as", ratio)
	case ratio > 0.9:
		text += "about as many as"
	default:
		text += fmt.Sprintf("%.1f times fewer than", 1/ratio)
	}
	text += fmt.Sprintf("\na 5400 rpm laptop disk (%d). ", laptopDiskIOPS)
	switch {
	case iops >= a2WriteIOPS:
		text += fmt.Sprintf("That is more than class A2 asks for (%d),", a2WriteIOPS)
	case iops >= a1WriteIOPS:
		text += fmt.Sprintf("That is between what class A1 (%d) and class A2 (%d) ask for,", a1WriteIOPS, a2WriteIOPS)
	default:
		text += fmt.Sprintf("That is less than class A1 asks for (%d),", a1WriteIOPS)
	}
	return text + "\nbut the classes are measured differently: without a sync of each write, and A2 with many writes at once."
}
