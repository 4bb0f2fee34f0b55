package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// whatDied tabulates how long the cards of the Great microSD Card Survey lasted, by groups of cards.
func (s *site) whatDied() (of study) {
	var thresholds []string
	rows := map[string][][]string{}
	for _, e := range s.catalogue.Endurance {
		if e.Source != cardSurvey {
			continue
		}
		if !slices.Contains(thresholds, e.Threshold) {
			thresholds = append(thresholds, e.Threshold)
		}
		row := []string{strings.ToUpper(e.Group[:1]) + e.Group[1:]}
		for _, n := range []int{e.N, e.Median, e.Mean, e.Min, e.Max} {
			row = append(row, result.Count(n))
		}
		rows[e.Threshold] = append(rows[e.Threshold], append(row, e.AsOf))
	}
	titles := map[string]string{
		"first error":         "Until the first error",
		"0.1% sectors failed": "Until 0.1 % of the sectors had failed",
		"1% sectors failed":   "Until 1 % of the sectors had failed",
		"25% sectors failed":  "Until 25 % of the sectors had failed",
		"complete failure":    "Until the card was dead",
	}
	for i, threshold := range thresholds {
		of.add("until-"+strconv.Itoa(i+1), cmp.Or(titles[threshold], threshold), "",
			[]string{"Cards", "Number", "Median, cycles", "Mean", "Least", "Most", "As of"}, rows[threshold], nil)
	}
	var cards [][]string
	var links []string
	for _, e := range s.catalogue.Endured {
		row := []string{s.moduleName(e.ModuleSlug), e.Unit}
		for _, n := range []int{e.FirstError, e.Failed, e.Watched} {
			cell := ""
			if n >= 0 {
				cell = result.Count(n)
			}
			row = append(row, cell)
		}
		cards, links = append(cards, row), append(links, s.pageOf(e.ModuleSlug))
	}
	of.add("cards", "Card by card", "",
		[]string{"Module", "Unit", "Until the first error, cycles", "Until it was dead", "Still alive after"}, cards, links)
	return of
}

// whatWasFake tabulates what JoyousJohn found of 51 cheap cards: first the cards with a false capacity, then the
// others.
func (s *site) whatWasFake() (of study) {
	prices := map[string]catalogue.PublishedPrice{}
	for _, p := range s.catalogue.PublishedPrices {
		if p.Source == cheapCards {
			prices[p.ModuleSlug] = p
		}
	}
	rates := map[[2]string]string{}
	for _, p := range s.catalogue.Published {
		if p.Source == cheapCards {
			rates[[2]string{p.ModuleSlug, p.Test}] = p.ValueText
		}
	}
	var fake, full [][]string
	var fakeLinks, fullLinks []string
	for _, check := range s.catalogue.CapacityChecks {
		if check.Source != cheapCards {
			continue
		}
		slug, price := check.ModuleSlug, prices[check.ModuleSlug]
		row := []string{s.moduleName(slug), result.Number(check.PrintedGB), spaced(check.Real),
			rates[[2]string{slug, result.SeqWrite}], rates[[2]string{slug, result.SeqRead}], price.Amount, price.Shop,
			check.Date}
		if check.Verdict == catalogue.CapacityFake {
			fake, fakeLinks = append(fake, row), append(fakeLinks, s.pageOf(slug))
			continue
		}
		verdict := "yes"
		if check.Verdict == catalogue.CapacitySlower {
			verdict = "slower"
		}
		full, fullLinks = append(full, append(row, verdict)), append(fullLinks, s.pageOf(slug))
	}
	head := []string{"Card", "Printed, GB", "Found", "Write, MiB/s", "Read, MiB/s", "Price, USD", "Shop", "Tested on"}
	of.add("fake", fmt.Sprintf("%d with a false capacity", len(fake)), "The rates are over the part that works.", head,
		fake, fakeLinks)
	of.add("full", fmt.Sprintf("%d with the capacity printed on them", len(full)), "The last column says whether the "+
		"card is as fast as what is printed on it.", append(slices.Clone(head), "As rated"), full, fullLinks)
	return of
}

