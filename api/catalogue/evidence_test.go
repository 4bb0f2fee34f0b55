package catalogue_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/sign"
)

// on puts a typed name on a card with these registers.
func on(e evidence, manfid, oemid, name string, bytes int64) evidence {
	e.Bus, e.SDManfid, e.SDOEMID, e.SDName, e.CapacityBytes = "sd", manfid, oemid, name, bytes
	return e
}

func TestRegistersCountMoreThanATypedName(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name, want, inside string
		e                  evidence
	}{
		{"a product of the same brand whose registers another product alone has", "sandisk-industrial-16gb-microsd", "",
			on(typed("SanDisk", "Extreme", 16, "microsd"), "0x000003", "0x5344", "SA16G", 15931539456)},
		{"the capacity that is typed is another", "sandisk-industrial-16gb-microsd", "",
			on(typed("SanDisk", "Ultra", 32, "microsd"), "0x000003", "0x5344", "SA16G", 15931539456)},
		{"a product that nobody has listed", "samsung-pro-endurance-128gb-microsd", "",
			on(typed("Samsung", "EVO Plus", 128, "microsd"), "0x00001b", "0x534d", "JD1Y7", 128177930240)},
		{"an unlisted product whose name has the registers' in it", "western-digital-purple-qd101-64gb-microsd", "SanDisk",
			on(typed("WD", "Purple WX64G", 64, "microsd"), "0x000003", "0x5344", "WX64G", 63864569856)},
		{"a brand whose own ids are others, on ids of one brand", "sd-0x74-je-usd-32gb", "Transcend",
			on(typed("Samsung", "EVO Plus", 32, "microsd"), "0x000074", "0x4a45", "USD", 31914983424)},
		{"a brand whose own ids are others, on ids of several brands", "samsung-sd-0x03-sd-sl32g-32gb", "SanDisk",
			on(typed("Samsung", "EVO Plus", 32, "microsd"), "0x000003", "0x5344", "SL32G", 31914983424)},
		{"the same with registers that a product of another brand alone has", "samsung-sd-0x03-sd-sa16g-16gb", "SanDisk",
			on(typed("Samsung", "EVO", 16, "microsd"), "0x000003", "0x5344", "SA16G", 15931539456)},
		{"nothing typed on ids of one brand", "sd-0x74-je-usd-32gb", "",
			sdCard("0x000074", "0x4a45", "USD", 31914983424)},
		{"nothing typed on ids that are another brand's, too", "western-digital-purple-qd101-64gb-microsd", "SanDisk",
			sdCard("0x000003", "0x5344", "WX64G", 63864569856)},
		{"the product that its registers name", "western-digital-purple-qd101-64gb-microsd", "SanDisk",
			on(typed("WD", "Purple", 64, "microsd"), "0x000003", "0x5344", "WX64G", 63864569856)},
	} {
		m := resolve(c, tc.e)
		if m.Slug != tc.want || m.Inside != tc.inside || m.NamedBy != catalogue.NamedByRegisters {
			t.Errorf("%s: %s, inside %q, by %q; want %s, %q", tc.name, m.Slug, m.Inside, m.NamedBy, tc.want, tc.inside)
		}
	}
}

// Ids that several brands use say who made the card, not which brand it bears.
func TestSharedIDsDoNotOverrideABrand(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		product, manfid, oemid, name string
		bytes                        int64
		slug, inside                 string
	}{
		{"microsdhc kodak 2gb", "0x00001b", "0x534d", "00000", 2002780160, "kodak-sd-0x1b-sm-00000-2gb", "Samsung"},
		{"sdhc pny 4gb", "0x000003", "0x5344", "SD04G", 3965190144, "pny-sd-0x03-sd-sd04g-4gb", "SanDisk"},
		{"Raspberry Pi BMC SDHC", "0x00001b", "0x534d", "00000", 7948206080, "raspberry-pi-bmc-8gb-sd", "Samsung"},
		{"Raspberry Pi BMC SDHC", "0x000003", "0x5344", "SL08G", 7948206080, "raspberry-pi-bmc-8gb-sd", "SanDisk"},
	} {
		m := resolve(c, on(evidence{Product: tc.product}, tc.manfid, tc.oemid, tc.name, tc.bytes))
		if m.Slug != tc.slug || m.Inside != tc.inside {
			t.Errorf("%q is %s, inside %q; want %s, %q", tc.product, m.Slug, m.Inside, tc.slug, tc.inside)
		}
		if !strings.Contains(m.Why(), tc.inside) {
			t.Errorf("%s doesn't show the maker inside: %s", m.Slug, m.Why())
		}
	}
}

