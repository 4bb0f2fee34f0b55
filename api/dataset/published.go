package dataset

import (
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
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
	{Field{"test", Key, "", "seq-write, seq-read, rand-write, rand-read, or the source's own test", required},
		func(p *printed) any { return &p.Test }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", notNegative},
		func(p *printed) any { return given(&p.BlockBytes) }},
	{Field{"queue_depth", Integer, "", "Transfers in flight", notNegative}, func(p *printed) any { return &p.QueueDepth }},
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
