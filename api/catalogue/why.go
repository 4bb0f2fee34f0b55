package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values of Module.NamedBy: the evidence that named a module.
const (
	NamedByRegisters    = "registers"
	NamedByContributors = "contributors"
	NamedByPartNumber   = "part number"
	NamedByTyping       = "typed name"
	NamedByUSB          = "usb ids"
	NamedByATA          = "ata model"
)

// KnownFromAmbiguous is the origin of an ambiguous module.
const KnownFromAmbiguous = "ambiguous"

// Ambiguous reports whether the module may be any of several Candidates. Its results count for none of them until
// somebody says which module it is.
func (m Module) Ambiguous() bool { return m.KnownFrom == KnownFromAmbiguous }

// ambiguousPrefix begins the slugs of ambiguous modules, and no others.
const ambiguousPrefix = "ambiguous-"

// ambiguous turns a provisional module into one that may be any of the candidates. Without candidates it leaves the
// module provisional, unless the typed fields contradict each other.
func (c *Catalogue) ambiguous(m Module, candidates []Module) Module {
	for _, one := range distinct(candidates) {
		if one.Slug != "" {
			m.Candidates = append(m.Candidates, one.Slug)
		}
	}
	if len(m.Candidates) == 0 && !m.contradictory {
		return m
	}
	m.KnownFrom, m.Provisional = KnownFromAmbiguous, true
	m.Slug = SlugOf([]string{strings.TrimSuffix(ambiguousPrefix, "-"), m.Slug}, c.taken)
	return m
}

// WhyNamed says in a sentence why a result belongs to a module, by the evidence that named it.
var WhyNamed = map[string]string{
	NamedByRegisters:    "The registers of the card say it.",
	NamedByContributors: "Several independent contributors say that units with its registers are this module.",
	NamedByPartNumber:   "Its contributor typed the maker's part number.",
	NamedByTyping:       "Its contributor typed this name, and nothing contradicts it.",
	NamedByUSB: "The USB ids of the stick, its strings or the name that a list has for its ids are those of one " +
		"product alone.",
	NamedByATA: "The ATA model of the card is that of one product alone.",
}

// Why says in a sentence why a result belongs to the module. It is empty for a module that no evidence named.
func (m Module) Why() string {
	var own string
	switch {
	case m.Ambiguous():
		return m.whyAmbiguous()
	case m.KnownFrom == KnownFromKernel && m.NamedBy == NamedByRegisters:
		own = "Its name shows its registers: no product was typed, or they contradict it."
	case m.KnownFrom == KnownFromKernel && m.NamedBy == NamedByTyping:
		own = "Its contributor typed the brand and no product."
	case m.KnownFrom == KnownFromKernel:
		own = "Nobody named it, so its name shows what the kernel shows."
	case m.Provisional && m.NamedBy == NamedByRegisters && isSD(m): // a chip's name is its product
		own = "It is named after its registers, and several products may have them."
	case m.NamedBy == NamedByRegisters:
		own = "Its registers are those of this module alone."
	default:
		own = WhyNamed[m.NamedBy]
	}
	if m.Inside != "" && m.Vendor != "" {
		own += fmt.Sprintf(" %s is printed on it; its ids are claimed for %s.", m.Vendor, m.Inside)
	} else if m.Inside != "" {
		own += fmt.Sprintf(" Its ids are claimed for %s.", m.Inside)
	}
	return strings.TrimSpace(own)
}

func (m Module) whyAmbiguous() string {
	one := len(m.Candidates) == 1
	switch {
	case len(m.Candidates) == 0:
		return "What was typed contradicts itself, so it names no module."
	case m.contradictory && one:
		return "What was typed contradicts itself. It may mean one listed module, and nobody has said yet whether it does."
	case m.contradictory:
		return "What was typed contradicts itself. It may mean several modules, and nobody has said yet which."
	case one:
		return "What was typed may mean one listed module, but leaves something open, or contradicts it. " +
			"Nobody has said yet whether it is that one."
	}
	return "What was typed fits several modules, and nobody has said yet which it is."
}

