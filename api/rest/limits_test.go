package rest_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/rest"
	"flashdex/result"
)

// fresh returns the example under an id of its own.
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

// trustful makes the server believe the senders that the tests state.
func trustful(c *rest.Config) {
	c.Limits.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// half sends the header of an upload and, when the server asks for it, half of its body. It returns the first line of
// the answer.
func (b *bench) half(body []byte, id, sender string) (w *wire, line string) {
	b.t.Helper()
	w = dial(b.t, b)
	w.send(httpText(id, body, "Expect: 100-continue", "X-Forwarded-For: "+sender))
	got := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	if _, err := io.ReadFull(w, got); err != nil {
		b.t.Fatalf("%q, %v", got, err)
	}
	w.send(string(body[:len(body)/2]))
	return w, string(got)
}

func TestSlowSendersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	b := start(t, trustful, func(c *rest.Config) { c.Limits.InFlight = 2 })
	id, body := fresh(t)
	var first *wire
	for i, want := range []int{100, 429, 100, 429, 100, 100, 429, 100, 100, 100, 100, 503} { // of eight places
		sender := []string{"192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.3.1", "192.0.4.1", "192.0.5.1",
			"2001:db8::1", "2001:db9::1", "2001:db9:1::1", "2001:dba::1", "2001:dbb::1"}[i]
		w, line := b.half(body, id, sender)
		if !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.1 %d ", want)) {
			t.Fatalf("upload %d, of %s: %s, want %d", i, sender, line, want)
		}
		if i == 0 {
			first = w
		}
	}
	if a := b.get("/v1/results/" + result.NewID()); a.status != http.StatusNotFound {
		t.Errorf("a reader is kept out by slow senders: %d", a.status)
	}
	first.send(string(body[len(body)/2:]))
	if answer := first.answer(); !strings.HasPrefix(answer, "HTTP/1.1 201") {
		t.Errorf("the slow sender: %s", answer)
	}
	// Now there is room for one more, and in the first network too.
	first, line := b.half(body, id, "192.0.2.1")
	if !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Errorf("after the slow sender: %s", line)
	}
	// A sender who disconnects in the middle frees their place.
	_ = first.Close()
	b.eventually("there is room for another one", func() bool {
		_, line := b.half(body, id, "192.0.2.1")
		return strings.HasPrefix(line, "HTTP/1.1 100 ")
	})
}

// A proxy that doesn't name its visitors makes all of them one sender. Only the log can tell that to the person who
// runs the server.
func TestProxyThatNamesNobodyIsNoticed(t *testing.T) {
	t.Parallel()
	b := start(t, trustful)
	ask := func(forwarded string) {
		r := b.request(http.MethodGet, "/healthz", nil)
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		b.do(r)
	}
	const said = "a trusted proxy passes on a request and names no other address"
	ask("")
	ask("192.0.2.1")
	if strings.Contains(b.log.String(), said) {
		t.Errorf("warned of a proxy that names its visitors:\n%s", b.log.String())
	}
	for _, forwarded := range []string{"127.0.0.1", "127.0.0.1", "nobody"} {
		ask(forwarded)
	}
	if n := strings.Count(b.log.String(), said); n != 1 {
		t.Errorf("warned %d times, want once:\n%s", n, b.log.String())
	}
}
