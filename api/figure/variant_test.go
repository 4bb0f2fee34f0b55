package figure

import "testing"

func TestVariantLabel(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]Variant{
		"": {},
		"manufacturer 0x03, OEM SD, name SL16G, revision 8.0": {"sd", "0x000003", "0x5344", "SL16G",
			"0x8 0x0"},
		"manufacturer 0x12, OEM 4V, name MS, revision 0xa 0x0": {"sd", "0x000012", "0x3456", "MS", "0xa 0x0"},
		"manufacturer 0x9f, OEM 0x5449, name 00000":            {"mmc", "0x00009f", "0x5449", "00000", ""},
		"manufacturer 0x00, OEM 0x00":                          {"sd", "0x000000", "0x0000", "", ""},
		"manufacturer 0x01, OEM 0x4107, name <b>":              {"sd", "0x000001", "0x4107", "<b>", ""},
		"manufacturer 0x15, OEM 0x100, name 8GTF4R, revision 0x0 0x0600000000": {"mmc", "0x000015", "0x0100", "8GTF4R",
			"0x0 0x0600000000"},
		"USB id 0781:5583, product Ultra Fit, version 0100": {"usb", "0781", "5583", "Ultra Fit", "0100"},
		"model TS16GCF133, firmware 20110407":               {"ata", "", "", "TS16GCF133", "20110407"},
		"manufacturer nonsense, name x":                     {"sd", "nonsense", "", "x", ""},
	} {
		if got := v.Label(); got != want {
			t.Errorf("%+v reads %q, want %q", v, got, want)
		}
	}
}
