package store

import (
	"context"
	"maps"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// An agreement says which module units with the same registers are. Several independent contributors must say the same
// (submission.Agreed). A contributor says so with each result for which they typed or chose a listed module, if the
// result counts by itself. Results that rule deviates holds back say so too, as do second results of a network: both
// depend on how results are named. A result that was named by an agreement says nothing, so agreements don't confirm
// themselves.

// saidLimit limits how many contributors who say what units with the same registers are a fold looks at: twice as many,
// from a place that nobody knows.
var saidLimit = 1000 // a variable for tests

var (
	says = `registers = $1 and registers <> '' and said <> '' and named_by <> '` + submission.NamedByOperator + `'
		and (state = 'accepted' or ` + heldBack + ") and " + whyNotAlone("s") + " = '{}'"

	// selectSaid selects when each contributor said first what they say.
	selectSaid = `
		select distinct on (contributor, said) said, contributor, received_at, network from submission s
		where ` + says + " and contributor in (" + fromPlace("select contributor from submission s where "+says+`
			and contributor %s $2 group by contributor order by contributor limit $3`) + `)
		order by contributor, said, received_at, network`
)

// agree updates the agreements on registers and returns them. When an agreement changes, agree adds all results with
// these registers to the outbox, except the ones in c.
func agree(ctx context.Context, tx pgx.Tx, c *changes, registers []string) (agreed map[string]string, err error) {
	agreed, err = agreements(ctx, tx, registers)
	if err != nil || len(registers) == 0 {
		return nil, err
	}
	at, err := placeOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	var read, write pgx.Batch
	now := map[string]string{}
	for _, key := range registers {
		read.Queue(selectSaid, key, label(at), saidLimit).Query(func(rows pgx.Rows) error {
			said := map[string]map[string]figure.Arrival{}
			var slug string
			var contributor contributorID
			var first figure.Arrival
			_, err := pgx.ForEachRow(rows, []any{&slug, &contributor, &first.At, (*label)(&first.Network)}, func() error {
				if said[slug] == nil {
					said[slug] = map[string]figure.Arrival{}
				}
				said[slug][string(contributor)] = first
				return nil
			})
			now[key] = submission.Agreed(said)
			return err
		})
	}
	if err := tx.SendBatch(ctx, &read).Close(); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if now[key] == agreed[key] {
			continue
		}
		write.Queue("delete from agreement where registers = $1", key)
		if now[key] != "" {
			write.Queue("insert into agreement (registers, module_slug) values ($1, $2)", key, now[key])
		}
		write.Queue(`
			insert into outbox (submission_id, id, created_at)
			select id, gen_random_uuid(), clock_timestamp() from submission
			where registers = $1 and registers <> '' and state <> 'deleted' and id <> all($2)`, key, c.ids)
	}
	return now, tx.SendBatch(ctx, &write).Close()
}

// agreements returns the agreements on registers.
func agreements(ctx context.Context, tx pgx.Tx, registers []string) (map[string]string, error) {
	return mapOf[string, string](ctx, tx, "select registers, module_slug from agreement where registers = any($1)",
		registers)
}
