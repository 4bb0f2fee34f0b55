package catalogue_test

import (
	"strings"
	"testing"
)

// Each pair names two products with similar spellings.
func TestResolveNeverMergesProducts(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name string
		a, b evidence
	}{
		{"EVO and EVO Plus", typed("Samsung", "EVO", 32, "microsd"), typed("Samsung", "EVO Plus", 32, "microsd")},
		{"EVO Plus and EVO Select", typed("Samsung", "EVO Plus", 128, "microsd"),
			typed("Samsung", "EVO Select", 128, "microsd")},
		{"EVO Plus with and without A2", typed("Samsung", "EVO Plus", 256, "microsd"),
			typed("Samsung", "EVO Plus A2", 256, "microsd")},
		{"PRO and PRO Plus", typed("Samsung", "PRO", 32, "microsd"), typed("Samsung", "PRO+", 32, "microsd")},
		{"PRO Plus and PRO Endurance", typed("Samsung", "PRO Plus", 128, "microsd"),
			typed("Samsung", "PRO Endurance", 128, "microsd")},
		{"Extreme and Extreme PRO", typed("SanDisk", "Extreme", 64, "microsd"),
			typed("SanDisk", "Extreme Pro", 64, "microsd")},
		{"Extreme and Extreme PLUS", typed("SanDisk", "Extreme", 32, "microsd"),
			typed("SanDisk", "Extreme Plus", 32, "microsd")},
		{"Extreme A1 and A2", typed("SanDisk", "Extreme A1", 64, "microsd"), typed("SanDisk", "Extreme A2", 64, "microsd")},
		{"Extreme 60 and 90 MB/s", typed("SanDisk", "Extreme (60MB/s)", 16, "microsd"),
			typed("SanDisk", "Extreme (90MB/s)", 16, "microsd")},
		{"advertised rate and none", typed("SanDisk", "Extreme Pro 170MB/s", 64, "microsd"),
			typed("SanDisk", "Extreme Pro", 64, "microsd")},
		{"two advertised rates", typed("SanDisk", "Extreme Pro 95MB/s", 64, "microsd"),
			typed("SanDisk", "Extreme Pro up to 170 MB/s", 64, "microsd")},
		{"UHS-I and UHS-II", typed("SanDisk", "Extreme Pro UHS-I", 64, "microsd"),
			typed("SanDisk", "Extreme Pro UHS-II", 64, "microsd")},
		{"Class 4 and Class 10", typed("SanDisk", "Ultra Class 4", 32, "microsd"),
			typed("SanDisk", "Ultra Class 10", 32, "microsd")},
		{"Cruzer and Cruzer Micro", typed("SanDisk", "Cruzer", 8, "usb"), typed("SanDisk", "Cruzer Micro", 8, "usb")},
		{"Ultra and Ultra PLUS", typed("SanDisk", "Ultra", 32, "microsd"), typed("SanDisk", "Ultra PLUS", 32, "microsd")},
		{"EVO with an adapter and EVO Plus", typed("Samsung", "EVO + adapter", 32, "microsd"),
			typed("Samsung", "EVO +", 32, "microsd")},
		{"a class that only the card states", evidence{Vendor: "SanDisk", Product: "Ultra", CapacityGB: 128, Form: "microsd",
			Classes: []string{"A1"}}, typed("SanDisk", "Ultra", 128, "microsd")},
		{"capacities that contradict each other", typed("SanDisk", "Ultra 16GB", 32, "microsd"),
			typed("SanDisk", "Ultra", 32, "microsd")},
		{"a long name that ends in its class",
			typed("", "SanDisk 128GB Extreme microSDXC UHS-I Memory Card with Adapter, C10, U3, V30, Micro SD, A2", 0,
				"microsd"), typed("SanDisk", "Extreme", 128, "microsd")},
		{"Extreme and Extreme III", typed("SanDisk", "Extreme", 8, "cf"), typed("SanDisk", "Extreme III", 8, "cf")},
		{"Ultra and Ultra A1", typed("SanDisk", "Ultra", 32, "microsd"), typed("SanDisk", "Ultra A1", 32, "microsd")},
		{"Ultra and Ultra II", typed("SanDisk", "Ultra", 8, "sd"), typed("SanDisk", "Ultra II", 8, "sd")},
		{"Ultra card and Ultra Fit", typed("SanDisk", "Ultra", 32, ""), typed("SanDisk", "Ultra Fit", 32, "")},
		{"Ultra card and Ultra stick", typed("SanDisk", "Ultra", 128, "microsd"), typed("SanDisk", "Ultra", 128, "usb")},
		{"Extreme PRO card and stick", typed("SanDisk", "Extreme Pro", 128, "microsd"),
			typed("SanDisk", "Extreme Pro", 128, "usb")},
		{"generation stated and not", typed("SanDisk", "Ultra Fit USB 3.1", 128, "usb"),
			typed("SanDisk", "Ultra Fit", 128, "usb")},
		{"USB 3.0 and 3.1", typed("SanDisk", "Extreme Pro USB 3.0", 128, "usb"),
			typed("SanDisk", "Extreme Pro USB 3.1", 128, "usb")},
		{"full size and microSD", typed("SanDisk", "Extreme Pro", 64, "sd"), typed("SanDisk", "Extreme Pro", 64, "microsd")},
		{"Class 10 with and without UHS-I", typed("Kingston", "UHS-I Class 10", 8, "microsd"),
			typed("Kingston", "Class 10", 8, "microsd")},
		{"a later USB version", typed("SanDisk", "Extreme PRO USB 3.2", 128, "usb"),
			typed("SanDisk", "Extreme PRO USB", 128, "usb")},
		{"a card's colour", typed("", "SanDisk Ultra 32GB microSD black", 0, ""), typed("SanDisk", "Ultra", 32, "microsd")},
		{"two products of one line", typed("", "Samsung EVO/EVO Plus 32GB microSD", 0, ""),
			typed("Samsung", "EVO Plus", 32, "microsd")},
		{"an adapter for a card", typed("", "adapter for SanDisk Ultra 32GB microSD", 0, ""),
			typed("SanDisk", "Ultra", 32, "microsd")},
		{"USB 3.1 and its second generation", typed("SanDisk", "Extreme PRO USB 3.1 Gen 2", 128, "usb"),
			typed("SanDisk", "Extreme PRO USB 3.1", 128, "usb")},
		{"a name that is a number", typed("Acme", "Two", 32, "microsd"), typed("Acme", "", 32, "microsd")},
		{"two names that are numbers", typed("Acme", "One", 32, "microsd"), typed("Acme", "Two", 32, "microsd")},
		{"High and MAX Endurance", typed("SanDisk", "High Endurance", 32, "microsd"),
			typed("SanDisk", "MAX Endurance", 32, "microsd")},
		{"capacities", typed("SanDisk", "Ultra", 16, "microsd"), typed("SanDisk", "Ultra", 32, "microsd")},
		{"capacity in the name", typed("SanDisk", "Ultra 16GB", 0, "microsd"), typed("SanDisk", "Ultra 32GB", 0, "microsd")},
		{"vendors", typed("Sony", "C10", 16, "microsd"), typed("Kingston", "C10", 16, "microsd")},
		{"no vendor and vendor", typed("", "EVO Plus", 32, "microsd"), typed("Samsung", "EVO Plus", 32, "microsd")},
		{"Premium and Premium 300x", typed("Transcend", "Premium", 32, "microsd"),
			typed("Transcend", "Premium 300x", 32, "microsd")},
		{"DataTraveler 101 and 108", typed("Kingston", "DataTraveler 101", 0, "usb"),
			typed("Kingston", "DataTraveler 108", 0, "usb")},
		{"unknown products of one vendor", typed("Foo", "Bar 2", 32, "microsd"), typed("Foo", "Bar 4", 32, "microsd")},
		{"scripts that leave no ASCII", typed("東芝", "赤", 32, "microsd"), typed("東芝", "青", 32, "microsd")},
		{"long names", typed("Foo", strings.Repeat("long ", 11)+"one", 32, "microsd"),
			typed("Foo", strings.Repeat("long ", 11)+"two", 32, "microsd")},
		{"cards of one name in two sizes", sdCard("0x03", "0x5344", "SL16G", 15931539456),
			sdCard("0x03", "0x5344", "SL16G", 31914983424)},
		{"a name that several products carry", sdCard("0x03", "0x5344", "SN128", 127865454592),
			typed("SanDisk", "Switch", 128, "microsd")},
		{"Longsys's generic name", sdCard("0xad", "0x4c53", "USD00", 63281561600),
			typed("Amazon Basics", "microSD", 64, "microsd")},
		{"vendor against the card", evidence{Vendor: "Samsung", Bus: "sd", SDManfid: "0x03", SDOEMID: "0x5344",
			SDName: "SA16G", CapacityBytes: 15931539456}, sdCard("0x03", "0x5344", "SA16G", 15931539456)},
		{"card in a stick's case", evidence{Form: "microsd", USBVendorID: "0781", USBProductID: "5583", CapacityGB: 32},
			evidence{USBVendorID: "0781", USBProductID: "5583", CapacityGB: 32}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, b := resolve(c, tc.a), resolve(c, tc.b)
			if a.Slug == b.Slug {
				t.Errorf("both are %s (%s)", a.Slug, a.Name())
			}
		})
	}
}
