package catalogue_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
)

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
