package site_test

import (
	"bytes"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure/question"
	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/data"
	"flashdex/result"
)

// served is a site behind the real server, with a real database.
type served struct {
	*httptest.Server
	results  []string // ids
	database string   // URL
}

// serve serves the pages of the fixture, with the examples of results in a database.
func serve(t testing.TB, dir string) *served {
	t.Helper()
	s := start(t, clustertest.New(t), dir, "")
	examples, err := filepath.Glob(filepath.Join(root, "result/testdata/valid/*.json"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples of results: %v", err)
	}
	for _, file := range examples {
		s.upload(t, file, strings.Repeat("0a", 32))
	}
	return s
}

// start serves the pages in a folder, and a data set if it has one in another.
func start(t testing.TB, database, dir, dataset string) *served {
	t.Helper()
	db, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	modules, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	s := &served{database: database, Server: httptest.NewServer(rest.New(rest.Config{
		Store: db, Catalogue: modules, Presets: presets, SiteDir: func() string { return dir }, DataDir: dataset,
		ClientDir: filepath.Join(root, "var/clients"), Log: slog.New(slog.DiscardHandler),
	}))}
	t.Cleanup(s.Close)
	return s
}

// upload sends an example as a new result of whoever has a secret.
func (s *served) upload(t testing.TB, file, secret string) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if body, err = copiestest.AgainText(body); err != nil {
		t.Fatal(err)
	}
	id := result.NewID()
	body = regexp.MustCompile(`"id":\s*"[0-9a-f-]{36}"`).ReplaceAllLiteral(body, []byte(`"id": "`+id+`"`))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.URL+"/v1/results/"+id, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+secret)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s: %s", file, answer.Status, said)
	}
	s.results = append(s.results, id)
}

// page is one address of the site, and the server's answer there.
type page struct {
	Path   string `json:"path"`
	Kind   string `json:"kind"` // pages of one kind have one layout
	listed bool   // in the sitemap
	status int
	isHTML bool
	body   string
}

// most is how many pages of one kind are checked if the sitemap doesn't list them: comparisons are endless.
const most = 3

var (
	reLoc    = regexp.MustCompile(`<loc>https?://[^/<]*([^<]*)</loc>`)
	reHref   = regexp.MustCompile(`<a\b[^>]*\shref="([^"]*)"`)
	reForm   = regexp.MustCompile(`(?s)<form\b([^>]*)>(.*?)</form>`)
	reAction = regexp.MustCompile(`\saction="([^"]*)"`)
	reName   = regexp.MustCompile(`<(?:input|select)\b[^>]*\sname="([^"]*)"`)
)

// find returns every page that the sitemap lists, every page that one of these leads to, and the server's own pages:
// results, answers to the forms, and its message where there is no page.
func (s *served) find(t testing.TB) []*page {
	t.Helper()
	known, extra := map[string]*page{}, map[string]int{}
	var pages []*page
	add := func(path string, listed bool) {
		if known[path] == nil {
			p := s.get(t, path)
			p.listed, known[path] = listed, p
			if p.isHTML && (listed || p.status == http.StatusOK || path == nowhere) {
				pages = append(pages, p)
			}
		}
	}
	follow := func(path string) {
		if extra[kind(path)] < most && known[path] == nil {
			add(path, false)
			extra[kind(path)]++
		}
	}
	for _, path := range s.listed(t) {
		add(path, true)
	}
	add(nowhere, false)
	for _, path := range asked {
		add(path, false)
	}
	for _, id := range s.results {
		add("/r/"+id, false)
	}
	for i := 0; i < len(pages); i++ { // the list grows
		for _, link := range reHref.FindAllStringSubmatch(pages[i].body, -1) {
			if target := html.UnescapeString(link[1]); ours(target) && !writtenByPublisher.MatchString(target) {
				target, _, _ = strings.Cut(target, "#")
				follow(target)
			}
		}
		for _, form := range reForm.FindAllStringSubmatch(pages[i].body, -1) {
			action := reAction.FindStringSubmatch(form[1])
			if action == nil || strings.Contains(form[1], `method="post"`) || !ours(action[1]) {
				continue
			}
			for _, word := range []string{"samsung", "<b>nothing of this name</b>"} {
				asked := url.Values{}
				for _, name := range reName.FindAllStringSubmatch(form[2], -1) {
					asked.Add(html.UnescapeString(name[1]), word)
				}
				follow(html.UnescapeString(action[1]) + "?" + asked.Encode())
			}
		}
	}
	slices.SortFunc(pages, func(a, b *page) int { return strings.Compare(a.Path, b.Path) })
	if *only != "" {
		pages = slices.DeleteFunc(pages, func(p *page) bool { return p.Path != *only })
		if len(pages) == 0 {
			t.Fatalf("the site has no page %s", *only)
		}
	}
	return pages
}

// listed returns the addresses that the sitemap lists.
func (s *served) listed(t testing.TB) (paths []string) {
	t.Helper()
	sitemap := s.get(t, "/sitemap.xml")
	for _, loc := range reLoc.FindAllStringSubmatch(sitemap.body, -1) {
		paths = append(paths, html.UnescapeString(loc[1]))
	}
	if len(paths) == 0 {
		t.Fatalf("the sitemap lists nothing: %d %s", sitemap.status, sitemap.body)
	}
	return paths
}

// asked are addresses that no page leads to, but that the server answers: a comparison of the two modules whose runs
// are the examples of profiles.
var asked = []string{"/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd"}

// nowhere is an address without a page.
const nowhere = "/nowhere/"

// writtenByPublisher matches addresses of files beside Hugo's pages, and of the fixture's made-up results and modules.
var writtenByPublisher = regexp.MustCompile(`^/(data/.|client/|r/|v1/|object/\?module=)|^/run\.sh$|^/modules/[^/]+\.(csv|json)$|^/feeds/[a-z]+\.xml$`)

// ours tells whether a link leads to another page of this site.
func ours(link string) bool { return strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//") }

// kind names the layout of an address: its first part, and how deep it is.
func kind(path string) string {
	path, query, _ := strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	name := "/" + parts[0] + strings.Repeat("/*", len(parts)-1)
	if query != "" {
		name += "?"
	}
	return name
}

func (s *served) get(t testing.TB, path string) *page {
	t.Helper()
	answer, err := http.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &page{Path: path, Kind: kind(path), status: answer.StatusCode,
		isHTML: strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html"), body: string(body)}
}
