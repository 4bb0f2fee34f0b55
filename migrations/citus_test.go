package migrations_test

import (
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/migrations"

	"github.com/jackc/pgx/v5"
)

// Citus requires the distribution column in every unique index, and allows neither foreign keys between these tables
// nor triggers.
func TestTheSchemaCanBeDistributed(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), clustertest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	migrations.Placed(func(table, column string) {
		var unique, without int
		const ask = `
			select count(*), count(*) filter (where $2 <> '' and not exists (
				select from pg_attribute a where a.attrelid = i.indrelid and a.attname = $2 and a.attnum = any(i.indkey)))
			from pg_index i where i.indrelid = $1::text::regclass and i.indisunique`
		if err := conn.QueryRow(t.Context(), ask, table, column).Scan(&unique, &without); err != nil {
			t.Fatal(err)
		}
		if unique == 0 || without > 0 {
			t.Errorf("%s: %d of %d unique indexes lack the column %s", table, without, unique, column)
		}
	})
	for what, query := range map[string]string{
		"foreign keys": "select count(*) from pg_constraint where contype = 'f'",
		"triggers":     "select count(*) from pg_trigger where not tgisinternal",
	} {
		var n int
		if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil || n > 0 {
			t.Errorf("%d %s (%v)", n, what, err)
		}
	}
}
