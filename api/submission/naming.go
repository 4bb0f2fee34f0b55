package submission

import (
	"slices"

	"flashdex/api/catalogue"
)

// Keys of what named the module of a result, besides the evidence in package catalogue.
const (
	NamedByContributor = "contributor" // who chose it among the modules that fit
	NamedByOperator    = "operator"
	NamedByMerge       = "merged" // the module that the evidence named was merged into this one
)

// NamedBy says in words what named the module of a result.
type NamedBy struct {
	Key      string
	Words    string // one or two
	Sentence string
}

// Evidence lists everything that can name a module, the strongest first.
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
	Choices []catalogue.Module // the modules that the result may be of; empty: the module is known
	Offered *catalogue.Module  // the module that the typed name may mean; nil: none, or it is settled
	Inside  string             // the maker of the inside, if the printed brand is another; empty: the same, or unknown
}

// NamingOf describes how a result of module was named. resolved is what the catalogue resolves its document to today.
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

// settled reports whether a person, and not evidence, named the result's module.
func settled(sub Submission) bool {
	return slices.Contains([]string{NamedByContributor, NamedByOperator, NamedByMerge}, sub.NamedBy)
}

// Nameable returns the modules that the contributor of a result may choose, even after a first choice. module may have
// been ambiguous when the result came, and may have been added to the catalogue since.
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
