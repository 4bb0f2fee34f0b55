package ingest

import (
	"bytes"
	"flag"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
)

var results = flag.Int("results", 0, "stored results in BenchmarkManyResults; 0: 200,000, or ten million with -long")

// seedChunk is the number of results that one statement makes.
const seedChunk = 500_000

// modules is the number of modules that the results belong to. A few modules are popular: the first has a twentieth of
// all results, and an eighth of the modules have half of them.
var modules = flag.Int("modules", 10_000, "modules in BenchmarkManyResults")

// seed puts n results into the database: four runs of each unit, of *modules modules and 200,000 contributors, with the
// figures of four tests each. The documents have 30 bytes, because ten million real ones would take 80 GB. Only GET of
// one result reads documents, and Postgres keeps real ones outside of the table's own pages. Ids rise like clients' ids
// (UUID version 7).
func seed(b *testing.B, url string, n int) {
	b.Helper()
	execute(b, url, `
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
		select 'seeded-' || i, 'Seeded', 'Module ' || i, 32, 'microsd', '{}', 'published', true
		from generate_series(0, $1 - 1) i`, *modules)
	execute(b, url, `
		insert into contributor select sha256(('contributor ' || i)::bytea), now() from generate_series(0, 199999) i`)
	const pick = `
		select i, i % $3 as unit,
			(lpad(to_hex(1700000000000 + i * 3), 12, '0') || '7' || substr(md5(i::text), 1, 3)
				|| '8' || substr(md5(i::text), 4, 15))::uuid as id
		from generate_series($1::bigint, $2::bigint) i`
	indexes := withoutIndexes(b, url, "submission", "measurement")
	units := max(n/4, 1)
	for first := 0; first < n; first += seedChunk {
		last := min(first+seedChunk, n) - 1
		execute(b, url, `
			insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason,
				method, profile, client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document, facts_version,
				figures, host_class, bus_mb_per_s, variant)
			select id, sha256(('contributor ' || unit * 7919 % 200000)::bytea),
				'2025-01-01'::timestamptz + i * interval '3 s', sha256(i::text::bytea), 1, 'accepted', '',
				'flashdex-1', 'standard', 'flashdex 0.1.0', 'Raspberry Pi 4 Model B Rev 1.4', 'sd high-speed',
				md5(unit::text),
				'seeded-' || floor($4 * power((hashint8(unit)::bigint + 2147483648) / 4294967296.0, 3))::int, '{}',
				'{"schema_version":1,"short":1}', $5,
				array[100 + v * 900, 200 + v * 1900, 10 + v * 30, 20 + v * 60, 9 - v, 90, 20 - v, 10 + v, 5 + v, 'NaN', 100],
				'pi-4', 50, md5((unit % 3)::text)
			from (`+pick+`) p, lateral (select (hashint8(i * 31)::bigint + 2147483648) / 4294967296.0 as v) speed`,
			first, last, units, *modules, figure.FactsVersion)
		execute(b, url, `
			insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s,
				iops, iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns)
			select id, test, case when random then 4096 else 1048576 end, 1, 'dsync', 'complete', 1 + v * 30,
				case when random then 100 + v * 900 end, case when random then 95 + v * 900 end,
				case when random then 105 + v * 900 end,
				case when random then 4.01 end, 1000000, 9000000, 20000000, 90000000
			from (`+pick+`) p,
				unnest(array['seq-write', 'seq-read', 'rand-write', 'rand-read'], array[false, false, true, true])
					t (test, random),
				lateral (select (hashint8(unit + length(test))::bigint + 2147483648) / 4294967296.0 as v) speed`,
			first, last, units)
	}
	for _, again := range indexes {
		execute(b, url, "set maintenance_work_mem = '512MB'; "+again)
	}
	execute(b, url, "vacuum analyze submission, measurement, contributor, module")
}

// withoutIndexes drops the indexes of tables, and returns the statements that make them again. Making an index at the
// end is quicker than updating it row by row.
func withoutIndexes(b *testing.B, url string, tables ...string) []string {
	b.Helper()
	drop := value[string](b, url, `
		select string_agg(case when p.oid is null then 'drop index ' || i.indexname
			else 'alter table ' || i.tablename || ' drop constraint ' || i.indexname end, '; ')
		from pg_indexes i left join pg_constraint p on p.conname = i.indexname and p.contype = 'p'
		where i.tablename = any($1)`, tables)
	again := value[[]string](b, url, `
		select array_agg(case when p.oid is null then i.indexdef
			else 'alter table ' || i.tablename || ' add ' || pg_get_constraintdef(p.oid) end)
		from pg_indexes i left join pg_constraint p on p.conname = i.indexname and p.contype = 'p'
		where i.tablename = any($1)`, tables)
	execute(b, url, drop)
	return again
}

