package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/jackc/pgx/v5"
)

// The start of a run would reveal when its contributor is at home. The day of receipt and the id reveal only the day.
func TestResultComesBackWithoutItsStart(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	a := b.get("/v1/results/" + id)
	var line bytes.Buffer
	if err := json.Compact(&line, body); err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`"started_at":"[^"]*",`).ReplaceAll(line.Bytes(), nil)
	if a.status != http.StatusOK || len(want) == line.Len() ||
		!bytes.HasSuffix(a.body, append(append([]byte(`,"document":`), want...), '}', '\n')) {
		t.Fatalf("%d; the document is not the last member, without its start and else byte for byte: %s", a.status, a.body)
	}
	var got struct {
		ID, State  string
		ReceivedOn string `json:"received_on"`
		Figures    []struct {
			Test    string
			MBPerS  float64 `json:"mb_per_s"`
			IOPS    float64
			Sync    string
			MaxNS   int64   `json:"max_ns"`
			IOPSLow float64 `json:"iops_low"`
		}
	}
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	if got.ID != id || got.State != "accepted" || len(got.ReceivedOn) != len("2026-11-21") || len(got.Figures) != 4 {
		t.Errorf("%+v", got)
	}
	for _, f := range got.Figures {
		if f.Test == "rand-write" && (f.IOPS < 99.9 || f.IOPS > 100.1 || f.MaxNS != 10_400_000 || f.IOPSLow == 0 ||
			f.Sync != "dsync") {
			t.Errorf("random write: %+v", f)
		}
	}
}

func TestStatesShowTheirReason(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body))
	conn := b.connect()
	const quarantine = "update submission set state = 'quarantined', state_reason = 'Faster than its bus.'"
	if _, err := conn.Exec(t.Context(), quarantine); err != nil {
		t.Fatal(err)
	}
	if a := b.do(b.upload(id, body)); a.status != http.StatusOK ||
		!strings.Contains(string(a.body), `"state":"quarantined","reason":"Faster than its bus."`) {
		t.Errorf("uploaded again: %d %s", a.status, a.body)
	}
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, "held back") ||
		!strings.Contains(page, "Faster than its bus.") || strings.Contains(page, "within seconds") {
		t.Errorf("the page doesn't say that the result is held back, and why:\n%s", page)
	}
	if _, err := conn.Exec(t.Context(), "update submission set state = 'deleted', document = ''"); err != nil {
		t.Fatal(err)
	}
	b.get("/v1/results/"+id).problem(t, http.StatusGone, "deleted")
	b.do(b.upload(id, body)).problem(t, http.StatusGone, "deleted")
	if a := b.get("/r/" + id); a.status != http.StatusGone || !strings.Contains(string(a.body), "taken back") {
		t.Errorf("the page of a deleted result: %d %s", a.status, a.body)
	}
}

func TestSchemaIsServedAsItIs(t *testing.T) {
	t.Parallel()
	b := start(t)
	if a := b.get("/v1/schema/result-v1.json"); a.status != http.StatusOK || !bytes.Equal(a.body, schema.V1) {
		t.Errorf("%d, %d bytes", a.status, len(a.body))
	}
}

// away cuts the server off from its database, until back.
func (b *bench) away() (back func()) {
	b.t.Helper()
	config, err := pgx.ParseConfig(b.database)
	if err != nil {
		b.t.Fatal(err)
	}
	conn, err := pgx.Connect(b.t.Context(), "postgres:///postgres?user="+config.User+"&host="+config.Host)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close(context.Background()) })
	do := func(statement string, args ...any) {
		b.t.Helper()
		if _, err := conn.Exec(b.t.Context(), statement, args...); err != nil {
			b.t.Fatal(err)
		}
	}
	do("alter database " + config.Database + " allow_connections false")
	do("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1", config.Database)
	return func() { do("alter database " + config.Database + " allow_connections true") }
}

func TestDatabaseAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	back := b.away()
	for _, a := range []answer{b.do(b.upload(id, body)), b.get("/v1/results/" + id), b.get("/readyz")} {
		a.problem(t, http.StatusServiceUnavailable, "unavailable")
		if a.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if a := b.get("/r/" + id); a.status != http.StatusServiceUnavailable ||
		a.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("page: %d", a.status)
	}
	if a := b.get("/healthz"); a.status != http.StatusOK {
		t.Errorf("a process without its database is alive, not %d", a.status)
	}
	if a := b.get("/"); a.status != http.StatusOK {
		t.Errorf("the static site needs the database: %d", a.status)
	}
	back()
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Errorf("after it came back: %d %s", a.status, a.body)
	}
}

// The answer for a result says what its module does in other classes of hosts: measured there, or foretold if only
// other modules were measured there. For a module that nobody measured before it says nothing.
func TestResultTellsOfOtherHosts(t *testing.T) {
	t.Parallel()
	b := start(t)
	upload := func(as, product string, mbitPerS int) (id string, told []map[string]any) {
		t.Helper()
		_, body := example(t)
		id = result.NewID()
		for was, is := range map[string]string{
			`"id": "[^"]*"`: `"id": "` + id + `"`, `"speed_mbit_per_s": \d+`: fmt.Sprintf(`"speed_mbit_per_s": %d`, mbitPerS),
			`(?s)"spoilers": \[.*?\]`: `"spoilers": []`, `"product": "Extreme"`: `"product": "` + product + `"`,
		} {
			body = regexp.MustCompile(was).ReplaceAll(body, []byte(is))
		}
		r := b.upload(id, body)
		r.Header.Set("Authorization", "Bearer "+as)
		a := b.do(r)
		var got struct{ Foretold []map[string]any }
		if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
		return id, got.Foretold
	}
	other := strings.Repeat("b", len(secret))
	first, told := upload(secret, "Extreme", 5000)
	upload(other, "Extreme", 480)
	elsewhere, _ := upload(secret, "Ultra", 480)
	upload(other, "Ultra", 480)
	clustertest.Spread(t, b.database)
	b.fold()
	if len(told) > 0 {
		t.Errorf("of a new module: %v", told)
	}
	// Somebody measures something at USB 3, so that the next calibration knows of such hosts.
	conn := b.connect()
	if _, err := conn.Exec(t.Context(), "update publication set calibrated_at = null"); err != nil {
		t.Fatal(err)
	}
	b.fold()
	type inHost struct {
		HostClass string  `json:"host_class"`
		IOPS      float64 `json:"rand_write_iops"`
		Low, High float64
		Measured  bool
	}
	for id, measured := range map[string]bool{first: true, elsewhere: false} {
		b.eventually("the table is new", func() bool {
			var got struct{ Foretold []inHost }
			if err := json.Unmarshal(b.get("/v1/results/"+id).body, &got); err != nil {
				t.Fatal(err)
			}
			want := map[bool]string{true: "usb-2", false: "usb-3"}[measured]
			return slices.ContainsFunc(got.Foretold, func(f inHost) bool {
				return f.HostClass == want && f.Measured == measured && f.Low < f.IOPS && f.IOPS < f.High
			})
		})
	}
}
