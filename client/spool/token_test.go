package spool_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// The request for a token holds the random id of the result to come, and nothing about the sender.
func TestRequestForATokenNamesNobody(t *testing.T) {
	t.Parallel()
	var header http.Header
	var body []byte
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		_, _ = w.Write([]byte(`{"token":"` + sitetest.Token + `"}`))
	}))
	defer site.Close()
	id := result.NewID()
	token, err := spool.Site{URL: site.URL}.RunToken(t.Context(), id)
	if err != nil || token != sitetest.Token {
		t.Fatal(token, err)
	}
	names := slices.Sorted(maps.Keys(header))
	if diff := cmp.Diff([]string{"Accept-Encoding", "Content-Length", "Content-Type", "User-Agent"}, names); diff != "" ||
		header.Get("User-Agent") != "flashdex" || string(body) != `{"id":"`+id+`"}` {
		t.Errorf("%v %s\n%s", header, body, diff)
	}
}

// Whatever a site answers, the client asks once and goes on.
func TestRunWithoutATokenGoesOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter)
		says   string
	}{
		"older":        {answer(http.StatusNotFound, ""), "gives out none"},
		"older yet":    {answer(http.StatusMethodNotAllowed, ""), "gives out none"},
		"busy":         {answer(http.StatusServiceUnavailable, ""), "busy"},
		"at its limit": {answer(http.StatusTooManyRequests, "", "Retry-After", "60"), "busy"},
		"a portal":     {answer(http.StatusOK, "<html>"), "not from the site"},
		"without one":  {answer(http.StatusOK, "{}"), "not from the site"},
		"hostile":      {answer(http.StatusOK, `{"token":"\u001b[2J evil evil evil evil"}`), "not from the site"},
		"moved":        {answer(http.StatusFound, "", "Location", "https://x.test/"), "moved"},
		"silent":       {nil, "reached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32 // a silent site's answer orders nothing
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				if c.answer == nil {
					_, _ = io.Copy(io.Discard, r.Body) // the server sees only then that the client leaves
					<-r.Context().Done()
				} else {
					c.answer(w)
				}
			}))
			defer site.Close()
			token, err := spool.Site{URL: site.URL}.RunToken(t.Context(), result.NewID())
			if token != "" || err == nil || !strings.Contains(err.Error(), c.says) || requests.Load() != 1 {
				t.Errorf("%q, %v after %d requests; want %q", token, err, requests.Load(), c.says)
			}
		})
	}
}
