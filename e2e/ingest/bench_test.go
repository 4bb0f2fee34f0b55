package ingest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"flashdex/api/store/cluster"
	"flashdex/migrations"
)

// durable starts a Postgres that survives a power cut, as in production.
func durable(t testing.TB, dir string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start(t.Context(), logged(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
		if elsewhere, err := os.Readlink(dir); err == nil {
			_ = os.RemoveAll(elsewhere)
		}
	})
	return c
}

// migrated creates another database in the cluster, with the newest schema.
func migrated(t testing.TB, c *cluster.Cluster, name string) (url string) {
	t.Helper()
	execute(t, c.URL(), "create database "+name)
	url = c.DatabaseURL(name)
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	return url
}

// startUnpublished starts a server that publishes once, to be ready, and then never again, as if another replica did.
func startUnpublished(b *testing.B, url string) *server {
	b.Helper()
	s := startServer(b, b.TempDir(), "--database-url", url)
	execute(b, url, `
		update lease set holder = 'another replica', fence = fence + 1, expires_at = now() + interval '1 day'
		where name = 'publisher'`)
	return s
}

// BenchmarkUploads uploads distinct documents of 14 kB over HTTP. For comparison, pgbench inserts the same rows in one
// statement into the same Postgres, at the same concurrency: the server can't be quicker than that. Everything shares
// the machine's processors.
func BenchmarkUploads(b *testing.B) {
	c := durable(b, filepath.Join(b.TempDir(), "postgres"))
	ours, theirs := migrated(b, c, "uploads"), migrated(b, c, "pgbench")
	s := startUnpublished(b, ours)
	drive(b, s.site, 32, 2*time.Second, freshUpload) // warms up
	for _, connections := range []int{32, 128} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
			readings := map[string][]float64{}
			for range max(b.N, 3) {
				execute(b, c.URL(), "checkpoint")
				server, postgres, generator := cpuSeconds(b, s.pid()), clusterCPU(b, c), cpuSeconds(b, os.Getpid())
				l := drive(b, s.site, connections, benchTime, freshUpload)
				if l.answers[http.StatusCreated] == 0 || len(l.answers) != 1 {
					b.Fatalf("answers by status: %v", l.answers)
				}
				n := float64(l.answers[http.StatusCreated]) / 1e6
				server = (cpuSeconds(b, s.pid()) - server) / n
				postgres = (clusterCPU(b, c) - postgres) / n
				generator = (cpuSeconds(b, os.Getpid()) - generator) / n
				execute(b, c.URL(), "checkpoint")
				peer, peerCPU := pgbench(b, c, theirs, connections)
				for unit, value := range map[string]float64{
					"uploads/s": l.perSecond, "pgbench/s": peer, "uploads/pgbench": l.perSecond / peer,
					"p50-ms": l.p50.Seconds() * 1e3, "p99-ms": l.p99.Seconds() * 1e3,
					"server-CPU-us/upload": server, "postgres-CPU-us/upload": postgres,
					"generator-CPU-us/upload": generator, "pgbench-CPU-us/insert": peerCPU,
					// This would be the ratio if each program had all processors to itself and waited for nothing else.
					"uploads/pgbench-by-CPU": peerCPU / (server + postgres + generator),
				} {
					readings[unit] = append(readings[unit], value)
				}
			}
			b.ReportMetric(0, "ns/op")
			for unit, values := range readings {
				b.ReportMetric(middle(values), unit)
			}
			b.ReportMetric(residentMiB(b, s.pid(), "VmHWM"), "server-peak-MiB")
			b.ReportMetric(bytesPerResult(b, ours), "bytes/result")
		})
	}
}

// clusterCPU returns the processor time that all of Postgres has used since it started.
func clusterCPU(t testing.TB, c *cluster.Cluster) (seconds float64) {
	t.Helper()
	postmaster := value[int](t, c.URL(), `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int`)
	seconds = cpuSeconds(t, postmaster)
	for _, pid := range children(postmaster) {
		seconds += cpuSeconds(t, pid)
	}
	return seconds
}

// bytesPerResult returns the disk space of one result, in tables, indexes and TOAST.
func bytesPerResult(t testing.TB, url string) float64 {
	t.Helper()
	return value[float64](t, url, `
		select sum(pg_total_relation_size(name::regclass))::float8 / (select count(*) from submission)
		from unnest(array['submission', 'measurement', 'submission_event', 'contributor']) name`)
}

var (
	reTPS       = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)
	reProcessed = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
)

// pgbench inserts the rows of uploads for benchTime. It returns the uploads per second, and the microseconds of
// processor time that Postgres and pgbench took for each.
func pgbench(b *testing.B, c *cluster.Cluster, url string, clients int) (perSecond, cpu float64) {
	b.Helper()
	_, body := document()
	before := clusterCPU(b, c)
	ctx, cancel := context.WithTimeout(b.Context(), 10*benchTime)
	defer cancel()
	// JSON without a backslash is its own bytea literal.
	cmd := exec.CommandContext(ctx, postgresProgram(b, "pgbench"), "--no-vacuum", "--protocol=prepared", "--jobs=2",
		"--client="+strconv.Itoa(clients), "--time="+strconv.Itoa(int(benchTime.Seconds())),
		"--define=document="+string(body), "--file=testdata/upload.sql", url)
	output, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("pgbench: %v\n%s", err, output)
	}
	found := reTPS.FindSubmatch(output)
	if found == nil {
		b.Fatalf("pgbench said:\n%s", output)
	}
	tps, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	done := reProcessed.FindSubmatch(output)
	if done == nil {
		b.Fatalf("pgbench said:\n%s", output)
	}
	n, err := strconv.ParseFloat(string(done[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	// The backends have ended. The kernel adds their time to their parent once the parent has reaped them.
	time.Sleep(200 * time.Millisecond)
	own := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return tps, (clusterCPU(b, c) - before + own.Seconds()) / n * 1e6
}

// benchTime is how long one reading of a rate takes.
const benchTime = 6 * time.Second

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkBacklog publishes uploads that waited, and compares that with the rate at which they came. A publisher that
// takes fewer a second than come would never finish.
func BenchmarkBacklog(b *testing.B) {
	c := durable(b, filepath.Join(b.TempDir(), "postgres"))
	url := migrated(b, c, "backlog")
	s := startUnpublished(b, url)
	l := drive(b, s.site, 32, benchTime, freshUpload)
	s.stop(b)
	execute(b, url, "update lease set expires_at = now() where name = 'publisher'")
	start := time.Now()
	run(b, append([]string{"publish", "--data-dir", s.dir, "--database-url", url, "--public-url", "http://localhost"},
		programs...)...)
	b.ReportMetric(float64(l.answers[http.StatusCreated])/time.Since(start).Seconds(), "published/s")
	b.ReportMetric(float64(l.answers[http.StatusCreated])/benchTime.Seconds(), "uploads/s")
	b.ReportMetric(0, "ns/op")
}
