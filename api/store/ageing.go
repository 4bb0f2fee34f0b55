package store

import (
	"context"
	"errors"

	"flashdex/result/ageing"

	"github.com/jackc/pgx/v5"
)

const selectAgeing = `
	select contributor, ageing from unit where module_slug = $1 and method = $2 and ageing is not null
	order by contributor, tag`

// ageingUnits reads the ageing lines of modules' units, by module and method. It skips units without a line.
func ageingUnits(ctx context.Context, tx pgx.Tx, methods map[string][]string) (
	map[string]map[string][]ageing.Unit, error) {
	of := map[string]map[string][]ageing.Unit{}
	var batch pgx.Batch
	for module, list := range methods {
		of[module] = map[string][]ageing.Unit{}
		for _, method := range list { // each module may be on another node
			batch.Queue(selectAgeing, module, method).Query(func(rows pgx.Rows) error {
				var contributor, before contributorID
				var unit ageing.Unit
				_, err := pgx.ForEachRow(rows, []any{&contributor, &unit.Line}, func() error {
					if contributor != before {
						unit.Owner++
					}
					before = contributor
					of[module][method] = append(of[module][method], unit)
					return nil
				})
				return err
			})
		}
	}
	return of, tx.SendBatch(ctx, &batch).Close()
}

// selectUnitOf finds the unit of a result, and selectLine reads the unit's ageing line. On Citus they read different
// nodes, so they are two statements.
var (
	selectUnitOf = "select " + currentSlug + ", s.contributor, s.method, coalesce(s.unit_tag, '') from submission s " +
		joinAlias + " where s.id = $1"
	selectLine = `
		select ageing from unit where module_slug = $1 and contributor = $2 and method = $3 and tag = $4
			and ageing is not null`
)

// Ageing returns the ageing line of a result's unit, or nil if the unit's runs tell too little.
func (s *Store) Ageing(ctx context.Context, id string) (*ageing.Line, error) {
	var module, method, tag string
	var contributor contributorID
	err := s.pool.QueryRow(ctx, selectUnitOf, id).Scan(&module, &contributor, &method, &tag)
	var line *ageing.Line
	if err == nil {
		err = s.pool.QueryRow(ctx, selectLine, module, contributor, method, tag).Scan(&line)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return line, wrap(err)
}
