package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/result"
)

// send writes bytes over a new connection and returns the status of the answer.
func send(t testing.TB, site string, request []byte) (status int) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(site, "http://"))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer conn.Close()
	if _, err := conn.Write(request); err != nil {
		t.Error(err)
		return 0
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

// TestOddUploads sends a real server uploads that networks, clocks and people have spoiled.
func TestOddUploads(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir())
	secret := secretOf(0)

	t.Run("with roles of its own", func(t *testing.T) {
		const roles = `
			select string_agg(distinct usename, ' ' order by usename) from pg_stat_activity
			where backend_type = 'client backend' and pid <> pg_backend_pid()`
		if got := value[string](t, s.database(t), roles); got != "flashdex_server flashdex_worker" {
			t.Errorf("the server connects as %s", got)
		}
	})
	t.Run("the same one fifty times at once", func(t *testing.T) {
		id, body := document()
		answers := make(chan int, 50)
		var senders sync.WaitGroup
		for range 50 {
			senders.Go(func() { answers <- send(t, s.site, uploadRequest(secret, id, body)) })
		}
		senders.Wait()
		close(answers)
		counts := map[int]int{}
		for status := range answers {
			counts[status]++
		}
		if counts[http.StatusCreated] != 1 || counts[http.StatusOK] != 49 {
			t.Errorf("answers by status: %v; want 201 once, else 200", counts)
		}
		if n := value[int](t, s.database(t), "select count(*) from submission where id = $1", id); n != 1 {
			t.Errorf("it is there %d times", n)
		}
	})

	t.Run("the same id with other bytes", func(t *testing.T) {
		id, body := document()
		other := bytes.Replace(body, []byte(`"Turbo"`), []byte(`"Turbo 2"`), 1)
		for i, c := range []struct {
			body   []byte
			secret string
			want   int
		}{{body, secret, 201}, {other, secret, 409}, {body, secretOf(1), 409}, {body, secret, 200}} {
			if status := send(t, s.site, uploadRequest(c.secret, id, c.body)); status != c.want {
				t.Errorf("upload %d: %d, want %d", i+1, status, c.want)
			}
		}
		if !bytes.Equal(storedDocument(t, s.site, id), public(body)) {
			t.Error("the first one did not stay")
		}
	})

	t.Run("clocks that are years off", func(t *testing.T) {
		var ids []string
		for _, started := range []string{"2099-12-31T23:59:59Z", "1970-01-01T00:00:07Z"} {
			id, body := document()
			begin := bytes.Index(body, []byte(`"started_at":"`)) + len(`"started_at":"`)
			body = bytes.Join([][]byte{body[:begin], []byte(started), body[begin+len(started):]}, nil)
			if status := send(t, s.site, uploadRequest(secret, id, body)); status != http.StatusCreated {
				t.Errorf("started at %s: %d, want 201", started, status)
			}
			ids = append(ids, id)
		}
		last := value[string](t, s.database(t),
			"select id::text from submission where id = any($1) order by received_at desc limit 1", ids)
		if last != ids[1] {
			t.Error("the order is not the order of receipt")
		}
		n := value[int](t, s.database(t), `select count(*) from submission
			where id = any($1) and received_at between now() - interval '10 min' and now()`, ids)
		if n != 2 {
			t.Errorf("%d of 2 were received by the server's clock", n)
		}
	})

	t.Run("the connection cut after every byte", func(t *testing.T) { cutEverywhere(t, s, secret) })
	t.Run("senders that never end", func(t *testing.T) { neverEnding(t, s, secret) })
}

// cutEverywhere cuts off an upload after each of its bytes in turn, except the last. No part of it may be stored.
func cutEverywhere(t *testing.T, s *server, secret string) {
	before := value[int](t, s.database(t), "select count(*) from submission")
	small, err := os.ReadFile(filepath.Join(root, "result/testdata/valid/emmc-least.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(small, &doc); err != nil {
		t.Fatal(err)
	}
	id := result.NewID()
	request := uploadRequest(secret, id, bytes.Replace(small, []byte(doc.ID), []byte(id), 1))
	next := make(chan int)
	var senders sync.WaitGroup
	for range 16 {
		senders.Go(func() {
			for cut := range next {
				conn, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
				if err != nil {
					t.Error(err)
					continue
				}
				if _, err := conn.Write(request[:cut]); err != nil {
					t.Error(err)
				}
				if cut%2 == 0 {
					_ = conn.(*net.TCPConn).SetLinger(0) // a reset, as after a power cut
				}
				conn.Close()
			}
		})
	}
	for cut := range request {
		next <- cut
	}
	close(next)
	senders.Wait()
	if status := send(t, s.site, request); status != http.StatusCreated {
		t.Errorf("after %d cuts the whole request is answered with %d, want 201", len(request), status)
	}
	if n := value[int](t, s.database(t), "select count(*) from submission") - before; n != 1 {
		t.Errorf("%d results were stored, want 1", n)
	}
}

// neverEnding sends requests that never end, byte by byte. The server must hang up by itself. api/limits_test.go tests,
// with as many such senders as there is room for, that they keep nobody out.
func neverEnding(t *testing.T, s *server, secret string) {
	var senders sync.WaitGroup
	var ids []string
	for i := range 20 {
		id, body := document()
		ids = append(ids, id)
		request := uploadRequest(secret, id, body)
		sent := bytes.Index(request, []byte("\r\n\r\n")) - 10 // half of the senders stop in the head, half in the body
		if i%2 == 0 {
			sent = len(request) / 2
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.site, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write(request[:sent]); err != nil {
			t.Fatal(err)
		}
		senders.Go(func() {
			hungUp := false
			for range 60 {
				_ = conn.SetReadDeadline(time.Now().Add(time.Second))
				_, errRead := conn.Read(make([]byte, 512))
				_, errWrite := conn.Write([]byte(" "))
				if hungUp = errRead != nil && !isTimeout(errRead) || errWrite != nil; hungUp {
					break
				}
			}
			if !hungUp {
				t.Errorf("sender %d is still connected after a minute", i)
			}
		})
	}
	senders.Wait()
	for _, id := range ids {
		if storedDocument(t, s.site, id) != nil {
			t.Errorf("the half result %s was stored", id)
		}
	}
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}
