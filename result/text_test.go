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
