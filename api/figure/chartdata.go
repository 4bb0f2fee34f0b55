package figure

import (
	"cmp"
	"math"
	"slices"
	"time"

	"flashdex/result"
)

// MaxChartedUnits limits how many units of a module are drawn for each method. More would lie on top of each other.
const MaxChartedUnits = 200

// ChartData holds what the charts of a module by one method need besides its summary.
type ChartData struct {
	Method string
	// Units that count, each at its best, at most MaxChartedUnits. Only Tag, HostClass, BusMBPerS and Values are filled
	// in.
	Units []Unit
	Runs  []SampledRun // the newest run that counts of each of ChartedUnits, in that order
}

// SampledRun is a run with its samples.
type SampledRun struct {
	ID         string
	ReceivedAt time.Time
	Host       string
	Tests      []result.Test
}

// ChartedUnits picks the units whose samples are drawn: by 4K random writes, the unit nearest to the module's median,
// the slowest, the ones at the lower and the upper quartile, and the fastest. It returns their places in units, each
// once. If no unit has that figure, it picks one unit.
func ChartedUnits(units []Unit, median float64) []int {
	key := slices.Index(FigureKeys, RandWriteIOPS)
	var order []int
	for i := range units {
		if v := units[i].Values[key]; !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		for i := range units {
			order = append(order, i)
		}
		return order[:min(1, len(order))]
	}
	value := func(i int) float64 { return units[i].Values[key] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	picked := []int{slices.MinFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(value(a)-median), math.Abs(value(b)-median))
	})}
	last := len(order) - 1
	for _, at := range []int{0, last / 4, last - last/4, last} {
		if !slices.Contains(picked, order[at]) {
			picked = append(picked, order[at])
		}
	}
	return picked
}

// RandWriteIOPS returns the 4K random write rate of the run; 0: not measured.
func (r *SampledRun) RandWriteIOPS() float64 {
	for i := range r.Tests {
		if r.Tests[i].Name == result.RandWrite {
			return result.EstimateOf(r.Tests[i].Batches).IOPS
		}
	}
	return 0
}
