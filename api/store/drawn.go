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

// ChartData gives for each of these modules, by the slugs that they have now, what its charts are drawn from, if it has results that count.
// Of all documents it reads those of the few runs that are drawn, and holds those of one module at a time.
func (r results) ChartData(ctx context.Context, slugs []string, do func(slug string, drawn []figure.ChartData) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		if err := drawn(ctx, r.tx, toDraw{some, nil, math.MaxInt}, do); err != nil {
			return err
		}
	}
	return nil
}

// ChartData is that of one module, by the slug that it has now.
func (s *Store) ChartData(ctx context.Context, slug string) (of []figure.ChartData, err error) {
	all, err := s.drawn(ctx, toDraw{[]string{slug}, nil, math.MaxInt})
	return all[slug], err
}

// Typical is the same of several modules by some methods, by slug, with the first of the runs alone: that of the unit nearest to the
// median.
func (s *Store) Typical(ctx context.Context, slugs, methods []string) (map[string][]figure.ChartData, error) {
	return s.drawn(ctx, toDraw{slugs, methods, 1})
}

func (s *Store) drawn(ctx context.Context, asked toDraw) (of map[string][]figure.ChartData, err error) {
	err = s.WithTx(ctx, moment, func(tx pgx.Tx) error {
		of = map[string][]figure.ChartData{}
		return drawn(ctx, tx, asked, func(slug string, d []figure.ChartData) error {
			of[slug] = d
			return nil
		})
	})
	return of, err
}

const (
	// Some units of the modules $1 by each method, or by those of $3. Contributors are known by hashes: the first in their order are as good as
	// drawn by lot.
	selectDrawnUnits = `
	select s.module_slug, s.method, coalesce((s.summary -> 'figures' -> '` + figure.RandWriteIOPS + `' ->> 'value')::float8, 'NaN'),
		u.contributor, u.tag, u.host_class, u.bus_mb_per_s, u.figures
	from module_summary s cross join lateral (
		select * from unit u where u.module_slug = s.module_slug and u.method = s.method and u.best and u.runs > 0
		order by u.contributor, u.tag, u.host_class limit $2) u
	where s.module_slug = any($1) and ($3::text[] is null or s.method = any($3)) and s.host_class = '' and s.variant = ''
	order by s.module_slug, s.method, u.contributor, u.tag, u.host_class`

	// The newest run that the figures of a unit are made of; none, if it is being changed.
	selectDrawnRun = `
	select s.id::text, s.received_at, s.host_board, s.document from submission s join module_name n on n.slug = s.module_slug
	where s.contributor = $1 and n.module_slug = $2 and s.method = $3 and coalesce(s.unit_tag, '') = $4
		and ($5 = '' or s.host_class = $5) and s.bus_mb_per_s = $6 and s.state = 'accepted' and s.not_ranked = '{}'
	order by s.received_at desc, s.id desc limit 1`
)

// drawnUnits are units of a module by one method, and where the runs of each are found.
type drawnUnits struct {
	slug, method string
	median       float64
	units        []figure.Unit
	contributors [][]byte // of the units
}

// toDraw is what is asked for.
type toDraw struct {
	slugs, methods []string // no methods: by any
	runs           int      // most of a module by a method
}

// drawn reads units and then runs, and gives do one module after the other.
func drawn(ctx context.Context, tx pgx.Tx, asked toDraw, do func(slug string, drawn []figure.ChartData) error) error {
	all, err := unitsToDraw(ctx, tx, asked)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	picked := make([]int, len(all)) // how many runs of each
	for i, of := range all {
		wanted := figure.ChartedUnits(of.units, of.median)
		for _, at := range wanted[:min(asked.runs, len(wanted))] {
			u := of.units[at]
			batch.Queue(selectDrawnRun, of.contributors[at], of.slug, of.method, u.Tag, u.HostClass, u.BusMBPerS)
			picked[i]++
		}
	}
	answers := tx.SendBatch(ctx, &batch)
	defer answers.Close()
	var module []figure.ChartData
	for i, of := range all {
		d := figure.ChartData{Method: of.method, Units: of.units}
		for range picked[i] {
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

func unitsToDraw(ctx context.Context, tx pgx.Tx, asked toDraw) (all []drawnUnits, err error) {
	rows, err := tx.Query(ctx, selectDrawnUnits, asked.slugs, figure.MaxChartedUnits, asked.methods)
	if err != nil {
		return nil, err
	}
	var of drawnUnits
	var u figure.Unit
	var contributor []byte
	_, err = pgx.ForEachRow(rows, []any{&of.slug, &of.method, &of.median, &contributor, &u.Tag, &u.HostClass, &u.BusMBPerS, &u.Values}, func() error {
		if n := len(all); n == 0 || all[n-1].slug != of.slug || all[n-1].method != of.method {
			all = append(all, of)
		}
		last := &all[len(all)-1]
		u.Values = figure.Padded(u.Values)
		last.units, last.contributors = append(last.units, u), append(last.contributors, contributor)
		u.Values, contributor = nil, nil // the next row's must not overwrite them
		return nil
	})
	return all, err
}

// appendRun reads the answer to selectDrawnRun.
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
