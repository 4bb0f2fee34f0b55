package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
)

// Every listed line is typed with every rate, class and capacity. Only a module that has all three may be found.
func TestALineOfAnotherRateIsTakenForNoListedModule(t *testing.T) {
	t.Parallel()
	c := load(t)
	printed := printedRates(t)
	has := func(m catalogue.Module, rate string) bool {
		return fmt.Sprint(m.RatedReadMBPerS) == rate || strings.Contains(m.Product, rate+"MB/s") ||
			slices.Contains(printed[m.Slug], rate) ||
			rate == "30" && slices.Contains(m.Classes, "V30") // the class's own
	}
	taken := 0
	for _, m := range c.Modules {
		line, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(m.Product, " A1"), " A2"), " 60MB/s")
		if m.Vendor == "" || m.Form == "emmc" || strings.Contains(line, "MB/s") {
			continue
		}
		for _, rate := range strings.Fields("20 30 48 60 80 90 95 98 100 120 130 150 160 170 190 200 260 300 420") {
			for _, class := range []string{"", "A1", "A2"} {
				for _, capacityGB := range []float64{16, 32, 64, 128} {
					title := strings.Join([]string{m.Vendor, line, catalogue.CapacityLabel(capacityGB),
						catalogue.FormLabel(m.Form), rate + " MB/s", class}, " ")
					got, listed := c.Module(resolve(c, typed("", title, 0, "")).Slug)
					if !listed {
						continue
					}
					taken++
					if !has(got, rate) || got.CapacityGB != capacityGB || class != "" && !slices.Contains(got.Classes, class) {
						t.Errorf("%q is taken for %s", title, got.Slug)
					}
				}
			}
		}
	}
	if taken < 100 {
		t.Errorf("%d titles are taken for a listed module, want at least 100", taken)
	}
}

