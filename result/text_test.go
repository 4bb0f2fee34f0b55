package result_test

import (
	"strings"
	"testing"

	"flashdex/result"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"SanDisk Extreme": "SanDisk Extreme", "  two \t\n spaces ": "two spaces", "東芝 Thẻ nhớ": "東芝 Thẻ nhớ",
		"<b>&'\"=1+1":    "<b>&'\"=1+1",
		"a\x00b\x1b[2Jc": "ab[2Jc", "\u202egnp.exe\u202c": "gnp.exe", "x\u200b\ufeff\u2066y": "xy", "bad\xff": "bad",
		"\U000e0041\ue000":                     "",
		"e" + strings.Repeat("\u0301", 10_000): "e" + strings.Repeat("\u0301", 4), "\u0301first": "first",
		"a \u0301": "a \u0301", "": "",
	} {
		if got := result.Printable(s, 80); got != want {
			t.Errorf("%.40q: %q, want %q", s, got, want)
		}
	}
	if got := result.Printable("0123456789", 4); got != "0123" {
		t.Errorf("cut to %q", got)
	}
}

// A tool that reads everything back finds what it wrote. f3probe looks at a part, and tells how much the module can
// hold.
func TestWhatAnImportFoundIsInTheWordsOfItsTool(t *testing.T) {
	t.Parallel()
	whole, part := result.Checked{Bytes: 64e9, OKBytes: 64e9}, result.Checked{Bytes: 64e9, OKBytes: 8e9}
	worn := result.Checked{Bytes: 64e9, OKBytes: 64e9 - 57*1024}
	for want, of := range map[string]result.Imported{
		"":                                     {Tool: result.ToolF3},
		"all of 64 GB came back as written":    {Tool: result.ToolF3, Checked: &whole},
		"only 8 of 64 GB came back as written": {Tool: result.ToolH2testw, Checked: &part},
		"all but 58,368 bytes of 64 GB came back as written: an error of the medium, its reader or a contact": {
			Tool: result.ToolH2testw, Checked: &worn},
		"all of 64 GB is usable":    {Tool: result.ToolF3, Checked: &whole, Options: result.OptionF3probe},
		"only 8 of 64 GB is usable": {Tool: result.ToolF3, Checked: &part, Options: "a; " + result.OptionF3probe},
	} {
		if got := of.Found(); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}
