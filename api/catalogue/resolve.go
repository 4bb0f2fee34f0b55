package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// Evidence is the data that identify a module. Any field may be empty, and none is trusted.
type Evidence struct {
	result.Module            // as a contributor typed it
	result.Identity          // as the kernel shows it
	Classes         []string // stated by a source; only A1 and A2 count
}

// card returns the registers of an SD card or eMMC, or empty ones.
func (e Evidence) card() result.Register { return *cmp.Or(e.MMC, e.SD, &result.Register{}) }

// usb returns the USB ids of the device, or empty ones.
func (e Evidence) usb() result.USB { return *cmp.Or(e.USB, &result.USB{}) }

func (e Evidence) ataModel() string {
	if e.Bus != "ata" || e.SCSI == nil {
		return ""
	}
	return e.SCSI.Model
}

// Resolve returns the module that the evidence identifies, or a provisional one made from the evidence. It always
// returns a safe slug and printable names, and always the same module for the same evidence.
func (c *Catalogue) Resolve(e Evidence) Module {
	m := c.resolve(e)
	m.Confirmed = c.confirms(m, e)
	return m
}

func (c *Catalogue) resolve(e Evidence) Module {
	if classes, err := register.Classes(e.card().SSR); err == nil { // an eMMC, and some hosts, show none
		e.Classes = append(slices.Clone(e.Classes), classes...)
	}
	words, inName := tokens(e.Product)
	capacity := marketedGB(e.CapacityGB)
	contradicts := inName < 0 || inName > 0 && capacity > 0 && inName != capacity
	if capacity == 0 {
		capacity = max(inName, 0)
	}
	if capacity == 0 {
		capacity = marketedGB(float64(e.SizeBytes) / 1e9)
	}
	form := formOf(e, words)
	vendor, known := c.vendors.named(e.Vendor)
	if vendor == "" {
		if v := c.vendors.sdIDs[sdID(e.card())]; v != "" && e.Bus == "sd" {
			vendor, known = v, true
		}
	}
	typed := name{vendor, words}
	if v, rest, ok := c.vendors.split(words); ok && (!known || v == vendor) {
		typed = name{v, rest}
	} else if !known { // the vendor field may hold the whole name
		all, _ := tokens(e.Vendor + " " + e.Product)
		if v, rest, ok := c.vendors.split(all); ok {
			typed = name{v, rest}
		}
	}
	if contradicts { // two capacities, and either may be right
		typed.words = append(slices.Clone(typed.words), "or", cmp.Or(capacitySlug(inName), "another"))
		return c.provisionalTyped(typed, e, capacity, form)
	}
	candidates := []name{typed}
	if v := c.vendors.names[joined(words)]; v != "" && !known { // only the vendor's name
		candidates = append(candidates, name{v, words})
	}
	if v, rest, ok := c.vendors.split(words); ok && v != typed.vendor { // "Western Digital" "SanDisk Ultra"
		candidates = append(candidates, name{v, rest})
	}
	for _, n := range candidates {
		if m, ok := c.byName(n, e.Classes, capacity, form); ok {
			return m
		}
	}
	if typed.namesProduct() {
		return c.provisionalTyped(typed, e, capacity, form)
	}
	if m, ok := c.byKernel(e, capacity, form); ok && (!known || m.Vendor == vendor) {
		return m
	}
	if vendor == "" || !known && unhelpful(vendor) {
		return c.provisionalKernel("", e, capacity, form)
	}
	if e.Vendor == "" {
		vendor = "" // it came from the CID, which is part of the name
	}
	return c.provisionalKernel(vendor, e, capacity, form)
}

// name is a vendor, under its name in the catalogue if it is listed, and the words of a product.
type name struct {
	vendor string
	words  []string
}

// namesProduct reports whether the words name a product: "microSD card" and "unknown" don't.
func (n name) namesProduct() bool {
	rest := withoutGeneric(n.words)
	return len(rest) > 0 && !unhelpful(strings.Join(rest, " "))
}

func unhelpful(s string) bool {
	words := strings.Join(reToken.FindAllString(strings.ToLower(s), -1), " ")
	return slices.Contains([]string{
		"", "unknown", "generic", "none", "na", "n a", "no", "unbranded", "other", "emmc", "mmc", "compactflash", "cf",
	}, words)
}