// pageOf returns the address of a module's page, or "" if it has none.
func (s *site) pageOf(slug string) string {
	if _, listed := s.modules[slug]; !listed {
		return ""
	}
	return modulePath(slug)
}

// spaced puts a space between a number and its unit: "14.4 GiB" for "14.4GiB".
func spaced(text string) string {
	i := strings.IndexAny(text, "GM")
	if i < 0 {
		return text
	}
	return text[:i] + "\u00a0" + text[i:]
}

// inARow is a test that a source ran ten times in a row on cards, with a fan blowing at them and without.
type inARow struct {
	id, title, note, unit string
	value                 func(*catalogue.Published) *float64 // the figure in unit; nil: it is of another test
}

var testsInARow = []inARow{
	{"writes", "Linear writes", "One request of the whole file: 1,024 MB, of the SanDisk 256 MB. MB/s of 10⁶ bytes.",
		"MB/s", func(p *catalogue.Published) *float64 {
			if p.Test == result.SeqWrite && p.BlockBytes > 64<<20 {
				return p.MBPerS
			}
			return nil
		}},
	{"random-writes", "Random writes of 4 KiB", "One at a time, past the page cache, without a sync: the card's own " +
		"cache takes part.", "IOPS", func(p *catalogue.Published) *float64 {
		if p.Test == result.RandWrite && p.BlockBytes == 4096 {
			return p.IOPS
		}
		return nil
	}},
}

// drawn draws a test's runs from published figures, and returns the module of each line. name returns the beginning of
// a line's label.
func (t *inARow) drawn(published []catalogue.Published, name func(slug string) string) (
	c chart.Chart, slugs []string, ok bool,
) {
	var lines []chart.RunsInARow
	for i := range published {
		p := &published[i]
		var run, in int
		if p.Source != sdExpress || p.Method != "fio-cdm" || p.Restates > 0 || t.value(p) == nil {
			continue
		}
		if _, err := fmt.Sscanf(p.Note, "Q1T1; run %d of %d", &run, &in); err != nil || in < 10 {
			continue
		}
		label := name(p.ModuleSlug) + "with a fan"
		if strings.Contains(p.Note, "passive cooling") {
			label = name(p.ModuleSlug) + "without a fan"
		}
		at := slices.IndexFunc(lines, func(l chart.RunsInARow) bool { return l.Label == label })
		if at < 0 {
			at = len(lines)
			lines = append(lines, chart.RunsInARow{Label: label, Class: chart.Several(at), End: chart.Letter(at)})
			slugs = append(slugs, p.ModuleSlug)
		}
		if run == len(lines[at].Values)+1 {
			lines[at].Values = append(lines[at].Values, *t.value(p))
		}
	}
	for i := range lines {
		lines[i].Label = lines[i].End + " " + lines[i].Label
	}
	c, ok = chart.InARow(t.id+"-chart", t.title, t.unit, lines)
	return c, slugs, ok
}

// runsInARow shows ten runs in a row on SD Express cards, with a fan and without.
func (s *site) runsInARow() (of study) {
	for _, t := range testsInARow {
		drawn, slugs, ok := t.drawn(s.catalogue.Published, func(slug string) string { return s.moduleName(slug) + ", " })
		if !ok {
			continue
		}
		var links []string
		for _, slug := range slugs {
			links = append(links, s.pageOf(slug))
		}
		of.add(t.id, t.title+", "+t.unit, t.note, drawn.Numbers.Head, drawn.Numbers.Rows, links)
		drawn.Numbers = chart.Numbers{} // the table below has them
		of[len(of)-1].Charts.Add(drawn, ok)
	}
	return of
}

// inARow returns the charts of one module's runs in a row.
func (s *site) inARow(slug string) (all chart.Charts) {
	for _, t := range testsInARow {
		drawn, _, ok := t.drawn(s.published[slug], func(string) string { return "" })
		if ok {
			drawn.Numbers.Head[0] = "Cooling"
		}
		all.Add(drawn, ok)
	}
	return all
}
