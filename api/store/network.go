package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Several contributors of one network may be one person with several secrets. So of those who sent a module from one
// network on one day, one counts: whoever sent the first result that counts by itself. The results of the others don't
// (counting.go), which column second_of_network says. A result that is never ranked still shows what its unit is: of
// these, the first of a sender who is heard counts. Results without a label, and with labels of different keys, are
// not compared: nobody can say whether they came from one network.
//
// A result that rule deviates holds back keeps its place, because that rule compares only what counts: else holding it
// back would have others compared, which might release it, and so on without end.

// arrival is a submission as the others of its network see it.
type arrival struct {
	share
	network label
	id      string
	counts  bool // but for what others sent from its network
	heard   bool // the same of what it shows of its unit
	second  bool // as stored
}

var arrivalColumns columns[arrival] = func(a *arrival) []column {
	return []column{
		{currentSlug, &a.module}, {"s.contributor", &a.contributor}, {"s.network", &a.network}, {"s.id::text", &a.id},
		{countsAlone, &a.counts}, {heardAlone, &a.heard}, {"s.second_of_network", &a.second},
	}
}

var (
	countsAlone = "((s.state = 'accepted' or " + heldBack + ") and " + whyNotAlone("s") + " = '{}')"
	heardAlone  = "((s.state = 'accepted' or " + heldBack + ") and " + whyNotHeard("s") + " = '{}')"
	// Postgres must read that there is a label, else it doesn't see that the index fits.
	selectArrivals = "select " + arrivalColumns.list("") + " from submission s " + joinAlias +
		" where s.network <> '' and s.state <> 'deleted' and "
	arrivalsOf     = "s.network = any($1) and " + currentSlug + " = any($2)"
	inArrivalOrder = " order by s.network, " + currentSlug + ` collate "C", s.received_at, s.id`
	labelsOfShares = prepare("select distinct s.network from " + shareColumns.unnest() +
		" as share (" + shareColumns.list("") + ") join submission s on s.contributor = of_contributor " + joinAlias +
		" where " + currentSlug + " = of_module and s.network <> ''")
	firstOfNetwork = "select s.contributor from submission s " + joinAlias +
		" where s.network <> '' and s.network = $1 and " + currentSlug + " = $2 and " + countsAlone +
		" order by s.received_at, s.id limit 1"
)

// compareNetworks compares the shares in c with others of their networks, and adds the shares whose results
// count now or no longer do.
func compareNetworks(ctx context.Context, tx pgx.Tx, c *changes) error {
	rows, _ := tx.Query(ctx, labelsOfShares.sql, labelsOfShares.with(shareColumns.arrays(c.shares)...)...)
	labels, err := pgx.CollectRows(rows, pgx.RowTo[label])
	if err != nil || len(labels) == 0 {
		return err
	}
	changed, err := markSeconds(ctx, tx, arrivalsOf, labels, c.modules)
	for _, s := range changed {
		c.add(s)
	}
	return err
}

// compareAllNetworks compares all submissions. Only a fold that makes all units anew calls it: its lock keeps other
// folds away, and this transaction, which ends before it, lets others see what they read.
func (s *Store) compareAllNetworks(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		// After a deletion, a server of the version before left the label.
		const forgotten = "network <> '' and state = 'deleted' and contributor = ''"
		if _, err := tx.Exec(ctx, "update submission set network = '' where "+forgotten); err != nil {
			return err
		}
		_, err := markSeconds(ctx, tx, "true")
		return err
	})
}

// markSeconds brings column second_of_network up to date for the submissions that a condition picks, which must pick
// all of a module and network or none. It returns the shares with a change.
func markSeconds(ctx context.Context, tx pgx.Tx, which string, args ...any) (changed []share, err error) {
	type moduleOfNetwork struct {
		network label
		module  string
	}
	marks := map[bool][]string{} // ids
	together := groups[moduleOfNetwork, arrival]{done: func(_ moduleOfNetwork, all []arrival) error {
		counting := slices.IndexFunc(all, func(a arrival) bool { return a.counts })
		unranked := slices.IndexFunc(all, func(a arrival) bool { return a.heard })
		for i, a := range all {
			first := counting
			if a.heard && !a.counts {
				first = unranked
			}
			if second := 0 <= first && first < i && a.contributor != all[first].contributor; second != a.second {
				marks[second], changed = append(marks[second], a.id), append(changed, a.share)
			}
		}
		return nil
	}}
	rows, _ := tx.Query(ctx, selectArrivals+which+inArrivalOrder, args...)
	if err := together.finish(arrivalColumns.each(rows, func(a arrival) error {
		return together.add(moduleOfNetwork{a.network, a.module}, a)
	})); err != nil {
		return nil, err
	}
	var batch pgx.Batch
	for second, ids := range marks {
		batch.Queue("update submission set second_of_network = $1 where id = any($2)", second, ids)
	}
	return changed, tx.SendBatch(ctx, &batch).Close()
}
