package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// ChartData calls do for each of these modules, named by current slugs, with what its charts show, unless none of its
// results count. It reads documents only of the few runs that are drawn, for one module at a time.
func (r results) ChartData(ctx context.Context, slugs []string,
	do func(slug string, drawn []figure.ChartData) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		if err := readCharts(ctx, r.tx, chartQuery{some, nil, math.MaxInt}, do); err != nil {
			return err
		}
	}
	return nil
}

// ChartData returns what the charts of one module show, named by its current slug.
func (s *Store) ChartData(ctx context.Context, slug string) (of []figure.ChartData, err error) {
	all, err := s.drawn(ctx, chartQuery{[]string{slug}, nil, math.MaxInt})
	return all[slug], err
}

// Typical returns what the charts of several modules show by some methods, by slug. Of the runs it reads one for each
// method, from the unit nearest to the median.
func (s *Store) Typical(ctx context.Context, slugs, methods []string) (map[string][]figure.ChartData, error) {
	return s.drawn(ctx, chartQuery{slugs, methods, 1})
}

func (s *Store) drawn(ctx context.Context, query chartQuery) (of map[string][]figure.ChartData, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		of = map[string][]figure.ChartData{}
		return readCharts(ctx, tx, query, func(slug string, d []figure.ChartData) error {
			of[slug] = d
			return nil
		})
	})
	return of, err
}

// chartQuery says which charts are read.
type chartQuery struct {
	slugs, methods []string // no methods: all
	runs           int      // limit of runs for each module and method
}

const (
	// At most $2 units of each module of $1 by each method, or only by the methods $3. Contributors' ids are hashes, so
	// the first in their order are as good as a random sample.
	selectDrawnUnits = `
	select s.module_slug, s.method,
		coalesce((s.summary -> 'figures' -> '` + figure.RandWriteIOPS + `' ->> 'value')::float8, 'NaN'),
		u.contributor, u.tag, u.host_class, u.bus_mb_per_s, u.figures
	from module_summary s cross join lateral (
		select * from unit u where u.module_slug = s.module_slug and u.method = s.method and u.best and u.runs > 0
		order by u.contributor, u.tag, u.host_class limit $2) u
	where s.module_slug = any($1) and ($3::text[] is null or s.method = any($3)) and s.host_class = '' and s.variant = ''
	order by s.module_slug, s.method, u.contributor, u.tag, u.host_class`

	// The newest run of a unit that counts; none, if the run is being deleted.
	selectDrawnRun = `
	select s.id::text, s.received_at, s.host_board, s.document
	from submission s join module_name n on n.slug = s.module_slug
	where s.contributor = $1 and n.module_slug = $2 and s.method = $3 and coalesce(s.unit_tag, '') = $4
		and ($5 = '' or s.host_class = $5) and s.bus_mb_per_s = $6 and s.state = 'accepted' and s.not_ranked = '{}'
	order by s.received_at desc, s.id desc limit 1`
)

// drawnUnits are units of a module by one method.
type drawnUnits struct {
	slug, method string
	median       float64 // of the 4K random write rate, IOPS
	units        []figure.Unit
	contributors []contributorID // of the units
}

// readCharts reads the units of all modules, then the runs, and calls do for one module after the other.
func readCharts(ctx context.Context, tx pgx.Tx, query chartQuery,
	do func(slug string, drawn []figure.ChartData) error) error {
	all, err := readDrawnUnits(ctx, tx, query)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	runs := make([]int, len(all)) // how many are read for each of all
	for i, of := range all {
		picked := figure.ChartedUnits(of.units, of.median)
		picked = picked[:min(query.runs, len(picked))]
		for _, at := range picked {
			u := of.units[at]
			batch.Queue(selectDrawnRun, of.contributors[at], of.slug, of.method, u.Tag, u.HostClass, u.BusMBPerS)
		}
		runs[i] = len(picked)
	}
	answers := tx.SendBatch(ctx, &batch)
	defer answers.Close()
	var module []figure.ChartData
	for i, of := range all {
		d := figure.ChartData{Method: of.method, Units: of.units}
		for range runs[i] {
			if d.Runs, err = appendRun(d.Runs, answers.QueryRow()); err != nil {
				return err
			}
		}
		module = append(module, d)
		if i == len(all)-1 || all[i+1].slug != of.slug {
			if err := do(of.slug, module); err != nil {
				return err
			}
			module = nil
		}
	}
	return answers.Close()
}

func readDrawnUnits(ctx context.Context, tx pgx.Tx, query chartQuery) (all []drawnUnits, err error) {
	rows, _ := tx.Query(ctx, selectDrawnUnits, query.slugs, figure.MaxChartedUnits, query.methods)
	var of drawnUnits
	var u figure.Unit
	var by contributorID
	to := []any{&of.slug, &of.method, &of.median, &by, &u.Tag, &u.HostClass, &u.BusMBPerS, &u.Values}
	_, err = pgx.ForEachRow(rows, to, func() error {
		if n := len(all); n == 0 || all[n-1].slug != of.slug || all[n-1].method != of.method {
			all = append(all, of)
		}
		last := &all[len(all)-1]
		u.Values = figure.Padded(u.Values)
		last.units, last.contributors = append(last.units, u), append(last.contributors, by)
		return nil
	})
	return all, err
}

// appendRun appends the run that selectDrawnRun found, if any.
func appendRun(runs []figure.SampledRun, row pgx.Row) ([]figure.SampledRun, error) {
	var r figure.SampledRun
	var document []byte
	if err := row.Scan(&r.ID, &r.ReceivedAt, &r.Host, &document); errors.Is(err, pgx.ErrNoRows) {
		return runs, nil
	} else if err != nil {
		return runs, err
	}
	var samples struct{ Tests []result.Test }
	if err := json.Unmarshal(document, &samples); err != nil {
		return runs, fmt.Errorf("the stored document of %s: %w", r.ID, err)
	}
	r.Tests = samples.Tests
	return append(runs, r), nil
}
