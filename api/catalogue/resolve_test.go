package catalogue_test

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/data"
	"flashdex/result"
)

// evidence is catalogue.Evidence in one row.
type evidence struct {
	Vendor, Product, Form                                  string
	CapacityGB                                             float64
	CapacityBytes                                          int64
	Classes                                                []string
	Bus, SDManfid, SDOEMID, SDName, SDHWRev                string
	USBVendorID, USBProductID, USBManufacturer, USBProduct string
	ATAModel                                               string
}

func resolve(c *catalogue.Catalogue, e evidence) catalogue.Module {
	return c.Resolve(catalogue.Evidence{
		Module: result.Module{Vendor: e.Vendor, Product: e.Product, Form: e.Form, CapacityGB: e.CapacityGB},
		Identity: result.Identity{
			Bus: e.Bus, SizeBytes: e.CapacityBytes, SCSI: &result.SCSI{Model: e.ATAModel},
			SD: &result.Register{Manfid: e.SDManfid, OEMID: e.SDOEMID, Name: e.SDName, HWRev: e.SDHWRev},
			USB: &result.USB{VendorID: e.USBVendorID, ProductID: e.USBProductID, Manufacturer: e.USBManufacturer,
				Product: e.USBProduct},
		},
		Classes: e.Classes,
	})
}

// typed is the evidence from the four fields that a person fills in.
func typed(vendor, product string, capacityGB float64, form string) evidence {
	return evidence{Vendor: vendor, Product: product, CapacityGB: capacityGB, Form: form}
}

func sdCard(manfid, oemid, name string, bytes int64) evidence {
	return evidence{Bus: "sd", SDManfid: manfid, SDOEMID: oemid, SDName: name, CapacityBytes: bytes}
}