// byName finds the module with this name. It tries the name without generic words, sales words and ratings, too.
func (c *Catalogue) byName(n name, classes []string, capacityGB float64, form wantedForm) (Module, bool) {
	rated, reported := ratingsIn(n.words), applicationClass(lower(classes))
	lookUp := func(product string) (Module, bool) {
		m, ok := one(c.names[nameKey{n.vendor, product}], capacityGB, form)
		return m, ok && rated.fit(m)
	}
	seen := map[string]bool{"": true}
	for _, words := range [][]string{n.words, withoutGeneric(n.words), withoutSales(n.words), withoutRatings(n.words)} {
		product, application := joined(words), applicationClass(words)
		if seen[product] {
			continue
		}
		seen[product] = true
		if application == "" && reported != "" {
			if m, ok := lookUp(product + reported); ok {
				return m, true
			}
		}
		if m, ok := lookUp(product); ok && (application != "" || reported == "" ||
			!c.withClass[nameKey{n.vendor, product}] || slices.Contains(m.Classes, strings.ToUpper(reported))) {
			return m, true
		}
		if application != "" { // the catalogue may list the class outside of the name
			m, ok := lookUp(strings.TrimSuffix(product, application))
			if ok && slices.Contains(m.Classes, strings.ToUpper(application)) {
				return m, true
			}
		}
	}
	return Module{}, false
}

// byKernel finds the module by data of the kernel that only one module has.
func (c *Catalogue) byKernel(e Evidence, capacityGB float64, form wantedForm) (Module, bool) {
	if key := cidText(e.card()); key != "" {
		if m, ok := one(c.ids[evidenceKey(key+" "+e.card().HWRev)], capacityGB, form); ok {
			return m, true
		}
		return one(c.ids[evidenceKey(key)], capacityGB, form)
	}
	if form.stated == "" || form.stated == "usb" { // otherwise the ids belong to the reader
		usb, stick := e.usb(), wantedForm{stated: "usb"}
		if m, ok := one(c.ids[evidenceKey(usb.VendorID+":"+usb.ProductID)], capacityGB, stick); ok {
			return m, true
		}
		words, _ := tokens(usb.Product)
		if vendor, known := c.vendors.named(usb.Manufacturer); known {
			if m, ok := c.byName(name{vendor, words}, nil, capacityGB, stick); ok {
				return m, true
			}
		}
	}
	if model := e.ataModel(); model != "" {
		return one(c.ids[c.ataKey(model)], capacityGB, form)
	}
	return Module{}, false
}

// ataKey returns an ATA model for comparison: without its vendor's name, which only some cards print.
func (c *Catalogue) ataKey(model string) string {
	words, _ := tokens(model)
	if _, rest, ok := c.vendors.split(words); ok {
		words = rest
	}
	return joined(words)
}

func lower(list []string) []string { return strings.Fields(strings.ToLower(strings.Join(list, " "))) }

// sdID returns the manufacturer and OEM ids of a CID as "0x03/SD". An OEM id that is no text stays a number.
func sdID(card result.Register) string {
	manfid, ok := hexNumber(card.Manfid)
	if !ok {
		return ""
	}
	oem := clean(card.OEMID)
	if n, ok := hexNumber(card.OEMID); ok {
		hi, lo := byte(n>>8), byte(n)
		if oem = fmt.Sprintf("0x%04x", n&0xffff); hi > ' ' && hi < 0x7f && lo > ' ' && lo < 0x7f {
			oem = string([]byte{hi, lo})
		}
	}
	return fmt.Sprintf("0x%02x/%s", manfid, oem)
}

// cidText returns the product in a CID: "0x03/SD SL16G". It is empty without a product name.
func cidText(card result.Register) string {
	id, product := sdID(card), clean(card.Name)
	if id == "" || product == "" {
		return ""
	}
	return id + " " + product
}

func hexNumber(s string) (uint64, bool) {
	s, prefixed := strings.CutPrefix(strings.ToLower(strings.TrimSpace(s)), "0x")
	n, err := strconv.ParseUint(s, 16, 32)
	return n, prefixed && err == nil
}
