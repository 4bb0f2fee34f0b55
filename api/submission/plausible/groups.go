package plausible

import (
	"math"
	"slices"

	"flashdex/result"
)

// A group must have at least this part of all values and at least this many values. A smaller one may be one liar's, or
// counterfeits.
const (
	leastPart  = 0.25
	leastGroup = 3

	// mostWithin is the most of the variance that may be left within two groups. A normal distribution cut in two keeps
	// 1-2/pi = 36 %.
	mostWithin = 0.15
)

// Divide looks for two groups among the figures of one module, such as of two revisions under one name. values has one
// value for each contributor. It returns a border between the groups. Each group has at least a quarter of the values,
// and at least three.
//
// It divides where the sum of squares within both parts is least (Fisher, On Grouping for Maximum Homogeneity, Journal
// of the American Statistical Association 53, 1958). The parts are apart if a value in the middle of one would deviate
// in the other: if the distance of their medians is more than MaxScore times the spread within them. A part that is
// apart and too small for a group is left out, and the rest is divided again. Two groups leave at most 15 % of the
// variance within them, unlike a single one that varies much. The spread and the logarithmic scale are as in Deviates.
// Values that are not finite numbers above 0 don't count.
func Divide(values []float64) (border float64, ok bool) {
	logs := logsOf(values)
	slices.Sort(logs)
	least := max(leastGroup, int(math.Ceil(leastPart*float64(len(logs)))))
	if len(logs) < MinOthers+1 {
		return 0, false
	}
	for len(logs) >= 2*least {
		at := dividedAt(logs)
		switch slower, faster := logs[:at], logs[at:]; {
		case !apart(slower, faster):
			return 0, false
		case len(slower) < least:
			logs = faster
		case len(faster) < least:
			logs = slower
		default:
			return math.Exp((logs[at-1] + logs[at]) / 2), tight(slower, faster)
		}
	}
	return 0, false
}

// dividedAt returns how many of sorted values belong to the lower part.
func dividedAt(sorted []float64) (at int) {
	// Distances from the least value, so that the squares stay small.
	n := len(sorted)
	sums, squares := make([]float64, n+1), make([]float64, n+1)
	for i, v := range sorted {
		d := v - sorted[0]
		sums[i+1], squares[i+1] = sums[i]+d, squares[i]+d*d
	}
	within := func(from, to int) float64 {
		sum := sums[to] - sums[from]
		return squares[to] - squares[from] - sum*sum/float64(to-from)
	}
	least := math.Inf(1)
	for i := 1; i < n; i++ {
		if sum := within(0, i) + within(i, n); sum < least {
			at, least = i, sum
		}
	}
	return at
}

// apart reports whether the medians of two parts are further apart than values within one group may be.
func apart(slower, faster []float64) bool {
	return middle(faster)-middle(slower) > MaxScore*spreadWithin(slower, faster)
}

// tight reports whether two parts, apart from outliers, hardly vary compared with their distance.
func tight(slower, faster []float64) bool {
	passes := MaxScore * spreadWithin(slower, faster)
	var all []float64
	within := 0.0
	for _, part := range [][]float64{slower, faster} {
		center := middle(part)
		part = slices.DeleteFunc(slices.Clone(part), func(v float64) bool { return math.Abs(v-center) > passes })
		all, within = append(all, part...), within+squaresOf(part)
	}
	return within <= mostWithin*squaresOf(all)
}

// spreadWithin estimates the standard deviation within the parts of a division as Passing does.
func spreadWithin(parts ...[]float64) float64 {
	var deviations []float64
	for _, part := range parts {
		center := middle(part)
		for _, v := range part {
			deviations = append(deviations, math.Abs(v-center))
		}
	}
	return max(madScale*result.Median(deviations), MinSpread)
}

func middle(values []float64) float64 { return result.Median(slices.Clone(values)) }

// squaresOf sums up the squares of the distances from the mean.
func squaresOf(values []float64) (sum float64) {
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// logsOf returns the logarithms of values that are finite and above 0.
func logsOf(values []float64) []float64 {
	logs := make([]float64, 0, len(values))
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 1) {
			logs = append(logs, math.Log(v))
		}
	}
	return logs
}
