package publish

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/markup"
	"flashdex/api/verdict"
)

// maxVariants is how many variants of a module its page shows: those with the most units.
const maxVariants = 20

// groupJSON is what some units of a module show: those in a class of hosts, or those of a variant.
type groupJSON struct {
	Label        string      `json:"label"`
	Units        int         `json:"units"` // that count
	Contributors int         `json:"contributors"`
	Boards       int         `json:"boards"`
	Results      int         `json:"results"`
	Cells        markup.HTML `json:"cells_html"`     // of mainKeys
	Path         string      `json:"path,omitempty"` // of the ranking of a class of hosts
}

func groupOf(label string, sum *index.Summary) groupJSON {
	group := groupJSON{label, sum.Units, sum.Contributors, sum.Boards, sum.Results, cells(mainKeys, sum.Figures), ""}
	if sum.HostClass != "" {
		group.Path = "/in/" + sum.HostClass + "/"
	}
	return group
}

// variantJSON is a variant with what sources claim of its ids. Of the only one, Figures are those of the module.
type variantJSON struct {
	groupJSON
	AllUnits int         `json:"all_units"`      // that showed it, counting or not
	ID       string      `json:"id,omitempty"`   // manufacturer id that the claims are about; empty: none that anyone could claim
	Text     string      `json:"text,omitempty"` // the claims about makers in one sentence
	Claims   []claimJSON `json:"claims"`
}

type claimJSON struct {
	Kind    string   `json:"kind"` // catalogue.Claim...
	Name    string   `json:"name"`
	Sources []string `json:"sources"`
	Notes   []string `json:"notes"`
}

// verdictJSON is a printed class beside what was measured.
type verdictJSON struct {
	Class   string       `json:"class"`
	State   string       `json:"state"`
	Reason  string       `json:"reason"`
	Margins []marginJSON `json:"margins"`
	Units   unitVerdicts `json:"units"`
}

// unitVerdicts are how many units, at most index.MaxDrawnUnits of them, a class was held against.
type unitVerdicts struct {
	Of         int `json:"of"`
	Reached    int `json:"reached"`
	NotReached int `json:"not_reached"` // of the others one can't tell
}

type marginJSON struct {
	Measure  string  `json:"measure"`
	Unit     string  `json:"unit"`
	Promised float64 `json:"promised"`
	Value    float64 `json:"value"`
	Percent  float64 `json:"percent"`
}

// addMeasured puts beside a module's figures by one method what else its summaries by that method say.
func (s *site) addMeasured(object map[string]any, m catalogue.Module, sums []*index.Summary) {
	var whole *index.Summary
	var hosts, variants []*index.Summary
	for _, sum := range sums {
		switch {
		case sum.Whole():
			whole = sum
		case sum.HostClass != "":
			hosts = append(hosts, sum)
		default:
			variants = append(variants, sum)
		}
	}
	if whole == nil {
		return
	}
	slices.SortStableFunc(hosts, func(a, b *index.Summary) int { return hostClassPlace(a.HostClass) - hostClassPlace(b.HostClass) })
	slices.SortStableFunc(variants, func(a, b *index.Summary) int {
		return cmp.Or(cmp.Compare(b.AllUnits, a.AllUnits), cmp.Compare(a.Variant, b.Variant))
	})
	object["variants_total"] = len(variants)
	variants = variants[:min(len(variants), maxVariants)]
	verdicts := s.verdicts(m, whole)

	object["contributors"], object["identified"], object["all_units"] = whole.Contributors, whole.Identified, whole.AllUnits
	object["host_classes"], object["variants"] = hostClassesJSON(hosts), s.variantsJSON(whole, variants)
	object["verdicts"], object["signs"], object["prices"] = verdictsJSON(verdicts, s.units[[2]string{m.Slug, whole.Method}]), s.signs(m.Vendor, whole, variants, verdicts), whole.Prices
	object["judged"] = slices.ContainsFunc(verdicts, func(v verdict.Verdict) bool { return v.State != verdict.CantTell })
}

func hostClassPlace(key string) int {
	return slices.IndexFunc(index.HostClasses, func(c index.HostClass) bool { return c.Key == key })
}

