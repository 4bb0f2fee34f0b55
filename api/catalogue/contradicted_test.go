package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// No field and no offered choice gets a result into the figures of a module that the registers rule out.
func TestNoFieldGoesAroundTheRegisters(t *testing.T) {
	t.Parallel()
	c := load(t)
	const bytes = 31914983424
	chip := func(product, manfid, oemid, name string) catalogue.Evidence {
		return catalogue.Evidence{Module: result.Module{Product: product}, Identity: result.Identity{Bus: "mmc",
			SizeBytes: bytes, MMC: &result.Register{Manfid: manfid, OEMID: oemid, Name: name}}}
	}
	card := func(vendor, product, form, manfid, oemid, name string) catalogue.Evidence {
		return catalogue.Evidence{Module: result.Module{Vendor: vendor, Product: product, CapacityGB: 32, Form: form},
			Identity: result.Identity{Bus: "sd", SizeBytes: bytes,
				SD: &result.Register{Manfid: manfid, OEMID: oemid, Name: name}}}
	}
	for _, tc := range []struct {
		name, never string
		e           catalogue.Evidence
	}{
		{"the brand of the ids as vendor, another brand before the product", "sandisk-extreme-a1-32gb-microsd",
			card("Samsung", "SanDisk Extreme A1", "microsd", "0x00001b", "0x534d", "00000")},
		{"a brand without ids as vendor", "samsung-evo-plus-32gb-microsd",
			card("Kodak", "Samsung EVO Plus", "microsd", "0x000003", "0x5344", "SL32G")},
		{"the same, ambiguous", "samsung-evo-plus-32gb-microsd",
			card("Kodak", "Samsung EVO Plus", "", "0x000003", "0x5344", "SL32G")},
		{"offered afterwards", "sandisk-extreme-a1-32gb-microsd",
			card("SanDisk", "Extreme A1", "microsd", "0x00001b", "0x534d", "EB1QT")},
		{"offered for a misspelling", "sandisk-extreme-a1-32gb-microsd",
			card("SanDisk", "Exteme A1", "microsd", "0x00001b", "0x534d", "EB1QT")},
		{"registers that one module of another brand has alone", "raspberry-pi-sd-card-a2-64gb-microsd",
			catalogue.Evidence{Module: result.Module{Vendor: "Raspberry Pi", Product: "A2", Form: "microsd"},
				Identity: result.Identity{Bus: "sd", SizeBytes: 63864569856,
					SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "AGGCE"}}}},
		{"a chip's name on another maker's chip", "samsung-bjtd4r-32gb-emmc",
			chip("BJTD4R", "0x000090", "0x014a", "HZZZZZ")},
		{"a chip's name on another chip of its maker", "samsung-bjtd4r-32gb-emmc",
			chip("Samsung BJTD4R", "0x000015", "0x0100", "ZZZZZZ")},
	} {
		m := c.Resolve(tc.e)
		if m.Slug == tc.never || m.Offered == tc.never || slices.Contains(m.Candidates, tc.never) {
			t.Errorf("%s: %s, offered %q, may be %v", tc.name, m.Slug, m.Offered, m.Candidates)
		}
	}
}

// If the typed vendor is the maker of the ids, the registers decide.
func TestOfTwoBrandsTheOneOfTheRegistersCounts(t *testing.T) {
	t.Parallel()
	m := resolve(load(t), on(typed("SanDisk", "Samsung EVO", 16, "microsd"), "0x000003", "0x5344", "SA16G",
		15931539456))
	if m.Slug != "sandisk-industrial-16gb-microsd" {
		t.Errorf("%s by %q", m.Slug, m.NamedBy)
	}
}

// If the registers show another kind of module than the typed form, no module of that form is named.
func TestAFormThatTheBusRulesOut(t *testing.T) {
	t.Parallel()
	c := load(t)
	stick := resolve(c, on(typed("SanDisk", "Ultra Fit", 32, "usb"), "0x000003", "0x5344", "SL32G", 31914983424))
	soldered := func(vendor, product, name string) catalogue.Module {
		return c.Resolve(catalogue.Evidence{
			Module: result.Module{Vendor: vendor, Product: product, CapacityGB: 32, Form: "microsd"},
			Identity: result.Identity{Bus: "mmc", SizeBytes: 31268536320,
				MMC: &result.Register{Manfid: "0x000015", OEMID: "0x0100", Name: name}}})
	}
	card, samsung := soldered("SanDisk", "Ultra A1", "BJTD4R"), soldered("Samsung", "EVO Plus", "BJTD4R")
	for slug, m := range map[string]catalogue.Module{"sandisk-ultra-fit-32gb-sd": stick,
		"sandisk-emmc-0x15-0x0100-bjtd4r-32gb": card, "samsung-bjtd4r-32gb-emmc": samsung} {
		if m.Slug != slug || m.Offered != "" {
			t.Errorf("%s of the form %s, offered %q; want %s", m.Slug, m.Form, m.Offered, slug)
		}
	}
}

