package rest_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/rest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/parquet-go/parquet-go"
)

// stocked starts a server with n results for each of three examples, one per day from 2026-01-01 on. It also returns a
// connection to the database.
func stocked(t *testing.T, n int, change ...func(*rest.Config)) (*bench, *pgx.Conn) {
	t.Helper()
	b := start(t, change...)
	for _, name := range []string{"sd-card", "cf-card", "reference"} {
		body, err := os.ReadFile("../../result/testdata/valid/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ ID string }
		if err := json.Unmarshal(body, &d); err != nil {
			t.Fatal(err)
		}
		b.do(b.upload(d.ID, body)).json(t, http.StatusCreated)
	}
	conn := b.connect()
	const copied = "md5(i::text || id::text)::uuid"
	for _, statement := range []string{
		"update submission set state = 'accepted'",
		fmt.Sprintf(`insert into submission (id, contributor, received_at, body_sha256, schema_version, state,
			state_reason, method, profile, client, host_board, bus_mode,
			unit_tag, module_slug, not_ranked, document, facts_version, figures, host_class, bus_mb_per_s, variant)
			select %s, contributor, '2026-01-01 00:00Z'::timestamptz + i * interval '1 day', body_sha256,
				schema_version, state, state_reason, method, profile, client, host_board, bus_mode,
			unit_tag, module_slug, not_ranked, document, facts_version, figures, host_class, bus_mb_per_s, variant
			from submission, generate_series(0, %d) i`, copied, n-1),
		fmt.Sprintf(`insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s,
			iops, iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns, cv_percent)
			select %s, test, block_bytes, queue_depth, sync, ended, mb_per_s + i,
				iops, iops_low, iops_high, kib_per_op, p50_ns, p99_ns, p999_ns, max_ns, cv_percent
			from (select *, submission_id as id from measurement) m, generate_series(0, %d) i`, copied, n-1),
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	b.fold()
	return b, conn
}

// rowsOf reads a table with its head.
func rowsOf(t *testing.T, text []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestExportsArePicked(t *testing.T) {
	t.Parallel()
	b, conn := stocked(t, 40)
	whole := rowsOf(t, b.get("/v1/results.csv").body)
	column := func(row []string, name string) string { return row[slices.Index(whole[0], name)] }
	if len(whole) < 300 {
		t.Fatalf("%d rows", len(whole))
	}
	vendors, forms := map[string]string{}, map[string]string{}
	found, err := conn.Query(t.Context(), "select slug, vendor, form from module")
	if err != nil {
		t.Fatal(err)
	}
	var slug, vendor, form string
	if _, err := pgx.ForEachRow(found, []any{&slug, &vendor, &form},
		func() error { vendors[slug], forms[slug] = vendor, form; return nil }); err != nil {
		t.Fatal(err)
	}
	middle, module := column(whole[len(whole)/2], "result"), column(whole[1], "module")
	for query, is := range map[string]func(row []string) bool{
		"module=" + module:         func(row []string) bool { return column(row, "module") == module },
		"vendor=sandisk":           func(row []string) bool { return vendors[column(row, "module")] == "SanDisk" },
		"form=cf":                  func(row []string) bool { return forms[column(row, "module")] == "cf" },
		"form=usb":                 func([]string) bool { return false },
		"vendor=Transcend&form=cf": func(row []string) bool { return vendors[column(row, "module")] == "Transcend" },
		"method=altechnative-2012": func(row []string) bool { return column(row, "method") == "altechnative-2012" },
		"metric=rand-write":        func(row []string) bool { return column(row, "test") == "rand-write" },
		"since=2026-01-10":         func(row []string) bool { return column(row, "date") >= "2026-01-10" },
		"until=2026-01-10":         func(row []string) bool { return column(row, "date") <= "2026-01-10" },
		"from=" + middle:           func(row []string) bool { return column(row, "result") >= middle },
		"since=2026-01-10&until=2026-01-20&metric=seq-read&form=microsd&from=" + middle: func(row []string) bool {
			date := column(row, "date")
			return date >= "2026-01-10" && date <= "2026-01-20" && column(row, "test") == "seq-read" &&
				forms[column(row, "module")] == "microsd" && column(row, "result") >= middle
		},
	} {
		want := [][]string{whole[0]}
		for _, row := range whole[1:] {
			if is(row) {
				want = append(want, row)
			}
		}
		if got := rowsOf(t, b.get("/v1/results.csv?"+query).body); cmp.Diff(want, got) != "" || query != "form=usb" &&
			len(got) < 2 || len(got) == len(whole) {
			t.Errorf("%s: %d rows, want %d of %d", query, len(got), len(want), len(whole))
		}
		lines := bytes.Split(bytes.TrimSuffix(b.get("/v1/results.ndjson?"+query).body, []byte("\n")), []byte("\n"))
		for i, row := range want[1:] {
			var object map[string]any
			if len(lines) != len(want)-1 || json.Unmarshal(lines[i], &object) != nil {
				t.Fatalf("%s: %d lines, want %d: %s", query, len(lines), len(want)-1, lines[0])
			}
			for k, name := range whole[0] {
				if got, ok := object[name]; ok != (row[k] != "") || ok && strings.TrimPrefix(row[k], "'") != fmt.Sprint(got) &&
					!strings.ContainsAny(fmt.Sprint(got), "e.") {
					t.Fatalf("%s: %s is %v as NDJSON and %q as CSV", query, name, got, row[k])
				}
			}
		}
		file := b.get("/v1/results.parquet?" + query).body
		if read, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file))); err != nil ||
			read.NumRows() != int64(len(want)-1) {
			t.Errorf("%s: Parquet: %v, want %d rows", query, err, len(want)-1)
		}
	}
	for _, query := range []string{"module=none-such", "vendor=None", "form=floppy", "method=guess", "metric=write",
		"limit=0", "limit=1000001", "limit=ten", "since=yesterday", "until=2026-13-01", "from=1", "modul=x",
		"form=sd&form=cf"} {
		name, _, _ := strings.Cut(query, "=")
		a := b.get("/v1/results.csv?" + query)
		if p := a.problem(t, http.StatusUnprocessableEntity, "bad-request"); !strings.Contains(p.Detail,
			strings.TrimPrefix(name, "modul")) || a.header.Get("Content-Disposition") != "" {
			t.Errorf("%s is answered %d: %s", query, a.status, a.body)
		}
	}
}

