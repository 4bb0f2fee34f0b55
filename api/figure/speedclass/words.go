package speedclass

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"flashdex/api/figure"
)

// sentence is the whole reason: what it comes to, and the figures.
func sentence(what string, parts []string) string {
	return what + ": " + strings.Join(parts, "; ") + "."
}

// sentence tells what was measured beside what was promised, with as many digits as it takes to tell them apart.
func (p promise) sentence(m figure.Figure) string {
	text := func(v float64) string { return apart(v, p.least) }
	interval := "measured without an interval"
	if m.HasInterval() {
		interval = fmt.Sprintf("95 %% interval %s to %s", text(*m.Low), text(*m.High))
	}
	metric := figure.MetricOf(p.key)
	return fmt.Sprintf("%s %s %s where %s are promised (%s)", metric.Name, text(m.Value), metric.Unit, Number(p.least), interval)
}

// Number writes v with three significant digits and with commas between thousands.
func Number(v float64) string { return digits(v, 3) }

// apart writes v with three significant digits, or with more where it would otherwise look the same as other.
func apart(v, other float64) string {
	for n := 3; n < 9; n++ {
		if text := digits(v, n); v == other || text != digits(other, n) {
			return text
		}
	}
	return digits(v, 9)
}

func digits(v float64, n int) string {
	decimals := 0
	if v > 0 {
		decimals = max(0, n-1-int(math.Floor(math.Log10(v))))
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, fraction, found := strings.Cut(text, ".")
	if fraction = strings.TrimRight(fraction, "0"); found && fraction != "" {
		fraction = "." + fraction
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + fraction
}
