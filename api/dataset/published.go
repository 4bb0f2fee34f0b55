package dataset

import (
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// PublishedFigure is a row of Published.
type PublishedFigure struct {
	catalogue.Published
	Name string
}

type printed = PublishedFigure

// Published lists the figures that others measured and printed.
var Published = table(Table{
	Name:        "published",
	Description: "One row for each figure that somebody else measured and published, with its source.",
	Key:         []string{"source", "source_line"},
	References:  []string{"module"},
}, []Column[printed]{
	{Field{"source", Key, "", "Key of the source, see /sources/", required}, func(p *printed) any { return &p.Source }},
	{Field{"source_line", Integer, "", "Line of the figure in data/published/<source>.csv", required},
		func(p *printed) any { return &p.Line }},
	{Field{"module", Key, "", "Key of the module", required}, func(p *printed) any { return p.ModuleSlug + p.DeviceSlug }},
	{Field{"name", Text, "", "The module as one reads it", none}, func(p *printed) any { return &p.Name }},
	{Field{"method", Key, "", "How it was measured; compare rows of one method only", required},
		func(p *printed) any { return &p.Method }},
	{Field{"test", Key, "", "seq-write, seq-read, rand-write, rand-read, or the source's own test; mixed_... is one of " +
		"several at once", required}, func(p *printed) any { return &p.Test }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", notNegative},
		func(p *printed) any { return given(&p.BlockBytes) }},
	{Field{"queue_depth", Integer, "", "Transfers in flight; empty: not known", notNegative},
		func(p *printed) any { return &p.QueueDepth }},
	{Field{"mb_per_s", Number, "MB/s", "10^6 bytes per second", notNegative}, func(p *printed) any { return p.MBPerS }},
	{Field{"iops", Number, "IOPS", "Transfers per second", notNegative}, func(p *printed) any { return p.IOPS }},
	{Field{"restates", Integer, "", "Line of the same source with the same measurement in another unit: count only " +
		"one", notNegative}, func(p *printed) any { return &p.Restates }},
	{Field{"as_printed", Text, "", "The figure as its source prints it", none},
		func(p *printed) any { return strings.TrimSpace(p.ValueText + " " + p.Unit) }},
	{Field{"host", Text, "", "Computer it was measured in, as the source says", none},
		func(p *printed) any { return &p.Host }},
	{Field{"tool", Text, "", "Program that measured", none}, func(p *printed) any { return &p.Tool }},
	{Field{"date", Text, "", "When, as exactly as the source says: a year, a month, a day", none},
		func(p *printed) any { return &p.Date }},
	{Field{"note", Text, "", "Note on the figure", none}, func(p *printed) any { return &p.Note }},
	{Field{"kind", Text, "", "What was measured, in words: method, size of the area, host, command queue; figures of " +
		"two kinds have no median", none}, func(p *printed) any { return &p.Kind }},
	{Field{"measured_by", Text, "", "Who measured it, if the figure can be compared with flashdex-1, so that it is part " +
		"of what is expected of the module; empty: it is only listed", none}, func(p *printed) any { return &p.Contributor }},
	{Field{"host_mb_per_s", Number, "MB/s", "What the host carries, where that is known", notNegative},
		func(p *printed) any { return given(&p.HostMBPerS) }},
	{Field{"ms", Number, "ms", "Milliseconds, of a test that is a time: a slowest call (..._latency_max), mount_time, " +
		"access_time, boot_time, startup_user_time", notNegative}, func(p *printed) any { return p.MS }},
	{Field{"of_unit", Text, "", "On whose unit of the module, and on which of several; rows of one unit are one " +
		"observation", none}, func(p *printed) any { return &p.OfUnit }},
	{Field{"quality", Key, "", "A: method, module and host are clear; B: usable, something is missing; C: weak method " +
		"or host, in no other table", Rules{false, []string{"A", "B", "C"}, nil}},
		func(p *printed) any { return &p.Quality }},
})

// EachPublished calls do for each published figure, by source and line.
func EachPublished(s *figure.Overview, c *catalogue.Catalogue, do func(*PublishedFigure) error) error {
	names := map[string]string{}
	for i := range s.Modules {
		names[s.Modules[i].Slug] = s.Modules[i].Name()
	}
	for _, d := range c.ReferenceDevices {
		names[d.Slug] = d.Name
	}
	for _, p := range s.Published {
		if err := do(&PublishedFigure{p, names[p.ModuleSlug+p.DeviceSlug]}); err != nil {
			return err
		}
	}
	return nil
}

// RatedFigure is a row of Rated.
type RatedFigure struct {
	Module   catalogue.Module
	Metric   figure.Metric
	Value    float64
	Measured *figure.Figure // by the standard test; nil: not yet
	Source   catalogue.Source
	Note     string
}

type rated = RatedFigure

// Percent returns the measured figure in percent of the promised one; nil: not measured.
func (r *RatedFigure) Percent() *float64 {
	if r.Measured == nil {
		return nil
	}
	return new(100 * r.Measured.Value / r.Value)
}

// Rated lists the figures of data sheets.
var Rated = table(Table{
	Name: "rated",
	Description: "One row for each figure that a maker promises of a module, beside what flashdex-1 measured of it. " +
		"What other methods measured stands beside the same promise in the table figures. What is promised enters no " +
		"figure of another table.",
	Key: []string{"module", "figure", "source"}, References: []string{"module"},
}, []Column[rated]{
	{Field{"module", Key, "", "Key of the module", required}, func(r *rated) any { return &r.Module.Slug }},
	{Field{"figure", Key, "", "The figure, as it is called in the table figures, or transfer_mb_per_s, whose direction " +
		"nobody states", Rules{true, append(slices.Clone(catalogue.RatedKeys),
		catalogue.RatedTransfer), nil}},
		func(r *rated) any { return &r.Metric.Key }},
	{Field{"source", Key, "", "Key of the data sheet, see /sources/; printed: on the module", required},
		func(r *rated) any { return r.SourceKey() }},
	{Field{"name", Text, "", "The module as one reads it", required}, func(r *rated) any { return r.Module.Name() }},
	{Field{"rated", Number, "", "What is promised, in the unit of this row", counted},
		func(r *rated) any { return &r.Value }},
	{Field{"unit", Key, "", "IOPS of 4 KiB, or MB/s of 10^6 bytes", required},
		func(r *rated) any { return &r.Metric.Unit }},
	{Field{"measured", Number, "", "The median over the module's units by flashdex-1, in the same unit; empty: it has " +
		"none yet", notNegative},
		func(r *rated) any {
			if r.Measured == nil {
				return nil
			}
			return rounded(&r.Measured.Value)
		}},
	{Field{"percent", Number, "%", "What was measured in per cent of what is promised", notNegative},
		func(r *rated) any { return rounded(r.Percent()) }},
	{Field{"title", Text, "", "Title of the data sheet", none}, func(r *rated) any { return &r.Source.Title }},
	{Field{"url", Text, "", "Where it was read", none}, func(r *rated) any { return &r.Source.URL }},
	{Field{"date", Text, "", "Its date, as exactly as it says", none}, func(r *rated) any { return &r.Source.Date }},
	{Field{"note", Text, "", "Under which conditions, as far as it tells", none}, func(r *rated) any { return &r.Note }},
})

// SourceKey returns the key of the data sheet, or "printed" for a figure that is printed on the module.
func (r *RatedFigure) SourceKey() string {
	if r.Source.Key == "" {
		return "printed"
	}
	return r.Source.Key
}

// transferRate is the metric of a promised rate whose direction nobody states.
var transferRate = figure.Metric{Key: catalogue.RatedTransfer, Unit: "MB/s", Label: "Rate, direction not stated"}

// RatedOf returns the figures of a module's data sheets, each with the figure that was measured by the standard test.
func RatedOf(m catalogue.Module, c *catalogue.Catalogue, measured figure.Set) (all []RatedFigure) {
	known, _ := c.Module(m.Slug)
	for _, rated := range known.AllRated() {
		source, _ := c.Source(rated.Source)
		for _, key := range catalogue.RatedKeys {
			value, is := rated.Figures[key]
			if !is {
				continue
			}
			row := RatedFigure{Module: m, Metric: figure.MetricOf(key), Value: value, Source: source, Note: rated.Note}
			if e, has := measured.Find(key); has {
				row.Measured = &e
			}
			all = append(all, row)
		}
		if value := rated.Figures[catalogue.RatedTransfer]; value > 0 {
			all = append(all, RatedFigure{Module: m, Metric: transferRate, Value: value, Source: source, Note: rated.Note})
		}
	}
	return all
}

// EachRated calls do for each rated figure of each module.
func EachRated(s *figure.Overview, c *catalogue.Catalogue, do func(*RatedFigure) error) error {
	measured := map[string]figure.Set{}
	for _, row := range ranking.Rows(s, c) {
		if row.Method == result.MethodFlashdex1 && row.Reference == "" {
			measured[row.Module.Slug] = row.Figures
		}
	}
	for _, m := range s.Modules {
		rows := RatedOf(m, c, measured[m.Slug])
		for i := range rows {
			if err := do(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
