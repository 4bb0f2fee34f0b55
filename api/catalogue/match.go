package catalogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// name is a vendor, under its name in the catalogue if it is listed, and the words of a product.
type name struct {
	vendor string
	words  []string
}

// namesProduct reports whether the words name a product: "microSD card" and "unknown" don't.
func (n name) namesProduct() bool {
	rest := withoutSales(n.words)
	return len(rest) > 0 && !unhelpful(strings.Join(rest, " "))
}

func unhelpful(s string) bool {
	words := strings.Join(reToken.FindAllString(strings.ToLower(s), -1), " ")
	return slices.Contains([]string{
		"", "unknown", "generic", "none", "na", "n a", "no", "unbranded", "other", "emmc", "mmc", "compactflash", "cf",
	}, words)
}

// match is what the catalogue says to a name. Either one module has it, or several might, or none does.
type match struct {
	module   Module
	ok       bool
	key      nameKey  // key under which it was found
	doubtful []Module // it may be one of them
}

// find looks for the module with this name. It tries the name without generic words, sales words and ratings, too, and
// a stick's without its colour.
func (c *Catalogue) find(n name, classes []string, capacityGB float64, form wantedForm) match {
	var doubtful []Module
	rated, reported := ratingsIn(n.words), applicationClass(lower(classes))
	lookUp := func(product string) (Module, bool) {
		fits := fitting(c.names[nameKey{n.vendor, product}], capacityGB, form)
		if len(fits) == 1 {
			agrees, contradicts := rated.against(fits[0])
			if agrees || !contradicts {
				return fits[0], agrees
			}
		}
		doubtful = append(doubtful, fits...)
		return Module{}, false
	}
	seen := map[string]bool{"": true}
	for i, words := range [...][]string{n.words, withoutGeneric(n.words), ratingsLast(withoutGeneric(n.words)),
		withoutSales(n.words), withoutClasses(n.words), withoutRatings(n.words),
		ratingsLast(withoutColours(withoutSales(n.words))), withoutColours(withoutRatings(n.words))} {
		product, application := joined(words), applicationClass(words)
		if seen[product] {
			continue
		}
		seen[product] = true
		if i >= 6 { // only sticks come in colours
			if form.sd || form.stated != "" && form.stated != "usb" {
				break
			}
			form = wantedForm{stated: "usb"}
		}
		if c.otherVersion(n, words, rated["usb"]) || leavesOutUHS(n.words, words) {
			doubtful = append(doubtful, fitting(c.names[nameKey{n.vendor, product}], capacityGB, form)...)
			continue
		}
		if application == "" && reported != "" {
			if m, ok := lookUp(product + reported); ok {
				return match{module: m, ok: true, key: nameKey{n.vendor, product + reported}}
			}
		}
		if m, ok := lookUp(product); ok && (application != "" || reported == "" ||
			!c.withClass[nameKey{n.vendor, product}] || slices.Contains(m.Classes, strings.ToUpper(reported))) {
			return match{module: m, ok: true, key: nameKey{n.vendor, product}}
		}
		if application != "" { // the catalogue may list the class outside the name
			base := strings.TrimSuffix(product, application)
			m, ok := lookUp(base)
			if ok && slices.Contains(m.Classes, strings.ToUpper(application)) {
				return match{module: m, ok: true, key: nameKey{n.vendor, base}}
			}
		}
		if capacityGB == 0 {
			doubtful = append(doubtful, c.inForm(nameKey{n.vendor, product}, form)...)
		}
	}
	if m, ok := c.named(n, rated, reported, capacityGB, form); ok {
		return match{module: m, ok: true}
	}
	line := nameKey{n.vendor, productLine(n.words)}
	if reported == "" && line.product == joined(withoutRatings(n.words)) {
		generations := fitting(c.generations[line], capacityGB, form)
		if len(rated[""]) > 0 { // the rate may tell which one it is, among the stated USB version's
			generations = slices.DeleteFunc(generations, func(m Module) bool {
				return !rated.agree(m) || len(m.ratings["usb"]) > len(rated["usb"])
			})
			if len(generations) == 1 {
				return match{module: generations[0], ok: true, key: line}
			}
		}
		doubtful = append(doubtful, slices.DeleteFunc(generations, func(m Module) bool {
			return len(doubtful) > 0 && !rated.agree(m)
		})...)
	}
	return match{doubtful: distinct(doubtful)}
}

// otherVersion reports whether a stick's USB version makes it another product than the line that these words name
// without a version. It does if the line has this version or an earlier one, or if USB 2 is typed and the line has USB
// 3. If a line is only known in later versions, its name had no version.
func (c *Catalogue) otherVersion(n name, words []string, versions []int) bool {
	if len(versions) == 0 || len(ratingsIn(words)["usb"]) > 0 {
		return false
	}
	known := c.usbVersions[nameKey{n.vendor, joined(words)}]
	return len(known) > 0 && (slices.Min(known) <= slices.Max(versions) || slices.Max(versions) < 30)
}

// leavesOutUHS reports whether words name a card only by classes and leave out the UHS-I that is among all. Kingston's
// "Class 10" and "Class 10 UHS-I" are two different cards.
func leavesOutUHS(all, words []string) bool {
	return slices.Contains(all, "uhsi") && !slices.Contains(words, "uhsi") && len(ratingsIn(words)["u"]) == 0 &&
		len(withoutRatings(words)) == 0
}

