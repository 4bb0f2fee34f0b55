package publish

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/submission"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/markup"
)

// maxVariants is how many variants of a module its page shows: those with the most units.
const maxVariants = 20

// measured is what the summaries of a module by one method say beside its figures.
type measured struct {
	Contributors         int
	Identified, AllUnits int // units that said what they are, of all
	HostClasses          []group
	Variants             []variant
	VariantsTotal        int
	Verdicts             []classVerdict
	Judged               bool // a figure was held against a printed class
	Signs                []sign
	Prices               []figure.PriceMedian
}

// group is what some units of a module show: those in a class of hosts, or those of a variant.
type group struct {
	Label                        string
	Units, Contributors, Results int         // that count
	Cells                        markup.HTML // of mainKeys
	Path                         string      // of the ranking of a class of hosts
}

func groupOf(label string, sum *figure.Summary, figures figure.Set) group {
	group := group{label, sum.Units, sum.Contributors, sum.Results, cells(mainKeys, figures), ""}
	if sum.HostClass != "" {
		group.Path = "/in/" + sum.HostClass + "/"
	}
	return group
}

// variant is a variant with what sources claim of its ids. Of the only one, the figures are those of the module.
type variant struct {
	group
	AllUnits       int               // that showed it, counting or not
	Text           string            // the claims about makers in one sentence
	Makers, Others []catalogue.Claim // of the maker, and all others
}

// classVerdict is a printed class beside what was measured.
type classVerdict struct {
	speedclass.Verdict
	Units unitVerdicts
}

// unitVerdicts are how many units, at most index.MaxDrawnUnits of them, a class was held against.
type unitVerdicts struct{ Of, Reached, NotReached int }

// CantTell is how many are left.
func (u unitVerdicts) CantTell() int { return u.Of - u.Reached - u.NotReached }

// groupTable is a table of groups with a name and what stands over their labels.
type groupTable struct {
	Groups     []group
	Head, Name string
}

// HostTable is of classes of hosts.
func (f *moduleFigures) HostTable() groupTable {
	return groupTable{f.HostClasses, "Host", underHeading("Figures by host", f.Heading)}
}

// VariantTable is of variants.
func (f *moduleFigures) VariantTable() groupTable {
	var groups []group
	for _, v := range f.Variants {
		groups = append(groups, v.group)
	}
	return groupTable{groups, "Variant", underHeading("Figures by variant", f.Heading)}
}

func underHeading(name, heading string) string {
	if heading == "" {
		return name
	}
	return name + ", " + heading
}

// measured is what summaries of a module by one method say.
func (s *site) measured(m catalogue.Module, sums []*figure.Summary) measured {
	var whole *figure.Summary
	var hosts, variants []*figure.Summary
	for _, sum := range sums {
		switch {
		case sum.Whole():
			whole = sum
		case sum.HostClass != "":
			if len(sum.Figures) > 0 { // else there may be no ranking of it to lead to
				hosts = append(hosts, sum)
			}
		default:
			variants = append(variants, sum)
		}
	}
	if whole == nil {
		return measured{}
	}
	slices.SortStableFunc(hosts, func(a, b *figure.Summary) int { return hostClassPlace(a.HostClass) - hostClassPlace(b.HostClass) })
	slices.SortStableFunc(variants, func(a, b *figure.Summary) int {
		return cmp.Or(cmp.Compare(b.AllUnits, a.AllUnits), cmp.Compare(a.Variant, b.Variant))
	})
	total := len(variants)
	variants = variants[:min(total, maxVariants)]
	verdicts := s.verdicts(m, whole)
	return measured{
		Contributors: whole.Contributors, Identified: whole.Identified, AllUnits: whole.AllUnits,
		HostClasses: hostGroups(hosts), Variants: s.shownVariants(whole, variants), VariantsTotal: total,
		Verdicts: classVerdicts(verdicts, s.units[[2]string{m.Slug, whole.Method}]), Signs: s.signs(m.Vendor, whole, variants, verdicts), Prices: whole.Prices,
		Judged: slices.ContainsFunc(verdicts, func(v speedclass.Verdict) bool { return v.State != speedclass.CantTell }),
	}
}

