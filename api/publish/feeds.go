package publish

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/atom"
	"flashdex/api/submission"
)

// maxFeedEntries is the most entries of a feed.
const maxFeedEntries = 50

// The feeds, by their paths. site/hugo.toml says which pages lead to them.
const (
	feedOfModules = "/feeds/modules.xml"
	feedOfResults = "/feeds/results.xml"
	feedOfRanked  = "/feeds/ranked.xml"
)

var feedPaths = []string{feedOfModules, feedOfResults, feedOfRanked}

// writeFeeds writes the feeds. Their times are days, because nothing more exact is published about the time of an
// upload.
func (s *site) writeFeeds(ctx context.Context) error {
	results, err := s.newResults(ctx)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		path, title, page string
		entries           []atom.Entry
	}{
		{feedOfModules, "New modules", "/modules/", s.newModules()},
		{feedOfResults, "New results", "/", results},
		{feedOfRanked, "Ranks", "/by/rand-write-iops/", append(s.newlyRanked(), s.movedRanks()...)},
	} {
		feed := atom.Feed{
			Title: "Flashdex: " + f.title, ID: s.siteURL + f.path, Self: s.siteURL + f.path, Page: s.siteURL + f.page,
			Entries: newestEntries(f.entries),
		}
		if err := writeText(filepath.Join(s.destination, filepath.FromSlash(f.path)), feed.XML()); err != nil {
			return err
		}
	}
	return nil
}

// newestEntries returns the newest entries. Within a day they are sorted by id.
func newestEntries(entries []atom.Entry) []atom.Entry {
	slices.SortFunc(entries, func(a, b atom.Entry) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	return entries[:min(len(entries), maxFeedEntries)]
}

func day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// moduleEntry is an entry about a module. event tells it apart from other entries about the same module.
func (s *site) moduleEntry(m catalogue.Module, event string, at time.Time) atom.Entry {
	path := s.siteURL + modulePath(m.Slug)
	return atom.Entry{ID: path + "#" + event, Page: path, Updated: day(at)}
}

// newModules returns an entry for each measured module, on the day of its first result.
func (s *site) newModules() (entries []atom.Entry) {
	for _, m := range s.snapshot.Modules {
		var first time.Time
		best := ""
		for _, p := range s.placed[m.Slug] {
			sum := s.whole(m.Slug, p.method.ID)
			if sum == nil || sum.FirstAt.IsZero() {
				continue
			}
			if first.IsZero() || sum.FirstAt.Before(first) {
				first = sum.FirstAt
			}
			best = cmp.Or(best, speedInWords(sum.Figures))
		}
		if first.IsZero() {
			continue
		}
		e := s.moduleEntry(m, "new", first)
		e.Title = m.Name() + ": " + cmp.Or(best, "no figure yet")
		e.Summary = "Somebody measured this module for the first time."
		entries = append(entries, e)
	}
	return entries
}

// newlyRanked returns an entry for each module that is ranked by 4K random write, on the day when the last contributor
// came that the rank takes.
func (s *site) newlyRanked() (entries []atom.Entry) {
	for _, m := range s.snapshot.Modules {
		for _, p := range s.placed[m.Slug] {
			sum := s.whole(m.Slug, p.method.ID)
			if p.First == 0 || sum == nil || sum.VouchedAt.IsZero() {
				continue
			}
			e := s.moduleEntry(m, "ranked-"+p.method.ID, sum.VouchedAt)
			e.Title = m.Name() + ": " + speedInWords(sum.Figures)
			e.Summary = fmt.Sprintf("Ranked: it stands %s of %s by 4K random write, by the method %s.", wherePlaced(p.Place),
				page.Counted(p.Of, "module"), p.method.Label)
			entries = append(entries, e)
		}
	}
	return entries
}

// whole returns the summary of all units of a module by a method; nil: nobody measured it.
func (s *site) whole(slug, method string) *figure.Summary {
	for _, sum := range s.summaries[moduleMethod{slug, method}] {
		if sum.Whole() {
			return sum
		}
	}
	return nil
}

// newResults returns an entry for each of the newest results that modules' pages list, whether they count or not. All
// of them are of the most recently measured modules.
func (s *site) newResults(ctx context.Context) (entries []atom.Entry, err error) {
	newestAt := map[string]time.Time{}
	var slugs []string
	for i := range s.snapshot.Summaries {
		if sum := &s.snapshot.Summaries[i]; sum.Whole() {
			if newestAt[sum.ModuleSlug].IsZero() {
				slugs = append(slugs, sum.ModuleSlug)
			}
			if sum.NewestAt.After(newestAt[sum.ModuleSlug]) {
				newestAt[sum.ModuleSlug] = sum.NewestAt
			}
		}
	}
	slices.SortFunc(slugs, func(a, b string) int {
		return cmp.Or(newestAt[b].Compare(newestAt[a]), strings.Compare(a, b))
	})
	newest, err := s.newestOf(ctx, slugs[:min(len(slugs), maxFeedEntries)])
	for _, sub := range newest {
		entries = append(entries, s.resultEntry(sub))
	}
	return entries, err
}

// newestOf reads the newest results of modules. It first reads a few results of each module. It reads more only of
// modules whose few are all among the newest. Reading 50 results of each of 50 modules would take 0.3 s.
func (s *site) newestOf(ctx context.Context, slugs []string) (newest []submission.Submission, err error) {
	of := map[string][]submission.Submission{}
	for limit := 4; len(slugs) > 0; limit *= 4 {
		if err := s.results.Newest(ctx, slugs, min(limit, maxFeedEntries),
			func(slug string, newest []submission.Submission) error {
				of[slug] = newest
				return nil
			}); err != nil {
			return nil, err
		}
		newest = slices.Concat(slices.Collect(maps.Values(of))...)
		slices.SortFunc(newest, func(a, b submission.Submission) int {
			return cmp.Or(b.ReceivedAt.Compare(a.ReceivedAt), strings.Compare(b.ID, a.ID))
		})
		newest = newest[:min(len(newest), maxFeedEntries)]
		slugs = slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool {
			n := len(of[slug])
			return limit >= maxFeedEntries || n < limit ||
				of[slug][n-1].ReceivedAt.Before(newest[len(newest)-1].ReceivedAt)
		})
	}
	return newest, nil
}

func (s *site) resultEntry(sub submission.Submission) atom.Entry {
	method, _ := s.catalogue.Method(sub.Method)
	method.Label = cmp.Or(method.Label, sub.Method)
	counts := "It counts."
	if len(sub.NotRanked) > 0 {
		counts = "It doesn't count: " + strings.Join(sub.NotRanked, "; ") + "."
	}
	return atom.Entry{
		Title:   s.modules[sub.ModuleSlug].Name() + ": " + cmp.Or(speedInWords(figure.OfRun(sub.Tests)), method.Label),
		Summary: fmt.Sprintf("%s, in %s. %s", method.Label, cmp.Or(sub.Host, "an unknown host"), counts),
		ID:      "urn:uuid:" + sub.ID, Page: s.siteURL + "/r/" + sub.ID, Updated: day(sub.ReceivedAt),
	}
}

// speedInWords returns the 4K random write, "512 IOPS", else the first main figure that is known, "20 MB/s linear
// write"; empty: none is.
func speedInWords(figures figure.Set) string {
	for i, key := range figure.MainFigures {
		f, known := figures.Find(key)
		if !known {
			continue
		}
		metric := figure.MetricOf(key)
		words := page.CellOf("", f).Value + " " + metric.Unit
		if i > 0 {
			words += " " + metric.Name
		}
		return words
	}
	return ""
}
