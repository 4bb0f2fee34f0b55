package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"flashdex/result"
)

// checkPrice checks what the user paid for the module, and when.
func (o *options) checkPrice(price, bought string) error {
	switch {
	case price == "" && bought == "":
		return nil
	case price == "":
		return usagef("--bought goes with --price; flashdex --help explains")
	case bought == "":
		return usagef("--price goes with --bought, since prices fall: the month, such as 2026-10, or the day, such as 2026-10-31")
	}
	amount, currency, err := parsePrice(price)
	if err != nil {
		return usageError{err}
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

// parsePrice reads an amount with the three letters of its currency before or after it: "9.99EUR", "9,99 EUR", "EUR 9.99".
// Point or comma are followed by one or two digits: of 1.000 nobody knows what it means.
func parsePrice(price string) (amount float64, currency string, err error) {
	const most = 1e9
	text := strings.ToUpper(strings.TrimSpace(price))
	isLetter := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	number := strings.TrimSpace(strings.TrimFunc(text, isLetter))
	before, after, found := strings.Cut(text, number)
	currency = strings.TrimSpace(before + after)
	if number == "" || !found || before != "" && after != "" || len(currency) != 3 || strings.TrimFunc(currency, isLetter) != "" {
		return 0, "", fmt.Errorf("--price %q is not an amount with the three letters of its currency (ISO 4217), such as 9.99EUR or \"9,99 EUR\"", price)
	}
	whole, decimals, parted := strings.Cut(strings.Replace(number, ",", ".", 1), ".")
	if whole == "" || strings.Trim(whole+decimals, digits) != "" || parted && (len(decimals) < 1 || len(decimals) > 2) {
		return 0, "", fmt.Errorf("--price %q: write the amount without separators between thousands and with at most two decimals, such as 1299.50EUR", price)
	}
	amount, err = strconv.ParseFloat(whole+"."+decimals+"0", 64)
	if err != nil || amount <= 0 || amount > most {
		return 0, "", fmt.Errorf("--price %q must be more than 0 and at most %.0f", price, most)
	}
	return amount, currency, nil
}

const digits = "0123456789"
