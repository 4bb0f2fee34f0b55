package rest_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"flashdex/api/rest"
	"flashdex/result"
)

// wire is a connection on which anything can be sent.
type wire struct {
	*net.TCPConn
	t testing.TB
}

func dial(t testing.TB, b *bench) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &wire{conn.(*net.TCPConn), t}
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		w.t.Error(err)
	}
}

// answer reads until the server closes the connection, or until the end of one answer.
func (w *wire) answer() string {
	w.t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(w), nil)
	if err != nil {
		w.t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Error(err)
	}
	return fmt.Sprintf("%s %s\n%s", answer.Proto, answer.Status, body)
}

// httpText is the header of an upload.
func httpText(id string, body []byte, more ...string) string {
	return fmt.Sprintf("PUT /v1/results/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n%s\r\n",
		id, secret, len(body), strings.Join(append(more, ""), "\r\n"))
}

func TestBodyThatTakesTooLongIsCut(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.BodyTimeout = 300 * time.Millisecond })
	id, body := fresh(t)
	w := dial(t, b)
	w.send(httpText(id, body))
	stop := make(chan struct{})
	defer close(stop)
	go func() { // one byte after the other
		for i := range body {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			if _, err := w.Write(body[i : i+1]); err != nil {
				return
			}
		}
	}()
	if answer := w.answer(); !strings.HasPrefix(answer, "HTTP/1.1 408") ||
		!strings.Contains(answer, "urn:flashdex:problem:timed-out") {
		t.Errorf("answered %s", answer)
	}
	if n, err := w.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes more; the connection should be closed", n)
	}
	b.get("/v1/results/"+id).problem(t, http.StatusNotFound, "not-found")
	// Neither is a document that took its time checked against the deadline of its body.
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Errorf("again: %d %s", a.status, a.body)
	}
}

// A sender who stalls is cut off while another one, who began earlier, is still sending steadily. That is long before
// the time for a large body is up.
func TestBodyThatStallsIsCutFirst(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.BodyTimeout = 40 * time.Second })
	id, body := fresh(t)
	large := append(bytes.Repeat([]byte(" "), 200<<10), body...)
	steady, stalled := dial(t, b), dial(t, b)
	steady.send(httpText(id, large))
	steady.send(string(large[:100]))
	stalled.send(httpText(result.NewID(), large))
	stalled.send(string(large[:100]))
	cut := make(chan string)
	go func() { cut <- stalled.answer() }()
	sent, answer := 100, ""
	for ; answer == ""; time.Sleep(50 * time.Millisecond) {
		select {
		case answer = <-cut:
		default:
			if next := min(sent+2000, len(large)-1); next > sent {
				steady.send(string(large[sent:next]))
				sent = next
			}
		}
	}
	if !strings.HasPrefix(answer, "HTTP/1.1 408") {
		t.Errorf("the stalled sender: %s", answer)
	}
	steady.send(string(large[sent:]))
	if answer := steady.answer(); !strings.HasPrefix(answer, "HTTP/1.1 201") {
		t.Errorf("the steady sender: %s", answer)
	}
}

func TestRefusedUploadNeedNotBeSent(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.Limits.Writes = rest.Rate{PerSecond: 0.001, Burst: 4} })
	id, body := fresh(t)
	const expect = "Expect: 100-continue"
	for _, c := range []struct{ name, head, want string }{
		{"without a secret", strings.Replace(httpText(id, body, expect), "Authorization", "X-Authorization", 1),
			"HTTP/1.1 401"},
		{"of another type", strings.Replace(httpText(id, body, expect), "/json", "/xml", 1), "HTTP/1.1 415"},
		{"too large", strings.Replace(httpText(id, body, expect), fmt.Sprint(len(body)), "300000", 1), "HTTP/1.1 413"},
		{"good", httpText(id, body, expect), "HTTP/1.1 100 Continue\r\n\r\n"},
		{"beyond the limit", httpText(id, body, expect), "HTTP/1.1 429"},
	} {
		w := dial(t, b)
		w.send(c.head)
		got := make([]byte, len(c.want))
		if _, err := io.ReadFull(w, got); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q before anything of the body is sent", c.name, got, err, c.want)
		}
		if c.name == "good" {
			w.send(string(body))
			if answer := w.answer(); !strings.HasPrefix(answer, "HTTP/1.1 201") {
				t.Errorf("%s: %s", c.name, answer)
			}
		}
	}
}

func TestLongHeadersAreRefused(t *testing.T) {
	t.Parallel()
	b := start(t)
	w := dial(t, b)
	w.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 2<<20))
	if answer := w.answer(); !strings.HasPrefix(answer, "HTTP/1.1 431") {
		t.Errorf("answered %s", answer)
	}
}

// A client that disconnects while the server waits for the database is counted as that, and not as a fault of the
// server.
func TestClientThatLeftIsNoFaultOfTheServer(t *testing.T) {
	t.Parallel()
	b := start(t)
	conn := b.connect()
	if _, err := conn.Exec(t.Context(), "begin; lock table submission in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	w := dial(t, b)
	w.send("GET /v1/results/0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e HTTP/1.1\r\nHost: localhost\r\n\r\n")
	b.eventually("the request waits for the table", func() bool { return waiting(t, conn, "submission") > 0 })
	_ = w.SetLinger(0)
	_ = w.Close()
	b.eventually("the log tells how it ended", func() bool { return strings.Contains(b.log.String(), `"status":499`) })
	if log := b.log.String(); !strings.Contains(log, `"problem":"client-left"`) || strings.Contains(log, "ERROR") ||
		strings.Contains(log, "unavailable") {
		t.Errorf("log:\n%s", log)
	}
}

// A connection may break at any byte, cleanly or by a reset. Only the complete upload is stored, and only once. The
// test isn't parallel because it counts goroutines.
func TestConnectionCutAtEveryByte(t *testing.T) {
	b := start(t)
	id, body := fresh(t)
	body = packed(t, body)
	request := httpText(id, body, "Content-Encoding: gzip") + string(body)
	before := runtime.NumGoroutine()
	for n := range len(request) + 1 {
		w := dial(t, b)
		w.send(request[:n])
		switch n % 3 {
		case 0:
			_ = w.SetLinger(0) // reset
		case 1:
			_ = w.CloseWrite()
			_, _ = io.Copy(io.Discard, w)
		}
		_ = w.Close()
	}
	b.eventually("nothing runs any more for those who left", func() bool { return runtime.NumGoroutine() <= before+5 })
	if log := b.log.String(); strings.Contains(log, `"status":5`) || strings.Contains(log, "panic") {
		t.Errorf("log:\n%s", regexp.MustCompile(`.*("status":5|panic).*`).FindString(log))
	}
	conn := b.connect()
	var submissions, events, outbox int
	err := conn.QueryRow(t.Context(), `select (select count(*) from submission),
		(select count(*) from submission_event), (select count(*) from outbox)`).
		Scan(&submissions, &events, &outbox)
	if err != nil || submissions > 1 || events != submissions || outbox != submissions {
		t.Errorf("%d submissions, %d events, %d in the outbox, %v", submissions, events, outbox, err)
	}
	r := b.upload(id, body)
	r.Header.Set("Content-Encoding", "gzip")
	if a := b.do(r); a.status != http.StatusCreated && a.status != http.StatusOK {
		t.Errorf("the whole afterwards: %d %s", a.status, a.body)
	}
}
