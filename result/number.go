package result

import (
	"math"
	"strconv"
	"strings"
)

// NoNumber stands where a value is not a finite number.
const NoNumber = "–"

// Number writes v for readers: three significant digits, commas between thousands, no exponent, no zeros at the end of
// a fraction. 1779.6 is "1,780", 90.0 is "90". The pages' script has the same rule, in site/assets/js/number.js.
func Number(v float64) string { return digits(v, 3) }

// NumberBeside writes v like Number, but with up to 9 digits if v and other would look the same: 499.6 beside 500.
func NumberBeside(v, other float64) string {
	for n := 3; n < 9; n++ {
		if text := digits(v, n); v == other || text != digits(other, n) {
			return text
		}
	}
	return digits(v, 9)
}

// Count writes a whole number with all of its digits: 12345 is "12,345".
func Count(n int) string { return commas(strconv.Itoa(n)) }

// Exact writes a count or a capacity: with all of its digits if it is a whole number, else like Number.
func Exact(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return Count(int(v))
	}
	return Number(v)
}

// Change writes by how much of differs from base, to a tenth of a percent of base: "+12.3 %", "−4 %", or "" if base is
// 0.
func Change(of, base float64) string {
	if base == 0 {
		return ""
	}
	switch percent := math.Round((of/base-1)*1000) / 10; {
	case percent > 0:
		return "+" + Number(percent) + " %"
	case percent < 0:
		return "−" + Number(-percent) + " %"
	}
	return "0 %"
}

// Round rounds v to n significant digits, and a half away from zero. The shortest decimal number that means v decides
// whether it is a half: 1.005 becomes 1.01, although the nearest float64 is a little less.
func Round(v float64, n int) float64 {
	text := strconv.FormatFloat(v, 'e', n-1, 64)
	longer := strconv.FormatFloat(v, 'e', n, 64)
	if exact, _ := strconv.ParseFloat(longer, 64); exact == v && strings.Contains(longer, "5e") {
		text = strconv.FormatFloat(math.Nextafter(v, math.Copysign(math.Inf(1), v)), 'e', n-1, 64)
	}
	rounded, _ := strconv.ParseFloat(text, 64)
	return rounded
}

func digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return NoNumber
	}
	return commas(strconv.FormatFloat(Round(v, n), 'f', -1, 64))
}

func commas(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	least := 0
	if strings.HasPrefix(whole, "-") {
		least = 1
	}
	for i := len(whole) - 3; i > least; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + fraction
	}
	return whole
}
