package catalogue

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// diskSizesGB are sold although flash comes in powers of two. A typed disk size stays as it is.
var diskSizesGB = []float64{120, 240, 250, 480, 500, 960}

// parseCapacity converts a match of reCapacity, a number and its unit, to GB. It treats GiB as GB, because some people
// call a 32 GB card 32 GiB.
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

// marketedGB returns the size in GB under which a module of about gb GB (or GiB) is sold: 32 for 29.7, 31.9 and 32. A
// size that is near no marketed one keeps three digits. It returns 0 for an impossible capacity.
func marketedGB(gb float64) float64 {
	if !(gb > 0.001) || gb > 1e5 {
		return 0
	}
	if slices.Contains(diskSizesGB, gb) {
		return gb
	}
	power := math.Round(math.Log2(gb) + 0.04) // usable sizes are below the marketed one
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

// CapacityLabel returns a capacity in GB as a module prints it: "512 MB", "32 GB", "1 TB"; "" for zero.
func CapacityLabel(gb float64) string {
	switch {
	case gb <= 0:
		return ""
	case gb < 1 && gb*1024 == math.Trunc(gb*1024): // cards below 1 GB have binary fractions of it
		return fmt.Sprintf("%g MB", gb*1024)
	case gb < 1:
		return fmt.Sprintf("%.3g MB", gb*1000)
	case gb >= 1000:
		return fmt.Sprintf("%.3g TB", gb/1000)
	}
	return fmt.Sprintf("%.3g GB", gb)
}
