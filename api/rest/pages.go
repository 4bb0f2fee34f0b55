package rest

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
	"flashdex/api/ranking"

	"github.com/go-chi/chi/v5"
)

// message shows a problem to a person.
func (s *server) message(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	status, title := failed(w, r, p)
	shown, err := page.Message(title, p.Detail)
	s.show(w, r, status, shown, err)
}

// show answers with a page that must not be cached.
func (s *server) show(w http.ResponseWriter, r *http.Request, status int, p page.Page, err error) {
	var text []byte
	if err == nil {
		text, err = s.frame(p.Frame).Fill(p)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	send(w, status, static.ContentType(".html"), text)
}

// fromTablePage answers with a page made from the newest table.
func (s *server) fromTablePage(of func(*http.Request, *table) (page.Page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p page.Page
		var text []byte
		t, err := s.tables.get(r.Context())
		if err == nil {
			p, err = of(r, t)
		}
		if err == nil {
			text, err = s.frame(p.Frame).Fill(p)
		}
		if err != nil {
			s.message(w, r, problem.Of(err))
			return
		}
		sendMade(w, r, ".html", text)
	}
}

// sendMade answers with what was made for this request, unless the reader has it already. extension says its type.
func sendMade(w http.ResponseWriter, r *http.Request, extension string, made []byte) {
	if r.URL.RawQuery != "" {
		w.Header().Set("X-Robots-Tag", "noindex") // there are endlessly many of these addresses
	}
	sum := sha256.Sum256(made)
	sendTagged(w, r, fmt.Sprintf(`"%x"`, sum[:12]), static.ContentType(extension), made)
}

// keptFrame is a parsed frame of the published site.
type keptFrame struct {
	text  string
	frame *page.Frame
}

// frame returns a frame by name, or the plain frame if the published site doesn't have it.
func (s *server) frame(name string) *page.Frame {
	text, err := read(s.SiteDir(), name)
	if err != nil {
		return page.Plain
	}
	if kept, _ := s.frames.Load(name); kept != nil && kept.(keptFrame).text == string(text) {
		return kept.(keptFrame).frame
	}
	frame, err := page.ParseFrame(string(text))
	if err != nil {
		s.Log.Error("a page of the published site can't be filled; a plain one takes its place", "file", name, "error", err)
		frame = page.Plain
	}
	s.frames.Store(name, keptFrame{string(text), frame})
	return frame
}

// Limits of the pages that answer a query.
const (
	maxAskedText  = 200 // bytes of words
	maxShownFound = 50
	maxShownPages = 20
)

// pagesName is the published site's list of pages other than modules'.
const pagesName = "search/index.json"

// searchPage lists pages and modules whose names have all words. Modules with the most results come first.
func (s *server) searchPage(r *http.Request, t *table) (page.Page, error) {
	asked := askedWords(r)
	found := t.find(asked)
	search := page.Search{
		Asked: asked, Pages: s.findPages(asked, maxShownPages), Total: len(found),
		Command: "curl -fsSL " + s.baseURL(r) + "/run.sh | sh -s -- /mnt/card",
	}
	for _, m := range found[:min(len(found), maxShownFound)] {
		found := page.FoundModule{Module: m}
		if r := speaking(t.rowsOf(m.Slug)); r != nil {
			method, _ := s.Catalogue.Method(r.Method)
			found.Method, found.Figures = method.Label, r.Figures
		}
		search.Modules = append(search.Modules, found)
	}
	return page.SearchPage(search)
}

// badge answers with the picture of a module's 4K random write.
func (s *server) badge(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tables.get(r.Context())
	if err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	slug = cmp.Or(t.aliases[slug], slug)
	m, found := t.module(slug)
	if !found {
		return notFound(w, r)
	}
	text, err := page.Badge(m, t.rowsOf(slug), s.Catalogue)
	if err != nil {
		return err
	}
	sendMade(w, r, ".svg", text)
	return nil
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

// findPages returns a limited number of pages of the published site that have all words in their name, aliases or kind.
// The words may be joined: "pi4".
func (s *server) findPages(asked string, most int) []page.FoundPage {
	found := []page.FoundPage{}
	words := strings.Fields(strings.ToLower(asked))
	text, err := read(s.SiteDir(), pagesName)
	if err != nil || len(words) == 0 {
		return found // nothing is published yet
	}
	var pages []page.FoundPage
	if err := json.Unmarshal(text, &pages); err != nil {
		s.Log.Warn("modules alone are searched", "file", pagesName, "error", err)
		return found
	}
	joined := catalogue.SearchKey(asked)
	for _, p := range pages {
		names := append([]string{p.Name, p.Kind}, p.Aliases...)
		all := strings.ToLower(strings.Join(names, " "))
		missing := func(word string) bool { return !strings.Contains(all, word) }
		is := func(name string) bool { return joined != "" && strings.Contains(catalogue.SearchKey(name), joined) }
		if len(found) < most && (!slices.ContainsFunc(words, missing) || slices.ContainsFunc(names, is)) {
			found = append(found, p)
		}
	}
	return found
}

// speaking returns the row that represents a module in a list: the row whose 4K random write stands for the module,
// else the first row with any figure. nil: no row has one.
func speaking(rows []*ranking.Row) *ranking.Row {
	at, _, known := ranking.Speaking(rows)
	if !known {
		at = slices.IndexFunc(rows, func(r *ranking.Row) bool { return r.Figures.Len() > 0 })
	}
	if at < 0 {
		return nil
	}
	return rows[at]
}

// rowsOf are the rows of a module, in the order of the catalogue's methods.
func (t *table) rowsOf(slug string) (rows []*ranking.Row) {
	for _, p := range t.of[slug] {
		rows = append(rows, p.Row)
	}
	return rows
}