// offer returns the slug of a listed module that the typed text may mean; "" if there is none. A part number may be of
// the module's line. The typed name may differ from the module's by one letter, have its words in another order or only
// some of them ("1000x" of "Professional 1000x"), or contain it between words of a shop's title. All of these may also
// be a new product's name, so the owner must decide.
func (c *Catalogue) offer(r reading, e Evidence) string {
	at := func(n name) string {
		f := c.find(n, e.Classes, r.capacityGB, r.form)
		if !f.ok || f.module.FormUnstated && r.form.stated == "microsd" {
			return ""
		}
		return f.module.Slug
	}
	if r.part.vendor != "" && !r.foreignPart() && !r.contradicted {
		if f := c.lineOf(r); f.ok || !r.namesProduct() {
			return f.module.Slug
		}
	}
	if r.known {
		words, rated := withoutRatings(r.words), ratingsIn(r.words)
		known, shortened := without(withoutColours(words), c.isCode), map[string]bool{}
		for _, s := range c.spelled[r.vendor] {
			if s.module.CapacityGB != r.capacityGB || !r.form.allows(s.module) || !rated.agree(s.module) {
				continue
			}
			typed, product := joined(words), joined(s.words)
			if oneLetterApart(typed, product) || turned(typed, product) {
				return s.module.Slug
			}
			if !slices.ContainsFunc(known, func(w string) bool { return !slices.Contains(s.words, w) }) {
				shortened[s.module.Slug] = true
			}
		}
		if len(shortened) == 1 {
			return slices.Collect(maps.Keys(shortened))[0]
		}
		return at(name{r.vendor, without(r.words, c.foreign)})
	}
	if slug, ok := c.withoutBrand(r); ok {
		return slug
	}
	words, _ := tokens(e.Vendor + " " + r.text)
	for i, w := range words {
		if len(w) < shortest || generic[w] {
			continue
		}
		for _, spelling := range c.spelledVendors {
			if oneLetterApart(w, spelling) {
				if slug := at(name{c.vendors[spelling], slices.Concat(words[:i], words[i+1:])}); slug != "" {
					return slug
				}
			}
		}
	}
	return ""
}

// withoutBrand returns the one listed module whose name was typed without any brand: "Cruzer Blade 8GB".
func (c *Catalogue) withoutBrand(r reading) (slug string, ok bool) {
	if r.brand() != "" {
		return "", false
	}
	product := joined(withoutRatings(r.words))
	for vendor := range c.byVendor {
		if len(c.names[nameKey{vendor, product}]) == 0 {
			continue
		}
		if f := c.find(name{vendor, r.words}, nil, r.capacityGB, r.form); f.ok {
			if slug != "" {
				return "", false
			}
			slug = f.module.Slug
		}
	}
	return slug, slug != ""
}

// foreign reports whether a word is neither in a listed product's name nor a rating. Such words are what a shop's title
// adds to a name. UHS-I isn't foreign, because it tells cards apart whose name is only a class.
func (c *Catalogue) foreign(w string) bool {
	return !c.productWords[w] && !reRating.MatchString(w) && w != "uhsi"
}

// isCode reports whether a word is a maker's product code, which no listed name contains: LX1TB71.
func (c *Catalogue) isCode(w string) bool {
	return len(w) > shortest && c.foreign(w) && strings.ContainsAny(w, "0123456789")
}

// turned reports whether one name has the words of the other in a rotated order: "Blade Cruzer".
func turned(typed, product string) bool {
	return len(typed) == len(product) && strings.Contains(product+product, typed)
}

// shortest is the length from which a word that differs by one letter counts as a misspelling.
const shortest = 4

// oneLetterApart reports whether two words differ by one letter that is missing, added, replaced or swapped with its
// neighbour. A differing digit doesn't count, because digits tell products apart.
func oneLetterApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < shortest || len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	isLetter := func(s string, at int) bool { return at < len(s) && (s[at] < '0' || s[at] > '9') }
	switch {
	case len(a) < len(b):
		return isLetter(b, i) && a[i:] == b[i+1:]
	case a[i+1:] == b[i+1:]:
		return isLetter(a, i) && isLetter(b, i)
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:] && isLetter(a, i) && isLetter(b, i)
}