func TestABrandInTheProductFieldIsABrand(t *testing.T) {
	t.Parallel()
	c := load(t)
	sandisk, intenso := resolve(c, typed("", "Carte microSD SanDisk 64 Go", 0, "")),
		resolve(c, typed("", "Intenso MicroSD 64GB", 0, ""))
	if sandisk.Vendor != "SanDisk" || !sandisk.Ambiguous() ||
		!slices.Contains(sandisk.Candidates, "sandisk-extreme-64gb-microsd") {
		t.Errorf("%s of %q may be %v", sandisk.Slug, sandisk.Vendor, sandisk.Candidates)
	}
	if intenso.Vendor != "Intenso" || intenso.Slug != "intenso-unidentified-microsd-64gb" || intenso.Ambiguous() {
		t.Errorf("%s of %q", intenso.Slug, intenso.Vendor)
	}
}

// Three contributors of "Toshiba 16 GB" may have three products.
func TestABrandWithoutAProductIsUnidentified(t *testing.T) {
	t.Parallel()
	c := load(t)
	for name, want := range map[[2]string]bool{
		{"Intenso", ""}: true, {"", "Intenso MicroSD 64GB"}: true, {"Intenso", "microSDXC card, Class 10 UHS-I"}: true,
		{"Intenso", "A1 V30 up to 90 MB/s"}: true, {"Foo", "Turbo"}: false, {"Foo", "Bar A1"}: false,
	} {
		m := resolve(c, typed(name[0], name[1], 64, "microsd"))
		if m.Ambiguous() || !m.Provisional || catalogue.Unidentified(m.Product) != want {
			t.Errorf("%q is %s, %q; unidentified is %v", name, m.Slug, m.Product, !want)
		}
	}
	if m := resolve(c, sdCard("0x000003", "0x5344", "SL16G", 15931539456)); catalogue.Unidentified(m.Product) {
		t.Errorf("a card whose registers are known is unidentified: %q", m.Product)
	}
}

