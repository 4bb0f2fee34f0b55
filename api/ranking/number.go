package ranking

import (
	"math"
	"strconv"
)

// Number writes 3 significant digits without an exponent, in groups from 10,000 on that narrow no-break spaces part, as all pages
// do. What is no number is "0".
func Number(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
	v = math.Round(v*scale) / scale
	decimals := max(0, min(6, 2-int(math.Floor(math.Log10(math.Abs(v))))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if v < 10_000 {
		return text
	}
	return inGroups(text)
}

// Change writes by how many per cent a value is more or less than another, such as "+12.3 %" or "−4.0 %". There is no telling against 0.
func Change(of, base float64) string {
	percent := math.Round((of/base-1)*1000) / 10
	sign := "+"
	switch {
	case base == 0:
		return ""
	case percent == 0:
		return "0.0 %"
	case percent < 0:
		sign = "−"
	}
	percent = math.Abs(percent)
	if percent >= 100 {
		return sign + Number(percent) + " %"
	}
	return sign + strconv.FormatFloat(percent, 'f', 1, 64) + " %"
}

// Count writes a whole number in the same groups.
func Count(n int) string {
	text := strconv.Itoa(n)
	if n < 10_000 {
		return text
	}
	return inGroups(text)
}

func inGroups(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "\u202f" + digits[i:]
	}
	return digits
}
