package rest_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/result"
)

// offered returns the slugs of the modules that a page offers an operator, and the one that is already chosen.
func offered(page answer) (slugs []string, chosen string) {
	for _, m := range regexp.MustCompile(`type="radio" name="module" value="([^"]+)" required( checked)?`).
		FindAllStringSubmatch(string(page.body), -1) {
		slugs = append(slugs, m[1])
		if m[2] != "" {
			chosen = m[1]
		}
	}
	return slugs, chosen
}

func TestAnAmbiguousResultWaitsUntilAnOperatorNamesItOnItsPage(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	first, one, candidates := ambiguous(t)
	b.do(b.upload(first, one)).json(t, http.StatusCreated)
	id, body, _ := ambiguous(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	v := b.signIn("carol")
	at := "/operate/results/" + id + "/name"
	waiting := string(v.visit("/operate/waiting", nil).body)
	if newest := strings.Index(waiting, `href="`+at+`"`); newest < 0 || newest > strings.Index(waiting, first) {
		t.Errorf("the newest result that fits several modules isn't the first:\n%s", waiting)
	}
	if page := string(v.visit("/operate/results/"+id, nil).body); !strings.Contains(page, `action="`+at+`" method="get"`) {
		t.Error("its page has no form to name it")
	}
	for asked, want := range map[string][]string{"": candidates[:], candidates[0]: candidates[:1], "no such card": nil} {
		if slugs, chosen := offered(v.visit(at+"?q="+url.QueryEscape(asked), nil)); !slices.Equal(slugs, want) ||
			(chosen != "") != (len(want) == 1) {
			t.Errorf("%q offers %v, and chooses %q; want %v", asked, slugs, chosen, want)
		}
	}
	if slugs, _ := offered(v.visit(at+"?q=samsung+32+EVO", nil)); !slices.Contains(slugs, "samsung-evo-32gb-microsd") {
		t.Errorf("words find %v", slugs)
	}
	for what, form := range map[string]url.Values{
		"no module": {"reason": {"x"}}, "no reason": {"module": {candidates[0]}},
		"no slug": {"module": {"<b>"}, "reason": {"x"}},
	} {
		if a := v.visit(at, form); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	for path, status := range map[string]int{
		"/operate/results/x/name": 404, "/operate/results/" + result.NewID() + "/name": 404, at + "?objection=x": 422,
		"/operate/waiting?after=%00": 422,
	} {
		if a := v.visit(path, nil); a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
	}
	a := v.visit(at, url.Values{"module": {candidates[0]}, "reason": {"The photo."}})
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/operate/results/"+id {
		t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	if slug := b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)["slug"]; slug != candidates[0] {
		t.Errorf("it is of %v", slug)
	}
	page := string(v.visit("/operate/results/"+id, nil).body)
	if !strings.Contains(page, "named "+candidates[0]+": The photo.") {
		t.Errorf("the history: %s", page)
	}
	if waiting := string(v.visit("/operate/waiting", nil).body); strings.Contains(waiting, id) ||
		!strings.Contains(waiting, first) {
		t.Errorf("what waits then: %s", waiting)
	}
}

func TestAnObjectionLeadsToTheNameAndIsClosedWithIt(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold() // stores the catalogue
	id, body := listed(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	anybody := &visitor{bench: b}
	const right = "samsung-evo-32gb-microsd"
	anybody.visit("/object/", url.Values{"result": {id}, "kind": {"wrong-module"}, "should_be": {right}})
	v := b.signIn("carol")
	at := "/operate/results/" + id + "/name"
	objections := v.visit("/operate/objections", nil)
	objection := hidden(objections.body).Get("objection")
	if page := string(objections.body); objection == "" || !strings.Contains(page, `action="`+at+`" method="get"`) ||
		!strings.Contains(page, `name="q" value="`+right+`"`) {
		t.Fatalf("the objection doesn't lead to a name: %s", page)
	}
	found := v.visit(at+"?q="+right+"&objection="+objection, nil)
	if _, chosen := offered(found); chosen != right || hidden(found.body).Get("objection") != objection {
		t.Errorf("the words of the objection find %q: %s", chosen, found.body)
	}
	form := url.Values{"module": {right}, "reason": {"The photo."}, "objection": {objection}}
	if a := v.visit(at, form); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	page := string(v.visit("/operate/results/"+id, nil).body)
	if !strings.Contains(page, "Closed by operator carol") || !strings.Contains(page, "named "+right+": The photo.") {
		t.Errorf("the result: %s", page)
	}
}

func TestAnOperatorHasAModuleListedOnItsPage(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := unheardOf(t, "Ware")
	slug := b.do(b.upload(id, body)).json(t, http.StatusCreated)["module"].(map[string]any)["slug"].(string)
	either, second, _ := ambiguous(t)
	b.do(b.upload(either, second)).json(t, http.StatusCreated)
	b.fold()
	v := b.signIn("carol")
	waiting := v.visit("/operate/waiting", nil)
	if slugs, _ := offered(waiting); !slices.Equal(slugs, []string{slug}) ||
		!strings.Contains(string(waiting.body), `href="/operate/results/`+id+`"`) {
		t.Errorf("%v wait: %s", slugs, waiting.body)
	}
	at := "/operate/modules/confirm"
	for status, form := range map[int]url.Values{
		http.StatusUnprocessableEntity: {"reason": {"x"}}, http.StatusNotFound: {"module": {"no-such"}, "reason": {"x"}},
	} {
		if a := v.visit(at, form); a.status != status {
			t.Errorf("%v: %d %s", form, a.status, a.body)
		}
	}
	if a := v.visit(at, url.Values{"module": {slug}, "reason": {"Its maker sells it."}}); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	waiting = v.visit("/operate/waiting", nil)
	page := string(waiting.body)
	if strings.Contains(page, `"`+at+`"`) || !strings.Contains(page, "Its maker sells it.") {
		t.Errorf("it still waits: %s", page)
	}
	b.fold()
	b.eventually("the module is listed", func() bool { return b.get("/v1/modules/"+slug).status == http.StatusOK })
	if slugs, _ := offered(waiting); !slices.Equal(slugs, []string{slug}) {
		t.Errorf("the word for %v can be taken back", slugs)
	}
	back := url.Values{"module": {slug}, "reason": {"It was another."}}
	if a := v.visit("/operate/modules/unconfirm", back); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.fold()
	b.eventually("it waits again", func() bool {
		return strings.Contains(string(v.visit("/operate/waiting", nil).body), `"`+at+`"`)
	})
}

func TestAnOperatorEndsAProbationOnThePageOfAResult(t *testing.T) {
	t.Parallel()
	b := start(t)
	clustertest.OnProbation(t, b.database)
	id, body := fresh(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.fold()
	v := b.signIn("carol")
	at := "/operate/results/" + id + "/confirm-contributor"
	page := string(v.visit("/operate/results/"+id, nil).body)
	if !strings.Contains(page, `action="`+at+`" method="post"`) {
		t.Fatalf("the page has no form for it: %s", page)
	}
	if a := v.visit(at, url.Values{"reason": {""}}); a.status != http.StatusUnprocessableEntity {
		t.Errorf("without a reason: %d", a.status)
	}
	if a := v.visit(at, url.Values{"reason": {"She showed her cards."}}); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.fold()
	if probation := b.get("/v1/results/"+id).json(t, http.StatusOK)["probation"]; probation != nil {
		t.Errorf("after it was ended: %v", probation)
	}
	if page := string(v.visit("/operate/results/"+id, nil).body); strings.Contains(page, at) ||
		!strings.Contains(page, "She showed her cards.") {
		t.Errorf("the page then: %s", page)
	}
	back := "/operate/results/" + id + "/unconfirm-contributor"
	page = string(v.visit("/operate/results/"+id, nil).body)
	if !strings.Contains(page, `action="`+back+`" method="post"`) {
		t.Fatalf("the page has no form to take it back: %s", page)
	}
	if a := v.visit(back, url.Values{"reason": {"It was another."}}); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.fold()
	if page := string(v.visit("/operate/results/"+id, nil).body); strings.Contains(page, `"`+back+`"`) ||
		!strings.Contains(page, `"`+at+`"`) || !strings.Contains(page, "It was another.") {
		t.Errorf("after it was taken back: %s", page)
	}
}
