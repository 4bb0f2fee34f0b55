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

	"flashdex/api/store/cluster"
	"flashdex/migrations"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ServerFromEnv names the variable with a server to test on, instead of starting one here. It is the URL of a database
// in which a superuser can make others. The server may be another Postgres, a pooler in front of one, or the
// coordinator of Citus, whose workers the database lists.
const ServerFromEnv = "FLASHDEX_TEST_DATABASE_URL"

// address makes URLs of a server's databases.
type address func(database string) string

// server is the server of the tests' databases.
type server struct {
	nodes  []address // the workers of Citus follow the coordinator, and have databases of the same names
	admin  string    // the database in which others are made
	prefix string    // of the names of databases
}

func (s server) url(database string) string { return s.nodes[0](database) }

func (s server) template() string { return s.prefix + "migrated" }

var (
	shared = sync.OnceValues(sharedServer)
	count  atomic.Int64
	// Postgres allows one copy of a template at a time.
	copying sync.Mutex
)

func sharedServer() (s server, err error) {
	ctx := context.Background()
	if outside := os.Getenv(ServerFromEnv); outside != "" {
		s, err = outsideServer(ctx, outside)
	} else {
		s, err = startShared(ctx)
	}
	if err != nil {
		return s, err
	}
	if err := s.everywhere(ctx, s.admin, "create database "+s.template(), s.template()); err != nil {
		return s, err
	}
	if err := migrations.Up(ctx, s.url(s.template())); err != nil {
		return s, err
	}
	// Most tests are about figures, and not about who may contribute them.
	const confirmed = `alter table contributor alter column confirmed_at set default now(),
		alter column confirmed_by set default 'test'`
	if _, err := query[any](ctx, s.url(s.template()), confirmed); err != nil {
		return s, err
	}
	return s, s.distribute(ctx)
}

// startShared starts the one cluster of this test program. Nothing stops it: it ends with the program, and the next
// test program removes its directory.
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
	return server{nodes: []address{c.DatabaseURL}, admin: "postgres"}, nil
}

// outsideServer uses a running server. It removes databases that ended test programs left there.
func outsideServer(ctx context.Context, given string) (server, error) {
	u, err := url.Parse(given)
	if err != nil {
		return server{}, err
	}
	parameters := u.Query()
	parameters.Set("application_name", "flashdex-test") // whoever adds parameters finds some
	at := func(host string) address {
		return func(database string) string {
			of := *u
			of.Host, of.Path, of.RawQuery = host, "/"+database, parameters.Encode()
			return of.String()
		}
	}
	s := server{
		nodes: []address{at(u.Host)}, admin: strings.TrimPrefix(u.Path, "/"),
		prefix: fmt.Sprintf("flashdex_test_%d_", os.Getpid()),
	}
	workers, err := query[string](ctx, given, "select nodename || ':' || nodeport from pg_dist_node where groupid <> 0")
	if err != nil && sqlState(err) != "42P01" { // undefined_table: it isn't Citus, or stands alone
		return s, err
	}
	for _, host := range workers {
		s.nodes = append(s.nodes, at(host))
	}
	for _, node := range s.nodes {
		const ours = "select datname from pg_database where datname like 'flashdex\\_test\\_%'"
		names, err := query[string](ctx, node(s.admin), ours)
		for _, name := range names {
			if orphaned(name, "flashdex_test_%d_") {
				_, dropErr := query[any](ctx, node(s.admin), "drop database if exists "+name+" with (force)")
				err = errors.Join(err, dropErr)
			}
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// orphaned reports whether the process whose id is in a name has ended.
func orphaned(name, format string) bool {
	var pid int
	if _, err := fmt.Sscanf(name, format, &pid); err != nil {
		return false
	}
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return os.IsNotExist(err)
}

// distribute makes Citus distribute the tables, if the server has it.
func (s server) distribute(ctx context.Context) error {
	template := s.url(s.template())
	citus, err := query[bool](ctx, template, "select current_setting('shared_preload_libraries') like '%citus%'")
	if err != nil || !citus[0] {
		return err
	}
	if err := s.everywhere(ctx, s.template(), "create extension citus", ""); err != nil {
		return err
	}
	statements := []string{"select citus_set_coordinator_host(host(inet_server_addr()), inet_server_port())"}
	for _, worker := range s.nodes[1:] {
		config, err := pgx.ParseConfig(worker(s.template()))
		if err != nil {
			return err
		}
		statements = append(statements, fmt.Sprintf("select citus_add_node('%s', %d)", config.Host, config.Port))
	}
	if len(s.nodes) == 1 { // a single node that holds all shards follows the same rules as many nodes
		statements = append(statements, `select citus_set_node_property(
			host(inet_server_addr()), inet_server_port(), 'shouldhaveshards', true)`)
	}
	for _, statement := range statements {
		if _, err := query[any](ctx, template, statement); err != nil {
			return err
		}
	}
	return migrations.Distribute(ctx, template)
}

// everywhere executes a statement in a database of each node. The statement may require that the database alone has no
// other connections. A pooler, or Citus itself, may still have some, which everywhere ends.
func (s server) everywhere(ctx context.Context, database, statement, alone string) error {
	for _, node := range s.nodes {
		_, err := query[any](ctx, node(database), statement)
		for sqlState(err) == "55006" { // object_in_use
			disconnect := "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + alone + "'"
			if _, err := query[any](ctx, node(database), disconnect); err != nil {
				return err
			}
			_, err = query[any](ctx, node(database), statement)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// New returns the URL of an empty, migrated database, which is dropped when the test ends. Its contributors are
// confirmed from their first upload on, unless the test calls OnProbation. Spread makes them independent.
func New(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("the tests need a Postgres: %v", err)
	}
	ctx := context.Background()
	name := fmt.Sprintf("%stest_%d", s.prefix, count.Add(1))
	copying.Lock()
	err = s.everywhere(ctx, s.admin, "create database "+name+" template "+s.template(), s.template())
	copying.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.everywhere(ctx, s.admin, "drop database "+name+" with (force)", name); err != nil {
			t.Error(err)
		}
	})
	return s.url(name)
}

// As returns the URL of a database for another role.
func As(t testing.TB, database, role string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	if u.User != nil {
		u.User = url.User(role)
	} else {
		parameters := u.Query()
		parameters.Set("user", role)
		u.RawQuery = parameters.Encode()
	}
	return u.String()
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

// sqlState returns the code of an error of Postgres; empty: it is another error.
func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// query executes a statement, and returns its values.
func query[T any](ctx context.Context, url, statement string) ([]T, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}
