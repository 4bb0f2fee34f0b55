package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/api/submission/copies"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// processorTime returns what this process and the Postgres servers of its connections have used.
func processorTime(b *testing.B, conn *pgx.Conn) time.Duration {
	b.Helper()
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		b.Fatal(err)
	}
	sum := own.Utime.Nano() + own.Stime.Nano()
	rows, _ := conn.Query(b.Context(), "select pid from pg_stat_activity "+
		"where datname = current_database() and backend_type = 'client backend'")
	servers, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		b.Fatal(err)
	}
	for _, server := range servers {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", server))
		var ns int64
		_, _ = fmt.Sscan(string(text), &ns) // it may have gone
		sum += ns
	}
	return time.Duration(sum)
}

// collectAt is after how many bytes the garbage collector runs in a process that holds little.
const collectAt = 4 << 20

// BenchmarkCopies measures what the search for copies adds to an upload among a million results. It measures hashing,
// storing the hashes, and the step of the fold. That step reads and parses the document, makes and searches for its
// keys, reads, parses and compares the documents that share some, and stores the keys. The million results have random
// keys and no document. Some thousand more have documents, and each upload meets as many of them as chance gives it
// among a million. If other programs run, the processor time is more reliable than the other times. Then as many
// results are folded fifty at a time, as a fold does if uploads wait. "each" is the time for one of them.
func BenchmarkCopies(b *testing.B) {
	const results, keysOf, hashesOf, simulated, uploads, atOnce = 1_000_000, 22, 4, 1000, 500, 50
	s, url := open(b)
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	exec := func(statement string, args ...any) {
		b.Helper()
		if _, err := conn.Exec(b.Context(), statement, args...); err != nil {
			b.Fatal(err)
		}
	}
	exec("set synchronous_commit = off")
	exec("set maintenance_work_mem = '1GB'")
	exec(`alter table sketch drop constraint sketch_pkey; drop index sketch_submission;
		alter table sample drop constraint sample_pkey; drop index sample_submission`)
	exec(`insert into sketch (key, submission_id) select hashint8extended(i, k), id
		from (select i, gen_random_uuid() id from generate_series(1, $1::bigint) i) r, generate_series(1, $2::bigint) k`,
		results, keysOf)
	exec(`insert into sample (sha256, submission_id)
		select sha256((i || ' ' || h)::text::bytea), gen_random_uuid()
		from generate_series(1, $1::int) i, generate_series(1, $2::int) h`, results, hashesOf)
	exec("alter table sketch add primary key (key, submission_id)")
	exec("create index sketch_submission on sketch (submission_id)")
	exec("alter table sample add primary key (sha256)")
	exec("create index sample_submission on sample (submission_id)")
	exec("vacuum analyze sketch, sample")
	r := rand.New(rand.NewPCG(7, 8))
	var units []copiestest.Unit
	var stored []string
	next := func() *result.Document { // from an earlier unit or a new one
		if len(units) == 0 || r.IntN(3) > 0 {
			units = append(units, copiestest.NewUnit(r))
		}
		return units[r.IntN(len(units))].Run(r)
	}
	upload := func(doc *result.Document) {
		b.Helper()
		body, err := json.Marshal(doc)
		if err != nil {
			b.Fatal(err)
		}
		added, err := s.AddSubmission(b.Context(), alice, doc, body, evo, accepted, submission.Origin{})
		if !added.New {
			b.Fatal(added, err)
		}
		stored = append(stored, doc.ID)
	}
	fold := func(done func(), ids ...string) {
		b.Helper()
		if err := s.WithTx(b.Context(), pgx.TxOptions{}, func(tx pgx.Tx) error {
			err := store.QuarantineCopies(b.Context(), tx, ids...)
			done() // a fold commits anyway
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	// Among a million results of other units, each simulated result shares a key with 2.3 (TestNoHonestRunIsACopy
	// counts them).
	meet := func(doc *result.Document) {
		keys, _ := copies.SamplesOf(doc).Keys()
		for range min(r.IntN(6), len(keys)) {
			exec("insert into sketch (key, submission_id) values ($1, $2) on conflict do nothing",
				keys[r.IntN(len(keys))], stored[r.IntN(len(stored))])
		}
	}
	measured := measuredRun(b)
	for name, next := range map[string]func() *result.Document{
		"simulated": next,
		"measured":  func() *result.Document { return copiestest.Copy(measured, copiestest.Jitter(0.3), r) },
	} {
		stored = nil
		for range simulated {
			doc := next()
			upload(doc)
			fold(func() {}, doc.ID)
		}
		times := map[string][]float64{}
		var garbage time.Duration // processor time of the garbage collector
		var allocated uint64
		percent := debug.SetGCPercent(-1)
		for range uploads {
			doc := next()
			last := time.Now()
			took := func(step string) {
				times[step] = append(times[step], time.Since(last).Seconds()*1e3)
				last = time.Now()
			}
			hashes := copies.Exact(doc)
			took("hash")
			exec("begin")
			last = time.Now()
			exec(`insert into sample (sha256, submission_id)
				select s, $1::uuid from unnest($2::bytea[]) s`, doc.ID, hashes)
			took("store") // as part of an upload's transaction, which commits anyway
			exec("rollback")
			upload(doc)
			meet(doc)
			var memory [2]runtime.MemStats
			runtime.ReadMemStats(&memory[0])
			before := processorTime(b, conn)
			last = time.Now()
			fold(func() { took("fold") }, doc.ID)
			times["cpu"] = append(times["cpu"], (processorTime(b, conn)-before).Seconds()*1e3)
			runtime.ReadMemStats(&memory[1])
			if allocated += memory[1].TotalAlloc - memory[0].TotalAlloc; allocated >= collectAt {
				before, allocated = processorTime(b, conn), 0
				runtime.GC()
				garbage += processorTime(b, conn) - before
			}
		}
		debug.SetGCPercent(percent)
		for range uploads / atOnce {
			var ids []string
			for range atOnce {
				doc := next()
				upload(doc)
				meet(doc)
				ids = append(ids, doc.ID)
			}
			before, last := processorTime(b, conn), time.Now()
			fold(func() { times["each"] = append(times["each"], time.Since(last).Seconds()*1e3/atOnce) }, ids...)
			times["each-cpu"] = append(times["each-cpu"], (processorTime(b, conn)-before).Seconds()*1e3/atOnce)
		}
		b.ReportMetric(garbage.Seconds()*1e3/uploads, "ms-"+name+"-garbage")
		for i, ms := range times["fold"] {
			times["all"] = append(times["all"], times["hash"][i]+times["store"][i]+ms)
		}
		for step, ms := range times {
			slices.Sort(ms)
			b.ReportMetric(ms[len(ms)/2], "ms-"+name+"-"+step+"-p50")
			b.ReportMetric(ms[len(ms)*99/100], "ms-"+name+"-"+step+"-p99")
		}
		_, probes := copies.SamplesOf(next()).Keys()
		rows, _ := conn.Query(b.Context(), "explain (analyze, buffers, summary off) "+store.SelectOwners, probes)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			b.Fatal(err)
		}
		plan = slices.DeleteFunc(plan, func(line string) bool { return strings.Contains(line, "Index Cond") })
		b.Logf("the search for %d keys:\n%s", len(probes), strings.Join(plan, "\n"))
	}
	var size int64
	if err := conn.QueryRow(b.Context(), `
		select pg_total_relation_size('sketch') + pg_total_relation_size('sample')`).Scan(&size); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(size)/results, "B/result")
	b.ReportMetric(0, "ns/op")
}