func hostClassPlace(key string) int {
	return slices.IndexFunc(figure.HostClasses, func(c figure.HostClass) bool { return c.Key == key })
}

func hostGroups(hosts []*figure.Summary) (groups []group) {
	for _, sum := range hosts {
		groups = append(groups, groupOf(figure.HostClassLabel(sum.HostClass), sum, sum.Figures))
	}
	return groups
}

func (s *site) shownVariants(whole *figure.Summary, variants []*figure.Summary) (shown []variant) {
	for _, sum := range variants {
		shown = append(shown, s.variant(figure.VariantOf(sum.Variant), sum, s.variants[[3]string{sum.ModuleSlug, sum.Method, sum.Variant}], sum.AllUnits))
	}
	if whole.OnlyVariant != "" {
		shown = append(shown, s.variant(figure.VariantOf(whole.OnlyVariant), whole, whole.Figures, whole.Identified))
	}
	return shown
}

func (s *site) variant(v figure.Variant, sum *figure.Summary, figures figure.Set, units int) variant {
	shown := variant{group: groupOf(v.Label(), sum, figures), AllUnits: units}
	if v.Bus != "sd" && v.Bus != "mmc" {
		return shown
	}
	claims := s.catalogue.Claims(v.Bus, v.Manfid, v.OEMID)
	shown.Text = catalogue.ClaimsText(v.Manfid, claims)
	for _, c := range claims {
		if c.Kind == catalogue.ClaimMaker {
			shown.Makers = append(shown.Makers, c)
		} else {
			shown.Others = append(shown.Others, c)
		}
	}
	return shown
}

// verdicts holds the classes that are printed on a module beside the figures of all its units.
func (s *site) verdicts(m catalogue.Module, whole *figure.Summary) []speedclass.Verdict {
	figures := whole.Figures
	conditions := speedclass.Conditions{Method: whole.Method, BusMBPerS: whole.BusMBPerS, Reader: whole.USB && m.Form != "usb"}
	if len(figures) == 0 {
		conditions.NotRanked = whole.NotRanked
		if len(conditions.NotRanked) == 0 {
			conditions.NotRanked = []string{"no result counts yet"}
		}
	}
	return speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figures, conditions)
}

// verdictsOfRun holds the classes that are printed on a module beside one of its results, under the conditions of that.
func (s *site) verdictsOfRun(sub submission.Submission, m catalogue.Module) []speedclass.Verdict {
	return speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figure.OfRun(sub.Tests), speedclass.Conditions{
		Method: sub.Method, NotRanked: sub.NotRanked, BusMBPerS: sub.BusMBPerS, Reader: strings.HasPrefix(sub.HostClass, "usb") && m.Form != "usb",
	})
}

// unitVerdicts counts the units that reach each printed class, those that don't, and those of which one can't tell, each under the
// conditions of its own runs.
func (s *site) unitVerdicts(m catalogue.Module, d figure.Drawn) map[string]unitVerdicts {
	counts := map[string]unitVerdicts{}
	for _, u := range d.Units {
		for _, v := range speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figure.OfValues(u.Values), speedclass.Conditions{
			// Without a class of hosts it stands for runs in several.
			Method: d.Method, BusMBPerS: u.BusMBPerS, Reader: (u.HostClass == "" || strings.HasPrefix(u.HostClass, "usb")) && m.Form != "usb",
		}) {
			of := counts[v.Class]
			switch of.Of++; v.State {
			case speedclass.Reached:
				of.Reached++
			case speedclass.NotReached:
				of.NotReached++
			}
			counts[v.Class] = of
		}
	}
	return counts
}

func classVerdicts(verdicts []speedclass.Verdict, units map[string]unitVerdicts) (shown []classVerdict) {
	for _, v := range verdicts {
		shown = append(shown, classVerdict{v, units[v.Class]})
	}
	return shown
}