// named returns the vendor's module that has no name of its own ("Amazon Basics microSD"), if no product is typed and
// the vendor has no other module of this capacity, form and class.
func (c *Catalogue) named(n name, rated ratings, reported string, capacityGB float64, form wantedForm) (Module, bool) {
	noClass := without(withoutRatings(n.words), isApplicationClass)
	if len(noClass) > 0 || n.vendor == "" || form.stated == "" || capacityGB == 0 {
		return Module{}, false
	}
	fits := slices.DeleteFunc(fitting(c.byVendor[n.vendor], capacityGB, form), func(m Module) bool {
		return !rated.agree(m)
	})
	if len(fits) != 1 || fits[0].FormUnstated {
		return Module{}, false
	}
	m := fits[0]
	class := cmp.Or(applicationClass(n.words), reported)
	return m, (class == "" || slices.Contains(m.Classes, strings.ToUpper(class))) &&
		slices.ContainsFunc(m.spellings(), func(spelling string) bool {
			return len(withoutSales(c.wordsOf(n.vendor, spelling))) == 0
		})
}

// inForm returns the modules of a name, in all capacities.
func (c *Catalogue) inForm(key nameKey, form wantedForm) []Module {
	return slices.DeleteFunc(slices.Clone(c.names[key]), func(m Module) bool { return !form.allows(m) })
}

// doubts returns the modules that a name may mean although it was found. The evidence may leave open what tells them
// apart: the form, if the line is sold in several, or the capacity.
func (c *Catalogue) doubts(f match, r reading, e Evidence) []Module {
	form := r.form
	ofBrand := fitting(c.byVendor[f.module.Vendor], f.module.CapacityGB, form)
	switch {
	case len(withoutSales(r.words)) == 0 && len(ofBrand) > 1: // only a brand, which also sells named cards
		return ofBrand
	case form.stated == "sdexpress" && strings.Contains(f.module.Product, "microSD") &&
		slices.Contains(r.words, "express") && !saysMicroSD(r.words):
		return []Module{f.module} // full-size cards are sold under the same name
	case form.stated == "" && strings.HasSuffix(vendorKey(f.module.Vendor), f.key.product): // a brand sells sticks, too
		return []Module{f.module}
	case form.stated == "" && form.saysSD && f.module.FormUnstated &&
		(len(withoutRatings(r.words)) > 0 || len(ofBrand) == 1):
		return nil // as open as in the catalogue; most cards of a brand bear a class
	case form.stated == "" && (f.module.FormUnstated || len(c.formsOn(e.Bus, f.key)) > 1 || c.mayBeOther(f, r, e)):
		return append(fitting(c.names[f.key], f.module.CapacityGB, form), f.module)
	case form.saysSD && (form.stated == "" || slices.Contains(c.forms[f.key], "sd")) && f.module.Form == "microsd" &&
		!strings.Contains(f.key.product, "sd"):
		return []Module{f.module} // people call it an SD card, or it is one
	case f.module.CapacityGB == 0:
		return c.inForm(f.key, form)
	}
	return nil
}

// siblings returns the other generations of the found module: modules of its line, capacity and form that the typed
// ratings and the registers don't rule out. Their owners type the same line's name.
func (c *Catalogue) siblings(f match, typed ratings, form wantedForm, e Evidence) []Module {
	return slices.DeleteFunc(fitting(c.generations[f.key], f.module.CapacityGB, form), func(m Module) bool {
		return m.Slug == f.module.Slug || !typed.agree(m) ||
			applicationClass(lower(m.Classes)) != "" && !e.mayHaveClass()
	})
}

// firstClassYear is the first year with application classes on cards: SD Physical Layer Specification 5.1 of 2016
// introduced them.
const firstClassYear = 2017

// mayHaveClass reports whether the evidence leaves open whether the card has an application class. It doesn't if the SD
// Status says so, or if the registers are from a year before such classes existed.
func (e Evidence) mayHaveClass() bool {
	if e.hasNoClass() || applicationClass(lower(e.Classes)) != "" {
		return false
	}
	_, year, dated := strings.Cut(e.card().Date, "/")
	made, err := strconv.Atoi(year)
	return !dated || err != nil || made >= firstClassYear
}

// mayBeOther reports whether a card without a stated form may have another form than the catalogue lists. Most lines
// are sold as microSD and SD, and some also as CF, and the catalogue doesn't list all of them. Full-size cards have no
// application class.
func (c *Catalogue) mayBeOther(f match, r reading, e Evidence) bool {
	classed := applicationClass(r.words) != "" || applicationClass(lower(e.Classes)) != ""
	switch f.module.Form {
	case "microsd":
		return !classed && !c.oneForm[f.key]
	case "sd", "cf":
		return !c.oneForm[f.key] && !r.form.saysSD
	}
	return false
}

// formsOn returns the forms in which a line is sold, as far as they fit the bus.
func (c *Catalogue) formsOn(bus string, key nameKey) []string {
	return slices.DeleteFunc(slices.Clone(c.forms[key]), func(form string) bool {
		return bus == "sd" && form != "sd" && form != "microsd"
	})
}
