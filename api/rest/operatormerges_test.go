package rest_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestAMergeIsShownThenConfirmedThenUndone(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body := unheardOf(t, "Ware")
	slug := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)["slug"].(string)
	const into = "samsung-evo-32gb-microsd"
	of := func() any {
		return b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)["slug"]
	}
	b.fold()
	v := b.signIn("carol")
	if page := string(v.visit("/operate/waiting", nil).body); !strings.Contains(page, "/operate/merges?from="+slug) {
		t.Error("a module that waits doesn't lead to the merges")
	}
	page := string(v.visit("/operate/merges?from="+slug, nil).body)
	if !strings.Contains(page, `name="from" value="`+slug) || !strings.Contains(page, "Nobody merged anything") {
		t.Errorf("the form: %s", page)
	}
	form := func() url.Values { return url.Values{"from": {slug}, "into": {into}, "reason": {"<b>One</b> card."}} }
	for name, wrong := range map[string]string{"from": "<b>", "into": "", "reason": ""} {
		f := form()
		f.Set(name, wrong)
		if a := v.visit("/operate/merges", f); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s = %q: %d", name, wrong, a.status)
		}
	}
	for name, status := range map[string]int{"no-such": http.StatusNotFound, slug: http.StatusConflict} {
		f := form()
		f.Set("into", name)
		if a := v.visit("/operate/merges", f); a.status != status {
			t.Errorf("into %s: %d", name, a.status)
		}
	}
	proposed := v.visit("/operate/merges", form())
	if page := string(proposed.body); !strings.Contains(page, "Merge 1 result?") || of() != slug ||
		!strings.Contains(page, "Nothing was") || !strings.Contains(page, "&lt;b&gt;One") {
		t.Errorf("the dry run, after which it is of %v: %s", of(), page)
	}
	other := hidden(proposed.body)
	other.Set("confirmed", "7")
	a := v.visit("/operate/merges", other)
	if !strings.Contains(string(a.body), "another number of results") || of() != slug {
		t.Errorf("after another number was confirmed it is of %v: %s", of(), a.body)
	}
	if a := v.visit("/operate/merges", hidden(proposed.body)); a.status != http.StatusSeeOther || of() != into {
		t.Fatalf("%d, it is of %v: %s", a.status, of(), a.body)
	}
	merges := v.visit("/operate/merges", nil)
	if slugs, _ := offered(merges); !slices.Equal(slugs, []string{slug}) ||
		!strings.Contains(string(merges.body), "operator carol") {
		t.Errorf("%v can be undone: %s", slugs, merges.body)
	}
	undo := url.Values{"module": {into}, "reason": {"They are two."}}
	if a := v.visit("/operate/merges/undo", undo); a.status != http.StatusNotFound {
		t.Errorf("undoing what was not merged: %d", a.status)
	}
	undo.Set("module", slug)
	if a := v.visit("/operate/merges/undo", undo); a.status != http.StatusSeeOther || of() != slug {
		t.Errorf("%d, it is of %v: %s", a.status, of(), a.body)
	}
	merges = v.visit("/operate/merges", nil)
	if slugs, _ := offered(merges); len(slugs) > 0 || !strings.Contains(string(merges.body), "They are two.") {
		t.Errorf("%v can still be undone: %s", slugs, merges.body)
	}
}

// A merge can also be tried and undone over HTTP.
func TestAMergeOverHTTPIsTriedAndUndone(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	token := b.operator("carol")
	id, body := unheardOf(t, "Ware")
	slug := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)["slug"].(string)
	const at, undo, into = "/v1/moderation/modules/merge", "/v1/moderation/modules/unmerge", "samsung-evo-32gb-microsd"
	merge := `{"from":"` + slug + `","into":"` + into + `","reason":"One card."`
	dry := b.as(token, http.MethodPost, at, merge+`,"dry_run":true}`).json(t, http.StatusOK)
	modules := dry["modules"].([]any)
	if dry["results"] != 1.0 || dry["dry_run"] != true || len(modules) != 1 ||
		modules[0].(map[string]any)["module"] != slug || modules[0].(map[string]any)["results"] != 1.0 {
		t.Errorf("a dry run: %v", dry)
	}
	back := `{"module":"` + slug + `","reason":"Two cards."}`
	b.as(token, http.MethodPost, undo, back).problem(t, http.StatusNotFound, "not-found")
	if a := b.as(token, http.MethodPost, at, merge+"}"); a.status != http.StatusNoContent {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.as("", http.MethodPost, undo, back).problem(t, http.StatusUnauthorized, "no-token")
	b.as(secret, http.MethodPost, undo, back).problem(t, http.StatusForbidden, "not-operator")
	b.as(token, http.MethodPost, undo, `{"module":"/","reason":"x"}`).problem(t, http.StatusUnprocessableEntity,
		"bad-request")
	for range 2 {
		if a := b.as(token, http.MethodPost, undo, back); a.status != http.StatusNoContent {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if got := b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)["slug"]; got != slug {
		t.Errorf("it is of %v", got)
	}
}
