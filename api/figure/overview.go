package figure

import (
	"cmp"
	"math"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// Overview is all that one publication shows of modules, as of one moment.
type Overview struct {
	Generation int64              // rises with every change
	Modules    []catalogue.Module // that are listed
	Unlisted   []catalogue.Module // modules that nobody confirmed yet; only the data set has them
	Published  []catalogue.Published
	Aliases    map[string]string // slugs of merged modules, and their current slugs
	// Summaries covers all units of each module, with one summary for each method, ordered by module. submission.Results
	// reads the figures of variants separately.
	Summaries    []Summary
	Calibrations *Calibrations        // by which figures were made
	Checks       map[string]Checks    // of the capacity, by slug; only of a snapshot
	Touched      map[string]time.Time // when the results of a module, or the rules for them, changed last, by slug
}

// MaxChartedUnits limits how many units of a module are drawn for each method. More units would overlap.
const MaxChartedUnits = 200

// ChartData holds what the charts of a module by one method need besides its summary.
type ChartData struct {
	Method string
	// Units that count, each at its best, at most MaxChartedUnits. Only Tag, HostClass, BusMBPerS, Values and
	// Price are filled in.
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
// the slowest, the ones at the lower and the upper quartile, and the fastest. It returns their indices in units,
// without repeats. If no unit has that figure, it picks one unit.
func ChartedUnits(units []Unit, median float64) []int {
	key := slices.Index(FigureKeys, RandWriteIOPS)
	value := func(i int) float64 { return units[i].Values[key] }
	var order []int
	for i := range units {
		if !math.IsNaN(value(i)) {
			order = append(order, i)
		}
	}
	if len(order) == 0 && len(units) > 0 {
		return []int{0}
	} else if len(order) == 0 {
		return nil
	}
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

// ProfiledMethods are the methods whose results are never ranked and enter no figure of a module. Pages show their runs
// one by one.
var ProfiledMethods = []string{
	result.MethodSustained1, result.MethodSweep1, result.MethodIozone50M, result.MethodStartup1,
	result.MethodFiles1, result.MethodRecording1, result.MethodRecorder1,
	result.MethodStructure1, result.MethodQueue1,
	result.MethodSaturate1, result.MethodMixed1, result.MethodEndure1,
}

// Profiled reports whether a method is one of ProfiledMethods.
func Profiled(method string) bool { return slices.Contains(ProfiledMethods, method) }

// MaxProfiledRuns limits how many runs of a module by one such method are shown, because readers couldn't tell more
// apart in a chart. WholeUnits picks starts.
const MaxProfiledRuns = 6

// ProfiledRun is a run by one of ProfiledMethods.
type ProfiledRun struct {
	SampledRun
	Method string
	Unit   string        // identifies the unit
	Board  string        // see BoardOf
	Reader string        // USB ids of the reader or stick; empty: none
	Target result.Target // of MethodStartup1, the program
	Queue  QueueEvidence
	Counts bool // it would count in figures if its method did

	BusMBPerS float64 // that the host's bus carries; 0: not known
}

// LivedRun is a run by result.MethodEndure1: a unit's life, or a piece of it.
type LivedRun struct {
	ID   string
	Unit string // identifies the unit
	Told bool   // the unit identifies itself, so all its runs are of one specimen
	Life result.Life
}

// WholeUnits picks most starts of a program, and all other runs. Configurations are compared on one unit. So it goes
// from unit to unit and takes the newest start of each program and configuration, and only then older starts. The runs
// of each unit must begin with the newest.
func WholeUnits(runs []ProfiledRun, most int) (picked []ProfiledRun) {
	type start struct{ unit, program, configuration string }
	var starts []ProfiledRun
	at := 0 // index of the first start in runs
	units, newer := map[string]int{}, map[start]int{}
	place := map[string][2]int{} // by id: how many newer starts of the same kind there are, and the index of the unit
	for _, r := range runs {
		if r.Method != result.MethodStartup1 {
			picked = append(picked, r)
			continue
		}
		if starts == nil {
			at = len(picked)
		}
		if _, known := units[r.Unit]; !known {
			units[r.Unit] = len(units)
		}
		of := start{r.Unit, r.Target.Program, r.Target.Configuration}
		place[r.ID] = [2]int{newer[of], units[r.Unit]}
		newer[of]++
		starts = append(starts, r)
	}
	slices.SortStableFunc(starts, func(a, b ProfiledRun) int {
		of, to := place[a.ID], place[b.ID]
		return slices.Compare(of[:], to[:])
	})
	return slices.Insert(picked, at, starts[:min(most, len(starts))]...)
}