// However much of a table arrived, the rest can be requested.
func TestExportGoesOnWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	b, _ := stocked(t, 10)
	first := b.get("/v1/results.csv")
	whole := string(first.body)
	head, _, _ := strings.Cut(whole, "\r\n")
	for cut := len(head) + 1000; cut < len(whole); cut += 997 {
		lines := strings.SplitAfter(whole[:cut], "\r\n")
		lines = lines[:len(lines)-1] // the last line arrived in part
		id, _, _ := strings.Cut(lines[len(lines)-1], ",")
		kept := slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, id+",") })
		rest := b.get("/v1/results.csv?from=" + id)
		if rest.header.Get("ETag") != first.header.Get("ETag") || first.header.Get("ETag") == "" {
			t.Fatalf("ETags %q and %q", first.header.Get("ETag"), rest.header.Get("ETag"))
		}
		if strings.Join(kept, "")+strings.TrimPrefix(string(rest.body), head+"\r\n") != whole {
			t.Fatalf("cut at %d, both parts are not the whole", cut)
		}
	}
	again := b.request(http.MethodGet, "/v1/results.csv", nil)
	again.Header.Set("If-None-Match", first.header.Get("ETag"))
	if a := b.do(again); a.status != http.StatusNotModified || len(a.body) > 0 {
		t.Errorf("what the reader has is answered %d, %d bytes", a.status, len(a.body))
	}
	// A result that waits for a fold is in the table, but not in the generation.
	id, body := fresh(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	a := b.do(again)
	if a.status != http.StatusOK || a.header.Get("ETag") != "" || !strings.Contains(string(a.body), id) {
		t.Errorf("with an upload that waits: %d, ETag %q", a.status, a.header.Get("ETag"))
	}
}

