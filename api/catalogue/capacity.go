package catalogue

import (
	"math"
	"slices"
	"strconv"
)

// disk sizes that are sold as they are, though flash comes in powers of two; kept when typed.
var diskSizesGB = []float64{120, 240, 250, 480, 500, 960}

// parseCapacity reads the parts of reCapacity: a number and its unit Of "GiB" only the number counts, since 32 GiB is what
// some call a 32 GB card.
func parseCapacity(match []string) float64 {
	v, err := strconv.ParseFloat(match[1], 64)
	if err != nil || v <= 0 || v > 1e6 {
		return 0
	}
	switch match[2][0] {
	case 't':
		v *= 1000
	case 'm':
		v /= 1000
	}
	return marketedGB(v)
}

// marketedGB is the size in GB that a module of about gb GB (or GiB) is sold as: 29.7, 31.9 and 32 are 32. A size that is
// near no marketed one keeps three digits. It is 0 for what cannot be a capacity.
func marketedGB(gb float64) float64 {
	if !(gb > 0.001) || gb > 1e5 {
		return 0
	}
	if slices.Contains(diskSizesGB, gb) {
		return gb
	}
	power := math.Round(math.Log2(gb) + 0.04) // usable sizes lie below the marketed one
	size := math.Exp2(power)
	if ratio := gb / size; ratio < 0.88 || ratio > 1.08 {
		digits := math.Pow(10, 2-math.Floor(math.Log10(gb)))
		return math.Round(gb*digits) / digits
	}
	if size >= 1024 {
		size = size / 1024 * 1000 // 1 TB, 2 TB
	}
	return size
}
