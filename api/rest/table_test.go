package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// While a newer table is loading, readers get the current one.
func TestNobodyWaitsLongForANewerTable(t *testing.T) {
	t.Parallel()
	b := start(t)
	if a := b.get("/v1/modules"); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	conn := b.connect()
	time.Sleep(2 * time.Second) // nobody asks for that long
	if _, err := conn.Exec(t.Context(), "begin; lock table publication in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first one starts loading, and the second one finds it loading
		if a := b.get("/v1/modules"); a.status != http.StatusOK {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	b.eventually("one statement waits, for the newer table is still loading",
		func() bool { return waiting(t, conn, "publication") == 1 })
}

// The log says why a newer table can't be read, and readers get the same answers as before.
func TestTableThatCannotBeReadIsTold(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.get("/v1/modules")
	conn := b.connect()
	const spoil = "update publication set folded = folded + 1; alter table module_summary rename column summary to gone"
	if _, err := conn.Exec(t.Context(), spoil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // nobody asks for that long
	if a := b.get("/v1/modules"); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	b.eventually("the log tells why", func() bool {
		log := b.log.String()
		return strings.Contains(log, `"level":"ERROR"`) && strings.Contains(log, `column \"summary\" does not exist`)
	})
}
