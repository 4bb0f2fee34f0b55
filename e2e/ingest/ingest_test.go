// Package ingest tests with real processes that no upload is lost or stored twice, whatever is killed, cut off, full or
// slow. It also measures the upload rate of the server, and of Postgres alone with the same rows.
package ingest

import (
	"flag"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

// root is the checkout; `make build` has put the programs there.
const root = "../.."

var long = flag.Bool("long", false, "at least eight rounds of every fault and a full minute without Postgres, "+
	"which takes a quarter of an hour; ten million results in the benchmarks")

func TestMain(m *testing.M) {
	if dir := os.Getenv(clientDirFromEnv); dir != "" {
		os.Exit(actAsClient(dir, os.Getenv(clientSiteFromEnv), os.Getenv(clientDoesFromEnv)))
	}
	os.Exit(m.Run())
}

// value reads one value from the database, past the server.
func value[T any](t testing.TB, url, query string, args ...any) (v T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func execute(t testing.TB, url, statement string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}