func TestWhatFitsSeveralModulesIsAmbiguous(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name       string
		e          evidence
		candidates []string
	}{
		{"form not said", typed("Samsung", "EVO Plus", 32, ""), []string{"samsung-evo-plus-32gb-microsd"}},
		{"form not said, in a slot that takes both", on(typed("Samsung", "EVO Plus", 32, ""), "0x00001b", "0x534d", "00000",
			32010928128), []string{"samsung-evo-plus-32gb-microsd"}},
		{"form not said, of a line that is listed as CF alone, and sold as SD, too", typed("", "SanDisk Extreme III 8GB", 0,
			""), []string{"sandisk-extreme-iii-8gb-cf"}},
		{"form not said, in a slot that takes both, of a line that is listed once",
			on(typed("Transcend", "Premium", 32, ""), "0x000074", "0x4a60", "USDU1", 32010928128),
			[]string{"transcend-premium-32gb-microsd"}},
		{"a class that most cards of the brand bear", typed("", "32GB SanDisk SDHC Class 10 card", 0, ""),
			[]string{"sandisk-class-10-32gb-sd"}},
		{"called an SD card where a microSD alone is listed", typed("", "SanDisk MAX Endurance 32GB SD card", 0, ""),
			[]string{"sandisk-max-endurance-32gb-microsd"}},
		{"called an SDHC card", typed("", "Kingston 16GB Class 10 SDHC Card", 0, ""),
			[]string{"kingston-class-10-16gb-microsd"}},
		{"generation not said", typed("SanDisk", "Extreme", 32, "microsd"), []string{"sandisk-extreme-a1-32gb-microsd"}},
		{"a class that the product doesn't have", typed("", "SanDisk Ultra microSDHC A1 UHS-I U3 16GB", 0, ""),
			[]string{"sandisk-ultra-a1-16gb-microsd"}},
		{"a class that another capacity of the line contradicts", typed("SanDisk", "Ultra Class 4", 16, "microsd"),
			[]string{"sandisk-ultra-16gb-microsd"}},
		{"SDXC of 16 GB", typed("", "SanDisk Ultra microSDXC 16GB", 0, ""),
			[]string{"sandisk-ultra-16gb-microsd", "sandisk-ultra-a1-16gb-microsd"}},
		{"SDHC of 64 GB", typed("", "Samsung EVO Plus microSDHC 64GB", 0, ""), []string{"samsung-evo-plus-64gb-microsd"}},
		{"a class alone, without its form", typed("", "Kingston 8GB Class 10", 0, ""),
			[]string{"kingston-class-10-8gb-microsd"}},
		{"a class alone, where the brand lists other cards of this size", typed("", "Transcend microSDHC 16GB Class 10", 0,
			""), []string{"transcend-premium-16gb-microsd", "transcend-premium-400x-16gb-microsd"}},
		{"UHS-I beside a class alone", typed("", "Kingston 16GB UHS-I Class 10 microSD", 0, ""),
			[]string{"kingston-class-10-16gb-microsd"}},
		{"a brand alone, without its form", typed("", "Amazon Basics 128GB", 0, ""),
			[]string{"amazon-basics-128gb-microsd"}},
		{"SDHC beside the form microSD, of a line that is sold as SD", typed("", "SDHC Sandisk Extreme 16GB 90MB/s", 0,
			"microsd"), []string{"sandisk-extreme-90mb-s-16gb-microsd"}},
		{"a year that isn't the part number's", typed("", "Samsung EVO Plus 2017 MB-MC64HA microSD", 0, ""),
			[]string{"samsung-evo-plus-64gb-microsd"}},
		{"a question behind a part number", typed("", "MB-MC64HA?", 0, ""), []string{"samsung-evo-plus-64gb-microsd"}},
		{"a rate that isn't the part number's", typed("", "Samsung PRO Plus A2 180MB/s MB-MD256KA", 0, ""),
			[]string{"samsung-pro-plus-256gb-microsd"}},
		{"capacity not said", typed("", "Samsung PRO Endurance microSDXC", 0, ""),
			[]string{"samsung-pro-endurance-128gb-microsd", "samsung-pro-endurance-32gb-microsd"}},
		{"two capacities", typed("SanDisk", "Ultra 16GB", 32, "microsd"),
			[]string{"sandisk-ultra-16gb-microsd", "sandisk-ultra-32gb-microsd", "sandisk-ultra-a1-16gb-microsd",
				"sandisk-ultra-a1-32gb-microsd"}},
		{"registers of a year with classes, without them",
			on(typed("SanDisk", "Ultra", 16, "microsd"), "0x000003", "0x5344", "SL16G", 15931539456),
			[]string{"sandisk-ultra-16gb-microsd", "sandisk-ultra-a1-16gb-microsd"}},
		{"a class below 10 that no source states", typed("", "SanDisk Extreme 64GB microSD C6", 0, ""),
			[]string{"sandisk-extreme-64gb-microsd"}},
		{"a class that needs UHS-II", typed("", "SanDisk Extreme Pro 64GB microSD V90", 0, ""),
			[]string{"sandisk-extreme-pro-64gb-microsd"}},
		{"classes that no card has together", typed("", "Samsung EVO Plus 64GB microSD U1 V30", 0, ""),
			[]string{"samsung-evo-plus-64gb-microsd"}},
		{"two kinds", typed("", "Samsung EVO Plus 64GB microSD CF", 0, ""), []string{"samsung-evo-plus-64gb-microsd"}},
		{"another kind in the form's field", typed("SanDisk", "Extreme PRO microSDXC", 128, "usb"),
			[]string{"sandisk-extreme-pro-usb-128gb-usb", "sandisk-extreme-pro-usb-3-0-128gb-usb",
				"sandisk-extreme-pro-usb-3-1-128gb-usb"}},
		{"an earlier USB version", typed("", "Samsung FIT Plus 32GB USB 2.0", 0, ""), []string{"samsung-fit-plus-32gb-usb"}},
		{"a computer that is also a brand", typed("", "Raspberry Pi 32GB microSD", 0, ""),
			[]string{"raspberry-pi-sd-card-a2-32gb-microsd"}},
		{"a question", typed("", "Samsung EVO Plus? 64GB microSD", 0, ""), []string{"samsung-evo-plus-64gb-microsd"}},
		{"a part number of another brand", typed("", "Samsung EVO Plus 32GB microSD SDCS2/32GB", 0, ""),
			[]string{"samsung-evo-plus-32gb-microsd"}},
		{"a number beside a part number", typed("", "SDCZ880-128G-G46 SanDisk Extreme Pro 128GB USB 3", 0, ""),
			[]string{"sandisk-extreme-pro-usb-128gb-usb", "sandisk-extreme-pro-usb-3-0-128gb-usb",
				"sandisk-extreme-pro-usb-3-1-128gb-usb"}},
		{"another product beside a part number", typed("", "SDCZ43-032G-G46 Ultra Fit and Cruzer", 0, ""),
			[]string{"sandisk-ultra-fit-32gb-usb"}},
		{"a part number that means another generation", typed("", "SanDisk SDSQUA4-032G-GN6MN Ultra microSD 32GB", 0, ""),
			[]string{"sandisk-ultra-32gb-microsd", "sandisk-ultra-a1-32gb-microsd"}},
	} {
		m := resolve(c, tc.e)
		if diff := cmp.Diff(tc.candidates, m.Candidates); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tc.name, m.Slug, diff)
		}
		if !m.Ambiguous() || m.Confirmed || !m.Provisional || !m.FromContributors() ||
			!strings.HasPrefix(m.Slug, "ambiguous-") {
			t.Errorf("%s: %+v", tc.name, m)
		}
		if stack := catalogue.StackOf("raid0", 0, []catalogue.Module{m, m}); !stack.Ambiguous() {
			t.Errorf("%s: a stack of it is %s", tc.name, stack.KnownFrom)
		}
	}
}

