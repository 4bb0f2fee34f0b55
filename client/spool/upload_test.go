package spool_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"flashdex/client/sitetest"
	"flashdex/client/spool"

	"github.com/google/go-cmp/cmp"
)

const exampleID = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e"

const accepted = `{"id":"` + exampleID +
	`","state":"accepted","result_url":"https://x.test/r/1",` +
	`"module":{"slug":"a","name":"A\u001b[2J","url":"https://x.test/m/a"}}`

// answers is a site that gives one answer after the other and repeats the last. It records the requests.
type answers struct {
	list     []func(http.ResponseWriter)
	requests []*http.Request
	bodies   []string
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.requests, a.bodies = append(a.requests, r), append(a.bodies, string(body))
	a.list[min(len(a.requests), len(a.list))-1](w)
}

func answer(status int, body string, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func serve(t *testing.T, handler http.Handler) (url string) {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func upload(t *testing.T, list ...func(http.ResponseWriter)) (s spool.Spool, path string, a *answers,
	waits []time.Duration, receipt spool.Receipt, err error) {
	t.Helper()
	s, path = open(t)
	a = &answers{list: list}
	receipt, err = s.Upload(t.Context(), spool.Site{URL: serve(t, a) + "/",
		Wait: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}}, path)
	return s, path, a, waits, receipt, err
}

func pendingCount(t *testing.T, s spool.Spool) int {
	t.Helper()
	pending, err := s.Pending()
	if err != nil {
		t.Fatal(err)
	}
	return len(pending)
}

func TestUploadSendsTheFileItself(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusCreated, http.StatusOK} {
		s, path, a, _, receipt, err := upload(t, answer(status, accepted))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		secret, err := s.Secret()
		if err != nil {
			t.Fatal(err)
		}
		r := a.requests[0]
		if r.Method != http.MethodPut || r.URL.Path != "/v1/results/"+exampleID || a.bodies[0] != string(data) ||
			r.Header.Get("Authorization") != "Bearer "+hex.EncodeToString(secret) ||
			r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		if receipt.State != "accepted" || receipt.ResultURL != "https://x.test/r/1" || receipt.Module.Name != "A[2J" {
			t.Errorf("receipt %+v", receipt)
		}
		if n := pendingCount(t, s); n != 0 {
			t.Errorf("%d results wait after the upload", n)
		}
	}
}

func TestRefusedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	problem := `{"type":"x","title":"The result is not valid\u001b[31m","status":422,"detail":"Two things.","errors":[
		{"pointer":"/tests/0/bytes","detail":"don't add up"},{"pointer":"/host/mac","detail":"unknown"}]}`
	s, _, a, _, _, err := upload(t, answer(http.StatusUnprocessableEntity, problem, "Content-Type",
		"application/problem+json"))
	var refused *spool.RefusedError
	if !errors.As(err, &refused) || len(a.requests) != 1 {
		t.Fatalf("%v after %d tries", err, len(a.requests))
	}
	want := "the site refused it (422): The result is not valid[31m. Two things.\n  /tests/0/bytes: don't add up\n  " +
		"/host/mac: unknown"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	if n := pendingCount(t, s); n != 1 {
		t.Errorf("%d results are kept", n)
	}
}

func TestBusySiteIsTriedAgain(t *testing.T) {
	t.Parallel()
	_, _, a, waits, receipt, err := upload(t,
		answer(http.StatusRequestTimeout, "", "Retry-After", "3"),
		answer(http.StatusServiceUnavailable, "", "Retry-After", "7"),
		answer(http.StatusTooManyRequests, "", "Retry-After", "31"),
		answer(http.StatusCreated, accepted))
	if err != nil || receipt.State != "accepted" {
		t.Fatal(err)
	}
	if len(waits) != 3 || waits[0] < 3*time.Second || waits[1] < 7*time.Second || waits[2] < 31*time.Second {
		t.Errorf("waited %v", waits)
	}
	if a.bodies[0] != a.bodies[2] || a.bodies[2] == "" {
		t.Error("the tries sent different bytes")
	}
}

