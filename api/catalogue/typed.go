package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/result/register"
)

// byTyping returns the module that the typed fields name: a listed one, an ambiguous one, or a provisional one. ok is
// false if they name none.
func (c *Catalogue) byTyping(r reading, e Evidence) (m Module, ok bool) {
	switch {
	case r.contradicted:
		return c.byEitherCapacity(r, e), true
	case r.part.vendor != "" && r.part.vendor == r.vendor:
		return c.byPartNumber(r, e), true
	}
	var doubtful []Module
	for _, n := range r.names() {
		f := c.find(n, e.Classes, r.capacityGB, r.form)
		if f.ok {
			return c.decided(f, NamedByTyping, r, e), true
		}
		doubtful = append(doubtful, f.doubtful...)
	}
	if !r.namesProduct() {
		return Module{}, false
	}
	if chip := joined(withoutGeneric(r.words)); r.vendor == "" && strings.ContainsAny(chip, "0123456789") {
		if m, ok := one(c.chips[chip], r.capacityGB, r.form); ok { // as the kernel prints it
			m.NamedBy = NamedByTyping
			return m, true
		}
	}
	if m, ok := c.byMakers(r, e); ok {
		return m, true
	}
	if len(doubtful) == 0 && namesNothing(r.words) { // classes, and no name
		doubtful = c.ofBrand(r)
	}
	return c.undecided(doubtful, NamedByTyping, r, e), true
}

// decided returns the module that was found, unless the evidence leaves open whether it is this one.
func (c *Catalogue) decided(f match, by string, r reading, e Evidence) Module {
	if f.module.FormUnstated && r.form.stated == "microsd" {
		return c.provisionalTyped(r, e) // the listed one may not be a microSD
	}
	fits := append(c.siblings(f, ratingsIn(r.words), r.form, e), f.module)
	if r.asks || r.foreignPart() || r.foreignVendor(f.module) || r.impossible && !f.module.isNamed(r.words) {
		return c.undecided(fits, by, r, e)
	}
	doubts := c.doubts(f, r, e)
	if len(doubts) > 0 || len(fits) > 1 && by != NamedByPartNumber { // each part number is of one generation
		return c.undecided(append(doubts, fits...), by, r, e)
	}
	f.module.NamedBy = by
	return f.module
}

// undecided returns the ambiguous module that may be any of these, or the provisional one if there are none.
func (c *Catalogue) undecided(doubtful []Module, by string, r reading, e Evidence) Module {
	m := c.provisionalTyped(r, e)
	m.NamedBy, m.contradictory = by, r.impossible || r.contradicted
	if e.hasNoClass() {
		doubtful = slices.DeleteFunc(slices.Clone(doubtful), func(m Module) bool {
			return applicationClass(lower(m.Classes)) != ""
		})
	}
	return c.ambiguous(m, doubtful)
}

// hasNoClass reports whether the card says that it has no application class.
func (e Evidence) hasNoClass() bool {
	_, err := register.Classes(e.card().SSR)
	return err == nil && applicationClass(lower(e.Classes)) == ""
}

// byEitherCapacity returns the module if the fields name two capacities. Either may be right.
func (c *Catalogue) byEitherCapacity(r reading, e Evidence) Module {
	var doubtful []Module
	for _, gb := range slices.Compact([]float64{r.capacityGB, r.otherGB}) {
		for _, n := range append(r.names(), name{r.part.vendor, r.part.line()}) {
			f := c.find(n, e.Classes, gb, r.form)
			switch {
			case f.ok && gb == 0: // the text names two
				doubtful = append(doubtful, c.inForm(f.key, r.form)...)
			case f.ok:
				doubtful = append(append(doubtful, c.siblings(f, ratingsIn(n.words), r.form, e)...), f.module)
			default:
				doubtful = append(doubtful, f.doubtful...)
			}
		}
	}
	r.words = append(slices.Clone(r.words), "or", cmp.Or(capacitySlug(r.otherGB), "another"))
	return c.undecided(doubtful, NamedByTyping, r, e)
}

