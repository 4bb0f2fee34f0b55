package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"flashdex/result"
)

const (
	longestName = 80 // characters of a vendor or product
	digits      = "0123456789"
)

// checkModule checks what the user says about the module.
func (o *options) checkModule(capacity string) error {
	if o.configuration != "" && o.profile != result.ProfileStartup {
		return usagef("--configuration names how the program of --profile startup is set up; %s starts none", o.profile)
	}
	for flag, text := range map[string]*string{
		"--vendor": &o.module.Vendor, "--product": &o.module.Product, "--configuration": &o.configuration,
	} {
		*text = strings.Join(strings.Fields(*text), " ")
		if strings.HasPrefix(*text, "--") {
			return usagef("%s has no value: %s stands where it should", flag, *text)
		}
		if utf8.RuneCountInString(*text) > longestName {
			return usagef("%s must be at most %d characters long", flag, longestName)
		}
		if result.Printable(*text, longestName) != *text {
			return usagef("%s must be plain text: letters, digits, punctuation and single spaces", flag)
		}
	}
	o.module.Form = strings.ToLower(o.module.Form)
	if o.module.Form != "" && !slices.Contains(result.Forms, o.module.Form) {
		return usagef("--form %q is none of %s", o.module.Form, strings.Join(result.Forms, ", "))
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

// capacityGB reads a capacity as printed on a module, in units of 10^9 bytes. A number alone means GB.
func capacityGB(s string) (gb float64, ok bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	amount := strings.TrimRight(s, "KMGTB ")
	scales := map[string]float64{"": 1, "M": 1e-3, "MB": 1e-3, "G": 1, "GB": 1, "T": 1e3, "TB": 1e3}
	scale, known := scales[strings.TrimSpace(s[len(amount):])]
	n, err := strconv.ParseFloat(amount, 64)
	if err != nil || !known || strings.Trim(amount, digits+".") != "" {
		return 0, false
	}
	const decimals = 1e6 // finer digits are rounding errors of the scale
	gb = math.Round(n*scale*decimals) / decimals
	return gb, gb > 0 && gb <= 1e6
}

// checkPrice checks the price that the user paid for the module, and the date.
func (o *options) checkPrice(price, bought string) error {
	switch {
	case price == "" && bought == "":
		return nil
	case price == "":
		return usagef("--bought goes with --price; flashdex help all explains")
	case bought == "":
		return usagef("--price goes with --bought, since prices fall: a month, such as 2026-10, or a day, such as 2026-10-31")
	}
	amount, currency, err := parsePrice(price)
	if err != nil {
		return usageError(err)
	}
	bought = strings.TrimSpace(bought)
	_, monthErr := time.Parse("2006-01", bought)
	_, dayErr := time.Parse(time.DateOnly, bought)
	if monthErr != nil && dayErr != nil || bought[:2] != "19" && bought[:2] != "20" {
		return usagef("--bought %q is neither a month, such as 2026-10, nor a day, such as 2026-10-31", bought)
	}
	o.module.Price = &result.Price{Amount: amount, Currency: currency, On: bought}
	return nil
}

// parsePrice reads an amount with the three letters of its currency before or after it: "9.99EUR", "9,99 EUR", "EUR
// 9.99". One or two digits must follow a point or comma, since 1.000 can mean one or a thousand.
func parsePrice(price string) (amount float64, currency string, err error) {
	const most = 1e9
	text := strings.ToUpper(strings.TrimSpace(price))
	isLetter := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	number := strings.TrimSpace(strings.TrimFunc(text, isLetter))
	before, after, found := strings.Cut(text, number)
	currency = strings.TrimSpace(before + after)
	if number == "" || !found || before != "" && after != "" || len(currency) != 3 ||
		strings.TrimFunc(currency, isLetter) != "" {
		return 0, "", fmt.Errorf("--price %q is not an amount with the three letters of its currency (ISO 4217), such as "+
			"9.99EUR or \"9,99 EUR\"", price)
	}
	whole, decimals, parted := strings.Cut(strings.Replace(number, ",", ".", 1), ".")
	if whole == "" || strings.Trim(whole+decimals, digits) != "" || parted && (len(decimals) < 1 || len(decimals) > 2) {
		return 0, "", fmt.Errorf("--price %q: write the amount without separators between thousands and with at most two "+
			"decimals, such as 1299.50EUR", price)
	}
	amount, err = strconv.ParseFloat(whole+"."+decimals+"0", 64)
	if err != nil || amount <= 0 || amount > most {
		return 0, "", fmt.Errorf("--price %q must be more than 0 and at most %.0f", price, most)
	}
	return amount, currency, nil
}
