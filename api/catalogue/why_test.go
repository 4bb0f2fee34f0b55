package catalogue_test

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/result"
)

func TestANameThatIsCloseToAnotherIsOfferedAndNotTaken(t *testing.T) {
	t.Parallel()
	c := load(t)
	for product, offered := range map[string]string{
		"Samsumg EVO 32GB microSD":                          "samsung-evo-32gb-microsd",
		"SanDisk Ulta 32GB microSD":                         "sandisk-ultra-32gb-microsd",
		"SanDisk Extrmee Pro 64GB microSD":                  "sandisk-extreme-pro-64gb-microsd",
		"HanDisk Ultra 32GB microSD":                        "sandisk-ultra-32gb-microsd",
		"Swissbit S-45u 16GB microSD":                       "", // a digit makes another product
		"HanDisk microSD 32GB":                              "",
		"Montre connectée SanDisk Ultra microSD 128GB":      "sandisk-ultra-128gb-microsd",
		"SanDisk Ultra Zonk Z73 microSD 32GB - Kameraladen": "sandisk-ultra-32gb-microsd",
		"SanDisk Ultra Zonk 160MB/s microSD 32GB":           "", // a rate makes another product
		"SanDisk Zonk microSD 32GB":                         "",
		`Kingston 8GB microSD HC I ui (10) "Taiwan" F(c)o`:  "kingston-class-10-uhs-i-8gb-microsd", // not Class 10
	} {
		m := resolve(c, typed("", product, 0, ""))
		if _, listed := c.Module(m.Slug); listed || m.Offered != offered || m.KnownFrom == catalogue.KnownFromAmbiguous {
			t.Errorf("%q is %s, and %q is offered; want %q", product, m.Slug, m.Offered, offered)
		}
	}
}

// A no-name may print classes that no card should bear together. The contributor is asked whether it is this module.
func TestClassesThatContradictEachOtherLeadToTheModuleThatHasThem(t *testing.T) {
	t.Parallel()
	c := load(t)
	for product, want := range map[string]string{
		"Bekit 8GB microSD, Class 6, U1": "bekit-microsd-8gb-microsd",
		"Bekit 8GB microSD, Class 4, U1": "",
	} {
		m := resolve(c, typed("", product, 0, ""))
		if got := strings.Join(m.Candidates, " "); !m.Ambiguous() || got != want {
			t.Errorf("%q is %s and may be %q, want %q", product, m.Slug, got, want)
		}
	}
}

func TestEveryModuleSaysWhy(t *testing.T) {
	t.Parallel()
	c := load(t)
	seen := map[string]bool{}
	for _, e := range []evidence{
		sdCard("0x000003", "0x5344", "SA16G", 15931539456), typed("", "SDCS2/32GB", 0, ""),
		typed("SanDisk", "Ultra", 16, "microsd"),
		{Bus: "usb", USBVendorID: "0781", USBProductID: "5583", CapacityBytes: 31e9}, {CapacityBytes: 31e9},
		{Bus: "ata", ATAModel: "SanDisk SDCFXS-032G", CapacityBytes: 32017047552}, typed("Intenso", "", 64, "microsd"),
		typed("Samsung", "EVO Plus", 32, ""), sdCard("0x000003", "0x5344", "SL16G", 15931539456),
	} {
		why := resolve(c, e).Why()
		if why == "" || seen[why] || !strings.HasSuffix(why, ".") {
			t.Errorf("%+v: %q", e, why)
		}
		seen[why] = true
	}
	for _, m := range c.Modules {
		if m.Why() != "" {
			t.Errorf("%s says why, and no result is there: %s", m.Slug, m.Why())
		}
	}
}

// A listed card without a retail name is named after its registers, which several products may share. A chip's name is
// its product.
func TestAModuleSaysWhetherItsRegistersAreItsOwn(t *testing.T) {
	t.Parallel()
	c := load(t)
	chip := c.Resolve(catalogue.Evidence{Identity: result.Identity{Bus: "mmc", SizeBytes: 31268536320,
		MMC: &result.Register{Manfid: "0x000015", OEMID: "0x0100", Name: "BJTD4R"}}})
	for _, tc := range []struct {
		m         catalogue.Module
		slug, why string
	}{
		{resolve(c, sdCard("0x000003", "0x5344", "SU08G", 7948206080)), "sandisk-su08g-8gb-sd",
			"several products may have them"},
		{resolve(c, sdCard("0x000003", "0x5344", "SP32G", 31914983424)), "sandisk-sp32g-32gb-sd",
			"several products may have them"},
		{resolve(c, sdCard("0x000003", "0x5344", "SA16G", 15931539456)), "sandisk-industrial-16gb-microsd",
			"this module alone"},
		{chip, "samsung-bjtd4r-32gb-emmc", "this module alone"},
	} {
		if m := tc.m; m.Slug != tc.slug || !strings.Contains(m.Why(), tc.why) {
			t.Errorf("%s says %q, want %q", m.Slug, m.Why(), tc.why)
		}
	}
	stick := resolve(c, evidence{Bus: "usb", USBVendorID: "0781", USBProductID: "5583", CapacityBytes: 31e9})
	for _, evidence := range []string{"ids", "strings", "list"} {
		if !strings.Contains(stick.Why(), evidence) {
			t.Errorf("%s may be named by its %s, and says %q", stick.Slug, evidence, stick.Why())
		}
	}
}

func TestAnAmbiguousModuleSaysWhatIsOpen(t *testing.T) {
	t.Parallel()
	c := load(t)
	for product, want := range map[string]string{
		"Samsung PRO Endurance microSD":              "fits several modules",
		"Samsung EVO Plus 32GB":                      "may mean one listed module, but leaves something open",
		"Samsung EVO Plus 32GB microSDXC":            "contradicts itself. It may mean one listed module",
		"Samsung EVO Plus 32GB 64GB microSD":         "contradicts itself. It may mean several modules",
		"Samsung EVO Plus? 64GB microSD":             "may mean one listed module, but leaves something open",
		"Samsung EVO Plus U1 V30 64GB microSD (new)": "contradicts itself. It may mean one listed module",
	} {
		if m := resolve(c, typed("", product, 0, "")); !strings.Contains(m.Why(), want) {
			t.Errorf("%q (%v): %s", product, m.Candidates, m.Why())
		}
	}
}
