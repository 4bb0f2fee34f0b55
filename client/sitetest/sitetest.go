// Package sitetest is a site for the client's tests. It keeps the promises of the API about results and contributors
// (docs/api.md) in memory, behind a real HTTP server.
package sitetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Site is a running site. After its first request, lock it to use its exported fields.
type Site struct {
	sync.Mutex

	URL    string
	State  string                     // of new results; "" is accepted
	Reason string                     // of that state
	Status int                        // of the Answer to every request, in place of what the site would answer; 0: none
	Answer string                     // with Retry-After: 3600
	Cut    func(r *http.Request) bool // whether to do what was asked but cut the connection instead of answering
	Log    []string                   // requests, as METHOD path

	contributors map[string]int // by valid secret
	retired      map[string]bool
	results      map[string]uploaded
	known        int    // contributors ever
	first        string // secret
}

type uploaded struct {
	contributor int
	body        string // "" if deleted
}

// Start starts a site that ends with the test.
func Start(t testing.TB) *Site {
	t.Helper()
	s := &Site{contributors: map[string]int{}, retired: map[string]bool{}, results: map[string]uploaded{}}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /v1/results/{id}", s.put)
	mux.HandleFunc("GET /v1/results/{id}", s.get)
	mux.HandleFunc("DELETE /v1/results/{id}", s.delete)
	mux.HandleFunc("GET /v1/contributor", s.own(func(contributor int, _ *http.Request) string {
		return fmt.Sprintf(`{"results":%d}`, len(s.of(contributor)))
	}))
	mux.HandleFunc("DELETE /v1/contributor", s.own(func(contributor int, _ *http.Request) string {
		ids := s.of(contributor)
		for _, id := range ids {
			s.results[id] = uploaded{contributor: contributor}
		}
		return fmt.Sprintf(`{"deleted":%d}`, len(ids))
	}))
	mux.HandleFunc("PUT /v1/contributor/secret", s.own(func(contributor int, r *http.Request) string {
		var body struct {
			NewSecret string `json:"new_secret"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.NewSecret) != 64 {
			t.Errorf("a new secret like %q, %v", body.NewSecret, err)
		}
		delete(s.contributors, secret(r))
		s.retired[secret(r)] = true
		s.contributors[body.NewSecret] = contributor
		return ""
	}))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		defer s.Unlock()
		s.Log = append(s.Log, r.Method+" "+r.URL.Path)
		if s.Cut != nil && s.Cut(r) {
			mux.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		if s.Status != 0 {
			w.Header().Set("Content-Type", "application/problem+json")
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(s.Status)
			fmt.Fprint(w, s.Answer)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Body returns the uploaded document with an id, or "" if there is none. deleted tells whether it was deleted.
func (s *Site) Body(id string) (body string, deleted bool) {
	s.Lock()
	defer s.Unlock()
	result, known := s.results[id]
	return result.body, known && result.body == ""
}

// Secrets returns the valid secrets.
func (s *Site) Secrets() []string {
	s.Lock()
	defer s.Unlock()
	return slices.Collect(maps.Keys(s.contributors))
}

// First returns the first secret of the first contributor.
func (s *Site) First() string {
	s.Lock()
	defer s.Unlock()
	return s.first
}

func (s *Site) of(contributor int) []string {
	var ids []string
	for id, result := range s.results {
		if result.contributor == contributor && result.body != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func secret(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func (s *Site) own(do func(contributor int, r *http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		contributor, ok := s.contributors[secret(r)]
		if !ok {
			problem(w, http.StatusUnauthorized, "Unknown secret")
			return
		}
		text := do(contributor, r)
		if text == "" {
			w.WriteHeader(http.StatusNoContent)
		}
		fmt.Fprint(w, text)
	}
}

func (s *Site) put(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	body, _ := io.ReadAll(r.Body)
	result, known := s.results[id]
	contributor, ok := s.contributors[secret(r)]
	switch {
	case s.retired[secret(r)] || len(secret(r)) != 64:
		problem(w, http.StatusUnauthorized, "Unknown secret")
		return
	case known && result.body == "":
		problem(w, http.StatusGone, "Deleted")
		return
	case known && result.body != string(body):
		problem(w, http.StatusConflict, "Taken")
		return
	case !ok:
		s.known++
		contributor, s.first = s.known, cmp.Or(s.first, secret(r))
		s.contributors[secret(r)] = contributor
	}
	if !known {
		s.results[id] = uploaded{contributor, string(body)}
		w.WriteHeader(http.StatusCreated)
	}
	fmt.Fprintf(w, `{"id":%q,"state":%q,"reason":%q,"result_url":"https://x.test/r/1",
		"module":{"slug":"a","name":"Card","url":"https://x.test/m/a"}}`, id, cmp.Or(s.State, "accepted"), s.Reason)
}

func (s *Site) get(w http.ResponseWriter, r *http.Request) {
	switch result, known := s.results[r.PathValue("id")]; {
	case !known:
		problem(w, http.StatusNotFound, "Not found")
	case result.body == "":
		problem(w, http.StatusGone, "Deleted")
	default:
		fmt.Fprintf(w, `{"standing":{"figure":"rand_write_iops","above":24,"modules":144},"document":%s}`, result.body)
	}
}

func (s *Site) delete(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	result, known := s.results[id]
	contributor, ok := s.contributors[secret(r)]
	switch {
	case !known:
		problem(w, http.StatusNotFound, "Not found")
	case !ok || result.contributor != contributor:
		problem(w, http.StatusForbidden, "Not yours")
	default:
		s.results[id] = uploaded{contributor: contributor}
		w.WriteHeader(http.StatusNoContent)
	}
}

func problem(w http.ResponseWriter, status int, title string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"title":%q}`, title)
}
