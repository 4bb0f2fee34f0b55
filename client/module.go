package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"flashdex/result"
)

// forms are the form factors that a result document knows.
var forms = []string{"sd", "microsd", "cf", "usb", "emmc", "other"}

const longestName = 80 // characters of a vendor or product

// checkModule checks what the user says of the module.
func (o *options) checkModule(capacity string) error {
	for _, name := range []struct {
		flag string
		text *string
	}{{"--vendor", &o.module.Vendor}, {"--product", &o.module.Product}} {
		*name.text = strings.Join(strings.Fields(*name.text), " ")
		if utf8.RuneCountInString(*name.text) > longestName {
			return usagef("%s must be at most %d characters long", name.flag, longestName)
		}
		if result.Printable(*name.text, longestName) != *name.text {
			return usagef("%s must be plain text: letters, digits, punctuation and single spaces", name.flag)
		}
	}
	o.module.Form = strings.ToLower(o.module.Form)
	if o.module.Form != "" && !slices.Contains(forms, o.module.Form) {
		return usagef("--form %q is none of %s", o.module.Form, strings.Join(forms, ", "))
	}
	if capacity == "" {
		return nil
	}
	gb, ok := capacityGB(capacity)
	if !ok {
		return usagef("--capacity %q is not a size as printed on a module, such as 32GB, 512MB or 1TB", capacity)
	}
	o.module.CapacityGB = gb
	return nil
}

// capacityGB reads a capacity as printed on a module, in units of 10^9 bytes; a number alone means GB.
func capacityGB(s string) (gb float64, ok bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	amount := strings.TrimRight(s, "KMGTB ")
	scale, known := map[string]float64{"": 1, "M": 1e-3, "MB": 1e-3, "G": 1, "GB": 1, "T": 1e3, "TB": 1e3}[strings.TrimSpace(s[len(amount):])]
	n, err := strconv.ParseFloat(amount, 64)
	if err != nil || !known || strings.Trim(amount, "0123456789.") != "" {
		return 0, false
	}
	const decimals = 1e6 // less is a rounding error of the scale
	gb = math.Round(n*scale*decimals) / decimals
	return gb, gb > 0 && gb <= 1e6
}
