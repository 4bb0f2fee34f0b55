package catalogue

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A stick's USB version is two words, maybe in brackets: "USB 3.2", "(USB 3.2 Gen 1)".
var (
	reUSB        = regexp.MustCompile(`(?i)^[(\[]?USB$`)
	reUSBVersion = regexp.MustCompile(`^[1-4](\.\d)?[)\],;]?$`)
)

var reCapacityTyped = regexp.MustCompile(`(?i)` + reCapacity.String() + `(/s)?`)

// unidentified is the product of a module that nothing is known about.
const unidentified = "Unidentified module"

// provisionalTyped returns the module that a contributor named and the catalogue does not list.
func (c *Catalogue) provisionalTyped(r reading, e Evidence) Module {
	m := Module{
		Vendor: clean(r.vendor), Product: cmp.Or(r.shown, c.productShown(r.name, e)), CapacityGB: r.capacityGB,
		KnownFrom: KnownFromTyped, Provisional: true, NamedBy: NamedByTyping,
	}
	m.Form, m.FormUnstated = r.form.orFromBus()
	named := withoutSales(r.words)
	application := applicationClass(lower(e.Classes))
	if application != "" && applicationClass(named) == "" && c.withClass[nameKey{r.vendor, joined(named)}] {
		named = append(named, application) // the card reports its generation
		m.Product = clean(m.Product + " " + strings.ToUpper(application))
	}
	words := append(append([]string{m.Vendor}, named...), capacitySlug(r.capacityGB))
	if m.Form != "other" {
		words = append(words, m.Form)
	}
	m.Slug = c.provisionalSlug(words)
	return m
}

// joining words are part of a name if they stand within it: "Slow and Sure".
var joining = strings.Fields("and of the in on for with to und et y e de la le du & +")

// productShown returns the typed product without vendor, capacity and form, which the name repeats.
func (c *Catalogue) productShown(n name, e Evidence) string {
	typed := clean(e.Product)
	if vendor, known := c.vendors.named(e.Vendor); !known && vendor != n.vendor {
		typed = clean(e.Vendor + " " + e.Product) // the vendor was found inside the typed fields
	}
	words := strings.Fields(reCapacityTyped.ReplaceAllStringFunc(typed, func(match string) string {
		if strings.HasSuffix(strings.ToLower(match), "/s") {
			return match // a rate
		}
		return " "
	}))
	isGeneric := func(w string) bool {
		words := reToken.FindAllString(strings.ToLower(w), -1)
		return len(words) > 0 && len(withoutGeneric(words)) == 0
	}
	for n := min(3, len(words)-1); n > 0; n-- {
		at := max(0, slices.IndexFunc(words, func(w string) bool { return !isGeneric(w) }))
		if at+n <= len(words) && c.vendors[vendorKey(strings.Join(words[at:at+n], " "))] != "" {
			words = slices.Concat(words[:at], words[at+n:])
			break
		}
	}
	var shown []string
	for at, w := range words {
		inside := len(shown) > 0 && slices.ContainsFunc(words[at+1:], func(w string) bool { return !isGeneric(w) })
		isUSBVersion := reUSB.MatchString(w) && at+1 < len(words) && reUSBVersion.MatchString(words[at+1])
		if !isGeneric(w) || isUSBVersion || inside && slices.Contains(joining, strings.ToLower(w)) {
			shown = append(shown, w)
		}
	}
	if len(shown) == 0 {
		return cmp.Or(typed, clean(e.Vendor), unidentified)
	}
	return clean(strings.Join(shown, " "))
}

// provisionalKernel returns the module that nobody named: "SD card 0x03/SD SL16G".
func (c *Catalogue) provisionalKernel(vendor string, e Evidence, capacityGB float64, form wantedForm) Module {
	m := Module{Vendor: clean(vendor), CapacityGB: capacityGB, KnownFrom: KnownFromKernel, Provisional: true}
	m.Form, m.FormUnstated = form.orFromBus()
	words := []string{m.Vendor}
	usb := e.usb()
	named := clean(clean(usb.Manufacturer) + " " + clean(usb.Product))
	cid, ata := cidText(e.card()), clean(e.ataModel())
	if ids := sdID(e.card()); cid == "" && ids != "" {
		cid = ids + " without a name"
	}
	switch {
	case cid != "" && e.Bus == "mmc" && m.Form != "emmc":
		m.Product, words = "MultiMediaCard "+cid, append(words, "mmc", cid)
	case cid != "" && m.Form == "emmc":
		m.Product, words = "eMMC "+cid, append(words, "emmc", cid)
	case cid != "":
		m.Product, words = "SD card "+cid, append(words, "sd", cid)
	case usb.VendorID != "" || named != "":
		ids := clean(usb.VendorID) + ":" + clean(usb.ProductID)
		shown := cmp.Or(named, c.usbNames[evidenceKey(ids)])
		m.Product, words = strings.TrimSpace("USB storage "+ids+" "+shown), append(words, "usb", ids, named)
		if m.Form == "other" {
			m.Form = "usb"
		}
	case ata != "":
		m.Product, words = "ATA device "+ata, append(words, "ata", ata)
	default:
		m.Product, words = unidentified, append(words, "unidentified", form.stated)
	}
	if cid != "" {
		m.NamedBy = NamedByRegisters
	}
	m.Product = clean(m.Product)
	m.Slug = c.provisionalSlug(append(words, capacitySlug(capacityGB)))
	return m
}

func (c *Catalogue) taken(slug string) bool {
	_, ok := c.modules[slug]
	return ok
}

// provisionalSlug returns the slug of a provisional module. It avoids the prefixes of stacks and of
// ambiguous modules.
func (c *Catalogue) provisionalSlug(words []string) string {
	slug := SlugOf(words, c.taken)
	if IsStack(slug) || strings.HasPrefix(slug, ambiguousPrefix) {
		return SlugOf(append([]string{"module"}, words...), c.taken)
	}
	return slug
}

// capacitySlug returns a capacity for a slug: "32gb"; "" for zero.
func capacitySlug(gb float64) string {
	return strings.ToLower(strings.ReplaceAll(CapacityLabel(gb), " ", ""))
}

// Unidentified reports whether a product, as modules that only contributors know of have one, names none: nothing is
// known but a brand, classes and a size, as of a "Toshiba Class 10" in a reader that hides its registers. Cards of
// several products are such modules.
func Unidentified(product string) bool {
	words, _ := tokens(product)
	return product == unidentified || namesNothing(words)
}

// namesNothing reports whether words are ratings and what is said of every card.
func namesNothing(words []string) bool {
	return len(without(withoutRatings(words), isApplicationClass)) == 0
}
