package catalogue_test

import (
	"testing"

	"flashdex/api/catalogue"
)

// A part number leads to the same module as the words that it stands for. The listed generation of its line is another
// card, which is only offered.
func TestAPartNumberOfAnUnlistedGenerationNamesIt(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct{ number, words, slug, offered string }{
		{"MB-MC64HA/EU", "Samsung EVO Plus 2020 64GB microSD", "samsung-evo-plus-2020-64gb-microsd",
			"samsung-evo-plus-64gb-microsd"},
		{"Samsung EVO Plus MB-MC64HA microSD", "Samsung EVO Plus (2020) 64GB microSDXC",
			"samsung-evo-plus-2020-64gb-microsd", "samsung-evo-plus-64gb-microsd"},
		{"Samsung EVO Plus 2020 U3 MB-MC64HA", "Samsung EVO Plus 2020 64GB microSD", "samsung-evo-plus-2020-64gb-microsd",
			"samsung-evo-plus-64gb-microsd"},
		{"MB-MJ32KA/EU", "Samsung PRO Endurance 2022 32GB microSD", "samsung-pro-endurance-2022-32gb-microsd",
			"samsung-pro-endurance-32gb-microsd"},
		{"Samsung MB-MD256KA", "Samsung PRO Plus A2 160MB/s 256GB microSD", "samsung-pro-plus-160mbs-a2-256gb-microsd",
			"samsung-pro-plus-256gb-microsd"},
		{"Samsung PRO Plus U3 V30 MB-MD128KA", "Samsung PRO Plus A2 160MB/s 128GB microSD",
			"samsung-pro-plus-160mbs-a2-128gb-microsd", "samsung-pro-plus-128gb-microsd"}, // its class is not known
		{"128GB Samsung PRO Plus microSDXC Up to 160MB/s UHS-I, U3, A2, V30, (MB-MD128KA/AM)",
			"Samsung PRO Plus A2 160MB/s 128GB microSD", "samsung-pro-plus-160mbs-a2-128gb-microsd",
			"samsung-pro-plus-128gb-microsd"},
		{"SDSQXAH-064G-GN6MN", "SanDisk Extreme A2 170MB/s 64GB microSD", "sandisk-extreme-170mbs-a2-64gb-microsd",
			"sandisk-extreme-a2-64gb-microsd"},
	} {
		number, words := resolve(c, typed("", tc.number, 0, "")), resolve(c, typed("", tc.words, 0, ""))
		if number.Slug != tc.slug || words.Slug != tc.slug {
			t.Errorf("%q is %s, %q is %s; want %s", tc.number, number.Slug, tc.words, words.Slug, tc.slug)
		}
		if number.Offered != tc.offered || number.NamedBy != catalogue.NamedByPartNumber {
			t.Errorf("%q offers %q, by %q; want %q", tc.number, number.Offered, number.NamedBy, tc.offered)
		}
	}
}
