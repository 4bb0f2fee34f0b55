package store_test

import (
	"cmp"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"
)

var long = flag.Bool("long", false, "try many more orders of events, which takes some minutes")

func TestMain(m *testing.M) {
	flag.Parse()
	checks := "12"
	if *long {
		checks = "400"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// fact is one figure of one run that counts.
type fact struct {
	module, method, contributor, unit, figure string
	value                                     float64
}

// facts reads what counts from the tables that uploads fill, past the store.
func facts(t testing.TB, conn *pgx.Conn) []fact {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
		select coalesce((select into_slug from module_alias where from_slug = s.module_slug), s.module_slug), s.method, s.contributor::text,
			coalesce(s.unit_tag, ''), m.test, m.iops, m.mb_per_s, m.p99_ns, m.max_ns
		from submission s join measurement m on m.submission_id = s.id where s.state = 'accepted' and s.not_ranked = '{}'`)
	if err != nil {
		t.Fatal(err)
	}
	var all []fact
	var f fact
	var test string
	var iops *float64
	var mbPerS float64
	var p99, slowest *int64
	_, err = pgx.ForEachRow(rows, []any{&f.module, &f.method, &f.contributor, &f.unit, &test, &iops, &mbPerS, &p99, &slowest}, func() error {
		values := map[string]float64{}
		switch test {
		case "seq-write":
			values[index.SeqWriteMBPerS] = mbPerS
		case "seq-read":
			values[index.SeqReadMBPerS] = mbPerS
		case "rand-read":
			values[index.RandReadIOPS] = *iops
		case "rand-write":
			values[index.RandWriteIOPS] = *iops
			if p99 != nil {
				values[index.RandWriteP99MS] = float64(*p99) / 1e6
			}
			if slowest != nil {
				values[index.RandWriteMaxMS] = float64(*slowest) / 1e6
			}
		}
		for figure, value := range values {
			f.figure, f.value = figure, value
			all = append(all, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// fromScratch is docs/method.md, "Figures of a module", written as plainly as can be.
func fromScratch(all []fact) []index.ModuleFigure {
	type figureOf struct{ module, method, figure string }
	type unitOf struct {
		figureOf
		contributor, unit string
	}
	runs := map[unitOf][]float64{}
	for _, f := range all {
		u := unitOf{figureOf{f.module, f.method, f.figure}, f.contributor, f.unit}
		runs[u] = append(runs[u], f.value)
	}
	units := map[figureOf]map[string][]float64{}
	figures := map[figureOf]*index.ModuleFigure{}
	for u, values := range runs {
		if units[u.figureOf] == nil {
			units[u.figureOf] = map[string][]float64{}
			figures[u.figureOf] = &index.ModuleFigure{ModuleSlug: u.module, Method: u.method, Key: u.figure}
		}
		units[u.figureOf][u.contributor] = append(units[u.figureOf][u.contributor], plainMedian(values))
		figures[u.figureOf].Units++
		figures[u.figureOf].Runs += len(values)
	}
	var list []index.ModuleFigure
	for key, f := range figures {
		f.Contributors = len(units[key])
		f.Median = weightedMedian(units[key])
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b index.ModuleFigure) int {
		return cmp.Or(cmp.Compare(a.ModuleSlug, b.ModuleSlug), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Key, b.Key))
	})
	return list
}

func plainMedian(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// weightedMedian is that of the units of some contributors, who weigh one each.
func weightedMedian(units map[string][]float64) float64 {
	half := float64(len(units)) / 2
	return (least(units, half, false) + least(units, half, true)) / 2
}

// least is the least value up to which the units weigh at least, or more than, so much; infinite if they never do.
func least(units map[string][]float64, weight float64, more bool) float64 {
	found := math.Inf(1)
	for _, candidates := range units {
		for _, v := range candidates {
			sum := 0.0
			for _, values := range units {
				for _, w := range values {
					if w <= v {
						sum += 1 / float64(len(values))
					}
				}
			}
			if more && sum > weight+1e-6 || !more && sum > weight-1e-6 {
				found = min(found, v)
			}
		}
	}
	return found
}

// What docs/method.md promises: from three contributors on, whatever one of them uploads, the median stays between two
// values that the others measured, and these are what the page says.
func TestOneContributorMovesAMedianOnlyWithinWhatOthersMeasured(t *testing.T) {
	t.Parallel()
	for range 50 { // quick ones
		rapid.Check(t, attack)
	}
}

func attack(t *rapid.T) {
	values := rapid.SliceOfN(rapid.Float64Range(0.1, 1e5), 1, 6)
	others := map[string][]float64{}
	for i := range rapid.IntRange(2, 7).Draw(t, "others") {
		others[string(rune('a'+i))] = values.Draw(t, "units")
	}
	half := float64(len(others)+1) / 2
	low, high := least(others, half-1, false), least(others, half, true)
	if math.IsInf(high, 1) {
		t.Fatal("no bound from above")
	}
	for _, attack := range [][]float64{values.Draw(t, "attack"), {1e-9}, {1e9}} {
		others["attacker"] = attack
		if m := weightedMedian(others); m < low || m > high {
			t.Errorf("the median is %v, beyond %v to %v", m, low, high)
		}
	}
}
