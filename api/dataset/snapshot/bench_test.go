package snapshot_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

var results = flag.Int("results", 50_000, "results in the benchmark")

// reNumber finds the numbers of a document that were measured.
var reNumber = regexp.MustCompile(`\d{4,}`)

const variedDocuments = 2000

// seed makes n results from an uploaded one, with four tests and a document each, spread over a year, of one module and
// n/4 units.
func (b *bench) seed(n int) {
	b.t.Helper()
	id := b.upload(0, "Turbo", "Raspberry Pi 4 Model B Rev 1.4")
	document, err := os.ReadFile("../../../e2e/ingest/testdata/standard.json")
	if err != nil {
		b.t.Fatal(err)
	}
	conn, err := pgx.Connect(b.t.Context(), b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close(b.t.Context())
	// Identical documents would take no space, so the second half of each number is made up.
	if _, err = conn.Exec(b.t.Context(), "create table varied (k bigint, document bytea)"); err != nil {
		b.t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	varied := 0
	_, err = conn.CopyFrom(b.t.Context(), pgx.Identifier{"varied"}, []string{"k", "document"},
		pgx.CopyFromFunc(func() ([]any, error) {
			if varied == variedDocuments {
				return nil, nil
			}
			varied++
			return []any{int64(varied - 1), reNumber.ReplaceAllFunc(document, func(number []byte) []byte {
				for k := len(number) / 2; k < len(number); k++ {
					number[k] = '0' + byte(random.IntN(10))
				}
				return number
			})}, nil
		}))
	if err != nil {
		b.t.Fatal(err)
	}
	const made = `(lpad(to_hex(1700000000000 + i * 3), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' ||
		substr(md5(i::text), 4, 15))::uuid`
	for _, statement := range []struct {
		text string
		args []any
	}{
		{`insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, method,
			profile, client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document, facts_version, figures, host_class,
			bus_mb_per_s, variant)
			select ` + made + `, contributor,
			received_at - interval '1 year' + i * (interval '1 year' / $2::bigint), body_sha256,
			schema_version, state, state_reason, method, profile, client, host_board, bus_mode, md5((i / 4)::text), module_slug,
			not_ranked, varied.document, facts_version, figures, host_class, bus_mb_per_s, variant
			from submission, generate_series(1, $2::bigint) i join varied on k = i % $3
			where id = $1`, []any{id, n, variedDocuments}},
		{`insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s, iops,
			iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns, cv_percent)
			select ` + made + `, test, case when test like 'rand%' then 4096 else 1048576 end, 1, 'dsync', 'complete',
			1 + v * 30, 100 + v * 900, 95 + v * 900, 105 + v * 900, 4.01,
			1000000 + i, 9000000 + i, 20000000 + i, 90000000 + i, v * 10
			from generate_series(1, $1::bigint) i, unnest(array['rand-read', 'rand-write', 'seq-read', 'seq-write']) test,
			lateral (select (hashint8(i + length(test))::bigint + 2147483648) / 4294967296.0 as v) speed`, []any{n}},
		{"analyze submission, measurement", nil},
	} {
		if _, err := conn.Exec(b.t.Context(), statement.text, statement.args...); err != nil {
			b.t.Fatal(err)
		}
	}
}

// BenchmarkDataset writes a whole snapshot, and compares streaming the table of results with psql running the same
// query.
func BenchmarkDataset(b *testing.B) {
	s := start(b)
	s.Now = time.Now
	s.seed(*results)
	forgetPeak(b)
	before, postgres := processorSeconds(), s.postgresSeconds()
	if err := s.Update(b.Context()); err != nil {
		b.Fatal(err)
	}
	first := s.Index().Latest
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first.Seconds, "s-first-snapshot")
	b.ReportMetric(processorSeconds()-before, "cpu-s-first-snapshot")
	b.ReportMetric(s.postgresSeconds()-postgres, "postgres-cpu-s-first-snapshot")
	b.ReportMetric(peakMiB(b), "peak-MiB-first-snapshot")
	s.upload(1, "Turbo", "Raspberry Pi 4 Model B Rev 1.4")
	s.Now = func() time.Time { return time.Now().AddDate(0, 0, 2) }
	if _, _, err := s.store.Fold(b.Context()); err != nil { // folds all runs again, because they are one contributor's
		b.Fatal(err)
	}
	forgetPeak(b)
	before, postgres = processorSeconds(), s.postgresSeconds()
	latest := s.update().Latest
	if latest.Runs != first.Runs+1 {
		b.Fatalf("%d runs, after %d", latest.Runs, first.Runs)
	}
	b.ReportMetric(peakMiB(b), "peak-MiB-snapshot")
	b.ReportMetric(latest.Seconds, "s-snapshot")
	b.ReportMetric(processorSeconds()-before, "cpu-s-snapshot")
	b.ReportMetric(s.postgresSeconds()-postgres, "postgres-cpu-s-snapshot")
	b.ReportMetric(latest.Seconds/float64(latest.Runs)*1e6, "s-per-million-runs")
	for _, f := range latest.Files {
		b.Logf("%-24s %9d rows %12d bytes", f.Name, f.Rows, f.Bytes)
	}
	rate := func(do func() error) float64 {
		best := 0.0
		for range 3 {
			start := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			best = max(best, float64(4**results)/time.Since(start).Seconds())
		}
		return best
	}
	psql := rate(func() error {
		cmd := exec.Command("psql", s.url, "-qc", "\\"+string(bytes.ReplaceAll([]byte(exported), []byte("\n"), []byte(" "))))
		return cmd.Run()
	})
	b.ReportMetric(psql, "rows/s-psql")
	for name, format := range map[string]func(io.Writer, *dataset.Table) dataset.Writer{"csv": dataset.NewCSV,
		"ndjson": dataset.NewNDJSON, "parquet": dataset.NewParquet} {
		forgetPeak(b)
		ours := rate(func() error {
			return s.store.Dataset(b.Context(), func(_ *figure.Overview, m figure.Records) error {
				_, err := dataset.Stream(dataset.Results, func(do func(*figure.Test) error) error {
					return m.Tests(b.Context(),
						figure.Filter{}, do)
				}, format(io.Discard, &dataset.Results.Table))
				return err
			})
		})
		b.ReportMetric(peakMiB(b), "peak-MiB-"+name)
		b.ReportMetric(ours, "rows/s-"+name)
		b.ReportMetric(ours/psql, name+"/psql")
	}
}

// forgetPeak gives unused memory back, and resets the peak that the kernel reports for this process.
func forgetPeak(b *testing.B) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Fatal(err)
	}
}

