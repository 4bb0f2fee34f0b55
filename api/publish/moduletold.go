package publish

import (
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// told is what others say of a module besides figures.
type told struct {
	prices  []catalogue.PublishedPrice
	checks  []catalogue.CapacityCheck
	endured []catalogue.Endured
}

func toldOf(c *catalogue.Catalogue) map[string]told {
	all := map[string]told{}
	for _, p := range c.PublishedPrices {
		of := all[p.ModuleSlug]
		of.prices = append(of.prices, p)
		all[p.ModuleSlug] = of
	}
	for _, check := range c.CapacityChecks {
		of := all[check.ModuleSlug]
		of.checks = append(of.checks, check)
		all[check.ModuleSlug] = of
	}
	for _, e := range c.Endured {
		of := all[e.ModuleSlug]
		of.endured = append(of.endured, e)
		all[e.ModuleSlug] = of
	}
	return all
}

// publishedPrice is a published price that somebody paid for one module, or how its price per GB compares with others.
type publishedPrice struct {
	Currency, Amount    string // empty: only the ratio is known
	PerGB               string // empty: there is no amount, or the capacity isn't known
	Times, ComparedWith string // "4", "SLC SD cards"; empty: not told
	Shop, On            string
	Source, SourcePath  string
}

func (s *site) publishedPrices(m catalogue.Module) (rows []publishedPrice) {
	for _, p := range s.told[m.Slug].prices {
		source, _ := s.catalogue.Source(p.Source)
		row := publishedPrice{
			Currency: p.Currency, Amount: p.Amount, ComparedWith: p.ComparedWith, Shop: p.Shop, On: p.Date,
			Source: label(source), SourcePath: sourcePath(p.Source),
		}
		if perGB := ranking.PricePerGB(m, figure.PriceMedian{Amount: p.Price}); perGB > 0 {
			row.PerGB = result.Number(perGB)
		}
		if p.TimesPerGB > 0 {
			row.Times = result.Number(p.TimesPerGB)
		}
		rows = append(rows, row)
	}
	return rows
}

// checkedUnits says how many of the units that one source checked had less flash than claimed.
type checkedUnits struct {
	Units, Fake           string // "2 units"; "none"
	Found                 string // in the fakes: "1.3 GB instead of 64 GB"
	By, How, On           string // who, with which programs, and the day or the days
	SourcePath, StudyPath string
	What                  string // what they showed, in place of having had less flash than claimed
}

// checkedUnits sums up the checks of a module's units, each source by itself, and those of all contributors together.
func (s *site) checkedUnits(slug string) (all []checkedUnits) {
	type checker struct{ source, how string }
	by := map[checker][]catalogue.CapacityCheck{}
	var order []checker
	for _, check := range s.told[slug].checks {
		of := checker{check.Source, check.How}
		if by[of] == nil {
			order = append(order, of)
		}
		by[of] = append(by[of], check)
	}
	for _, of := range order {
		var found, days []string
		for _, check := range by[of] {
			days = append(days, check.Date)
			if check.Verdict == catalogue.CapacityFake {
				found = append(found, spaced(check.Real)+" instead of "+result.Number(check.PrintedGB)+"\u00a0GB")
			}
		}
		source, _ := s.catalogue.Source(of.source)
		checked := checkedUnits{
			Units: page.Counted(len(days), "unit"), Fake: "none", Found: strings.Join(found, ", "), By: source.Author,
			How: of.how, On: slices.Min(days), SourcePath: sourcePath(of.source), StudyPath: studyPages[of.source],
		}
		if newest := slices.Max(days); newest > checked.On {
			checked.On += " to " + newest
		}
		if len(found) > 0 {
			checked.Fake = result.Count(len(found))
		}
		all = append(all, checked)
	}
	if c := s.snapshot.Checks[slug]; c.Units > 0 {
		checked := checkedUnits{Units: page.Counted(c.Units, "unit"), Fake: "none", How: "flashdex verify, H2testw or F3",
			By: page.Counted(c.Contributors, "contributor"), What: "held at least a twentieth less than claimed"}
		if c.Lacking > 0 {
			checked.Fake = result.Count(c.Lacking)
		}
		all = append(all, checked)
	}
	return all
}

// enduredUnits says after how many cycles units of a module, which one source wrote over again and again, had their
// first error, and were dead, or how many they survived.
type enduredUnits struct {
	Units              string // "3 units"
	FirstError, Failed string // "920, 1,453 and 1,521"; empty: of no unit
	Alive              string // cycles that living units had lasted when the page was read
	By, Address        string // who, and the page that tells
	StudyPath          string
}

// enduredUnits sums up the endurance of a module's units for each source.
func (s *site) enduredUnits(slug string) (all []enduredUnits) {
	of := s.told[slug].endured
	for len(of) > 0 {
		source, _ := s.catalogue.Source(of[0].Source)
		var errors, failures, alive []int
		n := 0
		rest := of[:0:0]
		for _, e := range of {
			if e.Source != source.Key {
				rest = append(rest, e)
				continue
			}
			n++
			if e.FirstError >= 0 {
				errors = append(errors, e.FirstError)
			}
			if e.Failed >= 0 {
				failures = append(failures, e.Failed)
			}
			if e.Watched >= 0 {
				alive = append(alive, e.Watched)
			}
		}
		all = append(all, enduredUnits{
			Units: page.Counted(n, "unit"), FirstError: inOrder(errors), Failed: inOrder(failures), Alive: inOrder(alive),
			By: source.Author, Address: of[0].Address, StudyPath: studyPages[cardSurvey],
		})
		of = rest
	}
	return all
}

// inOrder writes counts in order: "920, 1,453 and 1,521".
func inOrder(counts []int) string {
	slices.Sort(counts)
	var words []string
	for _, n := range counts {
		words = append(words, result.Count(n))
	}
	if last := len(words) - 1; last > 0 {
		words = append(words[:last-1], words[last-1]+" and "+words[last])
	}
	return strings.Join(words, ", ")
}
