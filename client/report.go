package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/sign"
)

// textColumns is the width of text where the terminal is wide enough.
const textColumns = 110

// printResult shows a result: a table, its meaning in words, and why it isn't ranked, if it isn't.
func printResult(out *os.File, doc *result.Document) {
	width := min(cmp.Or(terminalColumns(out), textColumns), textColumns)
	fmt.Fprint(out, spool.Clean(report(doc, width), '\n')) // the result may come from somebody else
}

func report(doc *result.Document, width int) string {
	var b strings.Builder
	paragraph := func(texts ...string) {
		if strings.Join(texts, "") == "" {
			return
		}
		b.WriteString("\n")
		for _, text := range texts {
			indent := ""
			if strings.HasPrefix(text, listItem) {
				indent = "    "
			}
			b.WriteString(wrap(text, width, indent))
		}
	}
	head := []string{howMeasured(doc)}
	if state := doc.Target.State(); state != "" {
		head = append(head, "before the test: "+state)
	}
	if name := describe(doc); name != "" {
		head = append([]string{name}, head...)
	}
	if p := doc.Module.Price; p != nil {
		amount := strings.TrimSuffix(fmt.Sprintf("%.2f", p.Amount), ".00")
		head = append(head, fmt.Sprintf("bought %s for %s %s", p.On, amount, p.Currency))
	}
	paragraph(head...)
	if doc.Method == result.MethodVerify1 {
		found := doc.Found()
		paragraph(strings.ToUpper(found[:1]) + found[1:] + ".")
		paragraph(sign.Sentence(sign.OfDocument(doc)))
		return b.String()
	}
	b.WriteString("\n" + table(rowsOf(doc), width))
	paragraph(notes(doc))
	ours := doc.Imported == nil && doc.Stack == nil && doc.Method != result.MethodSweep1 &&
		doc.Method != result.MethodIozone50M
	if t := doc.TestOf(result.RandWrite, 4096); t != nil && ours {
		if f := t.Figures(); f.IOPS != nil {
			b.WriteString(scale(*f.IOPS, width, showsUTF8()))
			paragraph(meaning(*f.IOPS))
			paragraph(stalls(&f))
		}
		paragraph(unseen(doc, t))
	}
	paragraph(caveats(doc)...)
	paragraph(verdict(doc)...)
	return b.String()
}

// describe names the module as well as the user and the kernel know it.
func describe(doc *result.Document) string {
	parts := []string{doc.Module.Vendor + " " + doc.Module.Product}
	if doc.Stack != nil {
		parts = append(parts, doc.Stack.Label())
	}
	if doc.Imported == nil {
		for _, device := range doc.Devices() {
			parts = append(parts, device.Label())
		}
		parts = append(parts, fmt.Sprintf("%.1f GB", float64(doc.Identity.SizeBytes)/1e9))
	} else {
		if gb := doc.Module.CapacityGB; gb > 0 { // a dry run names no module
			parts = append(parts, fmt.Sprintf("%g GB", gb))
		}
		parts = append(parts, doc.Module.Form)
	}
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// howMeasured says where, when and by what the result was measured.
func howMeasured(doc *result.Document) string {
	by := doc.Imported
	if by == nil {
		host := cmp.Or(doc.Host.Board, doc.Host.CPU)
		if queue := doc.Host.CommandQueue; queue != "" {
			host += ", command queue " + queue
		}
		return fmt.Sprintf("in %s, %s, profile %s", host, doc.StartedAt, doc.Profile)
	}
	text := "imported, measured by " + strings.TrimSpace(by.Tool+" "+by.ToolVersion)
	if by.MeasuredOn != "" {
		text += " on " + by.MeasuredOn
	}
	if by.Options != "" {
		text += ": " + by.Options
	}
	if found := by.Found(); found != "" {
		text += "; " + found
	}
	return text
}

// printJSON prints a JSON object in one line: the kept result, what follows from it, and after an upload its receipt
// and rank.
func printJSON(w io.Writer, path string, doc *result.Document, data []byte, standing *spool.Standing) error {
	figures := []map[string]any{}
	for _, t := range doc.Tests {
		f := t.Figures()
		figures = append(figures, f.Known())
	}
	return json.NewEncoder(w).Encode(struct {
		Result    json.RawMessage  `json:"result"`
		Figures   []map[string]any `json:"figures"` // of its tests, in their order
		Clean     bool             `json:"clean"`
		NotRanked []string         `json:"not_ranked"` // reasons in words; empty: ranked
		Receipt   *spool.Receipt   `json:"receipt,omitempty"`
		Standing  *spool.Standing  `json:"standing,omitempty"`
	}{data, figures, doc.Imported == nil && len(doc.Spoilers) == 0, append([]string{}, doc.NotRanked()...),
		spool.ReceiptOf(path), standing})
}

// table writes rows side by side; the first row is the head. If they are too wide, it narrows them. If they are still
// too wide, it writes a list for each row: its first two cells, and below them its other cells, with their heads. It
// leaves out "-".
func table(rows [][]string, width int) string {
	var b strings.Builder
	tooWide := func(line string) bool { return utf8.RuneCountInString(line) > width }
	for _, rows := range [][][]string{rows, narrowed(rows)} {
		b.Reset()
		writer := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			fmt.Fprintln(writer, strings.Join(row, "\t"))
		}
		writer.Flush()
		if !slices.ContainsFunc(strings.Split(b.String(), "\n"), tooWide) {
			return b.String()
		}
	}
	b.Reset()
	for _, row := range rows[1:] {
		b.WriteString(wrap(row[0]+" "+row[1], width, "  "))
		for i, cell := range row[2:] {
			if cell != "-" {
				b.WriteString(wrap("  "+rows[0][i+2]+": "+cell, width, "    "))
			}
		}
	}
	return b.String()
}

