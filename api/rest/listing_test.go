package rest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// found returns how many modules a search finds.
func (b *bench) found(words string) int {
	b.t.Helper()
	return int(b.get("/v1/search?q="+words).json(b.t, http.StatusOK)["found"].(float64))
}

// The first contributor to measure a card sees the result at once, and learns when the module will be listed.
func TestAModuleThatOneContributorNamesIsNotListed(t *testing.T) {
	t.Parallel()
	b := start(t, behindProxy)
	id, body := unheardOf(t, "Fancy")
	module := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)
	told, _ := module["not_listed"].(string)
	if _, linked := module["url"]; linked || !strings.Contains(told, "second, independent contributor") {
		t.Errorf("the receipt says of the module: %v", module)
	}
	b.fold()
	page := string(b.get("/r/" + id).body)
	if !strings.Contains(page, told) || strings.Contains(page, "/modules/"+module["slug"].(string)) {
		t.Errorf("the page of the result leads to one that is not there, or doesn't say when it will be:\n%s", page)
	}
	for _, link := range regexp.MustCompile(`href="(/(?:r|v1)/[^"]+)"`).FindAllStringSubmatch(page, -1) {
		if a := b.get(link[1]); a.status != http.StatusOK {
			t.Errorf("the page of the result links to %s: %d", link[1], a.status)
		}
	}
	shown := b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)
	if shown["not_listed"] != told {
		t.Errorf("the result says of its module: %v", shown)
	}
	if n := b.found("Fancy"); n != 0 {
		t.Errorf("a search finds %d", n)
	}
	b.get("/v1/modules/"+module["slug"].(string)).problem(t, http.StatusNotFound, "not-found")
	if rows := string(b.get("/v1/results.csv?module=" + module["slug"].(string)).body); !strings.Contains(rows, id) {
		t.Errorf("the export lacks the result:\n%s", rows)
	}

	// A second contributor confirms it, from another network.
	second, body := unheardOf(t, "Fancy")
	if a := b.uploadFrom("192.0.2.1", secretOf(1), second, body); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.fold()
	b.eventually("a search finds it", func() bool { return b.found("Fancy") == 1 })
	b.get("/v1/modules/"+module["slug"].(string)).json(t, http.StatusOK)
	if page := string(b.get("/r/" + id).body); !strings.Contains(page, "/modules/"+module["slug"].(string)+"/") {
		t.Error("the page of the first result doesn't lead to the module")
	}
}

// An honest card in a slot shows registers, which suffice like a second contributor.
func TestAModuleThatItsRegistersConfirmIsListedAtOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := fresh(t)
	body = []byte(strings.Replace(string(body), `"Extreme"`, `"Fictitious"`, 1))
	module := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)
	if module["provisional"] != true || module["url"] == nil {
		t.Fatalf("the receipt says of the module: %v", module)
	}
	b.fold()
	b.eventually("a search finds it", func() bool { return b.found("Fictitious") == 1 })
}

