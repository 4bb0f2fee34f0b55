package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"flashdex/api/figure"
	"flashdex/result"
)

// selectProfiled selects runs of the modules $1 by each of figure.ProfiledMethods: the newest run of each unit, then
// older ones, at most $2 by a method. Runs that something may have spoiled are left out: they have a second reason not
// to be ranked. The condition is the same as the index's.
var selectProfiled = `
	with run as (
		select n.module_slug, s.id, s.method, s.received_at, row_number() over (
			partition by n.module_slug, s.method, s.contributor, s.unit_tag order by s.received_at desc, s.id desc) as of_unit
		from module_name n join submission s on s.module_slug = n.slug
		where n.module_slug = any($1) and s.state = 'accepted' and cardinality(s.not_ranked) = 1 and s.method in ('` +
	result.MethodSustained1 + "', '" + result.MethodSweep1 + "', '" + result.MethodIozone50M + "', '" +
	result.MethodStartup1 + `')),
	picked as (
		select module_slug, id, row_number() over (
			partition by module_slug, method order by of_unit, received_at desc, id desc) as place
		from run)
	select p.module_slug, ` + sampledColumns.list("") + `
	from picked p join submission s on s.id = p.id where p.place <= $2 order by p.module_slug, s.method, p.place`

// sampledColumns read a run from submissions s.
var sampledColumns columns[figure.ProfiledRun] = func(r *figure.ProfiledRun) []column {
	return []column{
		{"s.method", &r.Method}, {"s.id", &r.ID}, {"s.received_at", &r.ReceivedAt}, {"s.host_board", &r.Host},
		{"s.document", (*sampledDocument)(r)},
	}
}

// sampledDocument reads the samples of a run from its document.
type sampledDocument figure.ProfiledRun

// ScanBytes implements pgtype.BytesScanner.
func (r *sampledDocument) ScanBytes(document []byte) error {
	var stored struct {
		Target result.Target
		Tests  []result.Test
	}
	if err := json.Unmarshal(document, &stored); err != nil {
		return fmt.Errorf("the stored document of %s: %w", r.ID, err)
	}
	r.Program, r.Tests = stored.Target.Program, stored.Tests
	return nil
}

// Profiled calls do for each of these modules that has runs by figure.ProfiledMethods, named by current slugs. By each
// method it gives the newest run of each unit and then older ones, at most figure.MaxProfiledRuns.
func (r results) Profiled(ctx context.Context, slugs []string,
	do func(slug string, runs []figure.ProfiledRun) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		of, err := profiled(ctx, r.tx, some, figure.MaxProfiledRuns)
		if err != nil {
			return err
		}
		for _, slug := range some {
			if len(of[slug]) == 0 {
				continue
			}
			if err := do(slug, of[slug]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Profiled returns the runs of a few modules by figure.ProfiledMethods, by slug, at most so many runs by each method.
func (s *Store) Profiled(ctx context.Context, slugs []string, runs int) (map[string][]figure.ProfiledRun, error) {
	of, err := profiled(ctx, s.pool, slugs, runs)
	return of, wrap(err)
}

func profiled(ctx context.Context, q querier, slugs []string, runs int) (map[string][]figure.ProfiledRun, error) {
	rows, _ := q.Query(ctx, selectProfiled, slugs, runs)
	return sampledColumns.byKey(rows)
}
