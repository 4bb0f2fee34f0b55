package publish

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/result"
)

// reason is one thing to know before one believes a module's figure.
type reason struct {
	Label, Text, Anchor string
	Dots                string `json:"dots_svg"` // of the values that the text counts
}

// reasonsOf lists what stands behind the 4K random write that heads a module's page. drawn are its units by method.
func (s *site) reasonsOf(p *modulePage, drawn map[string][]figure.Unit) (reasons []reason) {
	add := func(label, anchor, format string, args ...any) {
		reasons = append(reasons, reason{Label: label, Text: fmt.Sprintf(format, args...), Anchor: anchor})
	}
	measured := slices.IndexFunc(p.Measured, func(f *methodFigures) bool { return f.Method == p.Speed.Method })
	if measured >= 0 {
		f := p.Measured[measured]
		sum := s.whole(p.Slug, f.methodID)
		units, hosts := "measured", "measured"
		if len(p.Charts.Units) > 0 {
			units = "units"
		}
		if len(f.HostClasses) > 0 {
			hosts = "hosts"
		}
		add("Contributors", "measured", "%s, %s of them independent, on %s", page.Counted(sum.Contributors, "contributor"),
			result.Count(sum.Independent), page.Counted(sum.Days, "day"))
		writes, between := sum.Figures.At(figure.RandWriteIOPS), ""
		if writes.Max > 0 {
			between = ": " + span(result.Number(writes.Min), result.Number(writes.Max)) + " IOPS"
		}
		add("Units", units, "%s in %s%s", page.Counted(sum.Units, "unit"), page.Counted(sum.Results, "result"), between)
		reasons[len(reasons)-1].Dots = dots(valuesOf(drawn[f.methodID], figure.RandWriteIOPS), writes.Min, writes.Max)
		add("Hosts", hosts, "%s", page.Counted(sum.Boards, "model"))
		add("Time", "results", "%s", span(sum.FirstAt.Format(time.DateOnly), sum.NewestAt.Format(time.DateOnly)))
		dissent := "no two groups disagree"
		for _, groups := range sum.Groups {
			if groups.Figure == figure.RandWriteIOPS {
				dissent = groups.String()
			}
		}
		add("Dissent", "measured", "%s", dissent)
	}
	if of := s.publishedWrites(p.Slug); len(of) > 0 {
		people, hosts, dates, sources := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		var writes []float64
		for _, p := range of {
			sources[p.Source], people[cmp.Or(p.Contributor, p.Source)] = true, true
			hosts[p.Host], dates[p.Date] = true, true
			writes = append(writes, *p.IOPS)
		}
		delete(hosts, "")
		delete(dates, "")
		least, greatest := slices.Min(writes), slices.Max(writes)
		add("Published", "published", "%s from %s: %s IOPS", page.Counted(len(of), "figure"),
			page.Counted(len(sources), "source"), span(result.Number(least), result.Number(greatest)))
		reasons[len(reasons)-1].Dots = dots(writes, least, greatest)
		if measured < 0 {
			add("Authors", "published", "%s", page.Counted(len(people), "author"))
			add("Hosts", "published", "%s named", page.Counted(len(hosts), "host"))
		}
		if days := slices.Sorted(maps.Keys(dates)); len(days) > 0 {
			add("Published in", "published", "%s", span(days[0], days[len(days)-1]))
		}
	}
	return reasons
}

// publishedWrites are the published 4K random writes of a module, each measurement once.
func (s *site) publishedWrites(slug string) []catalogue.Published {
	return slices.DeleteFunc(slices.Clone(s.published[slug]), func(p catalogue.Published) bool {
		return p.Test != result.RandWrite || p.IOPS == nil || p.Restates > 0 || p.BlockBytes != 4096
	})
}

// span writes what lies between two texts: "2015 to 2019".
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}
