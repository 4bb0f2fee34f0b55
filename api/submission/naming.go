package submission

import (
	"slices"

	"flashdex/api/catalogue"
)

// Keys of what named the module of a result, beside the evidence that package catalogue names.
const (
	NamedByContributor = "contributor" // who chose it among the modules that fit
	NamedByOperator    = "operator"
	NamedByMerge       = "merged" // the module that the evidence named is another name of this one
)

// NamedBy says in words what named the module of a result.
type NamedBy struct {
	Key      string
	Words    string // one or two
	Sentence string
}

// Evidence lists all that can name a module, the strongest first.
var Evidence = []NamedBy{
	{NamedByOperator, "operator", "An operator of this site looked at the result and named its module."},
	{NamedByMerge, "merged", "The module was merged: the name that the result came with is another name of this module."},
	ofCatalogue(catalogue.NamedByRegisters, "registers"),
	ofCatalogue(catalogue.NamedByContributors, "contributors"),
	ofCatalogue(catalogue.NamedByPartNumber, "part number"),
	ofCatalogue(catalogue.NamedByUSB, "USB ids"),
	ofCatalogue(catalogue.NamedByATA, "ATA model"),
	{NamedByContributor, "contributor", "What is known fits several modules, and its contributor chose this one."},
	ofCatalogue(catalogue.NamedByTyping, "typed name"),
}

func ofCatalogue(key, words string) NamedBy { return NamedBy{key, words, catalogue.WhyNamed[key]} }

// EvidenceOf returns what named a module, by its key. An unknown key has no words.
func EvidenceOf(key string) NamedBy {
	if i := slices.IndexFunc(Evidence, func(e NamedBy) bool { return e.Key == key }); i >= 0 {
		return Evidence[i]
	}
	return NamedBy{}
}

// Naming describes why a result belongs to its module, and what its contributor may say about that.
type Naming struct {
	Why     string             // in a sentence; empty: not known
	Choices []catalogue.Module // of one of which the result is; empty: the module is known
	Offered *catalogue.Module  // which the typed name may mean; nil: none, or it is settled
	Inside  string             // maker of what is inside, if the printed brand is another; empty: the same, or not known
}

// NamingOf describes the naming of a result of module, whose document the catalogue resolves to resolved today.
func NamingOf(sub Submission, module, resolved catalogue.Module, c *catalogue.Catalogue) Naming {
	n := Naming{Inside: resolved.Inside, Why: EvidenceOf(sub.NamedBy).Sentence}
	if module.KnownFrom == catalogue.KnownFromAmbiguous {
		n.Choices = Nameable(module, resolved, c)
	} else if offered, ok := c.Module(resolved.Offered); ok && !settled(sub) && offered.Slug != sub.ModuleSlug {
		n.Offered = &offered
	}
	if why := resolved.Why(); why != "" && !settled(sub) && resolved.Slug == module.Slug {
		n.Why = why
	}
	return n
}

// settled reports whether a person named the module of a result, and not its evidence.
func settled(sub Submission) bool {
	return slices.Contains([]string{NamedByContributor, NamedByOperator, NamedByMerge}, sub.NamedBy)
}

// Nameable returns the modules that the contributor of a result of module may name, also after a first choice. A module
// that was ambiguous when the result came may have become one of the catalogue since.
func Nameable(module, resolved catalogue.Module, c *catalogue.Catalogue) (may []catalogue.Module) {
	slugs := append(slices.Clone(resolved.Candidates), resolved.Offered)
	if module.KnownFrom == catalogue.KnownFromAmbiguous && !resolved.Ambiguous() {
		slugs = append(slugs, resolved.Slug)
	}
	for _, slug := range slugs {
		if m, ok := c.Module(slug); ok {
			may = append(may, m)
		}
	}
	return may
}
