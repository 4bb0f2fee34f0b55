package main

import (
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

func TestPrice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]result.Price{
		"9.99EUR":     {Amount: 9.99, Currency: "EUR"},
		"9,99 EUR":    {Amount: 9.99, Currency: "EUR"},
		"EUR 9.99":    {Amount: 9.99, Currency: "EUR"},
		"eur9,9":      {Amount: 9.9, Currency: "EUR"},
		" 12 USD ":    {Amount: 12, Currency: "USD"},
		"1500 JPY":    {Amount: 1500, Currency: "JPY"},
		"289000VND":   {Amount: 289000, Currency: "VND"},
		"0.5 GBP":     {Amount: 0.5, Currency: "GBP"},
		"CHF  7.05":   {Amount: 7.05, Currency: "CHF"},
		"1000000000X": {},
	} {
		for bought, taken := range map[string]bool{"2026-10": true, "1999-02-28": true} {
			o, err := parse([]string{"--price", text, "--bought", bought, "/mnt"})
			if want == (result.Price{}) {
				if err == nil {
					t.Errorf("%q was taken", text)
				}
				continue
			}
			want.On = bought
			if diff := cmp.Diff(&want, o.module.Price); (err == nil) != taken || diff != "" {
				t.Errorf("%q, %q: %v (-want +got):\n%s", text, bought, err, diff)
			}
		}
	}
	for _, c := range []struct{ price, bought, says string }{
		{"9.99", "2026-10", "three letters of its currency (ISO 4217), such as 9.99EUR"},
		{"€9.99", "2026-10", "three letters of its currency"},
		{"9.99$", "2026-10", "three letters of its currency"},
		{"9.99EURO", "2026-10", "three letters of its currency"},
		{"EUR", "2026-10", "three letters of its currency"},
		{"EUR9.99EUR", "2026-10", "three letters of its currency"},
		{"9.99 E U R", "2026-10", "three letters of its currency"},
		{"9EUR99", "2026-10", "three letters of its currency"},
		{" ", "2026-10", "three letters of its currency"},
		{"1.000EUR", "2026-10", "without separators between thousands"},
		{"1,299.50EUR", "2026-10", "without separators between thousands"},
		{"1 299EUR", "2026-10", "without separators between thousands"},
		{"9.EUR", "2026-10", "at most two decimals"},
		{".5EUR", "2026-10", "at most two decimals"},
		{"-9EUR", "2026-10", "at most two decimals"},
		{"1e3EUR", "2026-10", "without separators between thousands"},
		{"0EUR", "2026-10", "must be more than 0"},
		{"0.00 EUR", "2026-10", "must be more than 0"},
		{"1000000001 IRR", "2026-10", "must be more than 0 and at most 1000000000"},
		{strings.Repeat("9", 400) + "EUR", "2026-10", "must be more than 0 and at most 1000000000"},
		{"9.99EUR", "", "--price goes with --bought"},
		{"", "2026-10", "--bought goes with --price"},
		{"9.99EUR", "10/2026", `--bought "10/2026" is neither a month, such as 2026-10, nor a day`},
		{"9.99EUR", "2026", "is neither a month"},
		{"9.99EUR", "2026-13", "is neither a month"},
		{"9.99EUR", "2026-02-30", "is neither a month"},
		{"9.99EUR", "0026-02", "is neither a month"},
		{"9.99EUR", "x", "is neither a month"},
	} {
		o, err := parse([]string{"/mnt", "--price=" + c.price, "--bought=" + c.bought})
		if err == nil || !strings.Contains(err.Error(), c.says) || o.module.Price != nil {
			t.Errorf("--price %.20q --bought %q: %v, %+v; want %q", c.price, c.bought, err, o.module.Price, c.says)
		}
	}
}

func TestReportTellsThePrice(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	if text := report(doc, textColumns); strings.Contains(text, "bought") {
		t.Error(text)
	}
	for want, price := range map[string]result.Price{
		"\nbought 2026-10 for 9.90 EUR\n":       {Amount: 9.9, Currency: "EUR", On: "2026-10"},
		"\nbought 2026-10-31 for 289000 VND\n":  {Amount: 289000, Currency: "VND", On: "2026-10-31"},
		"\nbought 2026-10 for 1000000.25 IRR\n": {Amount: 1000000.25, Currency: "IRR", On: "2026-10"},
	} {
		doc.Module.Price = &price
		if text := report(doc, textColumns); !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// If a value is forgotten, the next flag would become a vendor's name, and would itself be missing.
func TestAFlagIsNoName(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--vendor", "--product"} {
		if _, err := parse([]string{"/mnt", flag, "--yes"}); err == nil ||
			err.Error() != flag+" has no value: --yes stands where it should" {
			t.Errorf("%s: %v", flag, err)
		}
	}
	if _, err := parse([]string{"/mnt", "--vendor", "-"}); err != nil {
		t.Error(err)
	}
}