func TestSiteInTroubleIsLeftAfterEightTries(t *testing.T) {
	t.Parallel()
	s, _, a, _, _, err := upload(t, answer(http.StatusInternalServerError, "oops"))
	var refused *spool.RefusedError
	if err == nil || errors.As(err, &refused) || len(a.requests) != 8 {
		t.Errorf("%v after %d tries", err, len(a.requests))
	}
	if n := pendingCount(t, s); n != 1 {
		t.Errorf("%d results are kept", n)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	_, _, a, _, _, err := upload(t, answer(http.StatusMovedPermanently, "", "Location", "https://elsewhere.test/"))
	if err == nil || !strings.Contains(err.Error(), "https://elsewhere.test/") || len(a.requests) != 1 {
		t.Errorf("%v after %d tries", err, len(a.requests))
	}
}

func TestUnreachableAndUnusableSites(t *testing.T) {
	t.Parallel()
	s, path := open(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	tries := 0
	wait := func(context.Context, time.Duration) error { tries++; return nil }
	if _, err := s.Upload(t.Context(), spool.Site{URL: closed.URL, Wait: wait}, path); err == nil || tries != 3 ||
		!strings.Contains(err.Error(), "can't be reached") {
		t.Errorf("closed port: %v after %d waits", err, tries)
	}
	untrusted := httptest.NewTLSServer(answerAll{})
	defer untrusted.Close()
	if _, err := s.Upload(t.Context(), spool.Site{URL: untrusted.URL, Wait: wait}, path); err == nil ||
		!strings.Contains(err.Error(), "certificate") {
		t.Errorf("untrusted certificate: %v", err)
	}
	for _, address := range []string{"", "example.org", "ftp://example.org", "http://"} {
		if _, err := s.Upload(t.Context(), spool.Site{URL: address, Wait: wait}, path); err == nil ||
			!strings.Contains(err.Error(), "not an address") {
			t.Errorf("site %q: %v", address, err)
		}
	}
}

// On a network that lets nobody out, something answers for the site. It gives no receipt, and the result goes on
// waiting.
func TestOnlyTheSiteConfirms(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "<html>Please log in</html>", "{}", "null",
		strings.Replace(accepted, exampleID, "0198f2c4-7a3b-7c11-9d5e-000000000000", 1)} {
		s, _, a, _, _, err := upload(t, answer(http.StatusOK, body))
		if err == nil || !strings.Contains(err.Error(), "no receipt") || len(a.requests) != 1 || pendingCount(t, s) != 1 {
			t.Errorf("%q: %v after %d tries, and %d wait", body, err, len(a.requests), pendingCount(t, s))
		}
	}
}

// The upload succeeds even if the directory can't be written to, such as on a card that was brought to another computer
// read-only.
func TestReceiptThatCantBeKept(t *testing.T) {
	t.Parallel()
	s, path := open(t)
	if err := os.Mkdir(strings.TrimSuffix(path, ".json")+".receipt.json.tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	var said string
	receipt, err := s.Upload(t.Context(), spool.Site{URL: sitetest.Start(t).URL, Log: func(text string) { said = text }},
		path)
	if err != nil || receipt.State != "accepted" || !strings.Contains(said, "can't be kept beside the file") {
		t.Errorf("%v, %+v, said %q", err, receipt, said)
	}
}

func TestStanding(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*spool.Standing{
		`{"standing":{"figure":"rand_write_iops","above":24,"modules":144}}`: {Figure: "rand_write_iops", Above: 24,
			Modules: 144},
		`{"standing":{"figure":"x","above":1,"modules":4,"of_form":{"form":"cf","above":0,"modules":2}}}`: {Figure: "x",
			Above: 1, Modules: 4, OfForm: &spool.FormStanding{Form: "cf", Above: 0, Modules: 2}},
		`{"standing":{"figure":"x","above":1,"modules":4,"of_form":{"form":"cf","above":3,"modules":2}}}`: {Figure: "x",
			Above: 1, Modules: 4},
		`{"standing":{"figure":"rand_write_iops","above":0,"modules":0}}`:  nil,
		`{"standing":{"figure":"rand_write_iops","above":5,"modules":4}}`:  nil,
		`{"standing":{"figure":"rand_write_iops","above":-1,"modules":4}}`: nil,
		`{"standing":null}`: nil,
		`{}`:                nil,
		`<html>`:            nil,
	} {
		a := &answers{list: []func(http.ResponseWriter){answer(http.StatusOK, body)}}
		server := httptest.NewServer(a)
		if diff := cmp.Diff(want, spool.Site{URL: server.URL}.Standing(t.Context(), exampleID)); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
		server.Close()
		if a.requests[0].Header.Get("Authorization") != "" {
			t.Error("the secret went with a question that needs none")
		}
	}
}

func TestExposed(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://example.org": false, "http://localhost:8080": false, "http://127.0.0.1": false, "http://[::1]:80": false,
		"http://[::ffff:127.1.2.3]/": false,
		"http://a.localhost.":        false, "http://example.org": true, "http://192.168.1.2:8080": true,
		"http://localhost.example.org": true, "http://[fe80::1]": true,
		"HTTP://EXAMPLE.ORG": true, "nonsense": false,
	} {
		if got := (spool.Site{URL: url}).Exposed(); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

type answerAll struct{}

func (answerAll) ServeHTTP(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, accepted) }
