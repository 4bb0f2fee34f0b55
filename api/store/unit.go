package store

import (
	"context"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// What a module shows is made in two steps, so that a change of one submission doesn't touch all others of its module: the
// submissions of a share (all that one contributor has of one module) make its units, and the units of all shares the
// module's summaries. Both steps are functions of package index; here is how their input and output are stored.

// The accepted submissions of some shares, given as arrays of modules and contributors, and those of all, by shares.
const (
	runsOfShares = selectRuns + `
		from unnest($1::text[], $2::bytea[]) as share (module_slug, contributor)
		join submission s on s.contributor = share.contributor ` + runsAlias + runsThatCount + " and " + runsModule + " = share.module_slug" + runsInOrder
	runsOfAll  = selectRuns + " from submission s " + runsAlias + runsThatCount + runsInOrder
	runsAlias  = "left join module_alias a on a.from_slug = s.module_slug"
	runsModule = "coalesce(a.into_slug, s.module_slug)"
	selectRuns = "select " + runsModule + `, s.contributor, s.id::text, s.received_at, s.method, coalesce(s.unit_tag, ''), s.host_board, s.not_ranked = '{}', s.figures,
			s.host_class, s.bus_mb_per_s, s.variant, s.evidence, s.price_amount, s.price_currency, s.price_on`
	// Results without figures are of a server of the version before, and not derived yet.
	runsThatCount = " where s.state = 'accepted' and s.figures is not null"
	runsInOrder   = " order by " + runsModule + " collate \"C\", s.contributor"
)

// share is one contributor's part of a module.
type share struct {
	module      string
	contributor string // bytes
}

// scanRun reads one row of selectRuns.
func scanRun(row pgx.CollectableRow) (of share, r figure.Run, err error) {
	var contributor []byte
	var variant string
	err = row.Scan(&of.module, &contributor, &r.ID, &r.ReceivedAt, &r.Method, &r.Tag, &r.Board, &r.Ranked, &r.Values,
		&r.HostClass, &r.BusMBPerS, &variant, &r.Evidence, &r.Price.Amount, &r.Price.Currency, &r.Price.On)
	of.contributor, r.Variant = string(contributor), figure.VariantOf(variant)
	r.Values = figure.Padded(r.Values)
	return of, r, err
}

var unitColumns = []string{"module_slug", "contributor", "method", "tag", "host_class", "best", "runs", "figures", "bus_mb_per_s", "boards", "results", "newest",
	"newest_at", "variant", "evidence", "price_amount", "price_currency", "price_on"}

func unitRow(of share, u figure.Unit) []any {
	return []any{of.module, []byte(of.contributor), u.Method, u.Tag, u.HostClass, u.Best, u.Runs, u.Values, u.BusMBPerS, u.Boards, u.Results, u.Newest,
		u.NewestAt, u.Variant, u.Evidence, u.Price.Amount, u.Price.Currency, u.Price.On}
}

// sumShares makes the units of shares what their submissions say, and tells by modules what they were and are.
func sumShares(ctx context.Context, tx pgx.Tx, of shares) (changes map[string][]figure.Change, err error) {
	if len(of.modules) == 0 {
		return nil, nil
	}
	changed := map[share]*figure.Change{}
	for i, module := range of.modules {
		changed[share{module, string(of.contributors[i])}] = &figure.Change{}
	}
	rows, err := tx.Query(ctx, `
		delete from unit using unnest($1::text[], $2::bytea[]) as share (of_module, of_contributor)
		where module_slug = of_module and contributor = of_contributor returning `+unitFields, of.modules, of.contributors)
	if err != nil {
		return nil, err
	}
	if err := eachUnit(rows, func(of share, u figure.Unit) error {
		changed[of].Before = append(changed[of].Before, u)
		return nil
	}); err != nil {
		return nil, err
	}
	if rows, err = tx.Query(ctx, runsOfShares, of.modules, of.contributors); err != nil {
		return nil, err
	}
	defer rows.Close()
	var units [][]any
	var runs []figure.Run
	var at share
	sum := func() {
		made := figure.UnitsOf(runs)
		for _, u := range made {
			units = append(units, unitRow(at, u))
		}
		if len(made) > 0 {
			changed[at].After = made
		}
		runs = runs[:0]
	}
	for rows.Next() {
		next, r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		if next != at {
			sum()
			at = next
		}
		runs = append(runs, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	sum()
	changes = map[string][]figure.Change{}
	for i, module := range of.modules {
		changes[module] = append(changes[module], *changed[share{module, string(of.contributors[i])}])
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"unit"}, unitColumns, pgx.CopyFromRows(units))
	return changes, err
}

// unitFields are what eachUnit reads.
const unitFields = `module_slug, contributor, method, tag, host_class, best, runs, figures, bus_mb_per_s, boards, results, newest, newest_at, variant, evidence,
	price_amount, price_currency, price_on`

// eachUnit calls do for each row of unitFields.
func eachUnit(rows pgx.Rows, do func(share, figure.Unit) error) error {
	defer rows.Close()
	var contributor []byte
	for rows.Next() {
		var of share
		var u figure.Unit
		contributor = contributor[:0]
		if err := rows.Scan(&of.module, &contributor, &u.Method, &u.Tag, &u.HostClass, &u.Best, &u.Runs, &u.Values, &u.BusMBPerS, &u.Boards, &u.Results,
			&u.Newest, &u.NewestAt, &u.Variant, &u.Evidence, &u.Price.Amount, &u.Price.Currency, &u.Price.On); err != nil {
			return err
		}
		u.Values = figure.Padded(u.Values)
		of.contributor = string(contributor)
		if err := do(of, u); err != nil {
			return err
		}
	}
	return rows.Err()
}