// An operator undoes a flood: lists what would be rejected, rejects it, and finds nothing left of it.
func TestAFloodIsRejectedAtOnce(t *testing.T) {
	t.Parallel()
	b := start(t, behindProxy)
	token := b.operator("carol")
	const reject = "/v1/moderation/submissions/reject"
	b.as(secret, http.MethodPost, reject, `{"reason":"x"}`).problem(t, http.StatusForbidden, "not-operator")

	// Two contributors behind one address, who can't confirm a module for each other, and one in the neighbourhood.
	var junk []string
	for i := range 10 {
		for _, as := range []string{secretOf(1), secretOf(2)} {
			id, body := unheardOf(t, fmt.Sprintf("Junk %d", i))
			if a := b.uploadFrom("192.0.2.1", as, id, body); a.status != http.StatusCreated {
				t.Fatalf("%d %s", a.status, a.body)
			}
			junk = append(junk, id)
		}
	}
	honest, body := unheardOf(t, "Junk 0")
	b.uploadFrom("192.0.2.200", secret, honest, body)
	b.fold()
	b.eventually("what two networks name is listed", func() bool { return b.found("Junk") == 1 })

	states := func() (rejected int) {
		list := b.as(token, http.MethodGet, "/v1/moderation/submissions?state=rejected&limit=1000", "").json(t, http.StatusOK)
		return len(list["results"].([]any))
	}
	for asked, want := range map[string]int{
		`"network_of":"` + junk[0] + `"`:                                    20,
		`"network_of":"` + honest + `"`:                                     1,
		`"network_of":"` + junk[0] + `","network_size":"provider"`:          21,
		`"contributor_of":"` + junk[0] + `"`:                                10,
		`"network_of":"` + junk[0] + `","contributor_of":"` + junk[1] + `"`: 10,
		`"network_of":"` + junk[0] + `","since":"2999-01-01T00:00:00Z"`:     0,
		`"since":"2020-01-01T00:00:00Z"`:                                    21,
		`"until":"2020-01-01T00:00:00Z"`:                                    0,
		`"rule":"deviates"`:                                                 0,
	} {
		answer := b.as(token, http.MethodPost, reject, `{"reason":"A flood.","dry_run":true,`+asked+`}`).
			json(t, http.StatusOK)
		if answer["results"] != float64(want) || len(answer["first"].([]any)) != want {
			t.Errorf("%s would reject %v, want %d", asked, answer["results"], want)
		}
	}
	if n := states(); n != 0 {
		t.Errorf("dry runs rejected %d results", n)
	}
	for _, wrong := range []string{`{"reason":"All."}`, `{"reason":"x","network_of":"y"}`, `{"rule":"deviates"}`,
		`{"reason":"x","rule":"deviates","network_size":"planet"}`} {
		b.as(token, http.MethodPost, reject, wrong).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
	unknown := strings.Replace(junk[0], junk[0][:4], "ffff", 1)
	for _, of := range []string{"network_of", "contributor_of"} {
		b.as(token, http.MethodPost, reject, `{"reason":"x","`+of+`":"`+unknown+`"}`).
			problem(t, http.StatusNotFound, "not-found")
	}

	b.as(token, http.MethodPost, reject, `{"reason":"A flood.","network_of":"`+junk[0]+`"}`).json(t, http.StatusOK)
	if n := states(); n != 20 {
		t.Errorf("%d results are rejected, want 20", n)
	}
	b.fold()
	b.eventually("no junk is listed", func() bool { return b.found("Junk") == 0 })
	if state := b.get("/v1/results/"+honest).json(t, http.StatusOK)["state"]; state != "accepted" {
		t.Errorf("the result of the neighbour is %v", state)
	}
	again := b.as(token, http.MethodPost, reject, `{"reason":"A flood.","network_of":"`+junk[0]+`"}`).
		json(t, http.StatusOK)
	if again["results"] != float64(0) {
		t.Errorf("the second time: %v", again)
	}

	// The other result waits, and an operator confirms its module.
	list := b.as(token, http.MethodGet, "/v1/moderation/modules", "").json(t, http.StatusOK)["modules"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["result_url"] != b.URL+"/r/"+honest {
		t.Fatalf("what waits: %v", list)
	}
	slug := list[0].(map[string]any)["slug"].(string)
	const confirm = "/v1/moderation/modules/confirm"
	b.as(token, http.MethodPost, confirm, `{"module":"no-such","reason":"x"}`).problem(t, http.StatusNotFound, "not-found")
	for range 2 {
		a := b.as(token, http.MethodPost, confirm, `{"module":"`+slug+`","reason":"The shop has it."}`)
		if a.status != http.StatusNoContent {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	b.fold()
	b.eventually("the confirmed module is listed", func() bool { return b.found("Junk") == 1 })
	if a := b.as(secret, http.MethodDelete, "/v1/results/"+honest, ""); a.status != http.StatusNoContent {
		t.Fatal(a.status)
	}
	b.fold()
	b.eventually("a confirmed module without results isn't listed", func() bool { return b.found("Junk") == 0 })
}
