package rest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func packed(t testing.TB, body []byte) []byte {
	t.Helper()
	var wire bytes.Buffer
	w := gzip.NewWriter(&wire)
	_, _ = w.Write(body)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return wire.Bytes()
}

func TestUploadIsAnsweredWithItsReceipt(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	a := b.do(b.upload(id, body))
	modules, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	_, listed := modules.Module("sandisk-extreme-32gb-microsd")
	want := map[string]any{
		"id": id, "state": "accepted", "result_url": b.URL + "/r/" + id, "token": "none",
		"not_ranked": []any{"something else used the module during the test", "the system runs from the module"},
		"module": map[string]any{
			"slug": "sandisk-extreme-32gb-microsd", "name": "SanDisk Extreme 32 GB microSD",
			"url": b.URL + "/modules/sandisk-extreme-32gb-microsd/", "provisional": !listed,
		},
	}
	var got map[string]any
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if want["why"] = got["why"]; got["why"] == "" || got["why"] == nil {
		t.Error("the receipt doesn't say why the result belongs to the module")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	// It is the same result when it is packed.
	r := b.upload(id, packed(t, body))
	r.Header.Set("Content-Encoding", "gzip")
	again := b.do(r)
	if again.status != http.StatusOK || !bytes.Equal(again.body, a.body) {
		t.Errorf("again: %d %s; want 200 and the same receipt", again.status, again.body)
	}
	r = b.upload(id, body)
	r.Header.Set("Authorization", "Bearer "+strings.Repeat("f", 64))
	b.do(r).problem(t, http.StatusConflict, "conflict")
	b.do(b.upload(id, append(body, '\n'))).problem(t, http.StatusConflict, "conflict")
}

func TestOneUploadSentFiftyTimesAtOnceIsNewOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	var senders sync.WaitGroup
	statuses := make(chan int, 50)
	for range cap(statuses) {
		r := b.upload(id, body)
		senders.Go(func() { statuses <- b.do(r).status })
	}
	senders.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if diff := cmp.Diff(map[int]int{http.StatusCreated: 1, http.StatusOK: 49}, count); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// Each case spoils a good upload in one way.
func TestBadUploadsAreExplained(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	replaced := func(old, new string) []byte {
		spoiled := bytes.Replace(body, []byte(old), []byte(new), 1)
		if bytes.Equal(spoiled, body) {
			t.Fatalf("the example doesn't hold %s", old)
		}
		return spoiled
	}
	gzipped := func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	cases := []struct {
		name    string
		body    []byte
		spoil   func(*http.Request)
		status  int
		kind    string
		pointer string // of the first error
		detail  string // a part of it
	}{
		{"not JSON", []byte("hello"), nil, 400, "malformed", "", "not a JSON document"},
		{"empty", nil, nil, 400, "malformed", "", "not a JSON document"},
		{"two documents", append(body, body...), nil, 400, "malformed", "", "not a JSON document"},
		{"cut off", body[:len(body)/2], nil, 400, "malformed", "", "not a JSON document"},
		{"invalid UTF-8", replaced("SanDisk", "San\xffDisk"), nil, 400, "malformed", "", "UTF-8"},
		{"not gzip", body, gzipped, 400, "malformed", "", "gzip"},
		{"gzip cut off", packed(t, body)[:200], gzipped, 400, "malformed", "", "gzip"},
		{"gzip with a wrong checksum", append(packed(t, body)[:len(packed(t, body))-8], "12345678"...), gzipped, 400,
			"malformed", "", "damaged"},
		{"no token", body, func(r *http.Request) { r.Header.Del("Authorization") }, 401, "no-token", "", "64 hex digits"},
		{"a short token", body, header("Authorization", "Bearer "+secret[2:]), 401, "no-token", "", "64 hex digits"},
		{"a token of another alphabet", body, header("Authorization", "Bearer "+strings.Repeat("g", 64)), 401, "no-token",
			"", "64 hex digits"},
		{"another scheme", body, header("Authorization", "Basic "+secret), 401, "no-token", "", "Bearer"},
		{"no length", body, func(r *http.Request) { r.ContentLength, r.Body = -1, io.NopCloser(bytes.NewReader(body)) },
			411, "length-required", "", "Content-Length"},
		{"too large on the wire", append(body, bytes.Repeat([]byte(" "), 256<<10)...), nil, 413, "too-large", "", "256 KiB"},
		{"too large decoded", packed(t, append(body, bytes.Repeat([]byte(" "), 1<<20)...)), gzipped, 413, "too-large", "",
			"1024 KiB"},
		{"gzip bomb", packed(t, make([]byte, 20<<20)), gzipped, 413, "too-large", "", "1024 KiB"},
		{"gzip of many members", bytes.Repeat(packed(t, make([]byte, 1<<20)), 100), gzipped, 400, "malformed", "",
			"one member"},
		{"gzip of gzip", packed(t, packed(t, body)), gzipped, 400, "malformed", "", "not a JSON document"},
		{"gzip and something more", append(packed(t, body), "more"...), gzipped, 400, "malformed", "", "follows the end"},
		{"nested too deep", replaced(`"spoilers": [`,
			`"spoilers": [`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+","), nil, 422, "invalid", "", "schema"},
		{"wrong type", body, header("Content-Type", "text/plain"), 415, "wrong-type", "", "application/json"},
		{"no type", body, func(r *http.Request) { r.Header.Del("Content-Type") }, 415, "wrong-type", "", "application/json"},
		{"another charset", body, header("Content-Type", "application/json; charset=utf-16"), 415, "wrong-type", "", "UTF-8"},
		{"another encoding", body, header("Content-Encoding", "br"), 415, "wrong-type", "", "gzip"},
		{"unknown version", replaced(`"schema_version": 1`, `"schema_version": 2`), nil, 422, "unsupported-version",
			"/schema_version", "reads version 1"},
		{"unknown field", replaced(`"arch":`, `"mac": "b8:27:eb:00:00:01", "arch":`), nil, 422, "invalid", "/host/mac",
			"schema"},
		{"missing field", replaced(`"profile": "standard",`, ``), nil, 422, "invalid", "/profile", "schema"},
		{"sums that don't add up", replaced(`"bytes": 268435456`, `"bytes": 268435457`), nil, 422, "invalid",
			"/tests/0/bytes", "schema"},
		{"another id", replaced(id, "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8f"), nil, 422, "invalid", "/id", "address"},
	}
	t.Run("each", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				r := b.upload(id, c.body)
				if c.spoil != nil {
					c.spoil(r)
				}
				p := b.do(r).problem(t, c.status, c.kind)
				if !strings.Contains(p.Detail, c.detail) || !strings.Contains(p.Detail, "othing was stored") && c.status != 401 {
					t.Errorf("detail %q; want %q in it, and what was kept", p.Detail, c.detail)
				}
				if c.pointer != "" && (len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer) {
					t.Errorf("errors %v; want the first at %s", p.Errors, c.pointer)
				}
			})
		}
	})
	b.get("/v1/results/"+id).problem(t, http.StatusNotFound, "not-found")
}

func TestUnknownPathsAndMethodsAreExplained(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, _ := example(t)
	if a := b.do(b.request(http.MethodPatch, "/v1/results/"+id,
		nil)); a.header.Get("Allow") != "GET, HEAD, PUT, DELETE, OPTIONS" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	} else {
		a.problem(t, http.StatusMethodNotAllowed, "wrong-method")
	}
	a := b.do(b.request(http.MethodPost, "/index.html", nil))
	if a.header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	}
	a.problem(t, http.StatusMethodNotAllowed, "wrong-method")
	for _, path := range []string{"/v1/", "/v1/nothing", "/v1/results/", "/v1/results/" + id + "/more",
		"/v1/results/1%27%20or%20true"} {
		b.get(path).problem(t, http.StatusNotFound, "not-found")
	}
	b.do(b.request(http.MethodDelete, "/v1/nothing", nil)).problem(t, http.StatusNotFound, "not-found")
}