func peakMiB(b *testing.B) (peak float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(regexp.MustCompile(`VmHWM:\s+\d+`).Find(status)), "VmHWM: %f", &peak); err != nil {
		b.Fatal(err)
	}
	return peak / 1024
}

// postgresSeconds returns the processor time of all Postgres processes, including ended ones.
func (b *bench) postgresSeconds() float64 {
	b.t.Helper()
	conn, err := pgx.Connect(b.t.Context(), b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close(b.t.Context())
	var lock string
	if err := conn.QueryRow(b.t.Context(), "select pg_read_file('postmaster.pid')").Scan(&lock); err != nil {
		b.t.Fatal(err)
	}
	postmaster, _, _ := strings.Cut(lock, "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		b.t.Fatal(err)
	}
	ticks := 0
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // a name may contain spaces
		var state, parent string
		var skipped, user, system, usersGone, systemsGone int
		if _, err := fmt.Sscan(rest, &state, &parent, &skipped, &skipped, &skipped, &skipped, &skipped, &skipped,
			&skipped, &skipped, &skipped,
			&user, &system, &usersGone, &systemsGone); err != nil {
			b.t.Fatal(path, err)
		}
		switch {
		case path == "/proc/"+postmaster+"/stat":
			ticks += user + system + usersGone + systemsGone
		case parent == postmaster:
			ticks += user + system
		}
	}
	return float64(ticks) / 100 // a second always has 100 of them
}

// processorSeconds returns the processor time of this process. Unlike the clock, it doesn't depend on what else the
// machine does. It doesn't include Postgres.
func processorSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
