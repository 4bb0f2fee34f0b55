package speedclass

import (
	"fmt"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// sentence joins a verdict and its figures to the whole reason.
func sentence(what string, parts []string) string {
	return what + ": " + strings.Join(parts, "; ") + "."
}

// sentence compares the measured with the promised value, with enough digits to tell them apart.
func (p promise) sentence(m figure.Figure) string {
	text := func(v float64) string { return result.NumberBeside(v, p.least) }
	interval := "measured without an interval"
	if m.HasInterval() {
		interval = fmt.Sprintf("95 %% interval %s to %s", text(*m.Low), text(*m.High))
	}
	metric := figure.MetricOf(p.key)
	return fmt.Sprintf("%s %s %s where %s are promised (%s)", metric.Name, text(m.Value), metric.Unit,
		result.Number(p.least), interval)
}