// A table can be read in pages. Each page is a file of its own, and all pages together are the whole table.
func TestExportComesInPages(t *testing.T) {
	t.Parallel()
	b, _ := stocked(t, 10)
	for _, query := range []string{"", "metric=rand-write&since=2026-01-03&until=2026-01-09"} {
		whole := rowsOf(t, b.get("/v1/results.csv?"+query).body)
		const limit = 7
		got, rows, pages := whole[:1], int64(0), 0
		for next := "/v1/results.csv?" + query + "&limit=7"; next != ""; pages++ {
			a := b.get(next)
			page := rowsOf(t, a.body)
			results := map[string]bool{}
			for _, row := range page[1:] {
				results[row[0]] = true
			}
			link := a.header.Get("Link")
			if len(results) > limit || link != "" && len(results) < limit {
				t.Fatalf("%s: %d results, want %d; next: %s", next, len(results), limit, link)
			}
			got = append(got, page[1:]...)
			file := b.get(strings.Replace(next, ".csv", ".parquet", 1))
			read, err := parquet.OpenFile(bytes.NewReader(file.body), int64(len(file.body)))
			if err != nil || read.NumRows() != int64(len(page)-1) {
				t.Fatalf("%s as Parquet: %v, want %d rows", next, err, len(page)-1)
			}
			rows += read.NumRows()
			if file.header.Get("Link") != strings.Replace(link, ".csv", ".parquet", 1) {
				t.Fatalf("next of Parquet %s, of CSV %s", file.header.Get("Link"), link)
			}
			if next = ""; link != "" {
				var isNext bool
				if next, isNext = strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`); !isNext {
					t.Fatalf("Link %s", link)
				}
			}
		}
		if diff := cmp.Diff(whole, got); diff != "" || pages < 3 || rows != int64(len(whole)-1) {
			t.Errorf("%q: %d pages with %d rows (-want +got):\n%s", query, pages, rows, diff)
		}
	}
}

// begin asks for a table and reads the beginning of it.
func (b *bench) begin(ctx context.Context, name, sender string) *http.Response {
	b.t.Helper()
	request := b.request(http.MethodGet, "/v1/"+name, nil).WithContext(ctx)
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("X-Forwarded-For", sender)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = response.Body.Close() })
	if _, err := io.ReadFull(response.Body, make([]byte, 100)); err != nil {
		b.t.Fatal(err)
	}
	return response
}

// exportable reports whether a sender may begin an export.
func (b *bench) exportable(sender string) bool {
	b.t.Helper()
	request := b.request(http.MethodGet, "/v1/results.csv?limit=1", nil)
	request.Header.Set("X-Forwarded-For", sender)
	return b.do(request).status == http.StatusOK
}

func TestExportEndsWhenItsReaderIsGone(t *testing.T) {
	t.Parallel()
	b, _ := stocked(t, 8000, trustful) // more than a connection buffers
	for _, name := range []string{"results.csv", "results.parquet", "results.ndjson"} {
		ctx, leave := context.WithCancel(t.Context())
		response := b.begin(ctx, name, "192.0.2.1")
		if name != "results.parquet" && b.exportable("192.0.2.1") {
			t.Errorf("%s: two exports of one address are under way", name)
		}
		leave()
		_ = response.Body.Close()
		b.eventually("nothing is under way without a reader", func() bool { return b.exportable("192.0.2.1") })
	}
}

// Readers who stop reading hold no database connection. They only take up exports of their own networks.
func TestSlowReadersOfExportsHoldNothingOfOthers(t *testing.T) {
	t.Parallel()
	b, conn := stocked(t, 8000, trustful)
	slow := []string{"192.0.2.1", "192.0.2.2", "192.0.3.1", "192.0.4.1", "2001:db8::1", "2001:db8:1::1", "2001:db8:2::1"}
	for _, sender := range slow {
		b.begin(t.Context(), "results.csv", sender)
	}
	b.eventually("nobody who doesn't read has a transaction", func() bool {
		var running int
		err := conn.QueryRow(t.Context(), `select count(*) from pg_stat_activity where datname = current_database()
			and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null`).Scan(&running)
		if err != nil {
			t.Fatal(err)
		}
		return running == 0
	})
	refused := func(sender string, status int, kind string) {
		t.Helper()
		request := b.request(http.MethodGet, "/v1/results.csv", nil)
		request.Header.Set("X-Forwarded-For", sender)
		a := b.do(request)
		if a.status != status {
			t.Fatalf("another export of %s: %d, want %d", sender, a.status, status)
		}
		a.problem(t, status, kind)
	}
	refused("192.0.2.1", http.StatusTooManyRequests, "too-many") // the same address
	refused("192.0.2.3", http.StatusTooManyRequests, "too-many") // a third one of an organization
	refused("192.0.5.1", http.StatusTooManyRequests, "too-many") // a fifth one of a provider
	if !b.exportable("198.51.100.1") {
		t.Error("another network may not read")
	}
	request := b.request(http.MethodGet, "/v1/results.csv", nil)
	request.Header.Set("X-Forwarded-For", "198.51.100.1")
	var stored int
	if err := conn.QueryRow(t.Context(), "select count(*) from measurement").Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if rows := rowsOf(t, b.do(request).body); len(rows)-1 != stored {
		t.Errorf("%d rows, want %d", len(rows)-1, stored)
	}
	b.begin(t.Context(), "results.csv", "2001:db9::1")
	refused("198.51.100.1", http.StatusServiceUnavailable, "unavailable")
}

// A reader who keeps reading slowly is cut off when the time of an export is up, and a reader who doesn't read long
// before that.
func TestExportEndsWhenItsTimeIsUp(t *testing.T) {
	t.Parallel()
	const timeout = 20 * time.Second
	b, _ := stocked(t, 8000, trustful, func(c *rest.Config) { c.Limits.ExportTimeout = timeout })
	begun := time.Now()
	steady := b.begin(t.Context(), "results.csv", "192.0.2.1")
	b.begin(t.Context(), "results.csv", "192.0.3.1")
	ended := make(chan error)
	var heldUp atomic.Bool // on a busy machine the reader may be late itself, and is cut off rightly
	go func() {
		for last := begun; ; time.Sleep(100 * time.Millisecond) {
			_, err := io.CopyN(io.Discard, steady.Body, 20_000)
			if time.Since(last) > timeout/60 {
				heldUp.Store(true)
			}
			if last = time.Now(); err != nil {
				ended <- err
				return
			}
		}
	}()
	b.eventually("the one who doesn't read is cut", func() bool { return b.exportable("192.0.3.1") })
	if b.exportable("192.0.2.1") && time.Since(begun) < timeout && !heldUp.Load() { // both may have ended by now
		t.Error("the one who reads was cut before its time was up")
	}
	if err := <-ended; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the one who reads slowly got the whole table: %v", err)
	}
	b.eventually("the address may read again", func() bool { return b.exportable("192.0.2.1") })
}

func TestResultsAreExportedAsATable(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	// A result that waits for an operator is in no export.
	const held = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8f"
	body = bytes.Replace(body, []byte(id), []byte(held), 1)
	body = bytes.Replace(body, []byte(`"capacity_gb": 32`), []byte(`"capacity_gb": 512`), 1)
	if got := b.do(b.upload(held, body)).json(t, http.StatusCreated); got["state"] != "quarantined" {
		t.Fatalf("the example with another capacity is %v", got["state"])
	}
	b.fold()
	answer := b.get("/v1/results.csv")
	if answer.status != http.StatusOK || !strings.HasPrefix(answer.header.Get("Content-Type"), "text/csv") {
		t.Fatalf("%d, %s", answer.status, answer.header.Get("Content-Type"))
	}
	rows, err := csv.NewReader(bytes.NewReader(answer.body)).ReadAll() // refuses rows of unequal length
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	for _, f := range dataset.Results.Fields {
		head = append(head, f.Name)
	}
	if diff := cmp.Diff(head, rows[0]); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	class := slices.Index(head, "host_class")
	var tests []string
	for _, row := range rows[1:] {
		tests = append(tests, row[0]+" "+row[5]+" in "+row[class])
	}
	want := []string{id + " rand-read in usb-3", id + " rand-write in usb-3", id + " seq-read in usb-3",
		id + " seq-write in usb-3"}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Errorf("uploads (-want +got):\n%s", diff)
	}
}