// A detail that tells modules apart decides once it is stated.
func TestWhatDecidesAnAmbiguousName(t *testing.T) {
	t.Parallel()
	c := load(t)
	withSSR := catalogue.Evidence{Module: result.Module{Vendor: "SanDisk", Product: "Ultra", Form: "microsd"},
		Identity: result.Identity{Bus: "sd", SizeBytes: 15931539456, SD: &result.Register{Manfid: "0x000003",
			OEMID: "0x5344", Name: "SL16G", Date: "04/2019",
			SSR: "0000000005000000040090000811391e00080000000000000000000000000000000000000000000000000000000000000000" +
				"0000000000000000000000000000"}}}
	if m := c.Resolve(withSSR); m.Slug != "sandisk-ultra-16gb-microsd" {
		t.Errorf("with a status without class: %s %v", m.Slug, m.Candidates)
	}
	noVariant := withSSR
	noVariant.Product, noVariant.CapacityGB, noVariant.SizeBytes = "Extreme", 32, 0
	if m := c.Resolve(noVariant); m.Slug != "sandisk-extreme-32gb-microsd" || m.Ambiguous() {
		t.Errorf("of a line that is listed with a class alone, with a status without class: %s %v", m.Slug, m.Candidates)
	}
	before := withSSR
	before.SD = &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G", Date: "01/2016"}
	if m := c.Resolve(before); m.Slug != "sandisk-ultra-16gb-microsd" {
		t.Errorf("of a year without classes: %s %v", m.Slug, m.Candidates)
	}
	if m := resolve(c, typed("Samsung", "EVO Plus", 32, "microsd")); m.Slug != "samsung-evo-plus-32gb-microsd" {
		t.Errorf("with its form: %s", m.Slug)
	}
}

