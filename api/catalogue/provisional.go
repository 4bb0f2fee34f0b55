package catalogue

import (
	"regexp"
	"strings"
)

var reCapacityTyped = regexp.MustCompile(`(?i)` + reCapacity.String() + `(/s)?`)

// provisionalTyped returns the module that a contributor named and the catalogue does not list.
func (c *Catalogue) provisionalTyped(n name, e Evidence, capacityGB float64, form wantedForm) Module {
	m := Module{
		Vendor: clean(n.vendor), Product: c.productShown(n, e), CapacityGB: capacityGB,
		KnownFrom: KnownFromTyped, Provisional: true,
	}
	m.Form, m.FormUnstated = form.orFromBus(e.Bus)
	named := withoutSales(n.words)
	application := applicationClass(lower(e.Classes))
	if application != "" && applicationClass(named) == "" && c.withClass[nameKey{n.vendor, joined(named)}] {
		named = append(named, application) // the card reports its generation
		m.Product = clean(m.Product + " " + strings.ToUpper(application))
	}
	words := append(append([]string{m.Vendor}, named...), capacitySlug(capacityGB))
	if m.Form != "other" {
		words = append(words, m.Form)
	}
	m.Slug = c.provisionalSlug(words)
	return m
}

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
	for n := min(3, len(words)-1); n > 0; n-- {
		if c.vendors.names[vendorKey(strings.Join(words[:n], " "))] != "" {
			words = words[n:]
			break
		}
	}
	shown := without(words, func(w string) bool {
		t, _ := tokens(w)
		return len(t) > 0 && len(withoutGeneric(t)) == 0
	})
	if len(shown) == 0 {
		return typed
	}
	return clean(strings.Join(shown, " "))
}

// provisionalKernel returns the module that nobody named: "SD card 0x03/SD SL16G".
func (c *Catalogue) provisionalKernel(vendor string, e Evidence, capacityGB float64, form wantedForm) Module {
	m := Module{Vendor: vendor, CapacityGB: capacityGB, KnownFrom: KnownFromKernel, Provisional: true}
	m.Form, m.FormUnstated = form.orFromBus(e.Bus)
	words := []string{vendor}
	usb := e.usb()
	named := clean(clean(usb.Manufacturer) + " " + clean(usb.Product))
	switch cid, ata := cidText(e.card()), clean(e.ataModel()); {
	case cid != "" && m.Form == "emmc":
		m.Product, words = "eMMC "+cid, append(words, "emmc", cid)
	case cid != "":
		m.Product, words = "SD card "+cid, append(words, "sd", cid)
	case usb.VendorID != "" || named != "":
		ids := clean(usb.VendorID) + ":" + clean(usb.ProductID)
		m.Product, words = strings.TrimSpace("USB storage "+ids+" "+named), append(words, "usb", ids, named)
		if m.Form == "other" {
			m.Form = "usb"
		}
	case ata != "":
		m.Product, words = "ATA device "+ata, append(words, "ata", ata)
	default:
		m.Product, words = "Unidentified module", append(words, "unidentified", form.stated)
	}
	m.Product = clean(m.Product)
	m.Slug = c.provisionalSlug(append(words, capacitySlug(capacityGB)))
	return m
}

func (c *Catalogue) taken(slug string) bool {
	_, ok := c.modules[slug]
	return ok
}

// provisionalSlug returns the slug of a provisional module. It avoids the prefix of stacks.
func (c *Catalogue) provisionalSlug(words []string) string {
	slug := SlugOf(words, c.taken)
	if IsStack(slug) {
		return SlugOf(append([]string{"module"}, words...), c.taken)
	}
	return slug
}

// capacitySlug returns a capacity for a slug: "32gb"; "" for zero.
func capacitySlug(gb float64) string {
	return strings.ToLower(strings.ReplaceAll(CapacityLabel(gb), " ", ""))
}
