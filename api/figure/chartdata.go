package figure

import (
	"cmp"
	"math"
	"slices"
	"time"

	"flashdex/result"
)

// MaxChartedUnits is how many units of a module are drawn by each method: there, more would lie on top of each other.
const MaxChartedUnits = 200

// ChartData is what the charts of a module by one method are drawn from, beside its summary.
type ChartData struct {
	Method string
	Units  []Unit       // that count, each at its best, at most MaxChartedUnits of them: their Tag, HostClass, BusMBPerS and Values
	Runs   []SampledRun // the newest that count of the units that ChartedUnits picks, in its order
}

// SampledRun is a run with its samples.
type SampledRun struct {
	ID         string
	ReceivedAt time.Time
	Host       string
	Tests      []result.Test
}

// ChartedUnits picks from units those whose samples are drawn: the one whose 4K random write rate is nearest to
// the module's median, then the slowest, the one at the lower quartile, at the upper quartile, and the fastest, as far as
// these are others. Units without that rate are picked if no unit has it.
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

// RandWriteIOPS is the run's 4K random write rate; 0: not measured.
func (r *SampledRun) RandWriteIOPS() float64 {
	for i := range r.Tests {
		if r.Tests[i].Name == result.RandWrite {
			return result.EstimateOf(r.Tests[i].Batches).IOPS
		}
	}
	return 0
}
