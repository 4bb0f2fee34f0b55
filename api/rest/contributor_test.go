package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// as sends a request with a token, and with a JSON body if there is one.
func (b *bench) as(token, method, path, body string) answer {
	b.t.Helper()
	r := b.request(method, path, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return b.do(r)
}

// json checks the status of an answer and decodes its body.
func (a answer) json(t testing.TB, status int) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(a.body, &object); err != nil || a.status != status {
		t.Fatalf("%d %s; want %d", a.status, a.body, status)
	}
	return object
}

func TestAContributorReadsChangesTheirSecretAndDeletesEverything(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	fresh := strings.Repeat("0f", 32)
	b.as("", http.MethodGet, "/v1/contributor", "").problem(t, http.StatusUnauthorized, "no-token")
	b.as(secret, http.MethodGet, "/v1/contributor", "").problem(t, http.StatusUnauthorized, "unknown-contributor")
	first := b.do(b.upload(id, body)).json(t, http.StatusCreated)
	known := b.as(secret, http.MethodGet, "/v1/contributor", "").json(t, http.StatusOK)
	if diff := cmp.Diff(map[string]any{first["state"].(string): 1.0}, known["by_state"]); diff != "" ||
		known["results"] != 1.0 || len(known["since"].(string)) != 10 {
		t.Errorf("%v, by state (-want +got):\n%s", known, diff)
	}
	list := b.as(secret, http.MethodGet, "/v1/contributor/results?limit=1", "").json(t, http.StatusOK)
	want := map[string]any{"id": id, "state": first["state"], "module": "sandisk-extreme-32gb-microsd",
		"day": known["since"]}
	for _, key := range []string{"reason", "rule"} {
		if first[key] != nil {
			want[key] = first[key]
		}
	}
	if diff := cmp.Diff([]any{want}, list["results"]); diff != "" || list["after"] != id {
		t.Errorf("%v, results (-want +got):\n%s", list, diff)
	}
	if rest := b.as(secret, http.MethodGet, "/v1/contributor/results?after="+id, "").json(t,
		http.StatusOK); len(rest["results"].([]any)) != 0 || rest["after"] != nil {
		t.Errorf("after the last: %v", rest)
	}
	for _, query := range []string{"?limit=0", "?limit=9999", "?limit=x", "?after=1'", "?after=%00", "?state=accepted"} {
		b.as(secret, http.MethodGet, "/v1/contributor/results"+query, "").problem(t, http.StatusUnprocessableEntity,
			"bad-request")
	}

	b.as(secret, http.MethodPut, "/v1/contributor/secret", `{"new_secret":"short"}`).problem(t,
		http.StatusUnprocessableEntity, "bad-request")
	b.as(secret, http.MethodPut, "/v1/contributor/secret", `{"new_secret":"`+secret+`"}`).problem(t, http.StatusConflict,
		"secret-in-use")
	b.as(secret, http.MethodPut, "/v1/contributor/secret", `{"other":1}`).problem(t, http.StatusBadRequest, "malformed")
	b.as(secret, http.MethodPut, "/v1/contributor/secret", `{} {}`).problem(t, http.StatusBadRequest, "malformed")
	b.as(secret, http.MethodPut, "/v1/contributor/secret", strings.Repeat(" ", 5000)).problem(t,
		http.StatusRequestEntityTooLarge, "too-large")
	for range 2 {
		if a := b.as(secret, http.MethodPut, "/v1/contributor/secret",
			`{"new_secret":"`+fresh+`"}`); a.status != http.StatusNoContent {
			t.Errorf("change of the secret: %d %s", a.status, a.body)
		}
	}
	b.as(secret, http.MethodGet, "/v1/contributor", "").problem(t, http.StatusUnauthorized, "secret-retired")
	b.do(b.upload(id, body)).problem(t, http.StatusUnauthorized, "secret-retired")

	for deleted := range []float64{1, 0} {
		if got := b.as(fresh, http.MethodDelete, "/v1/contributor", "").json(t,
			http.StatusOK); got["deleted"] != float64(1-deleted) {
			t.Errorf("%v; want %d deleted", got, 1-deleted)
		}
	}
	b.get("/v1/results/"+id).problem(t, http.StatusGone, "deleted")
	if known := b.as(fresh, http.MethodGet, "/v1/contributor", "").json(t, http.StatusOK); known["results"] != 0.0 {
		t.Errorf("after deleting everything: %v", known)
	}
}
