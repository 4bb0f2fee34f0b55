// Package sitetest is a site for the client's tests. It runs a real HTTP server, which keeps the API's promises about
// results and contributors (docs/api.md) in memory.
package sitetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	Fault  string                     // of the run token of new results
	Tokens bool                       // the site is of a version that gives out run tokens
	Hosts  string                     // what the site foretells of the module, a JSON list; "": nothing
	Either []string                   // modules that each new result may be of; "~" before one: it is offered
	Status int                        // of the Answer to every request, in place of the site's own; 0: none
	Answer string                     // with Retry-After: 3600
	Cut    func(r *http.Request) bool // whether to do what was asked but cut the connection instead of answering
	Delay  func(r *http.Request) bool // whether to cut the connection and do nothing before Arrive
	Log    []string                   // requests, as METHOD path

	mux          *http.ServeMux
	contributors map[string]int      // by secret; 0: the secret was changed
	changed      map[string]string   // the secret that replaced a secret
	results      map[string]uploaded // by id
	first        string              // secret
	delayed      []*http.Request
}

type uploaded struct {
	contributor int
	body        string // "" if deleted
	module      string // that its contributor named; "": none
}

// Start starts a site that ends with the test.
func Start(t testing.TB) *Site {
	s := &Site{contributors: map[string]int{}, changed: map[string]string{}, results: map[string]uploaded{}}
	s.mux = http.NewServeMux()
	for pattern, do := range map[string]func(r *http.Request, secret string) (status int, body string){
		"POST /v1/tokens":      s.token,
		"PUT /v1/results/{id}": s.put, "GET /v1/results/{id}": s.get, "DELETE /v1/results/{id}": s.delete,
		"PUT /v1/results/{id}/module": s.name,
		"GET /v1/contributor":         s.own, "DELETE /v1/contributor": s.own, "PUT /v1/contributor/secret": s.own,
	} {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
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
			s.mux.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case s.Delay != nil && s.Delay(r):
			body, _ := io.ReadAll(r.Body)
			late := r.Clone(context.Background())
			late.Body = io.NopCloser(bytes.NewReader(body))
			s.delayed = append(s.delayed, late)
			panic(http.ErrAbortHandler)
		case s.Status != 0:
			w.Header().Set("Content-Type", "application/problem+json")
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(s.Status)
			fmt.Fprint(w, s.Answer)
		default:
			s.mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Arrive does what the delayed requests ask for.
func (s *Site) Arrive() {
	s.Lock()
	defer s.Unlock()
	for _, r := range s.delayed {
		s.mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	s.delayed = nil
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

// Token is the run token that the site gives out.
const Token = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func (s *Site) token(r *http.Request, secret string) (status int, body string) {
	var asked struct{ ID string }
	switch err := json.NewDecoder(r.Body).Decode(&asked); {
	case !s.Tokens:
		return http.StatusMethodNotAllowed, ""
	case err != nil || len(asked.ID) != 36 || secret != "": // which the request must not hold
		return http.StatusUnprocessableEntity, ""
	}
	return http.StatusOK, fmt.Sprintf(`{"token":%q,"expires_at":"2026-11-24T00:00:00Z"}`, Token)
}

// own answers for the contributor with the secret.
func (s *Site) own(r *http.Request, secret string) (status int, body string) {
	contributor := s.contributors[secret]
	var change struct {
		Secret string `json:"new_secret"`
	}
	if r.Method == http.MethodPut {
		if err := json.NewDecoder(r.Body).Decode(&change); err != nil || len(change.Secret) != 64 {
			return http.StatusUnprocessableEntity, ""
		}
	}
	_, used := s.contributors[change.Secret]
	switch {
	case used && s.changed[secret] == change.Secret && s.contributors[change.Secret] != 0:
		return http.StatusNoContent, "" // repeated
	case contributor == 0:
		return http.StatusUnauthorized, ""
	case used:
		return http.StatusConflict, ""
	case r.Method == http.MethodPut:
		s.contributors[secret], s.contributors[change.Secret], s.changed[secret] = 0, contributor, change.Secret
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
	sent, err := io.ReadAll(r.Body)
	if err != nil { // the client died
		return http.StatusBadRequest, ""
	}
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
		s.results[id] = uploaded{contributor: contributor, body: string(sent)}
		status = http.StatusCreated
	}
	return status, s.receipt(id)
}

// receipt is the answer about a result.
func (s *Site) receipt(id string) string {
	slug, naming := s.results[id].module, ""
	if slug == "" {
		var choices []string
		for _, module := range s.Either {
			offered, is := strings.CutPrefix(module, "~")
			choice := fmt.Sprintf(`{"slug":%q,"name":"Card %[1]s","url":"https://x.test/m/%[1]s"}`, offered)
			if is {
				naming = `"offered":` + choice + ","
			} else {
				choices = append(choices, choice)
				naming = `"choices":[` + strings.Join(choices, ",") + "],"
			}
		}
	}
	name := strings.TrimSpace("Card " + slug)
	return fmt.Sprintf(`{"id":%q,"state":%q,"reason":%q,"token_fault":%q,"result_url":"https://x.test/r/1",%s
		"module":{"slug":%q,"name":%q,"url":"https://x.test/m/%[6]s"},"foretold":%[8]s}`, id, cmp.Or(s.State, "accepted"),
		s.Reason, s.Fault, naming, cmp.Or(slug, "a"), name, cmp.Or(s.Hosts, "null"))
}

// name names the module of a contributor's result.
func (s *Site) name(r *http.Request, secret string) (status int, body string) {
	id := r.PathValue("id")
	result, known := s.results[id]
	var asked struct{ Module string }
	switch err := json.NewDecoder(r.Body).Decode(&asked); {
	case !known:
		return http.StatusNotFound, ""
	case result.body == "":
		return http.StatusGone, ""
	case result.contributor != s.contributors[secret]:
		return http.StatusForbidden, ""
	case err != nil || !slices.Contains(s.Either, asked.Module) && !slices.Contains(s.Either, "~"+asked.Module):
		return http.StatusUnprocessableEntity, ""
	}
	result.module = asked.Module
	s.results[id] = result
	return http.StatusOK, s.receipt(id)
}

func (s *Site) get(r *http.Request, _ string) (status int, body string) {
	switch result, known := s.results[r.PathValue("id")]; {
	case !known:
		return http.StatusNotFound, ""
	case result.body == "":
		return http.StatusGone, ""
	default:
		return http.StatusOK, fmt.Sprintf(
			`{"standing":{"figure":"rand_write_iops","above":60,"modules":210,`+
				`"of_form":{"form":"microsd","above":41,"modules":143}},"document":%s}`, result.body)
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