func TestResolveSpellings(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name string
		e    evidence
		want string
	}{
		{"as catalogued", typed("Samsung", "EVO Plus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"plus sign", typed("Samsung", "EVO+", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"lower case", typed("samsung", "evo plus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"one word", typed("SAMSUNG", "EvoPlus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"hyphen", typed("Samsung", "EVO-Plus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"both spellings", typed("Samsung", "Evo+ (Evo Plus)", 32, "microSDHC"), "samsung-evo-plus-32gb-microsd"},
		{"capacity in the product", typed("Samsung", "EVO Plus 32 GB", 0, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"capacity glued on", typed("Samsung", "EVO+ 32GB", 0, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"form in the product", typed("Samsung", "EVO Plus microSDHC 32GB", 0, ""), "samsung-evo-plus-32gb-microsd"},
		{"everything in the product", typed("", "Samsung EVO Plus microSDHC card 32 GB Class 10 U1", 0, ""),
			"samsung-evo-plus-32gb-microsd"},
		{"everything in the vendor", typed("Samsung EVO Plus 32 GB", "", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"name split in the wrong place", typed("Samsung EVO", "Plus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"vendor twice", typed("Samsung", "Samsung EVO Plus", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"corporate name", typed("Samsung Electronics Co., Ltd.", "EVO Plus", 32, "microsd"),
			"samsung-evo-plus-32gb-microsd"},
		{"usable GiB", typed("Samsung", "EVO Plus", 29.7, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"usable GB", typed("Samsung", "EVO Plus", 31.9, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"capacity from the kernel", evidence{Vendor: "Samsung", Product: "EVO Plus", Form: "microsd",
			CapacityBytes: 32010928128}, "samsung-evo-plus-32gb-microsd"},
		{"no form", typed("Samsung", "EVO Plus", 32, ""), "samsung-evo-plus-32gb-microsd"},
		{"in an SD slot", evidence{Vendor: "Samsung", Product: "EVO Plus", CapacityGB: 32, Bus: "sd"},
			"samsung-evo-plus-32gb-microsd"},
		{"in a USB reader", evidence{Vendor: "Samsung", Product: "EVO Plus", CapacityGB: 32, Bus: "usb", USBVendorID: "058f",
			USBProductID: "6366", USBManufacturer: "Generic", USBProduct: "Mass Storage Device"},
			"samsung-evo-plus-32gb-microsd"},
		{"trademarks", typed("SanDisk®", "Extreme™ PRO", 64, "microSDXC"), "sandisk-extreme-pro-64gb-microsd"},
		{"trademarks in ASCII", typed("SanDisk(R)", "Extreme(TM) Pro", 64, "micro SD"), "sandisk-extreme-pro-64gb-microsd"},
		{"classes", typed("SanDisk", "Extreme Pro microSDXC UHS-I Card U3 V30", 64, ""), "sandisk-extreme-pro-64gb-microsd"},
		{"advertised speed that the catalogue states", typed("SanDisk", "Extreme 90 MB/s UHS-I", 16, "microsd"),
			"sandisk-extreme-90mb-s-16gb-microsd"},
		{"adapter in the box", typed("Samsung", "EVO + SD Adapter", 32, "sd"), "samsung-evo-32gb-microsd"},
		{"microSD in its adapter", typed("Samsung", "EVO Plus micro SD in an adapter", 32, "sd"),
			"samsung-evo-plus-32gb-microsd"},
		{"capacity in front", typed("", "32GB Samsung EVO Plus", 0, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"form in front", typed("", "micro SD card Samsung EVO Plus 32 Go", 0, ""), "samsung-evo-plus-32gb-microsd"},
		{"capacity twice", typed("", "Samsung EVO Plus 32GB (29.7 GiB)", 32, "microsd"), "samsung-evo-plus-32gb-microsd"},
		{"vendor in two words", typed("San Disk", "extremepro", 64, "TF"), "sandisk-extreme-pro-64gb-microsd"},
		{"owner before brand", typed("Western Digital", "SanDisk Extreme Pro", 64, "microsd"),
			"sandisk-extreme-pro-64gb-microsd"},
		{"class of the name", typed("SanDisk", "Extreme U3 V30 A2", 64, "microsd"), "sandisk-extreme-a2-64gb-microsd"},
		{"class first", typed("SanDisk", "A2 Extreme V30", 64, "microsd"), "sandisk-extreme-a2-64gb-microsd"},
		{"class read from the card", evidence{Vendor: "SanDisk", Product: "Extreme", CapacityGB: 64, Form: "microsd",
			Classes: []string{"V30", "A2"}}, "sandisk-extreme-a2-64gb-microsd"},
		{"class that the catalogue has once", evidence{Vendor: "SanDisk", Product: "MAX Endurance", CapacityGB: 32,
			Form: "microsd", Classes: []string{"A2"}}, "sandisk-max-endurance-32gb-microsd"},
		{"batch", typed("SanDisk", "Max Endurance (batch #2)", 32, "microsd"), "sandisk-max-endurance-32gb-microsd"},
		{"Switch", typed("SanDisk", "Switch", 128, "microsd"), "sandisk-nintendo-switch-128gb-microsd"},
		{"Nintendo Switch", typed("SanDisk", "microSDXC card for Nintendo Switch", 128, ""),
			"sandisk-nintendo-switch-128gb-microsd"},
		{"year", typed("Samsung", "EVO Plus (2018)", 128, "microsd"), "samsung-evo-plus-128gb-sd"},
		{"form that the sources leave open", typed("SanDisk", "Industrial", 8, "sd"), "sandisk-industrial-8gb-sd"},
		{"the same as microSD", typed("SanDisk", "Industrial", 8, "microsd"), "sandisk-industrial-8gb-sd"},
		{"C10", typed("Kingston", "C10", 16, "microsd"), "kingston-class-10-16gb-microsd"},
		{"Class 10", typed("Kingston", "class10", 16, "microsd"), "kingston-class-10-16gb-microsd"},
		{"UHS-1", typed("Kingston", "Class 10 UHS-1", 8, "microsd"), "kingston-class-10-uhs-i-8gb-microsd"},
		{"Camera+", typed("Gigastone", "camera+", 64, "microsd"), "gigastone-camera-plus-64gb-microsd"},
		{"abbreviated", typed("Gigastone", "HE", 16, "microsd"), "gigastone-high-endurance-16gb-microsd"},
		{"short vendor", typed("SP", "Elite", 64, "microsd"), "silicon-power-elite-64gb-microsd"},
		{"vendor in two words before a product that says nothing", typed("", "Amazon Basics microSDXC 64GB", 0, ""),
			"amazon-basics-64gb-microsd"},
		{"vendor cut in two", typed("Amazon", "Basics microSDXC", 64, "microsd"), "amazon-basics-64gb-microsd"},
		{"Amazon Basics", typed("AmazonBasics", "microSD", 128, "microsd"), "amazon-basics-128gb-microsd"},
		{"Raspberry Pi", typed("Raspberry Pi", "SD card A2", 64, "microsd"), "raspberry-pi-sd-card-a2-64gb-microsd"},
		{"Raspberry Pi, short", typed("RPi", "A2", 32, "microsd"), "raspberry-pi-sd-card-a2-32gb-microsd"},
		{"stick", typed("SanDisk", "Ultra Fit USB flash drive", 128, "usb stick"), "sandisk-ultra-fit-128gb-usb"},
		{"stick, hyphen", typed("Sandisk", "ultra-fit", 32, "flash drive"), "sandisk-ultra-fit-32gb-usb"},
		{"FIT Plus", typed("Samsung", "FIT+", 32, "usb"), "samsung-fit-plus-32gb-usb"},
		{"CompactFlash", typed("SanDisk", "Extreme", 32, "CompactFlash"), "sandisk-extreme-compactflash-32gb-cf"},
		{"512 MB", typed("Kingston", "Elite Pro 512 MB", 0, "sd"), "kingston-elite-pro-512mb-sd"},
		{"eMMC part", typed("Samsung", "klm1gwepd b031", 8, "emmc"), "samsung-klm1gwepd-b031-8gb-emmc"},
		{"typed beats an unhelpful card", evidence{Vendor: "Lexar", Product: "PLAY A2", CapacityGB: 128, Form: "microsd",
			Bus: "sd", SDManfid: "0x000000", SDOEMID: "0x0000", SDName: "00000"}, "lexar-play-a2-128gb-microsd"},
		{"typed beats the card", evidence{Vendor: "Samsung", Product: "PRO Plus", CapacityGB: 128, Form: "microsd", Bus: "sd",
			SDManfid: "0x000003", SDOEMID: "0x5344", SDName: "SA16G"}, "samsung-pro-plus-128gb-microsd"},
		{"vendor from the card", evidence{Product: "EVO Plus", CapacityGB: 32, Bus: "sd", SDManfid: "0x00001b",
			SDOEMID: "0x534d", SDName: "00000"}, "samsung-evo-plus-32gb-microsd"},
		{"card alone", sdCard("0x000003", "0x5344", "SA16G", 15931539456), "sandisk-industrial-16gb-microsd"},
		{"card alone, other host's spelling", sdCard("0x03", "0x5344", "sa16g", 15931539456),
			"sandisk-industrial-16gb-microsd"},
		{"card and words that say nothing", evidence{Product: "microSD card", Bus: "sd", SDManfid: "0x000003",
			SDOEMID: "0x5344", SDName: "AGGCE", CapacityBytes: 63864569856}, "sandisk-extreme-pro-64gb-microsd"},
		{"card and vendor", evidence{Vendor: "SanDisk", Bus: "sd", SDManfid: "0x000003", SDOEMID: "0x5344", SDName: "AGGCE",
			CapacityBytes: 63864569856}, "sandisk-extreme-pro-64gb-microsd"},
		{"eMMC alone", evidence{Bus: "mmc", SDManfid: "0x000015", SDOEMID: "0x0100", SDName: "BJTD4R",
			CapacityBytes: 31268536320}, "samsung-bjtd4r-32gb-emmc"},
		{"known by its registers", sdCard("0x000003", "0x5344", "SL08G", 7948206080), "sandisk-sl08g-8gb-sd"},
		{"stick by its ids", evidence{Bus: "usb", USBVendorID: "0781", USBProductID: "5583", CapacityBytes: 30752000000},
			"sandisk-ultra-fit-32gb-usb"},
		{"stick by its strings", evidence{Bus: "usb", USBVendorID: "ffff", USBProductID: "ffff", USBManufacturer: "SanDisk",
			USBProduct: "Ultra Flair", CapacityBytes: 15500000000}, "sandisk-ultra-flair-16gb-usb"},
		{"CompactFlash by its model", evidence{Bus: "ata", ATAModel: "SanDisk SDCFXS-032G", CapacityBytes: 32017047552},
			"sandisk-extreme-compactflash-32gb-cf"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := resolve(c, tc.e); got.Slug != tc.want {
				t.Errorf("Resolve(%+v) = %s (%s), want %s", tc.e, got.Slug, got.Name(), tc.want)
			}
		})
	}
}

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
		{"scripts that leave no ASCII", typed("東芝", "高速", 32, "microsd"), typed("東芝", "超高速", 32, "microsd")},
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

func TestResolveProvisional(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		e          evidence
		slug, name string
	}{
		{sdCard("0x000003", "0x5344", "SL16G", 15931539456), "sd-0x03-sd-sl16g-16gb", "SD card 0x03/SD SL16G, 16 GB"},
		{sdCard("0x0000ad", "0x4c53", "USD00", 63281561600), "sd-0xad-ls-usd00-64gb", "SD card 0xad/LS USD00, 64 GB"},
		{sdCard("0x0000aa", "0x5859", "QEMU!", 268435456), "sd-0xaa-xy-qemu-256mb", "SD card 0xaa/XY QEMU!, 256 MB"},
		{sdCard("0x00006f", "0x0303", "SDABC", 62900000000), "sd-0x6f-0x0303-sdabc-64gb", "SD card 0x6f/0x0303 SDABC, 64 GB"},
		{evidence{Bus: "mmc", SDManfid: "0x70", SDOEMID: "0x0100", SDName: "M62704", CapacityBytes: 3909091328},
			"emmc-0x70-0x0100-m62704-4gb", "eMMC 0x70/0x0100 M62704, 4 GB"},
		{typed("Foo", "Bar 32 GB microSD", 0, ""), "foo-bar-32gb-microsd", "Foo Bar 32 GB microSD"},
		{typed("Foo", "Bar 32GB", 0, "microSDHC"), "foo-bar-32gb-microsd", "Foo Bar 32 GB microSD"},
		{typed(" foo ", "bar", 32, "microsd"), "foo-bar-32gb-microsd", "foo bar 32 GB microSD"},
		{typed("Samsung", "EVO Plus", 1024, "microsd"), "samsung-evo-plus-1tb-microsd", "Samsung EVO Plus 1 TB microSD"},
		{typed("", "Samsung EVO Plus 512GB", 0, "microsd"), "samsung-evo-plus-512gb-microsd",
			"Samsung EVO Plus 512 GB microSD"},
		{typed("San Disk", "Imagine A2 V30", 64, "microsd"), "sandisk-imagine-v30-a2-64gb-microsd",
			"SanDisk Imagine A2 V30 64 GB microSD"},
		{evidence{Bus: "usb", USBVendorID: "058f", USBProductID: "6366", USBManufacturer: "Generic",
			USBProduct: "Mass-Storage", CapacityBytes: 31914983424}, "usb-058f-6366-generic-mass-storage-32gb",
			"USB storage 058f:6366 Generic Mass-Storage, 32 GB"},
		{evidence{Bus: "ata", ATAModel: "TS16GCF133", CapacityBytes: 16000000000}, "ata-ts16gcf133-16gb",
			"ATA device TS16GCF133, 16 GB"},
		{evidence{CapacityBytes: 314572800}, "unidentified-315mb", "Unidentified module, 315 MB"},
		{evidence{Vendor: "SanDisk", Bus: "sd", SDManfid: "0x03", SDOEMID: "0x5344", SDName: "SL16G",
			CapacityBytes: 15931539456}, "sandisk-sd-0x03-sd-sl16g-16gb", "SanDisk SD card 0x03/SD SL16G, 16 GB"},
		{evidence{}, "unidentified", "Unidentified module"},
	} {
		got := resolve(c, tc.e)
		if diff := cmp.Diff([]string{tc.slug, tc.name}, []string{got.Slug, got.Name()}); diff != "" {
			t.Errorf("Resolve(%+v) (-want +got):\n%s", tc.e, diff)
		}
		if !got.Provisional {
			t.Errorf("%s is not provisional", got.Slug)
		}
	}
}

// Resolve finds each module of the catalogue by its own name and by every spelling of it.
func TestResolveFindsEveryModule(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, m := range c.Modules {
		for _, product := range append([]string{m.Product}, m.Aliases...) {
			if got := resolve(c, typed(m.Vendor, product, m.CapacityGB, m.Form)); got.Slug != m.Slug {
				t.Errorf("%q %q resolves to %s, want %s", m.Vendor, product, got.Slug, m.Slug)
			}
		}
	}
}

// checkSafe checks the promises of Resolve that hold for any evidence.
func checkSafe(t *testing.T, c *catalogue.Catalogue, e evidence) {
	t.Helper()
	m := resolve(c, e)
	if m.Slug == "" || len(m.Slug) > 80 || strings.Trim(m.Slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
		strings.Trim(m.Slug, "-") != m.Slug {
		t.Fatalf("unsafe slug %q of %+v", m.Slug, e)
	}
	for _, field := range []string{m.Vendor, m.Product} {
		if !utf8.ValidString(field) || utf8.RuneCountInString(field) > 64 || strings.TrimSpace(field) != field {
			t.Fatalf("field %q of %+v", field, e)
		}
		for _, r := range field {
			if r != ' ' && !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("character %U in %q", r, field)
			}
		}
	}
	if m.Product == "" || m.CapacityGB < 0 || m.Form == "" {
		t.Fatalf("incomplete module %+v of %+v", m, e)
	}
	if diff := cmp.Diff(m, resolve(c, e), cmp.AllowUnexported(catalogue.Module{})); diff != "" {
		t.Fatalf("not the same twice:\n%s", diff)
	}
	if known, ok := c.Module(m.Slug); ok && m.Provisional && !known.Provisional {
		t.Fatalf("provisional module took the slug of %s", known.Slug)
	}
}

var hostile = []string{
	"", " ", "Samsung", "SanDisk", "EVO+", "Extreme", "PRO", "A1", "a2", "32GB", "1 TB", "microSD", "USB", "Class", "10",
	"C10", "U3",
	"<script>alert(1)</script>", "'; DROP TABLE modules;--", "../../etc/passwd", "=cmd|' /C calc'!A1", "%00", "\x00",
	"\xff\xfe",
	"\u202e", "\u200b", "\ufeff", "\U000e0041", "東芝", "ß", "é", "e\u0301", "😀", "--", "-", "\n\r\t",
	"99999999999999999999GB",
	"0.0000001 MB", "NaN", "0x03", "0xZZ", "0x5344", "0x", "95MB/s", strings.Repeat("a", 300),
	strings.Repeat("\u202e9 GB ", 500), "K",
}

func TestResolveIsSafe(t *testing.T) {
	t.Parallel()
	c := load(t)
	r := rand.New(rand.NewPCG(1, 2))
	field := func() string {
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, hostile[r.IntN(len(hostile))])
		}
		return strings.Join(parts, []string{"", " "}[r.IntN(2)])
	}
	sizes := []float64{0, -1, 32, 29.7, 1e-300, 1e300, 0.5, 1000}
	for range 3000 {
		checkSafe(t, c, evidence{
			Vendor: field(), Product: field(), CapacityGB: sizes[r.IntN(len(sizes))], Form: field(),
			CapacityBytes: r.Int64() >> r.IntN(64), Classes: []string{field()},
			Bus:      []string{"", "sd", "mmc", "usb", "ata", field()}[r.IntN(6)],
			SDManfid: field(), SDOEMID: field(), SDName: field(), ATAModel: field(),
			USBVendorID: field(), USBProductID: field(), USBManufacturer: field(), USBProduct: field(),
		})
	}
}

// The hardware revision distinguishes modules with the same CID name.
func TestResolveByHardwareRevision(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for _, name := range []string{"sources.csv", "methods.json", "tool_methods.csv", "published_hosts.csv",
		"manufacturer_ids.csv", "speed_classes.csv", "usb_ids.csv"} {
		text, err := fs.ReadFile(data.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	files["reference_devices.json"] = &fstest.MapFile{Data: []byte("[]")}
	files["modules/acme.json"] = &fstest.MapFile{Data: []byte(`{"vendor": "Acme", "modules": [
		{"slug": "acme-one", "product": "One", "capacity_gb": 16, "form": "microsd",
			"cid": ["0x7e/AC CARD"], "known_from": "p2_card_labels"},
		{"slug": "acme-two", "product": "Two", "capacity_gb": 16, "form": "microsd",
			"cid": ["0x7e/AC CARD 0x8"], "known_from": "p2_card_labels"}]}`)}
	c, err := catalogue.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	for hwrev, want := range map[string]string{"": "acme-one", "0x3": "acme-one", "0x8": "acme-two"} {
		e := sdCard("0x00007e", "0x4143", "CARD", 15931539456)
		e.SDHWRev = hwrev
		if got := resolve(c, e); got.Slug != want {
			t.Errorf("hardware revision %q is %s, want %s", hwrev, got.Slug, want)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	c := load(b)
	for name, e := range map[string]evidence{
		"typed": typed("Samsung", "EVO Plus 32 GB", 0, "microsd"),
		"title": typed("", "SanDisk 128GB Extreme microSDXC UHS-I Memory Card with Adapter - C10, U3, V30, 4K, A2, "+
			"Micro SD", 0, ""),
		"registers":   sdCard("0x000003", "0x5344", "SA16G", 15931539456),
		"provisional": sdCard("0x000003", "0x5344", "SL16G", 15931539456),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				resolve(c, e)
			}
		})
	}
}

func FuzzResolve(f *testing.F) {
	c := load(f)
	for _, s := range hostile {
		f.Add(s, s, 32.0, s, int64(0), "sd", s, s, s)
	}
	f.Fuzz(func(t *testing.T, vendor, product string, gb float64, form string, bytes int64, bus, a, b, d string) {
		checkSafe(t, c, evidence{
			Vendor: vendor, Product: product, CapacityGB: gb, Form: form, CapacityBytes: bytes, Bus: bus, SDManfid: a,
			SDOEMID: b, SDName: d,
			Classes: []string{a}, USBVendorID: b, USBProductID: d, USBManufacturer: a, USBProduct: b, ATAModel: d,
		})
	})
}
