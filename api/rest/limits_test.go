package rest_test

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/rest"
	"flashdex/result"
)

// fresh is the example under an id of its own.
func fresh(t testing.TB) (id string, body []byte) {
	t.Helper()
	old, body := example(t)
	id = result.NewID()
	return id, bytes.Replace(body, []byte(old), []byte(id), 1)
}

func (b *bench) uploadFresh(as string) answer {
	b.t.Helper()
	r := b.upload(fresh(b.t))
	r.Header.Set("Authorization", "Bearer "+as)
	return b.do(r)
}

func TestWhoAsksForTooMuchIsToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	other := strings.Repeat("ab", 32)
	b := start(t, func(c *rest.Config) {
		c.Limits = rest.Limits{Writes: rest.Rate{PerSecond: 0.01, Burst: 5},
			Contributor: rest.Rate{PerSecond: 0.02, Burst: 2}, Reads: rest.Rate{PerSecond: 0.01, Burst: 3}}
	})
	for i, want := range []struct {
		as     string
		status int
		whose  string
		wait   int // s, at least
	}{
		{secret, 201, "", 0}, {secret, 201, "", 0}, {secret, 429, "contributor", 50}, {other, 201, "", 0}, {other, 201, "",
			0}, {other, 429, "address", 100},
	} {
		a := b.uploadFresh(want.as)
		if want.status == 201 {
			if a.status != 201 {
				t.Errorf("upload %d: %d %s", i, a.status, a.body)
			}
			continue
		}
		p := a.problem(t, want.status, "too-many")
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		if err != nil || wait < want.wait || wait > 2*want.wait+1 || !strings.Contains(p.Detail, want.whose) {
			t.Errorf("upload %d: Retry-After %q: %s; want %d to %d s for the %s", i, a.header.Get("Retry-After"), p.Detail,
				want.wait, 2*want.wait, want.whose)
		}
	}
	for i := range 4 {
		if a := b.get("/"); (a.status == http.StatusOK) != (i < 3) {
			t.Errorf("page %d: %d", i, a.status)
		}
	}
	r := b.request(http.MethodGet, "/", nil)
	r.Header.Set("Accept", "text/html,*/*")
	if a := b.do(r); a.status != http.StatusTooManyRequests ||
		!strings.Contains(string(a.body), "<footer>foot</footer>") || a.header.Get("Retry-After") == "" {
		t.Errorf("a person sees %d %s", a.status, a.body)
	}
	for range 10 {
		if a := b.get("/readyz"); a.status != http.StatusOK {
			t.Fatalf("a load balancer's probe is refused: %d", a.status)
		}
	}
}

func TestBusyServerSaysSo(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.InFlight = 1 })
	conn := b.connect()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "lock table submission in exclusive mode"); err != nil {
		t.Fatal(err)
	}
	first := make(chan answer)
	r := b.upload(fresh(t))
	go func() { first <- b.do(r) }()
	for waiting := 0; waiting == 0; {
		err := tx.QueryRow(t.Context(), `select count(*) from pg_locks where not granted
			and database = (select oid from pg_database where datname = current_database())`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
	a := b.uploadFresh(secret)
	a.problem(t, http.StatusServiceUnavailable, "unavailable")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if a := b.get("/"); a.status != http.StatusOK {
		t.Errorf("a page that needs no database: %d", a.status)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := <-first; a.status != http.StatusCreated {
		t.Errorf("the one that was let in: %d %s", a.status, a.body)
	}
	if a := b.uploadFresh(secret); a.status != http.StatusCreated {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}

func TestSlowSendersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.InFlight = 1 })
	id, body := fresh(t)
	head, half := httpText(id, body, "Expect: 100-continue"), body[len(body)/2:]
	var slow []*wire
	for range 4 {
		w := dial(t, b)
		w.send(head)
		const more = "HTTP/1.1 100 Continue\r\n\r\n" // it is being received
		got := make([]byte, len(more))
		if _, err := io.ReadFull(w, got); err != nil || string(got) != more {
			t.Fatalf("%q, %v", got, err)
		}
		w.send(string(body[:len(body)/2]))
		slow = append(slow, w)
	}
	b.uploadFresh(secret).problem(t, http.StatusServiceUnavailable, "unavailable")
	if a := b.get("/v1/results/" + result.NewID()); a.status != http.StatusNotFound {
		t.Errorf("a reader is kept out by slow senders: %d", a.status)
	}
	slow[0].send(string(half))
	if answer := slow[0].answer(); !strings.HasPrefix(answer, "HTTP/1.1 201") {
		t.Errorf("the slow sender: %s", answer)
	}
}
