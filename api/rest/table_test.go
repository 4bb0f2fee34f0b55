package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A reader is answered with the table that there is while a newer one takes its time.
func TestNobodyWaitsLongForANewerTable(t *testing.T) {
	t.Parallel()
	b := start(t)
	if a := b.get("/v1/modules"); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	conn, err := pgx.Connect(t.Context(), b.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	time.Sleep(2 * time.Second) // for as long nobody asks
	if _, err := conn.Exec(t.Context(), "begin; lock table publication in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first has it loaded, and the second finds it loading
		if a := b.get("/v1/modules"); a.status != http.StatusOK {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	var waiting int
	err = conn.QueryRow(t.Context(), "select count(*) from pg_locks where not granted and relation = 'publication'::regclass and database = (select oid from pg_database where datname = current_database())").Scan(&waiting)
	if err != nil || waiting != 1 {
		t.Errorf("%d statements are waiting, %v; the newer table should still be loading", waiting, err)
	}
}

// What keeps a newer table from being read is told in the log, and readers are answered as before.
func TestTableThatCannotBeReadIsTold(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.get("/v1/modules")
	conn, err := pgx.Connect(t.Context(), b.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "update publication set folded = folded + 1; alter table module_summary rename column summary to gone"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // for as long nobody asks
	if a := b.get("/v1/modules"); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	if log := b.log.String(); !strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, `column \"summary\" does not exist`) {
		t.Errorf("log:\n%s", log)
	}
}
