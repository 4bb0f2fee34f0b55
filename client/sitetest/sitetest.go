// Package sitetest is a site for the client's tests. It keeps the promises of the API about results and contributors
// (docs/api.md) in memory, behind a real HTTP server.
package sitetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

	contributors map[string]int      // by secret; 0: the secret was changed
	results      map[string]uploaded // by id
	first        string              // secret
}

type uploaded struct {
	contributor int
	body        string // "" if deleted
}

// Start starts a site that ends with the test.
func Start(t testing.TB) *Site {
	s := &Site{contributors: map[string]int{}, results: map[string]uploaded{}}
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(r *http.Request, secret string) (status int, body string){
		"PUT /v1/results/{id}": s.put, "GET /v1/results/{id}": s.get, "DELETE /v1/results/{id}": s.delete,
		"GET /v1/contributor": s.own, "DELETE /v1/contributor": s.own, "PUT /v1/contributor/secret": s.own,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			status, body := do(r, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		defer s.Unlock()
		s.Log = append(s.Log, r.Method+" "+r.URL.Path)
		switch {
		case s.Cut != nil && s.Cut(r):
			mux.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case s.Status != 0:
			w.Header().Set("Content-Type", "application/problem+json")
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(s.Status)
			fmt.Fprint(w, s.Answer)
		default:
			mux.ServeHTTP(w, r)
		}
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

// Secrets returns the valid secrets, and the first secret of the first contributor.
func (s *Site) Secrets() (valid []string, first string) {
	s.Lock()
	defer s.Unlock()
	for secret, contributor := range s.contributors {
		if contributor != 0 {
			valid = append(valid, secret)
		}
	}
	return valid, s.first
}

// own answers for the contributor with the secret.
func (s *Site) own(r *http.Request, secret string) (status int, body string) {
	contributor := s.contributors[secret]
	if contributor == 0 {
		return http.StatusUnauthorized, ""
	}
	if r.Method == http.MethodPut {
		var changed struct {
			Secret string `json:"new_secret"`
		}
		if err := json.NewDecoder(r.Body).Decode(&changed); err != nil || len(changed.Secret) != 64 {
			return http.StatusUnprocessableEntity, ""
		}
		s.contributors[secret], s.contributors[changed.Secret] = 0, contributor
		return http.StatusNoContent, ""
	}
	count := 0
	for id, result := range s.results {
		if result.contributor != contributor || result.body == "" {
			continue
		}
		count++
		if r.Method == http.MethodDelete {
			s.results[id] = uploaded{contributor: contributor}
		}
	}
	return http.StatusOK, fmt.Sprintf(`{%q:%d}`, map[string]string{"GET": "results", "DELETE": "deleted"}[r.Method], count)
}

func (s *Site) put(r *http.Request, secret string) (status int, body string) {
	sent, _ := io.ReadAll(r.Body)
	id := r.PathValue("id")
	result, known := s.results[id]
	contributor, seen := s.contributors[secret]
	switch {
	case seen && contributor == 0 || len(secret) != 64:
		return http.StatusUnauthorized, ""
	case known && result.body == "":
		return http.StatusGone, ""
	case known && result.body != string(sent):
		return http.StatusConflict, ""
	case !seen:
		contributor, s.first = len(s.contributors)+1, cmp.Or(s.first, secret)
		s.contributors[secret] = contributor
	}
	status = http.StatusOK
	if !known {
		s.results[id] = uploaded{contributor, string(sent)}
		status = http.StatusCreated
	}
	return status, fmt.Sprintf(`{"id":%q,"state":%q,"reason":%q,"result_url":"https://x.test/r/1",
		"module":{"slug":"a","name":"Card","url":"https://x.test/m/a"}}`, id, cmp.Or(s.State, "accepted"), s.Reason)
}

func (s *Site) get(r *http.Request, _ string) (status int, body string) {
	switch result, known := s.results[r.PathValue("id")]; {
	case !known:
		return http.StatusNotFound, ""
	case result.body == "":
		return http.StatusGone, ""
	default:
		return http.StatusOK, fmt.Sprintf(
			`{"standing":{"figure":"rand_write_iops","above":24,"modules":144},"document":%s}`, result.body)
	}
}

func (s *Site) delete(r *http.Request, secret string) (status int, body string) {
	id := r.PathValue("id")
	result, known := s.results[id]
	switch {
	case !known:
		return http.StatusNotFound, ""
	case result.contributor != s.contributors[secret]:
		return http.StatusForbidden, ""
	}
	s.results[id] = uploaded{contributor: result.contributor}
	return http.StatusNoContent, ""
}