// If two brands are typed, in two fields or as name and part number, the contributor is asked. A brand's owner isn't a
// second brand.
func TestTwoBrandsAreAskedAbout(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, e := range []evidence{
		typed("Samsung", "SanDisk Extreme A1", 32, "microsd"), typed("Kodak", "SanDisk Extreme A1", 32, "microsd"),
		typed("SanDisk", "Ultra SDCS2/16GBSP", 16, "microsd"), typed("SanDisk", "Ultra A1 MB-MC32GA", 0, "microsd"),
	} {
		if m := resolve(c, e); !m.Ambiguous() {
			t.Errorf("%q %q is %s", e.Vendor, e.Product, m.Slug)
		}
	}
	owned := resolve(c, typed("WD", "SanDisk Extreme Pro", 8, "microsd"))
	if owned.Slug != "sandisk-extreme-pro-8gb-microsd" {
		t.Errorf("%s", owned.Slug)
	}
}

// A capacity in a name or part number that the device doesn't have decides nothing, not even behind a reader.
func TestACapacityThatTheDeviceDoesNotHaveDecidesNothing(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		product, form string
		bytes         int64
	}{
		{"SanDisk Ultra A1 32GB", "microsd", 15931539456}, {"SDSQUAR-032G-GN6MA", "microsd", 15931539456},
		{"SanDisk Ultra Fit 32GB", "usb", 123e9},
	} {
		e := typed("", tc.product, 0, tc.form)
		e.Bus, e.CapacityBytes = "usb", tc.bytes
		m := resolve(c, e)
		if _, listed := c.Module(m.Slug); listed {
			t.Errorf("%q on %d bytes is %s", tc.product, tc.bytes, m.Slug)
		}
	}
}

// If the typed fields contradict each other, the contributor is asked, even if no listed module fits. Until then the
// result is in nobody's figures.
func TestWhatContradictsItselfNamesNothing(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, e := range []evidence{
		typed("", "SDCS2/32GB CompactFlash", 0, ""), typed("", "SDCS2/32GB", 0, "usb"), typed("", "SDCS2/32GB", 0, "emmc"),
		typed("", "SDCZ43-032G-G46", 0, "microsd"), typed("", "MB-MC64G", 0, "sd"), typed("Kingston", "SDCS2/64GB", 32, ""),
		typed("", "MB-MC64G 128GB", 0, ""), typed("", "SDSQUAR-064G", 32, ""),
		typed("", "Intenso A2 Class 4 32GB", 0, "microsd"), typed("", "Intenso Professional microSD CF 32GB", 0, ""),
		typed("", "Lexar Foo SDHC 64GB", 0, ""), typed("", "SanDisk Ultra A1 64GB or 32GB", 0, "microsd"),
		typed("", "SanDisk Ultra A1 or Samsung EVO Plus", 32, "microsd"),
		typed("", "SanDisk Ultra A1 / Samsung EVO Plus", 32, "microsd"),
	} {
		if m := resolve(c, e); !m.Ambiguous() || !strings.Contains(m.Why(), "contradicts itself") {
			t.Errorf("%q of %v GB, form %q: %s. %s", e.Product, e.CapacityGB, e.Form, m.Slug, m.Why())
		}
	}
	if m := resolve(c, typed("", "SDCS2/32GB", 0, "cf")); !slices.Equal(m.Candidates,
		[]string{"kingston-canvas-select-plus-32gb-microsd"}) {
		t.Errorf("a microSD's part number with another form may be %v", m.Candidates)
	}
	m := resolve(c, typed("", "SDSQUAR-064G", 32, ""))
	for _, slug := range []string{"sandisk-ultra-a1-32gb-microsd", "sandisk-ultra-a1-64gb-microsd"} {
		if !slices.Contains(m.Candidates, slug) {
			t.Errorf("a part number of 64 GB typed with 32 GB may be %v, and lacks %s", m.Candidates, slug)
		}
	}
}
