package rest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"testing"

	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"

	"github.com/google/go-cmp/cmp"
)

// operator makes an operator and returns the token.
func (b *bench) operator(name string) string {
	b.t.Helper()
	db, err := store.Open(b.t.Context(), b.database)
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	token := sha256.Sum256([]byte(name))
	if err := db.AddOperator(b.t.Context(), name, token); err != nil {
		b.t.Fatal(err)
	}
	return hex.EncodeToString(token[:])
}

func TestOperatorsDecide(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	token := b.operator("carol")
	state := b.do(b.upload(id, body)).json(t, http.StatusCreated)["state"]
	for path, method := range map[string]string{
		"/v1/moderation/submissions": http.MethodGet, "/v1/moderation/submissions/" + id: http.MethodGet,
		"/v1/moderation/submissions/" + id + "/accept":                http.MethodPost,
		"/v1/moderation/submissions/" + id + "/reject":                http.MethodPost,
		"/v1/moderation/submissions/" + id + "/confirm-contributor":   http.MethodPost,
		"/v1/moderation/submissions/" + id + "/unconfirm-contributor": http.MethodPost,
		"/v1/moderation/modules/unconfirm":                            http.MethodPost,
		"/v1/moderation/modules/merge":                                http.MethodPost,
		"/v1/moderation/modules/divided":                              http.MethodGet,
	} {
		b.as("", method, path, "").problem(t, http.StatusUnauthorized, "no-token")
		b.as(secret, method, path, "").problem(t, http.StatusForbidden, "not-operator")
	}
	reject := "/v1/moderation/submissions/" + id + "/reject"
	for _, reason := range []string{"", "  ", `two\nlines`, `\u0000`, `\u202e`, strings.Repeat("x", 1001)} {
		b.as(token, http.MethodPost, reject, `{"reason":"`+reason+`"}`).problem(t, http.StatusUnprocessableEntity,
			"bad-request")
	}
	decided := b.as(token, http.MethodPost, reject, `{"reason":"It was a RAM disk, <b>really</b>."}`).json(t,
		http.StatusOK)
	history := decided["history"].([]any)
	if last := history[len(history)-1].(map[string]any); decided["state"] != "rejected" ||
		last["by"] != "operator carol" || last["from"] != state {
		t.Errorf("decided: %v", decided)
	}
	queue := b.as(token, http.MethodGet, "/v1/moderation/submissions?state=rejected", "").json(t, http.StatusOK)
	if list := queue["results"].([]any); len(list) != 1 || list[0].(map[string]any)["id"] != id {
		t.Errorf("rejected are %v", queue)
	}
	b.as(token, http.MethodGet, "/v1/moderation/submissions?state=accepted", "").problem(t,
		http.StatusUnprocessableEntity, "bad-request")

	// Everybody sees the decision and its reason, but not who decided.
	shown := b.get("/v1/results/"+id).json(t, http.StatusOK)
	history = shown["history"].([]any)
	last := history[len(history)-1].(map[string]any)
	want := map[string]any{"on": shown["received_on"], "state": "rejected",
		"reason": "It was a RAM disk, <b>really</b>.", "by": "operator"}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("the last event (-want +got):\n%s", diff)
	}
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, "&lt;b&gt;really") {
		t.Error("the page doesn't show the reason as text")
	}
	if a := b.as(secret, http.MethodDelete, "/v1/results/"+id, ""); a.status != http.StatusNoContent {
		t.Fatal(a.status)
	}
	b.as(token, http.MethodPost, reject, `{"reason":"again"}`).problem(t, http.StatusGone, "deleted")
	b.as(token, http.MethodPost, strings.Replace(reject, id[:4], "ffff", 1), `{"reason":"nothing"}`).problem(t,
		http.StatusNotFound, "not-found")
	b.as(token, http.MethodPost, "/v1/moderation/submissions/x/reject", `{"reason":"nothing"}`).problem(t,
		http.StatusNotFound, "not-found")
}

