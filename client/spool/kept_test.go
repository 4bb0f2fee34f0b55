package spool_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/spool"
)

const problem = `{"title":"Not valid","errors":[{"pointer":"/id","detail":"odd"}]}`

// A result waits, is refused, and is uploaded; the list tells which, and the spool's own files are no results.
func TestAllTellsWhatBecameOfAResult(t *testing.T) {
	t.Parallel()
	s, path, _, _, _, err := upload(t, answer(http.StatusUnprocessableEntity, problem, "Content-Type",
		"application/problem+json"))
	if err == nil {
		t.Fatal("the refusal is no error")
	}
	all, err := s.All()
	if err != nil || len(all) != 1 || all[0].Path != path || all[0].Result.ID != exampleID || all[0].Receipt != nil {
		t.Fatalf("%+v, %v", all, err)
	}
	if refused := all[0].Refused; refused == nil || refused.Status != 422 ||
		!strings.Contains(refused.Error(), "/id: odd") {
		t.Errorf("refused: %v", refused)
	}
	if pendingCount(t, s) != 1 {
		t.Error("a refused result can't be uploaded again, to a site that takes it")
	}

	s, _, _, _, _, err = upload(t, answer(http.StatusCreated, accepted))
	if err != nil {
		t.Fatal(err)
	}
	all, err = s.All()
	if err != nil || len(all) != 1 || all[0].Refused != nil || all[0].Receipt == nil ||
		all[0].Receipt.State != "accepted" || all[0].Receipt.Module.Name != "A[2J" {
		t.Errorf("%+v, %v", all, err)
	}

	s, _ = open(t)
	if err := os.WriteFile(filepath.Join(s.Dir, "notes.json"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err = s.All()
	if len(all) != 1 || all[0].Receipt != nil || all[0].Refused != nil || err == nil ||
		!strings.Contains(err.Error(), "notes.json") {
		t.Errorf("a waiting result beside a file that is none: %+v, %v", all, err)
	}
}

// A result that was refused once and accepted later no longer counts as refused.
func TestUploadForgetsTheRefusal(t *testing.T) {
	t.Parallel()
	s, path := open(t)
	site := &answers{list: []func(http.ResponseWriter){answer(http.StatusNotFound, "{}"),
		answer(http.StatusCreated, accepted)}}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	for _, files := range []int{2, 2} { // the result and its refusal, then the result and its receipt
		_, _ = s.Upload(t.Context(), spool.Site{URL: server.URL}, path)
		if beside, err := filepath.Glob(strings.TrimSuffix(path, ".json") + ".*"); err != nil || len(beside) != files {
			t.Errorf("there are %v, %v; want %d", beside, err, files)
		}
	}
	if pendingCount(t, s) != 0 {
		t.Error("the uploaded result still waits")
	}
}