func TestPartNumbers(t *testing.T) {
	t.Parallel()
	c := load(t)
	for typedAs, want := range map[string]string{
		"MB-MC64G/CN":                        "samsung-evo-plus-64gb-microsd",
		"mb_mc64ga_am":                       "samsung-evo-plus-64gb-microsd",
		"SDSQQNR-064G-GN6IA":                 "sandisk-high-endurance-64gb-microsd",
		"SanDisk Ultra SDSQUNC-016G-GN6MA":   "sandisk-ultra-16gb-microsd",
		"SDCS2/32GBSP":                       "kingston-canvas-select-plus-32gb-microsd",
		"SDCZ43-032G-G46":                    "sandisk-ultra-fit-32gb-usb",
		"SDSDQAF3-016G-I":                    "sandisk-industrial-16gb-microsd",
		"SDSDQAF3":                           "ambiguous-sandisk-industrial-microsd",
		"SDSQXAF-032G-GN6MA":                 "sandisk-extreme-a1-32gb-microsd",
		"SDSQXAF-032G-GN6MA Extreme":         "sandisk-extreme-a1-32gb-microsd",
		"SDSQXAF-032G-GN6MA Extreme A2":      "ambiguous-sandisk-extreme-a2-32gb-microsd",
		"SDSQXA2-064G-GN6MA Extreme":         "ambiguous-sandisk-extreme-64gb-microsd-5665c160", // and a plain one
		"Kingston SDC10G2/16GB":              "kingston-class10-g2-16gb-microsd",
		"Kingston SDC10/16GB":                "kingston-class-10-16gb-microsd",
		"SDCZ430-032G-G46":                   "ambiguous-sandisk-ultra-fit-usb31-32gb-usb",
		"SDSQUAC-1T50-GN6MA":                 "sandisk-ultra-150mbs-a1-1-5tb-microsd",
		"MB-SC32D/EU":                        "samsung-evo-plus-2015-32gb-sd",
		"Samsung EVO Plus 2017 MB-MC64GA/AM": "samsung-evo-plus-64gb-microsd",
		"Samsung EVO Plus 2017 MB-MC64HA/AM": "ambiguous-samsung-evo-plus-2017-64gb-microsd",
		"Samsung EVO Plus 2020 64GB microSD": "samsung-evo-plus-2020-64gb-microsd",
	} {
		if m := resolve(c, typed("", typedAs, 0, "")); m.Slug != want {
			t.Errorf("%q is %s (%s), want %s", typedAs, m.Slug, m.Name(), want)
		}
	}
}

// A version is shown with what it is a version of.
func TestANameKeepsItsUSBVersionWhole(t *testing.T) {
	t.Parallel()
	c := load(t)
	for typedAs, want := range map[string]string{
		"Nonesuch Rocket USB 3.2 Stick": "Nonesuch Rocket USB 3.2 16 GB", "Nonesuch Rocket USB": "Nonesuch Rocket 16 GB USB",
		"Nonesuch Rocket (USB 3.2 Gen 1)": "Nonesuch Rocket (USB 3.2 Gen 1) 16 GB",
	} {
		if m := resolve(c, typed("", typedAs, 16, "usb")); m.Name() != want {
			t.Errorf("%q is %s (%s), want %s", typedAs, m.Name(), m.Slug, want)
		}
	}
}

