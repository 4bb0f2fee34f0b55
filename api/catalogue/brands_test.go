package catalogue_test

import "testing"

// A number in front of the brand is the capacity's, and neither it nor a class hides the brand.
func TestABrandBehindACapacityIsABrand(t *testing.T) {
	t.Parallel()
	c := load(t)
	for typedAs, want := range map[string]struct {
		vendor string
		gb     float64
	}{
		"1 TB PNY micro sdxc card":             {"PNY", 1000},
		"4 GB HP USB stick":                    {"HP", 4},
		"512 MByte PNY card":                   {"PNY", 0.5},
		"64gb 3.0 pny flashdrive":              {"PNY", 64},
		`"Class 10" 32 GB MicroSD card PNY`:    {"PNY", 32},
		"128gb from Amazon basics":             {"Amazon Basics", 128},
		"2 GByte Kingston microSD from Amazon": {"Kingston", 2},
		"2 SanDisk Ultra 16GB microSD":         {"SanDisk", 16}, // a count
		"Zonk PNY 32GB":                        {"", 32},        // so short a word may be of a product's name
	} {
		if m := resolve(c, typed("", typedAs, 0, "")); m.Vendor != want.vendor || m.CapacityGB != want.gb {
			t.Errorf("%q is %q of %q, %g GB", typedAs, m.Product, m.Vendor, m.CapacityGB)
		}
	}
}
