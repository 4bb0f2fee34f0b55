package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// run is one submission as its share sees it.
type run struct {
	share
	figure.Run
}

// runColumns select the runs of submissions s.
var runColumns columns[run] = func(r *run) []column {
	return append([]column{
		{currentSlug, &r.module}, {"s.contributor", &r.contributor}, {"s.id", &r.ID}, {"s.received_at", &r.ReceivedAt},
		{"s.network", (*label)(&r.Network)}, {"s.method", &r.Method}, {"s.unit_tag", (*zeronull.Text)(&r.Tag)},
		{"s.host_board", &r.Board}, {counts("s"), &r.Ranked}, {heard("s"), &r.Heard},
		{documentOfWear, (*wearDocument)(&r.Wear)},
	}, factColumns(&r.Facts)...)
}

// documentOfWear selects a submission's document if it says how worn the module was, else null. There is no column for
// that, but the evidence marks the few submissions that have it.
var documentOfWear = "case when s.evidence && array['" + strings.Join([]string{figure.EvidenceWearTold,
	figure.EvidenceWearNotTold, figure.EvidenceWrittenKnown}, "', '") + "'] then s.document end"

// wearDocument is the wear in such a document. It is empty if there is none.
type wearDocument result.Wear

// ScanBytes implements pgtype.BytesScanner.
func (w *wearDocument) ScanBytes(document []byte) error {
	var stored struct {
		Identity struct{ Wear wearDocument }
	}
	if document != nil {
		if err := json.Unmarshal(document, &stored); err != nil {
			return fmt.Errorf("the wear of a stored document: %w", err)
		}
	}
	*w = stored.Identity.Wear
	return nil
}

// Statements that select the accepted submissions of all shares, and of some shares. They leave out submissions without
// figures: an older server stored these, and their figures are still to be derived.
var (
	selectRuns   = "select " + runColumns.list("")
	runsOfAll    = selectRuns + " from submission s " + joinAlias + " where " + accepted + inOrder
	runsOfShares = prepare(selectRuns + " from " + shareColumns.unnest() + " as share (" + shareColumns.list("") + `)
		join submission s on s.contributor = of_contributor ` + joinAlias + `
		where ` + currentSlug + " = of_module and " + accepted + inOrder)
	accepted = "s.state = 'accepted' and s.figures is not null"
	inOrder  = " order by " + currentSlug + ` collate "C", s.contributor`
)

// eachShare calls do with all runs of each share in turn. The rows come in the order of shares.
func eachShare(rows pgx.Rows, do func(of share, runs []figure.Run) error) error {
	byShare := groups[share, figure.Run]{done: do}
	return byShare.finish(runColumns.each(rows, func(r run) error {
		r.Values, r.Errors = figure.Padded(r.Values), figure.Padded(r.Errors)
		return byShare.add(r.share, r.Run)
	}))
}

// unit is a row of table unit.
type unit struct {
	share
	figure.Unit
}

var unitColumns columns[unit] = func(u *unit) []column {
	return []column{
		{"module_slug", &u.module}, {"contributor", &u.contributor}, {"method", &u.Method}, {"tag", &u.Tag},
		{"host_class", &u.HostClass}, {"host_kind", &u.HostKind}, {"best", &u.Best}, {"runs", &u.Runs},
		{"figures", &u.Values}, {"errors", &u.Errors},
		{"bus_mb_per_s", &u.BusMBPerS}, {"boards", &u.Boards}, {"results", &u.Results}, {"newest", &u.Newest},
		{"newest_at", &u.NewestAt}, {"variant", &u.Variant}, {"evidence", &u.Evidence},
		{"price_amount", &u.Price.Amount}, {"price_currency", &u.Price.Currency}, {"price_on", &u.Price.On},
		{"first_at", (*zeronull.Timestamptz)(&u.First.At)}, {"network", (*label)(&u.First.Network)}, {"ageing", &u.Ageing},
	}
}

// eachUnit calls do for each row of unitColumns.
func eachUnit(rows pgx.Rows, do func(unit) error) error {
	return unitColumns.each(rows, func(u unit) error {
		u.Values, u.Errors = figure.Padded(u.Values), figure.Padded(u.Errors)
		return do(u)
	})
}

// unitsByModule calls do with all units of each of the modules that a condition picks. They come by contributor.
func unitsByModule(ctx context.Context, tx pgx.Tx, do func(module string, of []unit) error, where string,
	args ...any) error {
	rows, _ := tx.Query(ctx, "select "+unitColumns.list("")+" from unit "+where+" order by module_slug, contributor",
		args...)
	byModule := groups[string, unit]{done: do}
	return byModule.finish(eachUnit(rows, func(u unit) error { return byModule.add(u.module, u) }))
}

var deleteUnits = prepare("delete from unit using " + shareColumns.unnest() + " as share (" + shareColumns.list("") + `)
	where module_slug = of_module and contributor = of_contributor returning ` + unitColumns.list(""))

// recomputeUnits recomputes the units of shares from their submissions. It returns, by module, how the units changed.
func recomputeUnits(ctx context.Context, tx pgx.Tx, shares []share) (changes map[string][]figure.Change, err error) {
	before, after := map[share][]figure.Unit{}, map[share][]figure.Unit{}
	arrays := shareColumns.arrays(shares)
	rows, _ := tx.Query(ctx, deleteUnits.sql, deleteUnits.with(arrays...)...)
	if err := eachUnit(rows, func(u unit) error {
		before[u.share] = append(before[u.share], u.Unit)
		return nil
	}); err != nil {
		return nil, err
	}
	rows, _ = tx.Query(ctx, runsOfShares.sql, runsOfShares.with(arrays...)...)
	var units []unit
	if err := eachShare(rows, func(of share, runs []figure.Run) error {
		after[of] = figure.UnitsOf(runs)
		for _, u := range after[of] {
			units = append(units, unit{of, u})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	changes = map[string][]figure.Change{}
	for _, s := range shares {
		changes[s.module] = append(changes[s.module], figure.Change{Before: before[s], After: after[s]})
	}
	return changes, unitColumns.copyTo(ctx, tx, "unit", units)
}
