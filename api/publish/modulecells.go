package publish

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

// spreadRow is a figure over a module's units: median, interval, quartiles, range, and the number of results and
// contributors.
type spreadRow struct {
	Label, Unit, Value, Interval string
	Sure                         string // percent, where the interval's confidence isn't 95 %
	Quartiles, Range, N          string
	Behind                       string // "12 results, 4 contributors"
	Dots                         string `json:"dots_svg"` // one for each unit
}

func spreadRows(figures figure.Set, units []figure.Unit) (rows []spreadRow) {
	for _, column := range ranking.Columns {
		e, ok := figures.Find(column.Key)
		if !ok {
			continue
		}
		cell := page.CellOf("", e)
		row := spreadRow{Label: column.Label, Unit: column.Unit, Value: cell.Value, Interval: cell.Interval, N: cell.N}
		if sure := percent(e.Confidence); e.HasInterval() && e.Confidence > 0 && sure != "95" {
			row.Sure = sure
		}
		if e.Max > 0 {
			row.Quartiles, row.Range = page.Interval(e.P25, e.P75), page.Interval(e.Min, e.Max)
			row.Dots = dots(valuesOf(units, column.Key), e.Min, e.Max)
		}
		if e.Runs > 0 {
			row.Behind = page.Counted(e.Runs, "result") + ", " + page.Counted(e.Contributors, "contributor")
		}
		rows = append(rows, row)
	}
	return rows
}

// publishedSource has the figures of a module that one source printed.
type publishedSource struct {
	Source, SourcePath string
	Rows, More         []publishedRow // More: rows behind a fold
}

// publishedRow is a figure that somebody else printed, with its numbers and names as text.
type publishedRow struct {
	catalogue.Published
	Conditions         string // "4 KiB, depth 32"
	Value, Beside      string // "768 IOPS", "printed as 3,072 KB/s"
	Method, MethodPath string
}

const (
	// maxPublishedRows is how many published figures a module's page lists. One source has 460 of an SD Express card.
	maxPublishedRows = 200
	// If a source has many figures, unfoldedRows of them are in sight and the others behind a fold. A fold holds at
	// least leastFolded figures, because unfolding a single one is more work than reading it.
	unfoldedRows, leastFolded = 3, 2
)

// publishedSources lists the published figures of a module by source, and returns how many it leaves out. If there are
// too many figures, it prefers the ones that tables compare.
func (s *site) publishedSources(published []catalogue.Published) (sources []publishedSource, left int) {
	room := maxPublishedRows
	for _, p := range published {
		if p.Contributor != "" {
			room--
		}
	}
	at := map[string]int{}
	for _, p := range published {
		if p.Contributor == "" {
			if room--; room < 0 {
				left++
				continue
			}
		}
		i, known := at[p.Source]
		if !known {
			source, _ := s.catalogue.Source(p.Source)
			i, at[p.Source] = len(sources), len(sources)
			sources = append(sources, publishedSource{Source: label(source), SourcePath: sourcePath(p.Source)})
		}
		sources[i].Rows = append(sources[i].Rows, s.publishedRow(p))
	}
	for i := range sources {
		if of := &sources[i]; len(of.Rows) >= unfoldedRows+leastFolded {
			of.Rows, of.More = of.Rows[:unfoldedRows], of.Rows[unfoldedRows:]
		}
	}
	return sources, left
}

func (s *site) publishedRow(p catalogue.Published) publishedRow {
	method, _ := s.catalogue.Method(p.Method)
	row := publishedRow{Published: p, Method: cmp.Or(method.Label, p.Method), MethodPath: methodPath(p.Method)}
	var conditions, values []string
	if p.BlockBytes > 0 {
		conditions = append(conditions, strconv.FormatFloat(float64(p.BlockBytes)/1024, 'f', -1, 64)+" KiB")
	}
	if p.QueueDepth > 0 {
		conditions = append(conditions, "depth "+strconv.Itoa(p.QueueDepth))
	}
	for _, of := range []struct {
		value *float64
		unit  string
	}{{p.IOPS, " IOPS"}, {p.MBPerS, " MB/s"}, {p.MS, " ms"}} {
		if of.value != nil && *of.value != 0 {
			values = append(values, result.Number(*of.value)+of.unit)
		}
	}
	printed := strings.TrimSpace(p.ValueText + " " + p.Unit)
	switch {
	case len(values) == 0:
		values = []string{printed}
	case printed != values[0]:
		values = append(values, "printed as "+printed)
	}
	row.Conditions = strings.Join(conditions, ", ")
	row.Value, row.Beside = values[0], strings.Join(values[1:], ", ")
	return row
}

func sourcePath(key string) string { return "/sources/#" + strings.ToLower(key) }

// runRow is one of a module's results.
type runRow struct {
	ID, Short            string // Short: the beginning of the id
	On                   string // the day that it was received
	Host, HostClass, Bus string
	Cells                []page.Cell // of figure.KeyFigures
	NotRanked            string      // why it doesn't count; empty: it does
	Classes              string      // the verdicts on printed classes by this run
	Unit, Method, Ended  string
	Client               string
	NamedBy              string // what named the module, in one or two words; empty: not known
}

// runRows returns a row for each of a module's results, and whether any row judges a printed class by its result alone.
func (s *site) runRows(m catalogue.Module, newest []submission.Submission) (rows []runRow, judged bool) {
	for _, sub := range newest {
		row := runRow{
			ID: sub.ID, Short: sub.ID[:min(len(sub.ID), 8)], On: sub.ReceivedAt.UTC().Format(time.DateOnly), Host: sub.Host,
			Bus: sub.BusMode, NotRanked: strings.Join(sub.NotRanked, "; "), Unit: sub.UnitTag[:min(len(sub.UnitTag), 8)],
			Method: sub.Method + ", " + sub.Profile, Client: sub.Client,
			Cells:   figureCells(figure.KeyFigures, figure.OfRun(sub.Tests)),
			NamedBy: submission.EvidenceOf(sub.NamedBy).Words,
		}
		if sub.HostClass != "" {
			row.HostClass = figure.HostClassLabel(sub.HostClass)
		}
		for _, t := range sub.Tests {
			if t.Test == result.RandWrite {
				row.Ended = string(t.Ended)
			}
		}
		var classes []string
		for _, v := range s.verdictsOfRun(sub, m) {
			classes, judged = append(classes, v.Class+"\u00a0"+page.StateTexts[v.State]), true
		}
		row.Classes = strings.Join(classes, ", ")
		rows = append(rows, row)
	}
	return rows, judged
}

// evidenceIn returns the kinds of evidence that named the module of any of these results.
func evidenceIn(newest []submission.Submission) (all []submission.NamedBy) {
	for _, e := range submission.Evidence {
		if slices.ContainsFunc(newest, func(sub submission.Submission) bool { return sub.NamedBy == e.Key }) {
			all = append(all, e)
		}
	}
	return all
}
