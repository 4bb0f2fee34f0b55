package rest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/result"
)

// FuzzBody sends any bytes, as they are or as gzip, through every step of an upload before the database. They are a
// result document or the sender's fault, never the server's.
func FuzzBody(f *testing.F) {
	good, err := os.ReadFile("../../result/testdata/valid/sd-card.json")
	if err != nil {
		f.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(good)
	_ = w.Close()
	f.Add(good, "", "application/json")
	f.Add(packed.Bytes(), "gzip", "application/json")
	f.Add(append(packed.Bytes(), packed.Bytes()...), "gzip", "application/json; charset=utf-8")
	f.Add(packed.Bytes()[:100], "GZIP", "application/json")
	f.Add([]byte{0x1f, 0x8b, 8, 0xff, 0, 0, 0, 0, 0, 0}, "gzip", "application/json")
	f.Add([]byte("{}"), "br", "text/plain; charset=\"")
	s := &server{
		Config: Config{Catalogue: new(catalogue.Catalogue)}, guard: newGuard(Limits{InFlight: 4, BodyTimeout: time.Minute}),
	}
	f.Fuzz(func(t *testing.T, body []byte, encoding, mediaType string) {
		r := httptest.NewRequest(http.MethodPut, "/v1/results/0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", bytes.NewReader(body))
		r.Header.Set("Content-Encoding", encoding)
		r.Header.Set("Content-Type", mediaType)
		answer := httptest.NewRecorder()
		s.handle(func(w http.ResponseWriter, r *http.Request) error {
			text, err := s.readBody(w, r)
			if err != nil {
				return err
			}
			doc, err := readDocument(text)
			if err == nil {
				doorVerdict(doc)
				s.Catalogue.Of(doc, "")
			}
			return err
		})(answer, r)
		isProblem(t, answer)
	})
}

// FuzzProblem maps any problem to an answer, whatever caused it.
func FuzzProblem(f *testing.F) {
	f.Add("invalid", "The document breaks the schema.", "/tests/0/bytes", "must be \"<b>\"", int64(0))
	f.Add("too-many", "\x00\xff\u202e", "", "", int64(1))
	f.Add("unavailable", "", "~1", "\n", int64(1<<62))
	f.Add("of no known kind", "", "", "", int64(-1))
	s := &server{}
	f.Fuzz(func(t *testing.T, kind, detail, pointer, at string, after int64) {
		p := &problem.Problem{Kind: problem.Kind(kind), Detail: detail,
			Errors: []result.Problem{{Pointer: pointer, Detail: at}}, RetryAfter: time.Duration(after)}
		answer := httptest.NewRecorder()
		s.handle(func(http.ResponseWriter, *http.Request) error { return p })(answer,
			httptest.NewRequest(http.MethodGet, "/", nil))
		isProblem(t, answer)
		if answers[p.Kind].status == 0 && answer.Code != http.StatusInternalServerError {
			t.Errorf("a kind that nobody knows is answered %d", answer.Code)
		}
	})
}

// isProblem checks that an answer is a problem of the sender's, or that nothing is wrong.
func isProblem(t *testing.T, answer *httptest.ResponseRecorder) {
	t.Helper()
	body, err := io.ReadAll(answer.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Code == http.StatusOK && len(body) == 0 {
		return
	}
	var p document
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatalf("%d %q: %v", answer.Code, body, err)
	}
	kind := problem.Kind(strings.TrimPrefix(p.Type, "urn:flashdex:problem:"))
	if p.Status != answer.Code || answers[kind].status != answer.Code {
		t.Errorf("%d %s", answer.Code, body)
	}
	if strings.HasPrefix(t.Name(), "FuzzBody") && answer.Code >= 500 {
		t.Errorf("the server's fault: %s", body)
	}
	if wait := answer.Header().Get("Retry-After"); strings.HasPrefix(wait, "-") || wait == "0" {
		t.Errorf("Retry-After: %s", wait)
	}
}