// byPartNumber reads a part number as if somebody had typed the name, rate and year that the table lists for it. If
// more was typed, both must agree. If the catalogue doesn't list the year or rate for the line, the card isn't the
// listed one.
func (c *Catalogue) byPartNumber(r reading, e Evidence) Module {
	words, line := r.part.words(), r.part.line()
	meant := c.find(name{r.part.vendor, words}, nil, r.capacityGB, r.form)
	ofLine := c.lineOf(r)
	unlisted := !meant.ok && len(meant.doubtful) == 0 && !r.asks && !r.impossible
	number := r
	number.words, number.shown = words, r.part.shown()
	switch {
	case r.namesProduct():
	case meant.ok:
		return c.decided(meant, NamedByPartNumber, number, e)
	case unlisted:
		return c.undecided(nil, NamedByPartNumber, number, e)
	default:
		return c.undecided(append(meant.doubtful, ofLine.module), NamedByPartNumber, number, e)
	}
	said := c.find(r.name, e.Classes, r.capacityGB, r.form)
	typed := ratingsIn(r.words)
	agrees := r.says(withoutRatings(without(line, isApplicationClass))) && !c.saysMore(r.words, words)
	switch {
	case said.ok && meant.ok && said.module.Slug == meant.module.Slug:
		return c.decided(said, NamedByPartNumber, r, e)
	case said.ok && said.module.Slug != ofLine.module.Slug, said.ok && meant.ok:
		return c.undecided(append(ofLine.doubtful, said.module, meant.module, ofLine.module), NamedByTyping, r, e)
	case meant.ok && agrees && typed.agree(meant.module):
		return c.decided(meant, NamedByPartNumber, r, e)
	case unlisted && agrees && typed.goWith(ratingsIn(words)):
		return c.undecided(nil, NamedByPartNumber, number, e)
	}
	doubtful := append(slices.Concat(said.doubtful, meant.doubtful), said.module, meant.module, ofLine.module)
	return c.undecided(doubtful, NamedByTyping, r, e)
}

// lineOf finds a listed module of a part number's line: the module with its application class, else one without a
// class. If the part number states a form, that form counts and not the typed one.
func (c *Catalogue) lineOf(r reading) match {
	line, form := r.part.line(), r.form
	if r.part.form != "" {
		form = wantedForm{stated: r.part.form}
	}
	f := c.find(name{r.part.vendor, line}, nil, r.capacityGB, form)
	if plain := without(line, isApplicationClass); !f.ok && len(f.doubtful) == 0 && len(plain) < len(line) {
		return c.find(name{r.part.vendor, plain}, nil, r.capacityGB, form)
	}
	return f
}

// saysMore reports whether words besides a line's own may tell products apart: a number, or a word of another product's
// name.
func (c *Catalogue) saysMore(words, line []string) bool {
	return slices.ContainsFunc(withoutRatings(words), func(w string) bool {
		return !slices.Contains(line, w) && (c.productWords[w] || strings.Trim(w, "0123456789.") == "")
	})
}

// byMakers finds a product that was typed without a brand: "EVO Plus" on a card with Samsung's ids. Sources name makers
// for the card's ids, and exactly one of these makers must have such a product.
func (c *Catalogue) byMakers(r reading, e Evidence) (found Module, ok bool) {
	if r.vendor != "" {
		return Module{}, false
	}
	for _, maker := range c.makersInside(e) {
		f := c.find(name{maker, r.words}, e.Classes, r.capacityGB, r.form)
		if !f.ok && len(f.doubtful) == 0 {
			continue
		}
		if ok {
			return Module{}, false
		}
		r := r
		r.vendor, ok = maker, true
		if f.ok {
			found = c.decided(f, NamedByTyping, r, e)
		} else {
			found = c.undecided(f.doubtful, NamedByTyping, r, e)
		}
	}
	return found, ok
}

// byBrand is for a brand without a product: it may mean any module of the brand with this capacity and form.
func (c *Catalogue) byBrand(r reading, e Evidence) Module {
	m := c.provisionalKernel(r.brand(), e, r.capacityGB, r.form)
	if r.capacityGB != 0 && r.known {
		m.NamedBy = NamedByTyping
	}
	return c.ambiguous(m, c.ofBrand(r))
}

// ofBrand returns the modules of the typed brand that have the capacity, the form and all typed ratings.
func (c *Catalogue) ofBrand(r reading) []Module {
	if r.capacityGB == 0 || !r.known {
		return nil
	}
	typed := ratingsIn(r.words)
	return slices.DeleteFunc(fitting(c.byVendor[r.vendor], r.capacityGB, r.form), func(m Module) bool {
		return m.Form == "emmc" && r.form.stated != "emmc" || !typed.agree(m)
	})
}

// isNamed reports whether these are all words of one of the module's spellings.
func (m Module) isNamed(words []string) bool {
	return slices.ContainsFunc(m.spellings(), func(spelling string) bool {
		own, _ := tokens(spelling)
		return joined(own) == joined(words)
	})
}