// narrowed returns rows with the unit of times only in the head, and with intervals written as 5.4-7.1.
func narrowed(rows [][]string) [][]string {
	all := make([][]string, len(rows))
	for i, row := range rows {
		all[i] = slices.Clone(row)
	}
	for column, head := range rows[0] {
		isTime := func(row []string) bool { return row[column] == "-" || strings.HasSuffix(row[column], " ms") }
		times := !slices.ContainsFunc(rows[1:], func(row []string) bool { return !isTime(row) })
		if times {
			all[0][column] += " ms"
		}
		for _, row := range all[1:] {
			if times {
				row[column] = strings.TrimSuffix(row[column], " ms")
			}
			if head == intervalHead {
				row[column] = strings.Replace(row[column], " to ", "-", 1)
			}
		}
	}
	return all
}

// wrap breaks text into lines of at most width characters and indents all but the first. A longer word stays whole.
func wrap(text string, width int, indent string) string {
	lines, line := "", text[:len(text)-len(strings.TrimLeft(text, " "))]
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(line+" "+word) > width:
			lines, line = lines+line+"\n", indent+word
		default:
			line += " " + word
		}
	}
	return lines + line + "\n"
}

// mostOverhead is the share of a test's time that the client may take for itself without a caveat.
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
		if result.OfReference(doc.Method) && t.Name == result.RandWrite && f.KiBPerOp != nil {
			say("%s: the device wrote %s KiB for each operation of 4 KiB.", t.Name, result.Number(*f.KiBPerOp))
		}
		if f.SourceMBPerS > 0 && f.SourceMBPerS < f.MBPerS {
			say("%s: this computer makes random data at %s MB/s, slower than the module writes them. The data were made in "+
				"advance, so that did not slow the test. But in these pauses, %s s in all, a cache in the module may have "+
				"drained: without them it may be slower.", t.Name, result.Number(f.SourceMBPerS),
				result.Number(float64(t.SourceNS)/1e9))
		}
		if t.Ended == result.TimeLimit && !t.IsRandom() && hasTestRows(doc) {
			say("%s: the time limit came after %d of %d MiB.", t.Name, t.Bytes>>20, t.AreaBytes>>20)
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

// Random write rates to compare with: a published rate of a 5400 rpm laptop disk, and the SD specification's classes.
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

// unseen says what a standard test can't have seen, and how to see it. A module may do something less often than the
// test took, and may change once a cache is full.
func unseen(doc *result.Document, t *result.Test) string {
	var texts []string
	if ns := t.SettledNS(); ns > 0 && doc.Profile == result.ProfileStandard {
		more := "Measure it again another day"
		if writesLeft(t) >= leastLonger {
			more += ", or for longer with --time 40m"
		}
		texts = append(texts, fmt.Sprintf("The rate was steady over the %s s of this test. A module that stops less often "+
			"than that is slower than it looks here. %s.", result.Number(float64(ns)/1e9), more))
	}
	if cached := doc.MayFitCache(); cached != "" {
		texts = append(texts, cached+" --profile sustained shows that.")
	}
	return strings.Join(texts, " ")
}

// leastLonger is how much longer a test of more time must be to be worth it.
const leastLonger = 2 * time.Minute

// writesLeft is how long the blocks of the area would take that a test of random writes has left. A longer one ends when
// each was written once.
func writesLeft(t *result.Test) time.Duration {
	blocks := t.AreaBytes/t.BlockBytes - t.Ops - t.WarmupOps
	return time.Duration(float64(blocks) * float64(t.DurationNS) / float64(max(t.Ops, 1)))
}

// stalls tells of the longest 4K random write with how many there were, and what doesn't depend on that.
func stalls(f *result.Figures) string {
	if f.MaxNS == nil || f.Ops == nil || f.DurationNS == nil || f.Stalls100MS.Count == nil {
		return ""
	}
	text := fmt.Sprintf("The longest of %s 4K random writes in %s s took %s.", result.Count(int(*f.Ops)),
		result.Number(float64(*f.DurationNS)/1e9), ms(f.MaxNS))
	if f.Longest1000NS != nil {
		text += " The longest of 1,000 takes more than " + ms(f.Longest1000NS) + " in half of all cases"
		if f.Longest1000HighNS != nil {
			text += " (" + ms(f.Longest1000LowNS) + " to " + ms(f.Longest1000HighNS) + ")"
		}
		text += "."
	}
	over := func(s result.Stalls) string {
		per1000, low, high := s.Times(1000 / float64(*f.Ops))
		return fmt.Sprintf("%s (%s to %s)", result.Number(*per1000), result.Number(*low), result.Number(*high))
	}
	return text + " Of 1,000, " + over(f.Stalls100MS) + " take over 0.1 s and " + over(f.Stalls1S) + " over 1 s."
}
