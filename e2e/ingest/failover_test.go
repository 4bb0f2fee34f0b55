package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/publish"
	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// pair is a Postgres and its synchronous standby.
type pair struct {
	primary, standby       *cluster.Cluster
	primaryDir, standbyDir string
	url                    string // leads to the current primary
}

// quiet configures a Postgres that survives a power cut. Its messages are dropped.
func quiet(dir string) cluster.Config {
	return cluster.Config{Dir: dir, Durable: true, Log: func(string) {}}
}

// logged is like quiet, but messages go to the test's log.
func logged(t testing.TB, dir string) cluster.Config {
	return cluster.Config{Dir: dir, Durable: true, Log: func(message string) { t.Log(message) }}
}

// startPair starts a primary and a standby, and migrates the database.
func startPair(t testing.TB) *pair {
	t.Helper()
	p := startPairIn(t, t.TempDir(), t.TempDir())
	run(t, "migrate", "--database-url", p.url)
	return p
}

// startPairIn starts a primary and a standby below two folders, with an empty database.
func startPairIn(t testing.TB, primary, standby string) *pair {
	t.Helper()
	p := &pair{primaryDir: filepath.Join(primary, "postgres"), standbyDir: filepath.Join(standby, "postgres")}
	for _, dir := range []string{p.primaryDir, p.standbyDir} {
		t.Cleanup(func() {
			if elsewhere, err := os.Readlink(dir); err == nil {
				_ = os.RemoveAll(elsewhere)
			}
		})
	}
	var err error
	if p.primary, err = cluster.Start(context.WithoutCancel(t.Context()), quiet(p.primaryDir)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.primary.Stop() }) // fails if the test killed it
	p.standby = p.following(t)
	t.Cleanup(func() {
		if err := p.standby.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := p.awaitStandby(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.url = "postgres:///flashdex?user=flashdex&target_session_attrs=read-write&host="
	for _, c := range []*cluster.Cluster{p.primary, p.standby} {
		config, err := pgx.ParseConfig(c.URL())
		if err != nil {
			t.Fatal(err)
		}
		p.url += config.Host + ","
	}
	p.url = strings.TrimSuffix(p.url, ",")
	p.synchronous(t)
	return p
}

// awaitStandby makes the primary's commits wait for the standby from now on.
func (p *pair) awaitStandby(ctx context.Context) error {
	return p.set(ctx, "synchronous_standby_names = 'standby'")
}

// set changes a setting of the primary.
func (p *pair) set(ctx context.Context, setting string) error {
	conn, err := pgx.Connect(ctx, p.primary.DatabaseURL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "alter system set "+setting)
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_reload_conf()")
	}
	return err
}

// run runs a command of bin/api to its end, and returns its output.
func run(t testing.TB, args ...string) (said string) {
	t.Helper()
	output, err := exec.Command(filepath.Join(root, "bin/api"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("api %s: %v\n%s", args[0], err, output)
	}
	return string(output)
}

// startPublishedServer starts a server that shows an already published site and doesn't publish.
func (p *pair) startPublishedServer(t testing.TB) *server {
	t.Helper()
	dir := t.TempDir()
	run(t, append([]string{"publish", "--data-dir", dir, "--database-url", p.url, "--public-url", "http://localhost"},
		programs...)...)
	return startServer(t, dir, "--no-publish", "--database-url", p.url)
}

// synchronous waits until commits wait for the standby.
func (p *pair) synchronous(t testing.TB) {
	t.Helper()
	eventually(t, "the standby is synchronous", func() bool {
		return value[string](t, p.primary.URL(), "select coalesce(max(sync_state), '') from pg_stat_replication") == "sync"
	})
}

func (p *pair) stopStandby(t testing.TB) {
	t.Helper()
	if err := p.standby.Stop(); err != nil {
		t.Fatal(err)
	}
}

func (p *pair) startStandby(t testing.TB) {
	t.Helper()
	p.standby = p.following(t)
	p.synchronous(t)
}

// following starts a standby of the primary.
func (p *pair) following(t testing.TB) *cluster.Cluster {
	t.Helper()
	config := quiet(p.standbyDir)
	config.Follows = p.primary
	standby, err := cluster.Start(context.WithoutCancel(t.Context()), config)
	if err != nil {
		t.Fatal(err)
	}
	return standby
}

// signalPrimary sends a signal to all processes of the primary.
func (p *pair) signalPrimary(t testing.TB, signal syscall.Signal) {
	t.Helper()
	pid := postmasterOf(p.primaryDir)
	if pid == 0 {
		t.Fatal("the primary doesn't run")
	}
	processes := family(pid)
	if signal != syscall.SIGCONT {
		processes = stop(pid)
	}
	for _, process := range processes {
		_ = syscall.Kill(process, signal) // a process that served a connection may have ended
	}
	if signal == syscall.SIGSTOP {
		t.Cleanup(func() {
			for _, process := range append(children(pid), pid) {
				_ = syscall.Kill(process, syscall.SIGKILL)
			}
		})
	}
}

// TestEverythingIsKilledInTurn runs three servers and two publishers on a primary with a synchronous standby, and kills
// each in turn during uploads. No confirmed upload is lost, and two publishers never publish at the same time.
func TestEverythingIsKilledInTurn(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	shared := t.TempDir()
	var publishers, servers []*server
	for range 2 {
		publishers = append(publishers, supervised(t, t.TempDir(), "worker", "--data-dir", shared,
			"--database-url", p.url, "--public-url", "http://localhost"))
	}
	eventually(t, "the site is published", func() bool { return published(t, publishers) != nil })
	for range 3 {
		servers = append(servers, startServer(t, t.TempDir(), "--no-publish", "--data-dir", shared, "--database-url", p.url))
	}
	uploads := startStream(t, 8, servers...)
	uploads.flows(t, "the start")
	for i, s := range servers {
		s.signal(syscall.SIGKILL)
		uploads.flows(t, fmt.Sprintf("server %d was killed", i+1))
		s.ready(t)
	}
	p.stopStandby(t)
	time.Sleep(2 * time.Second) // so that commits wait
	p.startStandby(t)
	uploads.flows(t, "the standby came back")

	leader := func() *server {
		all := published(t, publishers)
		return publishers[all[len(all)-1].process]
	}
	before := published(t, publishers)
	fence := before[len(before)-1].Fence
	killed := leader()
	killed.signal(syscall.SIGKILL)
	eventually(t, "another publisher has published", func() bool {
		all := published(t, publishers)
		return all[len(all)-1].Fence > fence
	})
	uploads.flows(t, "the publisher was killed")

	p.signalPrimary(t, syscall.SIGKILL)
	p.promote(t, uploads)
	for _, s := range servers {
		s.ready(t)
	}
	complete(t, p.standby.URL(), uploads.end(t, servers[0].site))

	eventually(t, "the site shows every upload", func() bool {
		all := published(t, publishers)
		return value[int](t, p.standby.URL(), "select count(*) from outbox") == 0 &&
			all[len(all)-1].Generation == value[int64](t, p.standby.URL(), "select folded from publication")
	})
	owner := map[int64]int{}
	all := published(t, publishers)
	for i, made := range all {
		if i > 0 && (made.Fence < all[i-1].Fence || made.Generation < all[i-1].Generation) {
			t.Errorf("publication %d: %+v after %+v", i+1, made, all[i-1])
		}
		if process, known := owner[made.Fence]; known && process != made.process {
			t.Errorf("two publishers had the lease with the fence %d", made.Fence)
		}
		owner[made.Fence] = made.process
	}
	if len(owner) < 2 {
		t.Error("no publisher ever took over")
	}
	generation, _, ok := publish.CurrentGeneration(filepath.Join(shared, "site"))
	if want := all[len(all)-1].Generation; !ok || generation != want {
		t.Errorf("the servers show generation %d, the last publication was of %d", generation, want)
	}
	t.Logf("%d publications by holders %v", len(all), owner)
}

// promote makes the standby the primary, waits until it confirms uploads, and returns how long the first took.
func (p *pair) promote(t testing.TB, uploads *stream) time.Duration {
	t.Helper()
	p.promoteStandby(t)
	took := uploads.flows(t, "the standby was promoted")
	t.Logf("the first upload was confirmed %v after the promotion", took)
	return took
}

func (p *pair) promoteStandby(t testing.TB) {
	t.Helper()
	if !value[bool](t, p.standby.DatabaseURL("postgres"), "select pg_promote()") {
		t.Fatal("the standby was not promoted within a minute")
	}
}

// BenchmarkPromotion measures how soon uploads succeed after the standby of a lost primary is promoted. The aim is ten
// seconds.
func BenchmarkPromotion(b *testing.B) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "frozen": syscall.SIGSTOP} {
		b.Run(name, func(b *testing.B) {
			p := startPair(b)
			s := p.startPublishedServer(b)
			uploads := startStream(b, 8, s)
			uploads.flows(b, "the start")
			p.signalPrimary(b, signal)
			took := p.promote(b, uploads)
			complete(b, p.standby.URL(), uploads.end(b, s.site))
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took.Seconds(), "s-after-promotion")
		})
	}
}

// publicationOf is a publication as its publisher logged it.
type publicationOf struct {
	process           int       // index of the publisher
	At                time.Time `json:"time"`
	Msg               string
	Generation, Fence int64
}

// published lists all publications in the order they were made.
func published(t *testing.T, publishers []*server) (all []publicationOf) {
	t.Helper()
	for i, p := range publishers {
		log, err := os.Open(filepath.Join(p.dir, "api.log"))
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		for lines := bufio.NewScanner(log); lines.Scan(); {
			line := publicationOf{process: i}
			if err := json.Unmarshal(lines.Bytes(), &line); err == nil && line.Msg == "published" {
				all = append(all, line)
			}
		}
	}
	slices.SortFunc(all, func(a, b publicationOf) int { return a.At.Compare(b.At) })
	return all
}
