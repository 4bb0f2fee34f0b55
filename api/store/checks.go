package store

import (
	"context"

	"flashdex/api/figure"
	"flashdex/result/sign"

	"github.com/jackc/pgx/v5"
)

// selectChecks counts the units of whose capacity somebody checked enough, by module and whatever method: a summary is
// of one method, and a contributor may have checked some units by one and others by another. The newest such check of a
// unit decides, and where no tag tells units apart, each finding stands. Only a check of the capacity makes a unit
// almost certainly another one. The condition on the evidence is the same as the index's.
var selectChecks = `
	with checked as (
		select ` + currentSlug + ` as slug, s.contributor as sender, coalesce(s.unit_tag, '') as tag, s.received_at, s.id,
			'` + string(sign.AlmostCertain) + `' = any (s.evidence) as lacks
		from submission s ` + joinAlias + `
		where s.state = 'accepted' and '` + figure.EvidenceCapacityChecked + `' = any (s.evidence) and ` + heard("s") + `),
	one as (
		select slug, sender, case tag when '' then bool_or(lacks)
			else (array_agg(lacks order by received_at desc, id desc))[1] end as lacks
		from checked group by slug, sender, tag)
	select slug, count(*), count(*) filter (where lacks), count(distinct sender),
		count(distinct sender) filter (where lacks)
	from one group by slug`

func checks(ctx context.Context, tx pgx.Tx) (map[string]figure.Checks, error) {
	rows, _ := tx.Query(ctx, selectChecks)
	of := map[string]figure.Checks{}
	var slug string
	var c figure.Checks
	_, err := pgx.ForEachRow(rows, []any{&slug, &c.Units, &c.Lacking, &c.Contributors, &c.FoundBy}, func() error {
		of[slug] = c
		return nil
	})
	return of, err
}
