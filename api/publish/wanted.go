package publish

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Limits on the rows of the page's tables: modules that are near to a rank, and modules that only others have measured.
const (
	maxNear       = 100
	maxUnmeasured = 50
)

// wantedPage is the data of site/layouts/wanted.html.
type wantedPage struct {
	Takes      string // what a rank takes: "three contributors on two days"
	Measured   bool   // anybody measured anything
	Near       []nearRow
	NearTotal  string // how many there are; empty: the page lists all
	Unmeasured []unmeasuredRow
}

// nearRow is a measured module, with what it still needs to be ranked.
type nearRow struct {
	Slug, Name   string
	Missing      string // "one more contributor, on another day"
	Contributors string // "2 contributors" whose results count
	Speed        string // "546 IOPS"; empty: not known
}

// unmeasuredRow is a module with published figures that nobody measured with Flashdex.
type unmeasuredRow struct{ Slug, Name, Figures, Sources string }

// wanted lists the modules that a result helps most: first the ones nearest to a rank, then modules that many have
// written about and nobody has measured here.
func (s *site) wanted() wantedPage {
	shown := wantedPage{Takes: missingInWords(ranking.Missing{Contributors: model.RankedFrom}), Near: []nearRow{},
		Unmeasured: s.unmeasured()}
	var near []*ranking.Row
	for _, r := range s.rows[result.MethodFlashdex1] {
		if r.Origin() != ranking.Measured {
			continue
		}
		if shown.Measured = true; r.Missing != (ranking.Missing{}) {
			near = append(near, r)
		}
	}
	slices.SortFunc(near, func(a, b *ranking.Row) int {
		return cmp.Or(cmp.Compare(runsMissing(a.Missing), runsMissing(b.Missing)),
			compareBool(a.Missing.OtherHost, b.Missing.OtherHost), compareBool(a.Missing.OtherDay, b.Missing.OtherDay),
			cmp.Compare(b.Contributors, a.Contributors), cmp.Compare(b.Results, a.Results),
			strings.Compare(a.Name(), b.Name()), strings.Compare(a.Module.Slug, b.Module.Slug))
	})
	if len(near) > maxNear {
		shown.NearTotal, near = result.Count(len(near)), near[:maxNear]
	}
	for _, r := range near {
		shown.Near = append(shown.Near, nearRow{r.Module.Slug, r.Name(), missingInWords(r.Missing),
			contributorsInWords(r.Contributors), speedInWords(r.Figures)})
	}
	return shown
}

// runsMissing returns how many more runs a rank takes at least.
func runsMissing(m ranking.Missing) int {
	if m.OtherHost {
		return max(m.Contributors, 1)
	}
	return m.Contributors
}

// missingInWords says what a rank takes: "one more contributor, on another day".
func missingInWords(m ranking.Missing) string {
	const otherHost = "a run in a more common host: those so far can't be compared with others"
	if m.Contributors <= 0 {
		return otherHost
	}
	words := inWords(m.Contributors) + " more contributors"
	switch {
	case m.Contributors >= model.RankedFrom:
		words = inWords(m.Contributors) + " contributors on " + inWords(figure.RankedDays) + " days"
	case m.Contributors == 1 && m.OtherDay:
		words = "one more contributor, on another day"
	case m.Contributors == 1:
		words = "one more contributor"
	case m.OtherDay:
		words += ", at least one of them on another day"
	}
	if m.OtherHost {
		words += "; and " + otherHost
	}
	return words
}

// unmeasured lists the modules that nobody measured by Flashdex's own test, beginning with the most published figures.
func (s *site) unmeasured() []unmeasuredRow {
	var all []string
	for _, m := range s.snapshot.Modules {
		if len(s.published[m.Slug]) > 0 && s.whole(m.Slug, result.MethodFlashdex1) == nil {
			all = append(all, m.Slug)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(s.published[b]), len(s.published[a])), strings.Compare(a, b))
	})
	rows := []unmeasuredRow{}
	for _, slug := range all[:min(len(all), maxUnmeasured)] {
		rows = append(rows, unmeasuredRow{slug, s.modules[slug].Name(), result.Count(len(s.published[slug])),
			page.Counted(len(s.sourcesOf(slug)), "source")})
	}
	return rows
}

// contributorsInWords counts contributors whose results count.
func contributorsInWords(n int) string {
	if n == 0 {
		return "no result that counts"
	}
	return page.Counted(n, "contributor")
}

// inWords writes a small number as a word.
func inWords(n int) string {
	if words := [...]string{"no", "one", "two", "three", "four", "five"}; n >= 0 && n < len(words) {
		return words[n]
	}
	return result.Count(n)
}

// compareBool sorts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
