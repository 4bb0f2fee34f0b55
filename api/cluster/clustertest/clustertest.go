// Package clustertest gives each test a fresh, migrated database on a real Postgres, started once per test program.
package clustertest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"flashdex/api/cluster"
	"flashdex/migrations"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// serverFromEnv names a server to test on, instead of one that is started here, by a URL that its superuser makes databases
// with: another Postgres, a pooler before one, or Citus.
const serverFromEnv = "FLASHDEX_TEST_DATABASE_URL"

// server is where the tests' databases are.
type server struct {
	url    func(database string) string
	admin  string // the database in which others are made
	prefix string // of the names of databases
}

func (s server) template() string { return s.prefix + "migrated" }

var (
	shared = sync.OnceValues(sharedServer)
	count  atomic.Int64
	// Postgres allows one copy of a template at a time.
	copying sync.Mutex
)

func sharedServer() (s server, err error) {
	ctx := context.Background()
	if outside := os.Getenv(serverFromEnv); outside != "" {
		s, err = outsideServer(ctx, outside)
	} else {
		s, err = startShared(ctx)
	}
	if err != nil {
		return s, err
	}
	if err := s.execute(ctx, "create database "+s.template()); err != nil {
		return s, err
	}
	if err := migrations.Up(ctx, s.url(s.template())); err != nil {
		return s, err
	}
	return s, s.distribute(ctx)
}

// startShared starts the one cluster of this test program. Nothing stops it: it goes down with the program that started
// it, and its directory is removed by the next test program that finds it orphaned.
func startShared(ctx context.Context) (server, error) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "flashdex-cluster-*"))
	for _, dir := range dirs {
		if orphaned(filepath.Base(dir), "flashdex-cluster-%d") {
			_ = os.RemoveAll(dir)
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("flashdex-cluster-%d", os.Getpid()))
	c, err := cluster.Start(ctx, cluster.Config{Dir: dir, Log: func(string) {}})
	if err != nil {
		return server{}, err
	}
	return server{url: c.DatabaseURL, admin: "postgres"}, nil
}

// outsideServer uses a server that runs already, and removes the databases that ended test programs have left there.
func outsideServer(ctx context.Context, given string) (server, error) {
	u, err := url.Parse(given)
	if err != nil {
		return server{}, err
	}
	query := u.Query()
	query.Set("application_name", "flashdex-test") // whoever adds parameters finds some
	s := server{admin: strings.TrimPrefix(u.Path, "/"), prefix: fmt.Sprintf("flashdex_test_%d_", os.Getpid())}
	s.url = func(database string) string {
		of := *u
		of.Path, of.RawQuery = "/"+database, query.Encode()
		return of.String()
	}
	conn, err := pgx.Connect(ctx, s.url(s.admin))
	if err != nil {
		return server{}, err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "select datname from pg_database where datname like 'flashdex\\_test\\_%'")
	if err != nil {
		return server{}, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		if orphaned(name, "flashdex_test_%d_") {
			_, err = conn.Exec(ctx, "drop database if exists "+name+" with (force)")
		}
	}
	return s, err
}

// orphaned reports whether the process that a name tells has ended.
func orphaned(name, format string) bool {
	var pid int
	if _, err := fmt.Sscanf(name, format, &pid); err != nil {
		return false
	}
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return os.IsNotExist(err)
}

// distribute has Citus distribute the tables, if the server has it.
func (s server) distribute(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.url(s.template()))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var citus bool
	if err := conn.QueryRow(ctx, "select current_setting('shared_preload_libraries') like '%citus%'").Scan(&citus); err != nil || !citus {
		return err
	}
	// One node that holds all shards follows the same rules as many.
	if _, err := conn.Exec(ctx, `create extension citus; select citus_set_coordinator_host('localhost', inet_server_port());
		select citus_set_node_property('localhost', inet_server_port(), 'shouldhaveshards', true)`); err != nil {
		return err
	}
	return migrations.Distribute(ctx, s.url(s.template()))
}

// New returns the URL of an empty, migrated database, which is dropped when the test ends.
func New(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("the tests need a Postgres: %v", err)
	}
	ctx := context.Background()
	name := fmt.Sprintf("%stest_%d", s.prefix, count.Add(1))
	copying.Lock()
	err = s.alone(ctx, s.template(), "create database "+name+" template "+s.template())
	copying.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.alone(ctx, name, "drop database "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	return s.url(name)
}

// Admin returns the URL of the database that New makes others with.
func Admin(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s.url(s.admin)
}

// alone executes a statement that needs a database for itself, to which a pooler, or Citus by itself, may still have connections.
func (s server) alone(ctx context.Context, database, statement string) error {
	for {
		err := s.execute(ctx, statement)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "55006" {
			return err
		}
		if err := s.execute(ctx, "select pg_terminate_backend(pid) from pg_stat_activity where datname = '"+database+"'"); err != nil {
			return err
		}
	}
}

func (s server) execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.url(s.admin))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
