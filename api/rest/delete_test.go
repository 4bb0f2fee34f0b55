package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAContributorDeletesTheirOwnResult(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body))
	if a := b.get("/v1/results/" + id); !strings.Contains(string(a.body),
		`"standing":{"figure":"rand_write_iops","above":0,"modules":0,"of_form":{"form":"microsd","above":0,"modules":0}}`) {
		t.Errorf("no standing in %.600s", a.body)
	}
	remove := func(token string) answer {
		r := b.request(http.MethodDelete, "/v1/results/"+id, nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return b.do(r)
	}
	remove("").problem(t, http.StatusUnauthorized, "no-token")
	remove(strings.Repeat("9", 64)).problem(t, http.StatusForbidden, "not-yours")
	for range 2 {
		if a := remove(secret); a.status != http.StatusNoContent || len(a.body) > 0 {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	b.get("/v1/results/"+id).problem(t, http.StatusGone, "deleted")
	b.do(b.upload(id, body)).problem(t, http.StatusGone, "deleted")
}