func hostClassesJSON(hosts []*index.Summary) []groupJSON {
	groups := []groupJSON{}
	for _, sum := range hosts {
		groups = append(groups, groupOf(index.HostClassLabel(sum.HostClass), sum))
	}
	return groups
}

func (s *site) variantsJSON(whole *index.Summary, variants []*index.Summary) []variantJSON {
	shown := []variantJSON{}
	for _, sum := range variants {
		shown = append(shown, s.variantJSON(index.VariantOf(sum.Variant), sum, sum.AllUnits))
	}
	if whole.OnlyVariant != "" {
		shown = append(shown, s.variantJSON(index.VariantOf(whole.OnlyVariant), whole, whole.Identified))
	}
	return shown
}

func (s *site) variantJSON(v index.Variant, sum *index.Summary, units int) variantJSON {
	shown := variantJSON{groupJSON: groupOf(v.Label(), sum), AllUnits: units, Claims: []claimJSON{}}
	if v.Bus != "sd" && v.Bus != "mmc" {
		return shown
	}
	claims := s.catalogue.Claims(v.Bus, v.Manfid, v.OEMID)
	shown.ID, shown.Text = v.Manfid, catalogue.ClaimsText(v.Manfid, claims)
	for _, c := range claims {
		shown.Claims = append(shown.Claims, claimJSON{c.Kind, c.Name, list(c.Sources), list(c.Notes)})
	}
	return shown
}

// verdicts holds the classes that are printed on a module beside the figures of all its units.
func (s *site) verdicts(m catalogue.Module, whole *index.Summary) []verdict.Verdict {
	figures := verdict.OfModule(whole.Figures)
	conditions := verdict.Conditions{Method: whole.Method, BusMBPerS: whole.BusMBPerS, Reader: whole.USB && m.Form != "usb"}
	if len(figures) == 0 {
		conditions.NotRanked = whole.NewestResult.NotRanked
		if len(conditions.NotRanked) == 0 {
			conditions.NotRanked = []string{"no result counts yet"}
		}
	}
	return verdict.Of(s.catalogue.SpeedClasses, m.Classes, figures, conditions)
}

// verdictsOfRun holds the classes that are printed on a module beside one of its results, under the conditions of that.
func (s *site) verdictsOfRun(sub index.Submission, m catalogue.Module) []verdict.Verdict {
	return verdict.Of(s.catalogue.SpeedClasses, m.Classes, verdict.OfRun(sub.Tests), verdict.Conditions{
		Method: sub.Method, NotRanked: sub.NotRanked, BusMBPerS: sub.BusMBPerS, Reader: strings.HasPrefix(sub.HostClass, "usb") && m.Form != "usb",
	})
}

// unitVerdicts counts the units that reach each printed class, those that don't, and those of which one can't tell, each under the
// conditions of its own runs.
func (s *site) unitVerdicts(m catalogue.Module, d index.Drawn) map[string]unitVerdicts {
	counts := map[string]unitVerdicts{}
	for _, u := range d.Units {
		for _, v := range verdict.Of(s.catalogue.SpeedClasses, m.Classes, verdict.OfUnit(u.Values), verdict.Conditions{
			// Without a class of hosts it stands for runs in several.
			Method: d.Method, BusMBPerS: u.BusMBPerS, Reader: (u.HostClass == "" || strings.HasPrefix(u.HostClass, "usb")) && m.Form != "usb",
		}) {
			of := counts[v.Class]
			switch of.Of++; v.State {
			case verdict.Reached:
				of.Reached++
			case verdict.NotReached:
				of.NotReached++
			}
			counts[v.Class] = of
		}
	}
	return counts
}

func verdictsJSON(verdicts []verdict.Verdict, units map[string]unitVerdicts) []verdictJSON {
	shown := []verdictJSON{}
	for _, v := range verdicts {
		margins := []marginJSON{}
		for _, m := range v.Margins {
			margins = append(margins, marginJSON{m.Measure, m.Unit, m.Promised, m.Measured.Value, m.Percent})
		}
		shown = append(shown, verdictJSON{v.Class, v.State, v.Reason, margins, units[v.Class]})
	}
	return shown
}
