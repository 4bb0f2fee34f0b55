package ingest

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestUploadsUnderWayAreAnsweredBeforeTheServerStops sends SIGTERM while 16 uploads are half sent. The server first
// reports that it isn't ready, then takes no more connections, and ends when all 16 are answered.
func TestUploadsUnderWayAreAnsweredBeforeTheServerStops(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "--shutdown-delay=3s")
	type sender struct {
		id   string
		conn net.Conn
		read *bufio.Reader
		rest []byte
	}
	var senders []sender
	const more = "HTTP/1.1 100 Continue\r\n\r\n" // the server has begun to read the body
	for i := range 16 {
		id, body := document()
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		head, _, _ := bytes.Cut(uploadRequest(secretOf(i), id, body), []byte("\r\n\r\n"))
		if _, err := conn.Write(append(head, "\r\nExpect: 100-continue\r\n\r\n"...)); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(more))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != more {
			t.Fatalf("%q, %v", got, err)
		}
		if _, err := conn.Write(body[:len(body)/2]); err != nil {
			t.Fatal(err)
		}
		senders = append(senders, sender{id, conn, bufio.NewReader(conn), body[len(body)/2:]})
	}
	stopped := s.pid()
	s.signal(syscall.SIGTERM)
	unready := false
	eventually(t, "the server takes no more connections", func() bool {
		answer, err := http.Get(s.site + "/readyz")
		if err != nil {
			return true
		}
		answer.Body.Close()
		unready = unready || answer.StatusCode == http.StatusServiceUnavailable
		return false
	})
	if !unready {
		t.Error("the server never said that it isn't ready")
	}
	if s.pid() != stopped {
		t.Error("the server didn't wait")
	}
	for i, sender := range senders {
		if _, err := sender.conn.Write(sender.rest); err != nil {
			t.Error(err)
			continue
		}
		answer, err := http.ReadResponse(sender.read, nil)
		if err != nil {
			t.Errorf("sender %d: %v", i, err)
			continue
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusCreated {
			t.Errorf("sender %d: %d", i, answer.StatusCode)
		}
	}
	eventually(t, "the next server is there", func() bool { return s.pid() != stopped })
	s.ready(t)
	for i, sender := range senders {
		answer, err := http.Get(s.site + "/v1/results/" + sender.id)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("result %d, which was answered 201: %d", i, answer.StatusCode)
		}
	}
}
