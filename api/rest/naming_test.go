package rest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"flashdex/api/store"
	"flashdex/result"
)

// ambiguous returns a result that may be of either of two modules of the catalogue.
func ambiguous(t testing.TB) (id string, body []byte, candidates [2]string) {
	t.Helper()
	_, text := unheardOf(t, "Ultra")
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.Module = result.Module{Vendor: "SanDisk", Product: "Ultra", CapacityGB: 32, Form: "microsd"}
	doc.ID, doc.Identity.SizeBytes = result.NewID(), 31_914_983_424
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc.ID, body, [2]string{"sandisk-ultra-32gb-microsd", "sandisk-ultra-a1-32gb-microsd"}
}

// slugs returns the slugs of the choices in a receipt.
func slugs(receipt map[string]any) (all []string) {
	choices, _ := receipt["choices"].([]any)
	for _, c := range choices {
		all = append(all, c.(map[string]any)["slug"].(string))
	}
	return all
}

func TestAResultThatFitsSeveralModulesIsOfNoneUntilItsContributorSaysWhich(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body, candidates := ambiguous(t)
	receipt := b.do(b.upload(id, body)).json(t, http.StatusCreated)
	module := receipt["module"].(map[string]any)
	if !slices.Equal(slugs(receipt), candidates[:]) || module["url"] != nil || module["not_listed"] == nil {
		t.Fatalf("the receipt: %v", receipt)
	}
	other, second, _ := ambiguous(t) // a second contributor doesn't get an ambiguous module listed
	again := b.upload(other, second)
	again.Header.Set("Authorization", "Bearer "+secretOf(1))
	if module := b.do(again).json(t, http.StatusCreated)["module"].(map[string]any); module["url"] != nil {
		t.Errorf("the second receipt says of the module: %v", module)
	}
	b.fold()
	b.get("/v1/modules/"+module["slug"].(string)).problem(t, http.StatusNotFound, "not-found")
	page := string(b.get("/r/" + id).body)
	for _, shows := range []string{"Which module is this?", receipt["why"].(string), module["not_listed"].(string),
		`href="/modules/` + candidates[0] + `/"`, `href="/modules/` + candidates[1] + `/"`, "-- name " + id + " MODULE"} {
		if !strings.Contains(page, shows) {
			t.Errorf("the page lacks %q:\n%s", shows, page)
		}
	}
	for _, hides := range []string{"This result counts", "isn’t listed yet", "Why it is here", "/modules/" +
		module["slug"].(string) + "/"} {
		if strings.Contains(page, hides) {
			t.Errorf("the page says %q", hides)
		}
	}

	at := "/v1/results/" + id + "/module"
	p := b.as(secret, http.MethodPut, at, `{"module":"samsung-evo-32gb-microsd"}`).
		problem(t, http.StatusUnprocessableEntity, "bad-request")
	for _, slug := range candidates {
		if !strings.Contains(p.Detail, slug) {
			t.Errorf("the refusal doesn't name %s: %s", slug, p.Detail)
		}
	}
	b.as(secretOf(1), http.MethodPut, at, `{"module":"`+candidates[0]+`"}`).problem(t, http.StatusForbidden, "not-yours")
	b.as("", http.MethodPut, at, `{"module":"`+candidates[0]+`"}`).problem(t, http.StatusUnauthorized, "no-token")
	unknown := "/v1/results/" + strings.Replace(id, id[:4], "ffff", 1) + "/module"
	b.as(secret, http.MethodPut, unknown, `{"module":"x"}`).problem(t, http.StatusNotFound, "not-found")
	for _, wrong := range []string{`{"module":""}`, `{"module":"` + strings.Repeat("a", 4000) + `"}`, `{"module":"\u0000"}`,
		`{"module":"<script>"}`, `{"module":"` + module["slug"].(string) + `"}`} {
		b.as(secret, http.MethodPut, at, wrong).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
	for _, slug := range []string{candidates[1], candidates[0], candidates[0]} { // another choice, and the same again
		named := b.as(secret, http.MethodPut, at, `{"module":"`+slug+`"}`).json(t, http.StatusOK)
		if m := named["module"].(map[string]any); m["slug"] != slug || m["url"] == nil || named["choices"] != nil {
			t.Errorf("named %s, the receipt is %v", slug, named)
		}
	}
	b.fold()
	page = string(b.get("/r/" + id).body)
	if !strings.Contains(page, "its contributor chose this one") || strings.Contains(page, "Which module is this?") {
		t.Errorf("the page of the named result:\n%s", page)
	}
	if rows := string(b.get("/v1/results.csv?module=" + candidates[0]).body); !strings.Contains(rows, id) ||
		!strings.Contains(rows, ",contributor,") {
		t.Errorf("the export of the module:\n%s", rows)
	}
	for what, shown := range map[string]map[string]any{
		"the same upload again": b.do(b.upload(id, body)).json(t, http.StatusOK),
		"the result":            b.get("/v1/results/"+id).json(t, http.StatusOK),
	} {
		if m := shown["module"].(map[string]any); m["slug"] != candidates[0] || shown["choices"] != nil {
			t.Errorf("%s: %v", what, shown)
		}
	}
}

// An operator may name any listed module, and has the last word.
func TestAnOperatorNamesAResult(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	token := b.operator("carol")
	id, body, candidates := ambiguous(t)
	module := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)["slug"].(string)
	at := "/v1/moderation/submissions/" + id + "/name"
	b.as(secret, http.MethodPost, at, `{"module":"`+candidates[0]+`","reason":"x"}`).
		problem(t, http.StatusForbidden, "not-operator")
	for asked, status := range map[string]int{
		`{"module":"` + module + `","reason":"x"}`: 422, `{"module":"` + candidates[0] + `"}`: 422,
		`{"module":"/","reason":"x"}`: 422, `{"module":"no-such","reason":"x"}`: 404,
	} {
		if a := b.as(token, http.MethodPost, at, asked); a.status != status {
			t.Errorf("%s: %d %s, want %d", asked, a.status, a.body, status)
		}
	}
	confirm := `{"module":"` + module + `","reason":"x"}`
	b.as(token, http.MethodPost, "/v1/moderation/modules/confirm", confirm).
		problem(t, http.StatusUnprocessableEntity, "bad-request")
	named := b.as(token, http.MethodPost, at, `{"module":"`+candidates[0]+`","reason":"The photo."}`).json(t, http.StatusOK)
	history := named["history"].([]any)
	last := history[len(history)-1].(map[string]any)
	if named["module"].(map[string]any)["slug"] != candidates[0] || last["by"] != "operator carol" ||
		last["reason"] != "named "+candidates[0]+": The photo." || last["state"] != "accepted" {
		t.Errorf("the result is %v", named)
	}
	b.as(secret, http.MethodPut, "/v1/results/"+id+"/module", `{"module":"`+candidates[1]+`"}`).
		problem(t, http.StatusConflict, "decided")
}

