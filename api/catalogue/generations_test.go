package catalogue_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/data"
)

var (
	// What tells the generations of a line apart in the names of the catalogue.
	reGeneration = regexp.MustCompile(`(?i)\bA[12]\b|\b\d+MB/s|\b\d\.\d\b|\b20[012]\d\b`)
	// What tells them apart in what people write, beside the rates: class, USB version, part number.
	reSaysGeneration = regexp.MustCompile(`(?i)\bA[12]\b|\b\d\.\d\b|\b(?:SD[SC]|MB-|MUF-)[A-Z0-9]+`)
)

// generationsOf returns the listed modules that differ from one only in their generation, including one.
func generationsOf(c *catalogue.Catalogue, one catalogue.Module) []catalogue.Module {
	line := func(m catalogue.Module) string {
		return strings.Join(strings.Fields(strings.ToLower(reGeneration.ReplaceAllString(m.Product, " "))), " ")
	}
	return slices.DeleteFunc(slices.Clone(c.Modules), func(m catalogue.Module) bool {
		return m.Vendor != one.Vendor || m.Form != one.Form || m.CapacityGB != one.CapacityGB || line(m) != line(one)
	})
}

// meant returns what a row of a table means. The label is from the collector, who called a line without a generation
// the plain module. If another generation of this capacity is listed, and the row doesn't say which one it is, the row
// is ambiguous. This rule doesn't use the package's patterns.
func meant(t *testing.T, c *catalogue.Catalogue, label, text string) string {
	t.Helper()
	m, listed := c.Module(label)
	generations := generationsOf(c, m)
	if !listed || len(generations) == 1 || reSaysGeneration.MatchString(text) {
		return label
	}
	printed := printedRates(t)
	for _, m := range generations {
		for _, rate := range append(printed[m.Slug], fmt.Sprint(m.RatedReadMBPerS)) {
			if rate != "0" && regexp.MustCompile(`(?:^|\D)`+rate+`(?:\D|$)`).MatchString(text) {
				return label
			}
		}
	}
	return "ambiguous"
}

// printedRates returns the rates in MB/s that printed_rates.csv has for each module.
func printedRates(t *testing.T) map[string][]string {
	t.Helper()
	f, err := data.FS.Open("printed_rates.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rates := map[string][]string{}
	for _, r := range rows[1:] {
		rates[r[0]] = append(rates[r[0]], r[1])
	}
	return rates
}

// If the catalogue lists several generations of a line in one capacity and form, the line's name alone means none of
// them. The owner of a later card types no more than the owner of the first.
func TestAGenerationThatIsNotSaidIsAsked(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name       string
		e          evidence
		candidates []string
	}{
		{"an application class", typed("SanDisk", "Ultra", 32, "microsd"),
			[]string{"sandisk-ultra-32gb-microsd", "sandisk-ultra-a1-32gb-microsd"}},
		{"in a reader", evidence{Product: "SanDisk Extreme PRO microSDXC 64GB", Bus: "usb",
			CapacityBytes: 63864569856},
			[]string{"sandisk-extreme-pro-64gb-microsd", "sandisk-extreme-pro-a2-64gb-microsd"}},
		{"classes that no generation lacks", typed("", "SanDisk Extreme 128GB microSDXC UHS-I U3 V30 Class 10", 0, ""),
			[]string{"sandisk-extreme-128gb-microsd", "sandisk-extreme-a1-128gb-microsd",
				"sandisk-extreme-a2-128gb-microsd"}},
		{"a rate", typed("SanDisk", "Extreme", 16, "microsd"), []string{"sandisk-extreme-16gb-microsd",
			"sandisk-extreme-60mb-s-16gb-microsd", "sandisk-extreme-90mb-s-16gb-microsd"}},
		{"a USB version", typed("SanDisk", "Extreme PRO", 128, "usb"), []string{"sandisk-extreme-pro-usb-128gb-usb",
			"sandisk-extreme-pro-usb-3-0-128gb-usb", "sandisk-extreme-pro-usb-3-1-128gb-usb"}},
		{"and the form", typed("SanDisk", "Extreme PRO", 128, ""), []string{"sandisk-extreme-pro-128gb-microsd",
			"sandisk-extreme-pro-a1-128gb-microsd", "sandisk-extreme-pro-usb-128gb-usb",
			"sandisk-extreme-pro-usb-3-0-128gb-usb", "sandisk-extreme-pro-usb-3-1-128gb-usb"}},
	} {
		m := resolve(c, tc.e)
		if diff := cmp.Diff(tc.candidates, m.Candidates); diff != "" || !m.Ambiguous() {
			t.Errorf("%s: %s (-want +got):\n%s", tc.name, m.Slug, diff)
		}
	}
}

func TestWhatDecidesAGeneration(t *testing.T) {
	t.Parallel()
	c := load(t)
	for title, want := range map[string]string{
		"SanDisk Ultra 32GB microSD 80MB/s":       "sandisk-ultra-32gb-microsd",
		"SanDisk Ultra 32GB microSD A1":           "sandisk-ultra-a1-32gb-microsd",
		"SanDisk Extreme 64GB microSD U1":         "sandisk-extreme-64gb-microsd", // the A2 card is U3
		"SDSDQUAN-032G-G4A Ultra":                 "sandisk-ultra-32gb-microsd",
		"SanDisk Extreme 16GB microSD 90MB/s":     "sandisk-extreme-90mb-s-16gb-microsd",
		"SanDisk Extreme PRO 128GB USB 3.1 stick": "sandisk-extreme-pro-usb-3-1-128gb-usb",
		"SanDisk Ultra 128GB microSD":             "sandisk-ultra-128gb-microsd", // no other generation is listed
	} {
		if m := resolve(c, typed("", title, 0, "")); m.Slug != want {
			t.Errorf("%q is %s %v, want %s", title, m.Slug, m.Candidates, want)
		}
	}
	m := resolve(c, on(typed("SanDisk", "Extreme PRO", 64, "microsd"), "0x000003", "0x5344", "AGGCE", 63864569856))
	if m.Slug != "sandisk-extreme-pro-64gb-microsd" || m.NamedBy != catalogue.NamedByRegisters {
		t.Errorf("with registers that one generation has: %s by %q", m.Slug, m.NamedBy)
	}
}

// A stick's strings name a line, too, but no generation of it.
func TestStringsOfAStickThatSeveralGenerationsMayHaveNameNone(t *testing.T) {
	t.Parallel()
	c := load(t)
	for product, want := range map[string]string{
		"Extreme Pro":         "usb-ffff-ffff-sandisk-extreme-pro-128gb",
		"Extreme Pro USB 3.1": "sandisk-extreme-pro-usb-3-1-128gb-usb",
	} {
		if m := resolve(c, evidence{Bus: "usb", USBVendorID: "ffff", USBProductID: "ffff", USBManufacturer: "SanDisk",
			USBProduct: product, CapacityBytes: 128035676160}); m.Slug != want {
			t.Errorf("%q is %s, want %s", product, m.Slug, want)
		}
	}
}
