package migrations_test

import (
	"sync"
	"testing"

	"flashdex/api/cluster/clustertest"
	"flashdex/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

func TestManyServersMigrateAtOnce(t *testing.T) {
	t.Parallel()
	url := clustertest.New(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "drop schema public cascade; create schema public"); err != nil {
		t.Fatal(err)
	}
	var servers sync.WaitGroup
	for range 4 {
		servers.Go(func() {
			if err := migrations.Up(t.Context(), url); err != nil {
				t.Error(err)
			}
		})
	}
	servers.Wait()
	rows, err := conn.Query(t.Context(), "select version_id from goose_db_version where version_id > 0 order by id")
	if err != nil {
		t.Fatal(err)
	}
	applied, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1}, applied); diff != "" {
		t.Errorf("migrations applied (-want +got):\n%s", diff)
	}
}
