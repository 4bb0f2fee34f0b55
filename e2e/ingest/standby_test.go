package ingest

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestNothingDoneAlreadyIsConfirmedWithoutTheStandby uploads, changes a secret, and deletes and rejects results while
// the synchronous standby is away. The primary does all of it, but nothing is confirmed, however often the client asks.
// When the standby is back, everything is confirmed. After a promotion, everything is there.
func TestNothingDoneAlreadyIsConfirmedWithoutTheStandby(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	s := p.startPublishedServer(t)
	ids := make([]string, 4)
	for i := range ids {
		id, body := document()
		if status, err := put(t, s.site, id, body, secretOf(i)); err != nil || status != http.StatusCreated {
			t.Fatalf("upload %d: %d, %v", i, status, err)
		}
		ids[i] = id
	}
	fresh := secretOf(99)
	operator := strings.TrimSpace(run(t, "operator", "add", "judge", "--database-url", p.url))
	late, body := document()
	requests := []struct {
		what, method, path, secret, body string
		want                             int
		done                             string // asks the primary
		args                             []any
	}{
		{"an upload", http.MethodPut, "/v1/results/" + late, secretOf(4), string(body), http.StatusOK,
			"select exists (select from submission where id = $1)", []any{late}},
		{"a rejection", http.MethodPost, "/v1/moderation/submissions/" + ids[3] + "/reject", operator,
			`{"reason":"a test"}`, http.StatusOK, "select state = 'rejected' from submission where id = $1", []any{ids[3]}},
		{"a change of the secret", http.MethodPut, "/v1/contributor/secret", secretOf(0), `{"new_secret":"` + fresh + `"}`,
			http.StatusNoContent, "select exists (select from contributor_secret where retired_at is not null)", nil},
		{"the question whether the new secret is in force", http.MethodGet, "/v1/contributor", fresh, "",
			http.StatusOK, "select true", nil},
		{"a deletion", http.MethodDelete, "/v1/results/" + ids[1], secretOf(1), "",
			http.StatusNoContent, "select state = 'deleted' from submission where id = $1", []any{ids[1]}},
		{"the question whether a result is deleted", http.MethodGet, "/v1/results/" + ids[1], "", "",
			http.StatusGone, "select true", nil},
		{"the deletion of everything", http.MethodDelete, "/v1/contributor", secretOf(2), "",
			http.StatusOK, "select state = 'deleted' from submission where id = $1", []any{ids[2]}},
	}
	p.stopStandby(t)
	for _, r := range requests {
		for sending := range 2 {
			status, err := ask(t, r.method, s.site+r.path, []byte(r.body), r.secret)
			if err != nil || status != http.StatusServiceUnavailable {
				t.Errorf("%s, sent %d times without the standby: %d, %v; want 503", r.what, sending+1, status, err)
			}
			eventually(t, "the primary has done "+r.what, func() bool {
				return value[bool](t, p.primary.URL(), r.done, r.args...)
			})
		}
	}
	p.startStandby(t)
	answered := func(when string) {
		for _, r := range requests {
			status, err := ask(t, r.method, s.site+r.path, []byte(r.body), r.secret)
			if err != nil || status != r.want {
				t.Errorf("%s %s: %d, %v; want %d", r.what, when, status, err, r.want)
			}
		}
	}
	answered("with the standby back")
	p.signalPrimary(t, syscall.SIGKILL)
	if !value[bool](t, p.standby.DatabaseURL("postgres"), "select pg_promote()") {
		t.Fatal("the standby was not promoted within a minute")
	}
	eventually(t, "the new primary answers", func() bool {
		status, err := ask(t, http.MethodGet, s.site+"/v1/contributor", nil, fresh)
		return err == nil && status == http.StatusOK
	})
	answered("after the promotion")
}
