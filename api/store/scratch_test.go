package store_test

import (
	"cmp"
	"flag"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/store"

	"github.com/jackc/pgx/v5"
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
	store.TallyFrom(6)
	store.NamesBatch(3)
	store.ContributorsAtMost(20)
	os.Exit(m.Run())
}

// fact is one run that counts.
type fact struct {
	module, method, contributor, unit, hostClass, hostKind string
	busMBPerS                                              float64
	values                                                 map[string]float64
	errors                                                 []float64 // in the order of figure.FigureKeys
}

// facts reads what counts from the tables that uploads fill, bypassing the store.
func facts(t testing.TB, conn *pgx.Conn) []fact {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
		select s.id::text, coalesce((select into_slug from module_alias where from_slug = s.module_slug), s.module_slug),
			s.method, s.contributor::text, coalesce(s.unit_tag, ''), s.host_class, s.host_kind, s.bus_mb_per_s, s.errors,
			m.test, m.iops,
			m.mb_per_s, m.p99_ns, m.p999_ns, m.max_ns, m.cv_percent, m.cliff_mb, m.cliff_percent, m.longest_1000_ns,
			m.stalls_100ms * 1000.0 / m.ops, m.stalls_1s * 1000.0 / m.ops, m.stalls_100ms * 60e9 / m.duration_ns,
			m.stalls_1s * 60e9 / m.duration_ns
		from submission s join measurement m on m.submission_id = s.id where s.state = 'accepted' and s.not_ranked = '{}'
			and s.token in ('', 'valid')
			and s.contributor in (select secret_sha256 from contributor where confirmed_at is not null)
			and (s.network = '' or s.contributor = (
				select e.contributor from submission e where e.network = s.network
					and coalesce((select into_slug from module_alias where from_slug = e.module_slug), e.module_slug) =
						coalesce((select into_slug from module_alias where from_slug = s.module_slug), s.module_slug)
					and (e.state = 'accepted' or e.state = 'quarantined' and e.state_rule = 'deviates')
					and e.not_ranked = '{}' and e.token in ('', 'valid')
					and e.contributor in (select secret_sha256 from contributor where confirmed_at is not null)
				order by e.received_at, e.id limit 1))`)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]fact{}
	var id, test string
	var f fact
	var iops, cv, cliffMB, cliff, short1000, long1000, shortMinute, longMinute *float64
	var mbPerS float64
	var p99, p999, slowest, longest *int64
	_, err = pgx.ForEachRow(rows, []any{&id, &f.module, &f.method, &f.contributor, &f.unit, &f.hostClass, &f.hostKind,
		&f.busMBPerS, &f.errors, &test, &iops, &mbPerS, &p99, &p999, &slowest, &cv, &cliffMB, &cliff,
		&longest, &short1000, &long1000, &shortMinute, &longMinute}, func() error {
		f.values = map[string]float64{}
		if old, ok := all[id]; ok {
			f = old
		}
		set := func(key string, v *float64) {
			if v != nil {
				f.values[key] = *v
			}
		}
		ms := func(key string, ns *int64) {
			if ns != nil {
				f.values[key] = float64(*ns) / 1e6
			}
		}
		switch test {
		case "seq-write":
			f.values[figure.SeqWriteMBPerS] = mbPerS
			set(figure.SeqWriteCVPercent, cv)
			set(figure.SeqWriteCliffMB, cliffMB)
			set(figure.SeqWriteCliffPercent, cliff)
		case "seq-read":
			f.values[figure.SeqReadMBPerS] = mbPerS
		case "rand-read":
			set(figure.RandReadIOPS, iops)
		case "rand-write":
			set(figure.RandWriteIOPS, iops)
			set(figure.RandWriteCVPercent, cv)
			ms(figure.RandWriteP99MS, p99)
			ms(figure.RandWriteP999MS, p999)
			ms(figure.RandWriteMaxMS, slowest)
			ms(figure.RandWriteLongest1000MS, longest)
			set(figure.RandWriteStalls100MSPer1000, short1000)
			set(figure.RandWriteStalls1SPer1000, long1000)
			set(figure.RandWriteStalls100MSPerMinute, shortMinute)
			set(figure.RandWriteStalls1SPerMinute, longMinute)
		}
		all[id] = f
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Values(all))
}

// summed is one figure of a summary.
type summed struct {
	Module, Method, HostClass, Figure string
	Value                             float64
	Units, Runs, Contributors         int
}

// stored lists the figures in summaries, without the summaries of variants.
func stored(all []figure.Summary) (list []summed) {
	for _, s := range all {
		for key, f := range s.Figures.All() {
			if s.Variant == "" {
				list = append(list, summed{s.ModuleSlug, s.Method, s.HostClass, key, f.Value, f.N, f.Runs, f.Contributors})
			}
		}
	}
	return sorted(list)
}

func sorted(list []summed) []summed {
	slices.SortFunc(list, func(a, b summed) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.HostClass, b.HostClass), cmp.Compare(a.Figure, b.Figure))
	})
	return list
}

// fromScratch computes docs/method.md, "Figures of a module", as plainly as possible, except for the model itself.
func fromScratch(all []fact, by *figure.Calibrations) (list []summed) {
	type figureOf struct{ module, method, hostClass, figure string }
	type unitOf struct{ module, method, hostClass, contributor, unit string }
	// Each run counts in its class of hosts and among all.
	in := map[unitOf][]fact{}
	for _, f := range all {
		for _, class := range []string{f.hostClass, ""} {
			u := unitOf{f.module, f.method, class, f.contributor, f.unit}
			in[u] = append(in[u], f)
		}
	}
	units := map[figureOf]map[string][]float64{}
	// cards holds what a contributor has in one kind of host, which replaces the class.
	type cards struct {
		values  []float64
		squares float64 // sum of squared errors
		held    int     // how many the bus holds back
	}
	inKinds := map[figureOf]map[string]map[string]*cards{} // by contributor and kind
	figures := map[figureOf]*summed{}
	for u, runs := range in {
		widest := slices.MaxFunc(runs, func(a, b fact) int { return cmp.Compare(a.busMBPerS, b.busMBPerS) }).busMBPerS
		runs = slices.DeleteFunc(runs, func(f fact) bool { return f.busMBPerS < widest })
		if !slices.ContainsFunc(runs, func(f fact) bool { return f.hostClass != runs[0].hostClass }) {
			kind := usualKind(runs)
			runs = slices.DeleteFunc(runs, func(f fact) bool { return f.hostKind != kind })
		}
		values, errors := map[string][]float64{}, map[string][]float64{}
		for _, f := range runs {
			for key, v := range f.values {
				values[key] = append(values[key], v)
				if e := f.errors[slices.Index(figure.FigureKeys, key)]; !math.IsNaN(e) {
					errors[key] = append(errors[key], e)
				}
			}
		}
		for key, v := range values {
			of := figureOf{u.module, u.method, u.hostClass, key}
			if units[of] == nil {
				units[of] = map[string][]float64{}
				figures[of] = &summed{Module: u.module, Method: u.method, HostClass: u.hostClass, Figure: key}
			}
			units[of][u.contributor] = append(units[of][u.contributor], plainMedian(v))
			if u.hostClass != "" {
				of.hostClass = ""
				if inKinds[of] == nil {
					inKinds[of] = map[string]map[string]*cards{}
				}
				if inKinds[of][u.contributor] == nil {
					inKinds[of][u.contributor] = map[string]*cards{}
				}
				c := inKinds[of][u.contributor][runs[0].hostKind]
				if c == nil {
					c = new(cards)
					inKinds[of][u.contributor][runs[0].hostKind] = c
				}
				c.values, c.squares = append(c.values, plainMedian(v)), c.squares+square(v, errors[key])
				if figure.IsLinear(key) && widest > 0 && plainMedian(v) >= 0.8*widest {
					c.held++
				}
				of.hostClass = u.hostClass
			}
			figures[of].Units++
			figures[of].Runs += len(runs)
		}
	}
	for of, f := range figures {
		f.Contributors, f.Value = len(units[of]), weightedMedian(units[of])
		if c := by.Of(of.method, of.figure); c != nil && of.hostClass == "" {
			metric := figure.MetricOf(of.figure)
			var shares []model.Share
			for _, kinds := range inKinds[of] {
				for kind, has := range kinds {
					n := float64(len(has.values))
					s := model.Share{Class: figure.ClassOf(kind, c.Classes), Cards: len(has.values), Classes: len(kinds),
						Contributors: 1, Error2: has.squares / n, HeldBack: 2*has.held > len(has.values)}
					sign := 1.0
					if metric.LowerIsBetter {
						sign = -1
					}
					for _, v := range has.values {
						s.LogRate += sign * math.Log(v) / n
					}
					for _, v := range has.values {
						s.Scatter += math.Pow(sign*math.Log(v)-s.LogRate, 2)
					}
					s.LogRate, s.Error2 = inSteps(s.LogRate, 1e-5), math.Pow(inSteps(math.Sqrt(s.Error2), 1e-3), 2)
					if n > 1 {
						s.Scatter = (n - 1) * math.Pow(inSteps(math.Sqrt(s.Scatter/(n-1)), 1e-3), 2)
					}
					shares = append(shares, s)
				}
			}
			m, _ := c.Module(shares)
			f.Value = metric.Of(c.Standard(&m)).Value
		}
	}
	for of, f := range figures {
		if of.hostClass == "" && of.figure == figure.RandWriteP99MS { // which are in one order in every run
			latencies := []*summed{f}
			for _, of.figure = range []string{figure.RandWriteP999MS, figure.RandWriteMaxMS} {
				if slower, measured := figures[of]; measured {
					latencies = append(latencies, slower)
				}
			}
			var values []float64
			for _, of := range latencies {
				values = append(values, of.Value)
			}
			slices.Sort(values)
			for i, of := range latencies {
				of.Value = values[i]
			}
		}
	}
	for _, f := range figures {
		list = append(list, *f)
	}
	return sorted(list)
}

// inSteps rounds as shares are rounded before they are stored.
func inSteps(value, step float64) float64 { return math.Round(value/step) * step }

// usualKind returns the kind of host of the most runs; of several it returns the first by name.
func usualKind(runs []fact) string {
	count := func(kind string) (n int) {
		for _, f := range runs {
			if f.hostKind == kind {
				n++
			}
		}
		return n
	}
	return slices.MinFunc(runs, func(a, b fact) int {
		return cmp.Or(cmp.Compare(count(b.hostKind), count(a.hostKind)), cmp.Compare(a.hostKind, b.hostKind))
	}).hostKind
}

// square returns the squared relative error of the median of runs, from their own errors or from how they differ.
func square(values, errors []float64) (square float64) {
	if len(errors) == 0 {
		return 0
	}
	for _, e := range errors {
		square += e * e / float64(len(errors))
	}
	n, mean, variance := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		mean += math.Log(v) / n
	}
	for _, v := range values {
		variance += math.Pow(math.Log(v)-mean, 2) / max(n-1, 1)
	}
	if square = max(square, variance) / n; n > 2 {
		square *= math.Pi / 2
	}
	return square
}

func plainMedian(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// weightedMedian computes the median of the units of some contributors, each with weight one.
func weightedMedian(units map[string][]float64) float64 {
	half := float64(len(units)) / 2
	return (least(units, half, false) + least(units, half, true)) / 2
}

// least returns the least value up to which the units weigh at least weight, or with more, more than weight; infinite
// if they never do.
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