// A rate that a listed module was sold with says which generation is meant. Any other rate means another product.
func TestARateSaysWhichGenerationIsMeant(t *testing.T) {
	t.Parallel()
	c := load(t)
	for title, want := range map[string]string{
		"SanDisk Ultra microSDHC 32GB 48MB/s":                                         "sandisk-ultra-32gb-microsd",
		"SANDISK TARJETA MICRO SDHC ULTRA 32GB 80MB (CLASE 10)":                       "sandisk-ultra-32gb-microsd",
		"SanDisk Ultra 32 GB microSDHC, R98/W20":                                      "sandisk-ultra-a1-32gb-microsd",
		"SanDisk Ultra microSDHC 32GB UHS-I U1 (98R/15W)":                             "sandisk-ultra-a1-32gb-microsd",
		"Carte microSDXC SanDisk Extreme 64 Go jusqu'à 90 Mo/s, Classe 10, U3":        "sandisk-extreme-64gb-microsd",
		"SANDISK Extreme® microSDXC 64 GB, 160 MB/s, Video Speed Class 30 (V30)":      "sandisk-extreme-a2-64gb-microsd",
		"SanDisk Extreme microSDXC 64GB + Rescue Pro Deluxe 160MB/s A2 C10 V30 U3":    "sandisk-extreme-a2-64gb-microsd",
		"SanDisk Extreme micro SDXC 128GB V30 100/90 MB/s A1 U3 4K":                   "sandisk-extreme-a1-128gb-microsd",
		"SanDisk Extreme PRO microSDXC 64 GB bis zu 95 MB/Sek., Class 10, U3, V30":    "sandisk-extreme-pro-64gb-microsd",
		"2 x SanDisk Ultra microSDHC 32GB 98MB/s":                                     "sandisk-ultra-a1-32gb-microsd",
		"SanDisk Ultra microSDXC 128GB Class 10, 10MB/s":                              "sandisk-ultra-128gb-microsd",
		"Achat Carte micro SD 32 Go EVO PLUS 95Mo/s Samsung dans le rayon Carte SDHC": "samsung-evo-plus-32gb-microsd",
		"Clé USB SanDisk Extreme Pro 128 Go USB 3.1, 420Mo/s":                         "sandisk-extreme-pro-usb-3-1-128gb-usb",
	} {
		if m := resolve(c, typed("", title, 0, "")); m.Slug != want {
			t.Errorf("%q is %s, want %s", title, m.Slug, want)
		}
	}
	for _, title := range []string{
		// another generation's rate, or another capacity's
		"SanDisk Extreme microSDXC 64GB 100MB/s", "SanDisk Extreme microSDXC 64GB 170MB/s",
		"SanDisk Extreme microSDXC 64GB 190 MB/s A2", "SanDisk Extreme A1 128GB microSDXC 160MB/s",
		"SanDisk Extreme microSDXC 128GB 160MB/s", "SanDisk Extreme microSDHC 32GB 90MB/s",
		"SanDisk Ultra microSDHC 32GB 120MB/s", "SanDisk Ultra microSDHC 32GB 120MB/s A1",
		"SanDisk Ultra microSDXC 128GB 100MB/s", "SanDisk Ultra microSDXC 64GB 80MB/s",
		"SanDisk Ultra microSDHC 32GB 80MB/s A1", "SanDisk Ultra microSDHC 32GB U3 98MB/s",
		"SanDisk Extreme PRO microSDXC 64GB 275MB/s", "SanDisk Extreme PRO microSDXC 64GB 200MB/s A2",
		"SanDisk Extreme PRO microSDXC 64GB 95MB/s, 300MB/s", "Samsung EVO Plus microSDXC 64GB 130MB/s",
		"SanDisk Extreme Pro USB 3.0 128GB 420MB/s", "SanDisk Extreme Pro USB 128GB 420MB/s",
		"SanDisk Ultra Flair USB 3.0 16GB 200MB/s",
		// a rate that several forms print, with a title that says no form
		"SanDisk Ultra 32GB 80MB/s", "SanDisk Extreme PRO 64GB 170MB/s", "SanDisk Extreme PRO SDXC 64GB 95MB/s",
		// the rate that only writing has
		"SanDisk Extreme PRO microSDXC 64GB 90MB/s",
		// another line, or two of them
		"SanDisk Extreme PLUS microSDXC 64GB 95MB/s", "SanDisk Ultra Lite microSDHC 32GB 98MB/s",
		"SanDisk Mobile Ultra microSDHC 32GB 80MB/s", "Kodak microSDHC 32GB Ultra 98MB/s",
		"SanDisk Extreme / Extreme PRO microSDXC 64GB 95MB/s", "SanDisk Ultra and Extreme microSDXC 64GB 90MB/s",
		"microSDXC 64GB 160MB/s compatible with SanDisk Extreme", "Samsung EVO Plus 32GB 95MB/s DDR4 RAM",
		// more than a card
		"SanDisk Ultra microSDHC 32GB 98MB/s kit with reader", "SanDisk Ultra microSDHC 16GB/32GB 98MB/s",
		"SanDisk Ultra microSDHC 32GB 98MB/s + Samsung EVO Plus 64GB",
		"SanDisk Ultra microSDHC 32GB 98MB/s + SanDisk Cruzer Blade",
		// MB that are no rate
		"SanDisk Ultra 80MB microSD", "SanDisk Ultra 512MB microSD 32GB",
		// part numbers of another generation, line or capacity
		"Samsung EVO Plus microSDXC 64GB MB-MC64KA", "SanDisk Extreme PRO microSDHC 32GB SDSQXAF-032G-GN6MA",
		"Samsung EVO Plus microSDXC 32GB MB-MC64GA", "SanDisk Extreme microSDHC 32GB 90MB/s SDSQXAF-032G-GN6MA",
	} {
		if m, listed := c.Module(resolve(c, typed("", title, 0, "")).Slug); listed {
			t.Errorf("%q is taken for %s", title, m.Slug)
		}
	}
}

// If a card type doesn't exist in the stated capacity, they contradict each other. If the capacity is stated twice, it
// counts, because shops mix up SDHC and SDXC.
func TestACapacitySaidTwiceCountsMoreThanSDHCOrSDXC(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		capacityGB float64
		listed     bool
	}{{0, false}, {32, true}, {64, false}} {
		m := resolve(c, typed("", "SanDisk Ultra A1 microSDXC 32GB", tc.capacityGB, ""))
		if _, listed := c.Module(m.Slug); listed != tc.listed {
			t.Errorf("with %g GB: %s", tc.capacityGB, m.Slug)
		}
	}
}
