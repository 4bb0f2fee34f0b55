package rest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"flashdex/result"
)

func TestACopyIsRefusedWithTheResultThatItCopies(t *testing.T) {
	t.Parallel()
	b := start(t)
	body, err := os.ReadFile("../../result/testdata/valid/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	id := doc.ID
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	other := result.NewID()
	a := b.do(b.upload(other, bytes.Replace(body, []byte(id), []byte(other), 1)))
	p := a.problem(t, http.StatusConflict, "copied")
	for _, part := range []string{"/r/" + id, "Nothing was stored", "measure again"} {
		if !strings.Contains(p.Detail, part) {
			t.Errorf("%q is not in %q", part, p.Detail)
		}
	}
	if a := b.get("/r/" + id); a.status != http.StatusOK {
		t.Errorf("the page that the answer names: %d", a.status)
	}
	if a := b.get("/v1/results/" + other); a.status != http.StatusNotFound {
		t.Errorf("the copy: %d", a.status)
	}
	if a := b.do(b.upload(id, body)); a.status != http.StatusOK {
		t.Errorf("the first again: %d %s", a.status, a.body)
	}
}

// TestAWholeCopyOfFewSamplesIsRefused sends a document whose single tests have no hashes.
func TestAWholeCopyOfFewSamplesIsRefused(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.uploadAsIs(id, body)).json(t, http.StatusCreated)
	for _, secret := range []string{secret, strings.Repeat("0b", 32), strings.Repeat("0c", 32)} {
		other := result.NewID()
		r := b.uploadAsIs(other, bytes.Replace(body, []byte(id), []byte(other), 1))
		r.Header.Set("Authorization", "Bearer "+secret)
		if p := b.do(r).problem(t, http.StatusConflict, "copied"); !strings.Contains(p.Detail, "/r/"+id) {
			t.Errorf("%q doesn't name /r/%s", p.Detail, id)
		}
	}
	if a := b.do(b.uploadAsIs(id, body)); a.status != http.StatusOK {
		t.Errorf("the first again: %d %s", a.status, a.body)
	}
}
