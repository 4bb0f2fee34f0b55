package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"flashdex/result"
)

// textColumns is how wide text is written where there is room.
const textColumns = 110

// printResult shows a result as a table, what it means, and why it isn't ranked if it isn't. On a terminal that is too
// narrow for the table, each test has lines of its own.
func printResult(w io.Writer, doc *result.Document) {
	width := textColumns
	if file, ok := w.(*os.File); ok {
		if columns := terminalColumns(file); columns > 0 {
			width = min(columns, textColumns)
		}
	}
	fmt.Fprint(w, plain(report(doc, width)))
}

func report(doc *result.Document, width int) string {
	host := doc.Host.Board
	if host == "" {
		host = doc.Host.CPU
	}
	how := fmt.Sprintf("in %s, %s, profile %s", host, doc.StartedAt, doc.Profile)
	if doc.Imported != nil {
		how = importedBy(doc)
	}
	var b strings.Builder
	b.WriteString("\n" + wrap(describe(doc), width, "") + wrap(how, width, ""))
	if p := doc.Module.Price; p != nil {
		amount := fmt.Sprintf("%.2f", p.Amount)
		b.WriteString(wrap(fmt.Sprintf("bought %s for %s %s", p.On, strings.TrimSuffix(amount, ".00"), p.Currency), width, ""))
	}
	b.WriteString("\n")
	b.WriteString(table(rowsOf(doc), width))
	if text := notes(doc); text != "" {
		b.WriteString("\n" + wrap(text, width, ""))
	}
	if t := testOf(doc, result.RandWrite, 4096); t != nil && doc.Method != result.MethodSweep1 && doc.Method != result.MethodIozone50M && doc.Imported == nil && doc.Stack == nil {
		if f := t.Figures(); f.IOPS != nil {
			b.WriteString("\n" + wrap(meaning(*f.IOPS), width, ""))
		}
	}
	if all := caveats(doc); len(all) > 0 {
		b.WriteString("\n")
		for _, caveat := range all {
			b.WriteString(wrap(caveat, width, ""))
		}
	}
	b.WriteString("\n")
	for _, part := range verdict(doc) {
		b.WriteString(wrap(part.head, width, ""))
		for _, reason := range part.reasons {
			b.WriteString(wrap("  - "+reason, width, "    "))
		}
	}
	return b.String()
}

func row(t *result.Test) []string {
	f := t.Figures()
	figure, interval := fmt.Sprintf("%.*f MB/s", places(f.MBPerS), f.MBPerS), "-"
	if f.IOPS != nil {
		figure = fmt.Sprintf("%.*f IOPS", places(*f.IOPS), *f.IOPS)
	}
	if f.IOPSLow != nil {
		interval = fmt.Sprintf("%.*f to %.*f", places(*f.IOPSLow), *f.IOPSLow, places(*f.IOPSHigh), *f.IOPSHigh)
	}
	return []string{t.Name, figure, interval, ms(f.P50NS), ms(f.P99NS), ms(f.MaxNS), ended(t)}
}

// table writes rows, the first of which is the head, side by side, or where that is too wide below each other: the first
// two cells of a row, then the others that hold something, each with its head.
func table(rows [][]string, width int) string {
	var b strings.Builder
	writer := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(writer, strings.Join(row, "\t"))
	}
	writer.Flush()
	fits := true
	for line := range strings.Lines(b.String()) {
		fits = fits && utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) <= width
	}
	if fits {
		return b.String()
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

// wrap breaks text into lines of at most width characters, all but the first indented; a longer word stays whole.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	line := text[:len(text)-len(strings.TrimLeft(text, " "))]
	empty := true
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return b.String() + line + "\n"
}

// plain drops what could control a terminal: a result may come from somebody else.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, text)
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