// If the evidence names a result's module, nobody has a choice, not even the contributor.
func TestAKnownModuleLeavesNothingToChoose(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body := listed(t)
	receipt := b.do(b.upload(id, body)).json(t, http.StatusCreated)
	if receipt["choices"] != nil || receipt["offered"] != nil || receipt["why"] == nil {
		t.Errorf("the receipt: %v", receipt)
	}
	b.as(secret, http.MethodPut, "/v1/results/"+id+"/module", `{"module":"samsung-evo-32gb-microsd"}`).
		problem(t, http.StatusUnprocessableEntity, "bad-request")
}

func TestTwoChoicesAtOnceLeaveOne(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body, candidates := ambiguous(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			a := b.as(secret, http.MethodPut, "/v1/results/"+id+"/module", `{"module":"`+candidates[i%2]+`"}`)
			if a.status != http.StatusOK {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	all.Wait()
	b.fold()
	slug := b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)["slug"].(string)
	for _, c := range candidates {
		var results int
		if err := b.connect().QueryRow(t.Context(), "select coalesce(sum(results), 0)::int from unit where module_slug = $1",
			c).Scan(&results); err != nil {
			t.Fatal(err)
		}
		if (results == 1) != (c == slug) || results > 1 {
			t.Errorf("%s counts %d results, and the result is of %s", c, results, slug)
		}
	}
}

// A contributor who typed another module may choose the one that several contributors agree on.
func TestWhoeverTypedAnotherModuleMayChooseTheOneThatOthersAgreeOn(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body, _ := ambiguous(t)
	var doc result.Document
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	doc.Module = result.Module{Vendor: "SanDisk", Product: "Extreme 60MB/s", CapacityGB: 16, Form: "microsd"}
	doc.Identity = result.Identity{Bus: "sd", SizeBytes: 15931539456,
		SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G"}}
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	c, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	b.fold(func(s *store.Store) { s.NameBy(c) })
	const agreed = "sandisk-ultra-a1-16gb-microsd"
	choose := func() answer {
		return b.as(secret, http.MethodPut, "/v1/results/"+id+"/module", `{"module":"`+agreed+`"}`)
	}
	choose().problem(t, http.StatusUnprocessableEntity, "bad-request")
	if _, err := b.connect().Exec(t.Context(),
		"insert into agreement select registers, $2 from submission where id = $1", id, agreed); err != nil {
		t.Fatal(err)
	}
	if m := choose().json(t, http.StatusOK)["module"].(map[string]any); m["slug"] != agreed {
		t.Errorf("it is of %v", m)
	}
}
