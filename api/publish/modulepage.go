package publish

import (
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/ranking"
	"flashdex/result"
)

// module is what a module's page shows.
func (s *site) module(m catalogue.Module) map[string]any {
	figures, results, published := s.figures[m.Slug], []map[string]any{}, []map[string]any{}
	if figures == nil {
		figures = []map[string]any{}
	}
	for _, sub := range s.results[m.Slug] {
		results = append(results, run(sub))
	}
	for _, p := range s.published[m.Slug] {
		published = append(published, s.publishedRow(p))
	}
	return map[string]any{
		"slug": m.Slug, "name": m.Name(), "vendor": m.Vendor, "product": m.Product, "capacity_gb": m.CapacityGB, "form": m.Form,
		"classes": list(m.Classes), "provisional": m.Provisional, "known_from": s.knownFrom(m), "figures": figures, "results": results,
		"published": published, "reference_iops": referenceIOPS,
	}
}

func (s *site) knownFrom(m catalogue.Module) string {
	switch m.KnownFrom {
	case catalogue.KnownFromPublished:
		return "published measurements"
	case catalogue.KnownFromTyped:
		return "a contributor who named it"
	case catalogue.KnownFromKernel:
		return "what the kernel shows of it"
	}
	source, _ := s.catalogue.Source(m.KnownFrom)
	return source.Title
}

func run(sub index.Submission) map[string]any {
	object := map[string]any{
		"id": sub.ID, "received_on": sub.ReceivedAt.UTC().Format(time.DateOnly), "state": sub.State, "host": sub.Host, "client": sub.Client,
		"profile": sub.Profile, "method": sub.Method, "not_ranked": list(sub.NotRanked),
	}
	if sub.BusMode != "" {
		object["bus_mode"] = sub.BusMode
	}
	if sub.UnitTag != "" {
		object["unit"] = sub.UnitTag[:8]
	}
	for _, t := range sub.Tests {
		if t.Test == result.RandWrite {
			object["ended"] = t.Ended
		}
	}
	for key, f := range index.FiguresOf(sub.Tests) {
		object[key] = ranking.Figure{Value: f.Value, Low: f.Low, High: f.High}
	}
	return object
}

func (s *site) publishedRow(p catalogue.Published) map[string]any {
	source, _ := s.catalogue.Source(p.Source)
	object := map[string]any{
		"source": p.Source, "source_label": label(source), "source_url": source.URL, "method": p.Method, "test": p.Test,
		"as_printed": strings.TrimSpace(p.ValueText + " " + p.Unit), "host": p.Host, "tool": p.Tool, "date": p.Date, "note": p.Note,
	}
	if p.BlockBytes > 0 {
		object["block_bytes"] = p.BlockBytes
	}
	if p.QueueDepth > 0 {
		object["queue_depth"] = p.QueueDepth
	}
	if p.IOPS != nil {
		object["iops"] = *p.IOPS
	}
	if p.MBPerS != nil {
		object["mb_per_s"] = *p.MBPerS
	}
	return object
}
