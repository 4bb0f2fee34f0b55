package archive_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"flashdex/api/archive"
	"flashdex/api/dataset"
	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

var results = flag.Int("results", 50_000, "results in the benchmark")

// seed makes n results of one that was uploaded, with four tests and a real document each, of one module and a quarter as many units.
func (b *bench) seed(n int) {
	b.t.Helper()
	id := b.upload(0, "Turbo", "Raspberry Pi 4 Model B Rev 1.4")
	document, err := os.ReadFile("../../e2e/ingest/testdata/standard.json")
	if err != nil {
		b.t.Fatal(err)
	}
	conn, err := pgx.Connect(b.t.Context(), b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close(b.t.Context())
	const made = `(lpad(to_hex(1700000000000 + i * 3), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid`
	for _, statement := range []struct {
		text string
		args []any
	}{
		{`insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, method, profile, client, host_board, bus_mode,
			unit_tag, module_slug, not_ranked, document, facts_version, figures, host_class, bus_mb_per_s, variant)
			select ` + made + `, contributor, received_at + i * interval '1 s', body_sha256, schema_version, state, state_reason, method, profile, client, host_board, bus_mode,
			md5((i / 4)::text), module_slug, not_ranked, $2, facts_version, figures, host_class, bus_mb_per_s, variant
			from submission, generate_series(1, $3::bigint) i where id = $1`, []any{id, document, n}},
		{`insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s, iops, iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns, cv_percent)
			select ` + made + `, test, case when test like 'rand%' then 4096 else 1048576 end, 1, 'dsync', 'complete', 1 + v * 30, 100 + v * 900, 95 + v * 900, 105 + v * 900, 4.01,
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

// BenchmarkDataset writes a whole snapshot, and streams the table of results beside what psql takes for the same query.
func BenchmarkDataset(b *testing.B) {
	s := start(b)
	s.Now = time.Now
	s.seed(*results)
	if err := s.Update(b.Context()); err != nil {
		b.Fatal(err)
	}
	latest := s.Index().Latest
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(latest.Seconds, "s-snapshot")
	b.ReportMetric(latest.Seconds/float64(latest.Runs)*1e6, "s-per-million-runs")
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	var peak float64
	if _, err := fmt.Sscanf(string(regexp.MustCompile(`VmHWM:\s+\d+`).Find(status)), "VmHWM: %f", &peak); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(peak/1024, "peak-MiB")
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
	for name, format := range map[string]func(io.Writer, *dataset.Table) dataset.Writer{"csv": dataset.NewCSV, "parquet": dataset.NewParquet} {
		ours := rate(func() error {
			return s.store.Dataset(b.Context(), func(_ *index.Snapshot, m index.Moment) error {
				return archive.Stream(dataset.Results, func(do func(*index.Test) error) error { return m.Tests(b.Context(), do) }, format(io.Discard, &dataset.Results.Table))
			})
		})
		b.ReportMetric(ours, "rows/s-"+name)
		b.ReportMetric(ours/psql, name+"/psql")
	}
}
