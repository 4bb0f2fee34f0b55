package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"flashdex/api/index"
)

// text is untrusted. A spreadsheet takes a cell that begins like these for a formula; an apostrophe makes it text.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// number prints a figure that is never zero: zero stands for unknown.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func whole(v *int64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatInt(*v, 10)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// prices lists medians by currency: "EUR 9.99 (3); USD 12.5 (1)".
func prices(medians []index.PriceMedian) string {
	var list []string
	for _, p := range medians {
		list = append(list, fmt.Sprintf("%s %s (%d)", p.Currency, optional(&p.Amount), p.N))
	}
	return strings.Join(list, "; ")
}