func TestSeveralContributorsDecideWhatOneLeftOpen(t *testing.T) {
	t.Parallel()
	c := load(t)
	card := catalogue.Evidence{Identity: result.Identity{Bus: "sd", SizeBytes: 15931539456, SD: &result.Register{
		Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G"}}, Agreed: "sandisk-ultra-a1-16gb-microsd"}
	for _, tc := range []struct {
		name, vendor, product, form, slug, by string
		candidates                            int
	}{
		{"nothing typed", "", "", "", card.Agreed, catalogue.NamedByContributors, 0},
		{"an ambiguous name", "SanDisk", "Ultra", "microsd", card.Agreed, catalogue.NamedByContributors, 2},
		{"another listed module", "SanDisk", "Extreme 60MB/s", "microsd", "", catalogue.NamedByTyping, 2},
		{"another brand", "Intenso", "Ultra", "microsd", "intenso-ultra-16gb-microsd", catalogue.NamedByTyping, 0},
	} {
		e := card
		e.Vendor, e.Product, e.Form = tc.vendor, tc.product, tc.form
		m := c.Resolve(e)
		if tc.slug != "" && m.Slug != tc.slug || m.NamedBy != tc.by || len(m.Candidates) != tc.candidates {
			t.Errorf("%s: %s by %q, %v", tc.name, m.Slug, m.NamedBy, m.Candidates)
		}
	}
	card.SD = &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SA16G"}
	if m := c.Resolve(card); m.Slug != "sandisk-industrial-16gb-microsd" {
		t.Errorf("registers that one module has: %s", m.Slug)
	}
}

func TestRegistersWithoutANameKeepTheirIDs(t *testing.T) {
	t.Parallel()
	c := load(t)
	m := resolve(c, sdCard("0x000003", "0x5344", "", 15931539456))
	if m.Slug != "sd-0x03-sd-without-a-name-16gb" || m.Name() != "SD card 0x03/SD without a name, 16 GB" {
		t.Errorf("%s, %s", m.Slug, m.Name())
	}
}

func TestARemovableMultiMediaCardIsNoEMMC(t *testing.T) {
	t.Parallel()
	c := load(t)
	for oemid, want := range map[string]string{"0x0000": "other", "0x0100": "emmc"} {
		m := c.Resolve(catalogue.Evidence{Identity: result.Identity{Bus: "mmc", SizeBytes: 32000000,
			MMC: &result.Register{Manfid: "0x000015", OEMID: oemid, Name: "000000"}}})
		if m.Form != want || (want == "other") != strings.HasPrefix(m.Product, "MultiMediaCard") {
			t.Errorf("OEM id %s: %s of the form %s", oemid, m.Name(), m.Form)
		}
	}
}

func TestAStickIsKnownByItsBusIDs(t *testing.T) {
	t.Parallel()
	c := load(t)
	fit := resolve(c, evidence{Bus: "usb", USBVendorID: "0781", USBProductID: "5583", CapacityBytes: 31e9})
	if fit.Slug != "sandisk-ultra-fit-32gb-usb" || fit.NamedBy != catalogue.NamedByUSB {
		t.Errorf("%s by %q", fit.Slug, fit.NamedBy)
	}
	unlisted := resolve(c, evidence{Bus: "usb", USBVendorID: "0781", USBProductID: "5571", CapacityBytes: 15.9e9})
	if !strings.Contains(unlisted.Name(), "Cruzer Fit") {
		t.Errorf("%s", unlisted.Name())
	}
}

// If a device says that it is a reader, its ids don't name the card, not even a listed stick's.
func TestAReadersIDsNameNoCard(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, form := range []string{"", "usb", "microsd"} {
		for _, id := range []string{"0781:5583", "058f:6366"} {
			usb := &result.USB{Manufacturer: "SanDisk", Product: "Ultra Fit", Reader: true}
			usb.VendorID, usb.ProductID, _ = strings.Cut(id, ":")
			e := catalogue.Evidence{Identity: result.Identity{Bus: "usb", SizeBytes: 31e9, USB: usb}}
			e.Form = form
			card := c.Resolve(e)
			e.USB = nil
			if diff := cmp.Diff(c.Resolve(e).Slug, card.Slug); diff != "" || card.NamedBy == catalogue.NamedByUSB {
				t.Errorf("%s, form %q, by %q (-without the reader +in it):\n%s", id, form, card.NamedBy, diff)
			}
		}
	}
}

// withModules returns a catalogue of data/ with only one vendor.
func withModules(t *testing.T, vendor string) *catalogue.Catalogue {
	t.Helper()
	files := fstest.MapFS{"modules/acme.json": {Data: []byte(vendor)}, "reference_devices.json": {Data: []byte("[]")}}
	for _, name := range []string{"sources.csv", "methods.json", "tool_methods.csv", "published_hosts.csv",
		"published_notes.csv", "capacity_checks.csv", "card_registers.csv", "health.csv", "prices.csv",
		"endurance_survey.csv", "endurance_cards.csv", "corrections.csv",
		"manufacturer_ids.csv", "speed_classes.csv", "usb_ids.csv", "devices.csv", "device_facts.csv", "part_numbers.csv",
		"one_form_lines.csv", "printed_rates.csv"} {
		text, err := fs.ReadFile(data.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	c, err := catalogue.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestIDsOfAListedModuleAreItsBrands(t *testing.T) {
	t.Parallel()
	kingston := func(cid string) int {
		c := withModules(t, `{"vendor": "Kingston", "modules": [{"slug": "kingston-one", "product": "One",
			"capacity_gb": 16, "form": "microsd", "cid": ["`+cid+`"], "known_from": "published"}]}`)
		return len(c.Signs("Kingston", result.Identity{SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344"}}))
	}
	if without, with := kingston("0x41/42 ONE"), kingston("0x03/SD ONE"); without != 1 || with != 0 {
		t.Errorf("%d signs without such a module, %d with one", without, with)
	}
}

func TestRevisionsThatTheCatalogueTellsApart(t *testing.T) {
	t.Parallel()
	c := withModules(t, `{"vendor": "Acme", "modules": [
		{"slug": "acme-one-2017", "product": "One (2017)", "capacity_gb": 16, "form": "microsd", "known_from": "published"},
		{"slug": "acme-one-2021", "product": "One (2021)", "capacity_gb": 16, "form": "microsd",
			"known_from": "published"}]}`)
	for product, want := range map[string]string{
		"One 2017": "acme-one-2017", "One (2021)": "acme-one-2021", "One 2020": "acme-one-2020-16gb-microsd",
		"One": "ambiguous-acme-one-16gb-microsd",
	} {
		if m := resolve(c, typed("Acme", product, 16, "microsd")); m.Slug != want {
			t.Errorf("%q is %s, want %s", product, m.Slug, want)
		}
	}
}

func TestContradictionsAreSigns(t *testing.T) {
	t.Parallel()
	c := load(t)
	sa16g := sdCard("0x000003", "0x5344", "SA16G", 15931539456)
	aggce := sdCard("0x000003", "0x5344", "AGGCE", 63864569856)
	for _, tc := range []struct {
		vendor, product string
		card            evidence
		want, says      string
	}{
		{"SanDisk", "Industrial", sa16g, "", ""}, {"SanDisk", "", sa16g, "", ""}, {"", "", sa16g, "", ""},
		{"SanDisk", "Extreme", sa16g, "other-product", "those of SanDisk Industrial"},
		{"Samsung", "EVO", sa16g, "other-maker", "SanDisk"}, {"Kodak", "Samsung EVO", sa16g, "other-maker", "SanDisk"},
		{"Raspberry Pi", "A2", aggce, "other-product", "those of SanDisk Extreme PRO"},
		{"Raspberry Pi", "Zonk", aggce, "", ""}, // no listed module
		{"SanDisk", "Extreme PRO", aggce, "", ""},
	} {
		signs := c.SignsOf(catalogue.Evidence{
			Module: result.Module{Vendor: tc.vendor, Product: tc.product, Form: "microsd"},
			Identity: result.Identity{Bus: "sd", SizeBytes: tc.card.CapacityBytes, SD: &result.Register{
				Manfid: tc.card.SDManfid, OEMID: tc.card.SDOEMID, Name: tc.card.SDName}},
		})
		checkSigns(t, tc.vendor+" "+tc.product, signs, tc.want, tc.says)
	}
	for name, want := range map[string]string{"ZZZZZZ": "other-product", "BJTD4R": ""} {
		signs := c.SignsOf(catalogue.Evidence{Module: result.Module{Product: "Samsung BJTD4R"},
			Identity: result.Identity{Bus: "mmc", SizeBytes: 31268536320,
				MMC: &result.Register{Manfid: "0x000015", OEMID: "0x0100", Name: name}}})
		checkSigns(t, "BJTD4R on "+name, signs, want, "those of Samsung eMMC 0x15/0x0100 ZZZZZZ")
	}
}

func checkSigns(t *testing.T, what string, signs []sign.Sign, want, says string) {
	t.Helper()
	var got []string
	for _, s := range signs {
		got = append(got, s.Key)
		if strings.Contains(s.What, "%!") || !strings.Contains(s.What, says) {
			t.Errorf("%s: %s", what, s.What)
		}
	}
	if strings.Join(got, " ") != want {
		t.Errorf("%s: %v, want %q", what, got, want)
	}
}
