package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// dirFromEnv makes this test program start a cluster there and then wait to be killed, see
// TestPostgresGoesDownWithItsProgram.
const dirFromEnv = "FLASHDEX_TEST_CLUSTER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirFromEnv); dir != "" {
		c, err := cluster.Start(context.Background(), cluster.Config{Dir: dir, Log: func(string) {}})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(c.URL())
		select {}
	}
	os.Exit(m.Run())
}

func start(t *testing.T, dir string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start(t.Context(), cluster.Config{Dir: dir, Durable: true,
		Log: func(message string) { t.Log(message) }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func query(t *testing.T, url, statement string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), statement).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// temporaryDir is a directory that, like a checkout in root's home, only its owner can enter.
func temporaryDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "private")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if target, err := os.Readlink(filepath.Join(dir, "postgres")); err == nil {
			if err := os.RemoveAll(target); err != nil {
				t.Error(err)
			}
		}
	})
	return filepath.Join(dir, "postgres")
}

func TestDataOutlivesTheServer(t *testing.T) {
	t.Parallel()
	dir := temporaryDir(t)
	c := start(t, dir)
	execute(t, c.URL(), "create table kept as select 'still here' as word")
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	c = start(t, dir)
	if word := query(t, c.URL(), "select word from kept"); word != "still here" {
		t.Errorf("the table holds %q", word)
	}
	if on := query(t, c.URL(), "select setting from pg_settings where name = 'fsync'"); on != "on" {
		t.Errorf("fsync is %s in a durable cluster", on)
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestTwoServersOnOneDirectory(t *testing.T) {
	t.Parallel()
	dir := temporaryDir(t)
	c := start(t, dir)
	if _, err := cluster.Start(t.Context(), cluster.Config{Dir: dir, Log: func(string) {}}); err == nil ||
		!strings.Contains(err.Error(), "postmaster.pid") {
		t.Errorf("a second server started on the same data: %v", err)
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestPostgresGoesDownWithItsProgram(t *testing.T) {
	t.Parallel()
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), dirFromEnv+"="+temporaryDir(t))
	output, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	lines.Scan()
	url := lines.Text()
	postmaster := query(t, url, "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")
	if err := program.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait() // reports the kill
	for range 600 {
		if _, err := os.Stat("/proc/" + postmaster); os.IsNotExist(err) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("Postgres (process %s) still runs after its program was killed", postmaster)
}

// When a program starts, it waits for its predecessor's Postgres to stop. If that hangs, it is stopped without tidying
// up, and no data are lost.
func TestStartWaitsForThePredecessor(t *testing.T) {
	t.Parallel()
	for _, hangs := range []bool{false, true} {
		t.Run(map[bool]string{false: "it stops", true: "it hangs"}[hangs], func(t *testing.T) {
			t.Parallel()
			dir := temporaryDir(t)
			c := start(t, dir)
			execute(t, c.URL(), "create table kept as select 'still here' as word")
			// A smart shutdown waits for this connection, and so lasts as long as the test wants.
			conn, err := pgx.Connect(t.Context(), c.URL())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(t.Context())
			postmaster, err := strconv.Atoi(query(t, c.URL(), "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(postmaster, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			for status := ""; status != "stopping"; {
				const line = "select trim(split_part(pg_read_file('postmaster.pid'), E'\\n', 8))"
				if err := conn.QueryRow(t.Context(), line).Scan(&status); err != nil {
					t.Fatal(err)
				}
			}
			waiting, hanging := make(chan struct{}), make(chan struct{})
			successor := make(chan *cluster.Cluster, 1)
			go func() {
				next, err := cluster.Start(context.WithoutCancel(t.Context()), cluster.Config{Dir: dir, Log: func(said string) {
					if strings.Contains(said, "waiting") {
						close(waiting)
					} else if strings.Contains(said, "hangs") {
						close(hanging)
					}
				}})
				if err != nil {
					t.Error(err)
				}
				successor <- next
			}()
			said := waiting
			if hangs {
				said = hanging
			}
			select {
			case <-said:
			case next := <-successor:
				t.Fatalf("it did not wait: %v", next)
			}
			if !hangs {
				conn.Close(t.Context())
			}
			if next := <-successor; next != nil {
				if word := query(t, next.URL(), "select word from kept"); word != "still here" {
					t.Errorf("the table holds %q", word)
				}
				if err := next.Stop(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// socket is the folder of a cluster's socket.
func socket(t *testing.T, c *cluster.Cluster) string {
	t.Helper()
	config, err := pgx.ParseConfig(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	return config.Host
}

func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// A standby has what the primary has. It takes no writes until it is promoted. A URL of both leads to the one that
// takes writes.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	primary := start(t, temporaryDir(t))
	execute(t, primary.URL(), "create table kept as select 'still here' as word")
	dir := temporaryDir(t)
	standby, err := cluster.Start(t.Context(), cluster.Config{
		Dir: dir, Durable: true, Follows: primary, Log: func(message string) { t.Log(message) },
	})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, primary.URL(), "alter system set synchronous_standby_names = 'standby'")
	execute(t, primary.URL(), "select pg_reload_conf()")
	for query(t, primary.URL(), "select coalesce(max(sync_state), '') from pg_stat_replication") != "sync" {
		time.Sleep(50 * time.Millisecond)
	}
	// The standby has this before it is answered, but need not show it yet; the URL leads to the primary.
	both := "postgres:///flashdex?user=flashdex&target_session_attrs=read-write&host=" +
		socket(t, primary) + "," + socket(t, standby)
	execute(t, both, "set synchronous_commit = remote_apply; insert into kept values ('and this')")
	if n := query(t, standby.URL(), "select count(*)::text from kept"); n != "2" {
		t.Errorf("the standby has %s rows", n)
	}
	if err := primary.Stop(); err != nil {
		t.Fatal(err)
	}
	if promoted := query(t, standby.URL(), "select pg_promote()::text"); promoted != "true" {
		t.Fatal("the standby was not promoted within a minute")
	}
	execute(t, both, "insert into kept values ('more')")
	if n := query(t, standby.URL(), "select count(*)::text from kept"); n != "3" {
		t.Errorf("the promoted standby has %s rows", n)
	}
	if err := standby.Stop(); err != nil {
		t.Fatal(err)
	}
}
