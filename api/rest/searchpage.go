package rest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
)

// Limits of the pages that answer a query.
const (
	maxAskedText  = 200 // bytes of words
	maxShownFound = 50
	maxShownPages = 20
)

// pagesName is the list of the makers and hosts that have a page, in the published site.
const pagesName = "search/index.json"

// searchPage lists makers, hosts and modules whose names have all words. Modules with the most results come first.
func (s *server) searchPage(r *http.Request, t *table) (page.Page, error) {
	asked := askedWords(r)
	found := t.find(asked)
	search := page.Search{
		Asked: asked, Pages: s.findPages(asked), Total: len(found),
		Command: "curl -fsSL " + s.baseURL(r) + "/run.sh | sh -s -- /mnt/card",
	}
	for _, m := range found[:min(len(found), maxShownFound)] {
		method, figures := s.speaking(t.of[m.Slug])
		search.Modules = append(search.Modules, page.FoundModule{Module: m, Method: method, Figures: figures})
	}
	return page.SearchPage(search)
}

// askedWords are the words of ?q=.
func askedWords(r *http.Request) string {
	asked := strings.Join(strings.Fields(r.URL.Query().Get("q")), " ")
	return strings.ToValidUTF8(asked[:min(len(asked), maxAskedText)], "")
}

// find returns the modules whose names have all words, with the most results first. Without words it finds none.
func (t *table) find(asked string) (found []catalogue.Module) {
	words := strings.Fields(strings.ToLower(asked))
	if len(words) == 0 {
		return nil
	}
	for _, m := range t.modules {
		if t.matches(m.Slug, words) {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b catalogue.Module) int { return t.results(b.Slug) - t.results(a.Slug) })
	return found
}

// findPages returns the makers and hosts whose names have all words, and that have a page in the published site.
func (s *server) findPages(asked string) (found []page.FoundPage) {
	words := strings.Fields(strings.ToLower(asked))
	text, err := read(s.SiteDir(), pagesName)
	if err != nil || len(words) == 0 {
		return nil // nothing is published yet
	}
	var pages []page.FoundPage
	if err := json.Unmarshal(text, &pages); err != nil {
		s.Log.Warn("makers and hosts are not searched", "file", pagesName, "error", err)
		return nil
	}
	for _, p := range pages {
		name := strings.ToLower(p.Name)
		missing := func(word string) bool { return !strings.Contains(name, word) }
		if len(found) < maxShownPages && !slices.ContainsFunc(words, missing) {
			found = append(found, p)
		}
	}
	return found
}

// speaking returns the figures that represent a module, and the label of their method: the method nearest to ours that
// has a figure of random writes, or else any figure.
func (s *server) speaking(rows []placed) (method string, figures figure.Set) {
	for _, tells := range []func(figure.Set) bool{
		func(f figure.Set) bool { _, ok := f[figure.RandWriteIOPS]; return ok },
		func(f figure.Set) bool { return len(f) > 0 },
	} {
		for _, method := range s.Catalogue.Methods {
			for _, p := range rows {
				if p.Method == method.ID && tells(p.Figures) {
					return method.Label, p.Figures
				}
			}
		}
	}
	return "", nil
}
