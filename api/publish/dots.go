package publish

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/api/figure"
)

// dots draws the values between least and greatest, so that readers see which of them agree. It draws nothing for fewer
// than three values: two would only be the ends.
func dots(values []float64, least, greatest float64) string {
	if len(values) < 3 || greatest <= least {
		return ""
	}
	var drawn strings.Builder
	for _, v := range values {
		if v >= least && v <= greatest { // no NaN
			fmt.Fprintf(&drawn, `<circle cx="%.1f%%" cy="5" r="3"/>`, 4+92*(v-least)/(greatest-least))
		}
	}
	return drawn.String()
}

// valuesOf returns the values of a figure by unit, in the order of the units; NaN: not measured.
func valuesOf(units []figure.Unit, key string) (values []float64) {
	at := slices.Index(figure.FigureKeys, key)
	for _, u := range units {
		values = append(values, u.Values[at])
	}
	return values
}
