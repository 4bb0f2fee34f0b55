package clustertest

import (
	"context"
	"testing"
)

// OnProbation makes new contributors of a database begin on probation, as they do outside tests.
func OnProbation(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, "alter table contributor alter column confirmed_at drop default, "+
		"alter column confirmed_by set default ''")
}

// Spread ends the probation of all contributors and makes them independent. It moves each contributor's results to a
// separate day, on which their network has another label. The next fold takes the results.
func Spread(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `
		with confirmed as (
			update contributor set confirmed_at = now(), confirmed_by = 'test' where confirmed_at is null
		), days as (
			select contributor, row_number() over (order by contributor) as back
			from submission where state <> 'deleted' group by contributor
		), moved as (
			update submission s set received_at = received_at - make_interval(days => back::integer),
				network = case network when '' then network else s.contributor end
			from days where days.contributor = s.contributor returning s.id)
		insert into outbox (submission_id, id, created_at) select id, gen_random_uuid(), now() from moved`)
}

func execute(t testing.TB, databaseURL, statement string) {
	t.Helper()
	if _, err := query[any](context.Background(), databaseURL, statement); err != nil {
		t.Fatal(err)
	}
}
