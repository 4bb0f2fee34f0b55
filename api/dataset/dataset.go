// Package dataset writes the rows of the data set: the files that a publication holds and the exports of the API have the
// same columns and the same cells.
package dataset

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/ranking"
)

// Writer writes one CSV file (RFC 4180), its head first.
type Writer struct {
	csv  *csv.Writer
	head []Field
	rows int
}

// NewWriter returns a writer of these columns. What goes wrong in writing is told by Flush.
func NewWriter(to io.Writer, head []Field) *Writer {
	w := &Writer{csv: csv.NewWriter(to), head: head}
	w.csv.UseCRLF = true
	var names []string
	for _, f := range head {
		names = append(names, f.Name)
	}
	_ = w.csv.Write(names)
	return w
}

func (w *Writer) write(cells ...string) {
	if len(cells) != len(w.head) {
		panic(fmt.Sprintf("dataset: %d cells in %d columns", len(cells), len(w.head)))
	}
	w.rows++
	_ = w.csv.Write(cells)
}

// Rows is the number of rows so far, without the head.
func (w *Writer) Rows() int { return w.rows }

// Flush writes what is buffered, and returns the first error of all that was written.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// Upload writes the rows of one uploaded result, one for each test. name is its module's.
func (w *Writer) Upload(sub index.Submission, name string) {
	for _, t := range sub.Tests {
		w.write("upload", sub.ID, "", "", sub.ModuleSlug, text(name), sub.Method, sub.Profile, t.Test,
			count(int(t.BlockBytes)), count(t.QueueDepth), t.Sync, number(t.MBPerS), optional(t.IOPS), optional(t.IOPSLow), optional(t.IOPSHigh),
			whole(t.P50NS), whole(t.P99NS), whole(t.P999NS), whole(t.MaxNS), optional(t.KiBPerOp), string(t.Ended),
			text(strings.Join(sub.NotRanked, "; ")), "", text(sub.Host), text(sub.Client), sub.ReceivedAt.UTC().Format(time.DateOnly), "",
			sub.HostClass, text(sub.BusMode), number(sub.BusMBPerS), text(sub.Variant.Label()), optional(t.CVPercent), optional(t.CliffMB), optional(t.CliffPercent))
	}
}

// Published writes the row of one published figure. name is its module's.
func (w *Writer) Published(p catalogue.Published, name string) {
	w.write("published", "", p.Source, count(p.Line), p.ModuleSlug, text(name), p.Method, "", text(p.Test),
		count(int(p.BlockBytes)), count(p.QueueDepth), "", optional(p.MBPerS), optional(p.IOPS), "", "", "", "", "", "", "", "", "",
		text(strings.TrimSpace(p.ValueText+" "+p.Unit)), text(p.Host), text(p.Tool), text(p.Date), text(p.Note),
		"", "", "", "", "", "", "")
}

// Module writes the row of one module with its figures by one method and its place by 4K random writes, or without any if r is
// the zero Row.
func (w *Writer) Module(m catalogue.Module, r ranking.Row, place ranking.Place) {
	value := func(key string) string {
		if f, ok := r.Figures[key]; ok {
			return optional(&f.Value)
		}
		return ""
	}
	rw := r.Figures[index.RandWriteIOPS]
	cells := []string{
		m.Slug, text(m.Name()), text(m.Vendor), text(m.Product), number(m.CapacityGB), m.Form, text(strings.Join(m.Classes, " ")),
		strconv.FormatBool(m.Provisional), text(m.KnownFrom), r.Method,
		value(index.RandWriteIOPS), optional(rw.Low), optional(rw.High), value(index.RandReadIOPS), value(index.SeqWriteMBPerS), value(index.SeqReadMBPerS),
		value(index.RandWriteP99MS), value(index.RandWriteMaxMS), count(r.Units), count(r.Results), text(r.Note),
	}
	for _, key := range newFigures {
		cells = append(cells, value(key))
	}
	cells = append(cells, count(r.Contributors), count(r.Boards), count(place.First), count(place.Last), prices(r.Prices))
	for _, key := range index.FigureKeys {
		f := r.Figures[key]
		if key != index.RandWriteIOPS {
			cells = append(cells, optional(f.Low), optional(f.High))
		}
		cells = append(cells, number(f.Confidence))
	}
	w.write(cells...)
}

// Reference writes the row of a device to compare with.
func (w *Writer) Reference(d catalogue.ReferenceDevice) {
	cells := make([]string, len(w.head))
	for i, f := range w.head {
		switch f.Name {
		case "name":
			cells[i] = text(d.Name)
		case "form":
			cells[i] = "reference"
		case "provisional":
			cells[i] = "false"
		case "known_from":
			cells[i] = text(d.Source)
		case index.RandWriteIOPS:
			cells[i] = number(d.RandWriteIOPS)
		case index.RandReadIOPS:
			cells[i] = number(d.RandReadIOPS)
		case index.SeqWriteMBPerS:
			cells[i] = number(d.SeqWriteMBPerS)
		case "not_ranked":
			cells[i] = "a line to compare with, not a module"
		}
	}
	w.write(cells...)
}
