package publish

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/api/figure"
)

// dots draws values between the least and the greatest of them, so that one sees which of them agree. Two would only be
// the ends.
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

// valuesOf are a figure of units, in the order of the units; NaN: not measured.
func valuesOf(units []figure.Unit, key string) (values []float64) {
	at := slices.Index(figure.FigureKeys, key)
	for _, u := range units {
		values = append(values, u.Values[at])
	}
	return values
}