// BenchmarkManyResults uploads in turn to an empty database and to one with many results, lists modules, runs the
// publisher's steps, and measures how long contributors wait until their module's page shows their upload.
func BenchmarkManyResults(b *testing.B) {
	n := *results
	if n == 0 {
		if n = 200_000; *long {
			n = 10_000_000
		}
	}
	c := durable(b, filepath.Join(b.TempDir(), "postgres"))
	empty, full := migrated(b, c, "few"), migrated(b, c, "many")
	few, many := startUnpublished(b, empty), startUnpublished(b, full)
	start := time.Now()
	seed(b, full, n)
	b.Logf("%d results were made in %v", n, time.Since(start).Round(time.Second))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(bytesPerResult(b, full), "bytes/short-result")

	var ratios, rates []float64
	for _, s := range []*server{few, many} {
		drive(b, s.site, 32, 2*time.Second, freshUpload) // warms up
	}
	for range max(b.N, 5) {
		execute(b, c.URL(), "checkpoint")
		before := drive(b, few.site, 32, benchTime, freshUpload)
		execute(b, c.URL(), "checkpoint")
		after := drive(b, many.site, 32, benchTime, freshUpload)
		for _, l := range []load{before, after} {
			if len(l.answers) != 1 || l.answers[http.StatusCreated] == 0 {
				b.Fatalf("answers by status: %v", l.answers)
			}
		}
		rates, ratios = append(rates, after.perSecond), append(ratios, after.perSecond/before.perSecond)
	}
	b.ReportMetric(middle(rates), "uploads/s")
	b.ReportMetric(middle(ratios), "uploads-many/few")
	b.ReportMetric(residentMiB(b, many.pid(), "VmHWM"), "server-peak-MiB")
	publisher(b, full)
	list := []byte("GET /v1/modules HTTP/1.1\r\nHost: localhost\r\n\r\n")
	l := drive(b, many.site, 32, benchTime, func() []byte { return list })
	if len(l.answers) != 1 || l.answers[http.StatusOK] == 0 {
		b.Fatalf("answers to GET /v1/modules by status: %v", l.answers)
	}
	b.ReportMetric(l.perSecond, "lists/s")
	b.ReportMetric(l.p50.Seconds()*1e3, "list-p50-ms")
	b.ReportMetric(l.p99.Seconds()*1e3, "list-p99-ms")
	for _, s := range []*server{few, many} {
		s.stop(b)
	}
	visible(b, many.dir, full)
}

// visible measures a server that publishes all modules of a database: the time from its start until all pages are
// there, and from an upload until the page of its module shows it.
func visible(b *testing.B, dir, url string) {
	execute(b, url, "update lease set expires_at = now() where name = 'publisher'")
	// A server writes the data set for at most a twentieth of the time. Here it would write it all the time.
	execute(b, url, `insert into lease (name, holder, fence, expires_at)
		values ('dataset', 'another replica', 1, now() + interval '1 day')
		on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`)
	start := time.Now()
	s := startServer(b, dir, "--database-url", url)
	b.ReportMetric(time.Since(start).Seconds(), "s-all-pages")
	var took []float64
	for range 5 {
		id, body := document()
		start := time.Now()
		if status := send(b, s.site, uploadRequest(secretOf(0), id, body)); status != http.StatusCreated {
			b.Fatalf("an upload: %d", status)
		}
		slug := value[string](b, url, "select module_slug from submission where id = $1", id)
		eventually(b, "the module's page shows "+id, func() bool {
			answer, err := http.Get(s.site + "/modules/" + slug + "/")
			if err != nil {
				return false
			}
			defer answer.Body.Close()
			page, err := io.ReadAll(answer.Body)
			return err == nil && bytes.Contains(page, []byte(id))
		})
		took = append(took, time.Since(start).Seconds())
	}
	b.Logf("seconds from an upload until it is on its module's page: %.1f", took)
	b.ReportMetric(middle(took), "s-visible")
	b.ReportMetric(residentMiB(b, s.pid(), "VmHWM"), "publishing-server-peak-MiB")
}

// publisher measures the database steps of a publication, and the memory of this process.
func publisher(b *testing.B, url string) {
	s, err := store.Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	start := time.Now()
	taken, _, err := s.Fold(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d uploads were folded in %v", taken, time.Since(start))
	b.ReportMetric(time.Since(start).Seconds()/float64(taken)*1e3, "ms-fold/upload")
	for _, rules := range []string{"unit", "summary"} {
		execute(b, url, "update publication set "+rules+"_version = 0")
		start = time.Now()
		if _, _, err := s.Fold(b.Context()); err != nil {
			b.Errorf("computing every %s again: %v after %v", rules, err, time.Since(start))
		}
		b.ReportMetric(time.Since(start).Seconds(), "s-every-"+rules)
	}
	// Fold one upload of a very popular, a popular and a rare module. The vacuum removes the traces of the steps above,
	// which a server wouldn't have.
	execute(b, url, "vacuum analyze unit, module_summary")
	for name, module := range map[string]string{
		"most-measured": "seeded-0", "much-measured": "seeded-9", "least-measured": "seeded-9999",
	} {
		var took []float64
		for range 5 {
			execute(b, url, `insert into outbox select id, id, now() from submission
				where module_slug = (select min(module_slug) from submission where module_slug >= $1) limit 1`, module)
			start := time.Now()
			if taken, _, err := s.Fold(b.Context()); err != nil || taken != 1 {
				b.Fatal(taken, err)
			}
			took = append(took, time.Since(start).Seconds()*1e3)
		}
		b.ReportMetric(middle(took), "ms-fold-one-of-"+name)
	}
	start = time.Now()
	if _, err := s.Overview(b.Context()); err != nil {
		b.Error(err)
	}
	b.ReportMetric(time.Since(start).Seconds(), "s-overview")
	read := 0
	start = time.Now()
	if err := s.Snapshot(b.Context(), func(snapshot *figure.Overview, results submission.Results) error {
		b.ReportMetric(time.Since(start).Seconds(), "s-snapshot")
		start = time.Now()
		slugs := slices.Collect(maps.Keys(snapshot.Touched))
		err := results.Newest(b.Context(), slugs, 50, func(_ string, newest []submission.Submission) error {
			read += len(newest)
			return nil
		})
		b.ReportMetric(time.Since(start).Seconds(), "s-newest-50-of-each")
		return err
	}); err != nil {
		b.Error(err)
	}
	b.ReportMetric(residentMiB(b, os.Getpid(), "VmHWM"), "publisher-peak-MiB")
}
