package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Several contributors of one network may be one person with several secrets. So if several contributors send results
// of a module from one network on one day, only one of them counts: the one who sent the first result that counts by
// itself. Column second_of_network marks the results of the others, which don't count (counting.go). A result that is
// never ranked still shows what its unit is. Of such results, the first from a sender who is heard counts. Results
// without a label, or with labels of different keys, are not compared, because nobody can say whether they came from
// one network.
//
// A result that rule deviates holds back keeps its place, because that rule compares only results that count. Otherwise
// holding it back would make the rule compare another result, which might release the first one, and so on without end.

// arrival is a submission as compared with others of its network.
type arrival struct {
	share
	network label
	id      string
	counts  bool // if nothing else came from its network
	heard   bool // the same for what it shows of its unit
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
	// The statement must say that there is a label, or Postgres doesn't see that the index fits.
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

// compareNetworks compares the shares in c with others of their networks. It adds the shares whose results start or
// cease to count to c.
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

// compareAllNetworks compares all submissions. Only a fold that rebuilds all units calls it. That fold's lock keeps
// other folds away. This transaction commits before the fold's, so that the rebuild's other transactions see its
// result.
func (s *Store) compareAllNetworks(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		// An older server left the label when a submission was deleted.
		const forgotten = "network <> '' and state = 'deleted' and contributor = ''"
		if _, err := tx.Exec(ctx, "update submission set network = '' where "+forgotten); err != nil {
			return err
		}
		_, err := markSeconds(ctx, tx, "true")
		return err
	})
}

// markSeconds updates column second_of_network for the submissions that a condition picks. The condition must pick
// either all submissions of a module and network or none. markSeconds returns the shares that changed.
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
