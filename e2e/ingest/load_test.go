package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flashdex/result"
)

// load is the outcome of many requests over many connections.
type load struct {
	perSecond float64
	p50, p99  time.Duration
	answers   map[int]int // by status
}

// drive keeps connections busy for a time: each sends the next request when the last one is answered. It writes
// requests itself because it shares the processors with the server. net/http's client would use as much of them as the
// server.
func drive(t testing.TB, site string, connections int, d time.Duration, request func() []byte) load {
	t.Helper()
	var mu sync.Mutex
	var all []time.Duration
	l := load{answers: map[int]int{}}
	begin := time.Now()
	var senders sync.WaitGroup
	for range connections {
		senders.Go(func() {
			var took []time.Duration
			answers := map[int]int{}
			err := sendUntil(strings.TrimPrefix(site, "http://"), begin.Add(d), request, func(status int, t time.Duration) {
				took = append(took, t)
				answers[status]++
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			for status, n := range answers {
				l.answers[status] += n
			}
		})
	}
	senders.Wait()
	l.perSecond = float64(len(all)) / time.Since(begin).Seconds()
	slices.Sort(all)
	if len(all) > 0 {
		l.p50, l.p99 = all[len(all)/2], all[len(all)*99/100]
	}
	return l
}

func sendUntil(
	address string, end time.Time, request func() []byte, answered func(status int, took time.Duration),
) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	for {
		start := time.Now()
		if !start.Before(end) {
			return nil
		}
		if _, err := conn.Write(request()); err != nil {
			return err
		}
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return err
		}
		answered(answer.StatusCode, time.Since(start))
	}
}

// secretOf returns the secret of contributor n.
func secretOf(n int) string { return fmt.Sprintf("%064x", n+1) }

// uploadRequest returns the bytes of an upload over HTTP/1.1.
func uploadRequest(secret, id string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "PUT /v1/results/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n", id, secret)
	fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return b.Bytes()
}

// freshUpload returns a request that uploads a new result of one of ten contributors.
func freshUpload() []byte {
	id := result.NewID()
	return uploadRequest(secretOf(int(id[len(id)-1])%16*7), id, documentOf(id))
}

// cpuSeconds returns the processor time of a process and of its ended children. It returns 0 for a process that has
// ended.
func cpuSeconds(t testing.TB, pid int) (seconds float64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return 0
	} else if err != nil {
		t.Fatal(err)
	}
	// The format is "pid (name) state …", and the name may contain anything; see proc(5).
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		ticks, _ := strconv.ParseFloat(string(field), 64)
		const ticksPerSecond = 100 // USER_HZ, the same on every Linux that Go runs on
		seconds += ticks / ticksPerSecond
	}
	return seconds
}

// residentMiB returns a memory field of a process' status in MiB: "VmRSS" is its resident memory, "VmHWM" its peak.
func residentMiB(t testing.TB, pid int, field string) float64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n"+field+":")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatalf("%s of process %d: %v", field, pid, err)
	}
	return kib / 1024
}
