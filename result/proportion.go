package result

import "math"

// Proportion returns the 95 % interval of a share that was seen in found of n cases. It uses Wilson's score (1927,
// Journal of the American Statistical Association 22), which stays within 0 and 1 and works even for one case. For no
// cases, it returns 0 to 1.
func Proportion(found, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	share, cases := float64(found)/float64(n), float64(n)
	scale := 1 + z*z/cases
	middle := (share + z*z/(2*cases)) / scale
	half := z * math.Sqrt(share*(1-share)/cases+z*z/(4*cases*cases)) / scale
	return max(middle-half, 0), min(middle+half, 1)
}
