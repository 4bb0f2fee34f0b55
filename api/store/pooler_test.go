package store_test

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store/cluster/clustertest"

	"github.com/jackc/pgx/v5"
)

// pooled is set in the program that TestThroughAPooler starts to run the other tests.
const pooled = "FLASHDEX_TEST_POOLED"

func throughPooler() bool { return os.Getenv(pooled) != "" }

// TestThroughAPooler runs all other tests of the store again, in a separate process, through PgBouncer, with the
// settings in docs/operations.md. PgBouncer gives each transaction any of its connections.
func TestThroughAPooler(t *testing.T) {
	t.Parallel()
	if os.Getenv(clustertest.ServerFromEnv) != "" {
		t.Skip("another server is held to the store's tests, or the pooler in this very one")
	}
	pooler := startPooler(t)
	backends := map[int]bool{}
	for range 3 { // sessions, at the same time
		conn, err := pgx.Connect(t.Context(), pooler)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		var backend int
		var timeouts [3]string
		if err := conn.QueryRow(t.Context(), `select pg_backend_pid(), current_setting('statement_timeout'),
			current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')`).
			Scan(&backend, &timeouts[0], &timeouts[1], &timeouts[2]); err != nil {
			t.Fatal(err)
		}
		if want := [3]string{"10s", "5s", "30s"}; timeouts != want {
			t.Errorf("time-outs %v, want %v", timeouts, want)
		}
		backends[backend] = true
	}
	if len(backends) != 1 {
		t.Errorf("three sessions used %d connections, one after the other: this is no pooling by transactions", len(backends))
	}
	suite := exec.CommandContext(t.Context(), os.Args[0], "-test.timeout=15m")
	suite.Env = append(os.Environ(), clustertest.ServerFromEnv+"="+pooler, pooled+"=1")
	if output, err := suite.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// startPooler starts PgBouncer before the tests' Postgres, and returns the URL that leads through it.
func startPooler(t *testing.T) string {
	t.Helper()
	admin, err := pgx.ParseConfig(clustertest.Admin(t))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	settings := filepath.Join(t.TempDir(), "pgbouncer.ini")
	const timeouts = "set statement_timeout = ''10s''; set lock_timeout = ''5s''; " +
		"set idle_in_transaction_session_timeout = ''30s''"
	if err := os.WriteFile(settings, fmt.Appendf(nil, `
[databases]
* = host=%s port=%d user=%s connect_query='%s'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
auth_type = any
max_client_conn = 1000
default_pool_size = 5
server_login_retry = 1
pool_mode = transaction
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`, admin.Host, admin.Port, admin.User, timeouts, port), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // Debian's; not on everybody's PATH
		if _, err := os.Stat(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	args := []string{"--quiet", settings}
	if os.Getuid() == 0 { // it won't run as root, so as the account that Postgres' socket is for
		info, err := os.Stat(admin.Host)
		if err != nil {
			t.Fatal(err)
		}
		owner, err := user.LookupId(strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid)))
		if err != nil {
			t.Fatal(err)
		}
		args = append([]string{"--user=" + owner.Username}, args...)
	}
	pooler := exec.Command(program, args...)
	var said bytes.Buffer
	pooler.Stdout, pooler.Stderr = &said, &said
	if err := pooler.Start(); err != nil {
		t.Fatalf("PgBouncer, which make tools installs: %v", err)
	}
	gone := make(chan error, 1)
	go func() { gone <- pooler.Wait() }()
	t.Cleanup(func() {
		_ = pooler.Process.Kill()
		<-gone
	})
	through := url.URL{
		Scheme: "postgres", User: url.User(admin.User), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: admin.Database,
		RawQuery: "sslmode=disable&default_query_exec_mode=cache_describe",
	}
	for {
		conn, err := pgx.Connect(t.Context(), through.String())
		if err == nil {
			_ = conn.Close(t.Context())
			return through.String()
		}
		select {
		case ended := <-gone:
			gone <- ended
			t.Fatalf("PgBouncer has ended: %v\n%s", ended, said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
