package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// selectProfiled selects runs of the modules $1 by each of figure.ProfiledMethods: the newest run of each unit, then
// older ones, at most $2 by a method. Runs that something may have spoiled are left out: they have a second reason not
// to be ranked. The condition is the same as the index's.
const selectProfiled = `
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
	select p.module_slug, s.method, s.id::text, s.received_at, s.host_board, s.document
	from picked p join submission s on s.id = p.id where p.place <= $2 order by p.module_slug, s.method, p.place`

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
func (s *Store) Profiled(ctx context.Context, slugs []string, runs int) (
	of map[string][]figure.ProfiledRun, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		of, err = profiled(ctx, tx, slugs, runs)
		return err
	})
	return of, err
}

func profiled(ctx context.Context, tx pgx.Tx, slugs []string, runs int) (map[string][]figure.ProfiledRun, error) {
	rows, _ := tx.Query(ctx, selectProfiled, slugs, runs)
	of := map[string][]figure.ProfiledRun{}
	var slug string
	var run figure.ProfiledRun
	var document []byte
	to := []any{&slug, &run.Method, &run.ID, &run.ReceivedAt, &run.Host, &document}
	_, err := pgx.ForEachRow(rows, to, func() error {
		var stored struct {
			Target result.Target
			Tests  []result.Test
		}
		if err := json.Unmarshal(document, &stored); err != nil {
			return fmt.Errorf("the stored document of %s: %w", run.ID, err)
		}
		run.Program, run.Tests = stored.Target.Program, stored.Tests
		of[slug] = append(of[slug], run)
		return nil
	})
	return of, err
}
