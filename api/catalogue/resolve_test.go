package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
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

// typed returns the evidence in the four fields that a person fills in.
func typed(vendor, product string, capacityGB float64, form string) evidence {
	return evidence{Vendor: vendor, Product: product, CapacityGB: capacityGB, Form: form}
}

func sdCard(manfid, oemid, name string, bytes int64) evidence {
	return evidence{Bus: "sd", SDManfid: manfid, SDOEMID: oemid, SDName: name, CapacityBytes: bytes}
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
			got := resolve(c, typed(m.Vendor, product, m.CapacityGB, m.Form))
			brandAlone := strings.HasPrefix(product, "microSD")
			if (m.CapacityGB == 0 || len(generationsOf(c, m)) > 1 || brandAlone) && slices.Contains(got.Candidates, m.Slug) {
				continue // the line is also listed with capacities or in several generations, or has no name
			}
			if got.Slug != m.Slug {
				t.Errorf("%q %q resolves to %s, want %s", m.Vendor, product, got.Slug, m.Slug)
			}
		}
	}
}

// The hardware revision distinguishes modules with the same CID name.
func TestResolveByHardwareRevision(t *testing.T) {
	t.Parallel()
	c := withModules(t, `{"vendor": "Acme", "modules": [
		{"slug": "acme-one", "product": "One", "capacity_gb": 16, "form": "microsd",
			"cid": ["0x7e/AC CARD"], "known_from": "p2_card_labels"},
		{"slug": "acme-two", "product": "Two", "capacity_gb": 16, "form": "microsd",
			"cid": ["0x7e/AC CARD 0x8"], "known_from": "p2_card_labels"}]}`)
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