// A decision over HTTP is undone by its id, too.
func TestADecisionOverHTTPIsUndoneByItsID(t *testing.T) {
	t.Parallel()
	b := start(t)
	one, two := b.held(secret), b.held(secret)
	token := b.operator("carol")
	pick := `{"contributor_of":"` + one + `","reason":"A new bus."`
	dry := b.as(token, http.MethodPost, "/v1/moderation/submissions/accept", pick+`,"dry_run":true}`).json(t, http.StatusOK)
	if _, decided := dry["decision"]; decided || dry["results"] != 2.0 {
		t.Errorf("a dry run: %v", dry)
	}
	did := b.as(token, http.MethodPost, "/v1/moderation/submissions/accept", pick+"}").json(t, http.StatusOK)
	undo := "/v1/moderation/decisions/" + did["decision"].(string) + "/undo"
	b.as(secret, http.MethodPost, undo, `{"reason":"x"}`).problem(t, http.StatusForbidden, "not-operator")
	b.as(token, http.MethodPost, undo, `{"reason":""}`).problem(t, http.StatusUnprocessableEntity, "bad-request")
	b.as(token, http.MethodPost, "/v1/moderation/submissions/"+two+"/reject", `{"reason":"Is not."}`).json(t, http.StatusOK)
	got := b.as(token, http.MethodPost, undo, `{"reason":"A slip."}`).json(t, http.StatusOK)
	if diff := cmp.Diff(map[string]any{"undone": 1.0, "left": 1.0}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for id, want := range map[string]string{one: "quarantined", two: "rejected"} {
		if state := b.get("/v1/results/"+id).json(t, http.StatusOK)["state"]; state != want {
			t.Errorf("%v, want %s", state, want)
		}
	}
	b.as(token, http.MethodPost, "/v1/moderation/decisions/"+one+"/undo", `{"reason":"x"}`).problem(t,
		http.StatusNotFound, "not-found")
}

// What one request doesn't get done, the next does as part of the same decision.
func TestADecisionGoesOnByItsID(t *testing.T) {
	t.Parallel()
	b := start(t)
	one, token := b.held(secret), b.operator("carol")
	accept := func(more string) answer {
		return b.as(token, http.MethodPost, "/v1/moderation/submissions/accept",
			`{"contributor_of":"`+one+`","reason":"A new bus."`+more+`}`)
	}
	id := accept("").json(t, http.StatusOK)["decision"].(string)
	b.held(secret)
	accept(`,"decision":"the last"`).problem(t, http.StatusUnprocessableEntity, "bad-request")
	if did := accept(`,"decision":"`+id+`"`).json(t, http.StatusOK); did["decision"] != id || did["results"] != 1.0 {
		t.Errorf("gone on with %s: %v", id, did)
	}
	undo := "/v1/moderation/decisions/" + id + "/undo"
	got := b.as(token, http.MethodPost, undo, `{"reason":"A slip."}`).json(t, http.StatusOK)
	if diff := cmp.Diff(map[string]any{"undone": 2.0, "left": 0.0}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Who uploads for the first time is told when it counts. An operator may say so earlier.
func TestANewContributorIsToldWhenTheirResultsCount(t *testing.T) {
	t.Parallel()
	b := start(t)
	clustertest.OnProbation(t, b.database)
	token := b.operator("carol")
	id, body := fresh(t)
	told, _ := b.do(b.upload(id, body)).json(t, http.StatusCreated)["probation"].(string)
	if !strings.Contains(told, "second day") {
		t.Errorf("the receipt says %q", told)
	}
	b.fold()
	got := b.get("/v1/results/"+id).json(t, http.StatusOK)
	if got["probation"] != told || !slices.Contains(got["not_ranked"].([]any), any(told)) {
		t.Errorf("the result says %v", got["not_ranked"])
	}
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, told) {
		t.Error("the page of the result doesn't say it")
	}
	for range 2 {
		if a := b.as(token, http.MethodPost, "/v1/moderation/submissions/"+id+"/confirm-contributor",
			`{"reason":"She showed me the card."}`); a.status != http.StatusNoContent {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	b.fold()
	got = b.get("/v1/results/"+id).json(t, http.StatusOK)
	if got["probation"] != nil || slices.Contains(got["not_ranked"].([]any), any(told)) {
		t.Errorf("after it was confirmed: %v", got["not_ranked"])
	}
	list := b.as(token, http.MethodGet, "/v1/moderation/modules/divided", "").json(t, http.StatusOK)
	if len(list["modules"].([]any)) > 0 {
		t.Errorf("divided: %v", list)
	}
}
