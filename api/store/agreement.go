package store

import (
	"context"
	"maps"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// An agreement is which module units with the same registers are, as several independent contributors say
// (submission.Agreed). Whoever typed or chose a listed module says so, by each result that counts by itself. What rule
// deviates holds back says so too, and so does the second of a network, because both follow from the names of results.
// A result that an agreement named says nothing, so that agreements don't confirm themselves.

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

// agree brings agreements on registers up to date and returns those that there are. If one has changed, results with
// these registers go into the outbox, but for those in c.
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
