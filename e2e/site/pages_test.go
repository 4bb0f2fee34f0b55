package site_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"flashdex/e2e/need"
)

// links fails for each link that leads nowhere, and for each link to a place that its page doesn't have.
func (s *served) links(t *testing.T, pages []*page) {
	known := map[string]*page{}
	for _, p := range pages {
		known[p.Path] = p
	}
	for _, p := range pages {
		for _, link := range reHref.FindAllStringSubmatch(p.body, -1) {
			target := html.UnescapeString(link[1])
			path, fragment, _ := strings.Cut(target, "#")
			if path == "" {
				path = p.Path
			}
			if !ours(path) || writtenByPublisher.MatchString(path) {
				if target == "" || !ours(path) && !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
					t.Errorf("%s: the link %q leads nowhere", p.Path, target)
				}
				continue
			}
			if strings.HasPrefix(p.Path, "/r/") && strings.HasPrefix(path, "/modules/") {
				continue // the examples of results are of other modules than the fixture's
			}
			if known[path] == nil {
				known[path] = s.get(t, path)
			}
			if to := known[path]; to.status != http.StatusOK && path != p.Path {
				t.Errorf("%s: %s is answered with %d", p.Path, target, to.status)
			} else if fragment != "" && !strings.Contains(to.body, `id="`+html.EscapeString(fragment)+`"`) {
				t.Errorf("%s: %s: no such place on that page", p.Path, target)
			}
		}
	}
}

var (
	reTitle       = regexp.MustCompile(`<title>([^<]*)</title>`)
	reDescription = regexp.MustCompile(`<meta name="description" content="([^"]*)">`)
	reCanonical   = regexp.MustCompile(`<link rel="canonical" href="https?://[^/"]*([^"]*)">`)
	reH1          = regexp.MustCompile(`<h1\b`)
	reDrawing     = regexp.MustCompile(`(?s)<svg\b.*?</svg>`) // its parts may have titles
	reNoindex     = regexp.MustCompile(`<meta name="robots" content="noindex">`)
	rePreview     = regexp.MustCompile(`<meta property="og:description" content="([^"]*)">`)
	reAlt         = regexp.MustCompile(`<meta property="og:image:alt" content="([^"]*)">`)
)

// head checks that the titles and descriptions of pages have lengths that search engines and link previews show. Pages
// at one address may answer several queries alike.
func head(t *testing.T, pages []*page) {
	titles, descriptions, compared := map[string]string{}, map[string]string{}, 0
	for _, p := range pages {
		one := func(what string, re *regexp.Regexp) string {
			found := re.FindAllStringSubmatch(reDrawing.ReplaceAllString(p.body, ""), -1)
			if len(found) != 1 {
				t.Errorf("%s has %d %s, want 1", p.Path, len(found), what)
				return ""
			}
			return html.UnescapeString(found[0][len(found[0])-1])
		}
		one("main headings", reH1)
		title := one("titles", reTitle)
		if n := utf8.RuneCountInString(title); n < 8 || n > 70 {
			t.Errorf("%s: the title %q has %d characters, want 8 to 70", p.Path, title, n)
		}
		description := one("descriptions", reDescription)
		if n := utf8.RuneCountInString(description); n < 50 || n > 160 {
			t.Errorf("%s: the description %q has %d characters, want 50 to 160", p.Path, description, n)
		}
		if preview := one("descriptions of previews", rePreview); preview != description {
			t.Errorf("%s is described by %q, and where it is shared by %q", p.Path, description, preview)
		}
		path, _, _ := strings.Cut(p.Path, "?")
		address := path
		if strings.HasPrefix(path, "/r/") {
			address = "/r/" // a module may have many results
		}
		for said, others := range map[string]map[string]string{title: titles, description: descriptions} {
			if other := others[said]; other != "" && other != address {
				t.Errorf("%s is called or described like %s: %q", p.Path, other, said)
			}
			others[said] = address
		}
		if strings.Contains(p.body, "/compare/share.png?") {
			compared++
			name := strings.TrimSuffix(title, " · Flashdex")
			if alt := one("descriptions of pictures", reAlt); alt != name+": "+description ||
				strings.HasPrefix(description, "Two to six") {
				t.Errorf("%s: its picture is described by %q", p.Path, alt)
			}
		}
		if !p.listed {
			if canonical := reCanonical.FindStringSubmatch(p.body); !reNoindex.MatchString(p.body) &&
				(canonical == nil || canonical[1] != path || p.Path == path) {
				t.Errorf("%s is not in the sitemap, yet search engines may list it", p.Path)
			}
			continue
		}
		if reNoindex.MatchString(p.body) {
			t.Errorf("%s is in the sitemap, yet search engines may not list it", p.Path)
		}
		if canonical := one("canonical addresses", reCanonical); canonical != p.Path {
			t.Errorf("%s calls itself %s", p.Path, canonical)
		}
	}
	if compared == 0 && len(pages) > 1 {
		t.Error("no comparison was looked at")
	}
}

// reLoaded finds what a browser loads with a page.
var reLoaded = regexp.MustCompile(`<(?:script\b[^>]*\ssrc|` +
	`img\b[^>]*\ssrc|link rel="(?:stylesheet|icon|modulepreload|preload)"[^>]*\shref)="([^"]*)"`)

const (
	mostPageBytes   = 100_000 // of a first view, with everything that it loads
	mostScriptBytes = 4_000
)

// bytes weighs the first view of each page as it is sent.
func (s *served) bytes(t *testing.T, pages []*page) {
	weights := map[string]int{}
	weigh := func(path string) int {
		if weights[path] == 0 {
			weights[path] = s.sent(t, path)
		}
		return weights[path]
	}
	heaviest := map[string]int{}
	for _, p := range pages {
		total, scripts := weigh(p.Path), 0
		for _, loaded := range reLoaded.FindAllStringSubmatch(p.body, -1) {
			path := html.UnescapeString(loaded[1])
			total += weigh(path)
			if strings.HasSuffix(path, ".js") {
				scripts += weigh(path)
			}
		}
		heaviest[p.Kind] = max(heaviest[p.Kind], total)
		if total > mostPageBytes {
			t.Errorf("%s: %d bytes are sent for a first view, want at most %d", p.Path, total, mostPageBytes)
		}
		if scripts > mostScriptBytes {
			t.Errorf("%s: %d bytes of script are sent, want at most %d", p.Path, scripts, mostScriptBytes)
		}
	}
	t.Logf("bytes of the heaviest first view of each kind: %v", heaviest)
}

// sent returns the size of an answer's body as a browser gets it.
func (s *served) sent(t *testing.T, path string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd") // if we set this, the client does not unpack
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// unknownToValidator are true properties of CSS that the Nu validator's list lacks.
var unknownToValidator = []string{"paint-order", "animation-timeline", "position-area", "position-try-fallbacks"}

// markup has the Nu validator read every page as it is sent, and every style sheet and drawing.
func (s *served) markup(t *testing.T, pages []*page) {
	t.Helper()
	need.Programs(t, "java")
	const validator = "../node_modules/vnu-jar/build/dist/vnu.jar"
	if _, err := os.Stat(validator); err != nil {
		t.Skipf("%v (make tools, with npm)", err)
	}
	dir := t.TempDir()
	names := map[string]string{}
	keep := func(path, extension, text string) {
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune("/?=&%", r) {
				return '_'
			}
			return r
		}, strings.Trim(path, "/")) + extension
		names[name] = path
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	seen := []string{}
	for _, p := range pages {
		keep(p.Path, ".html", p.body)
		for _, loaded := range reLoaded.FindAllStringSubmatch(p.body, -1) {
			if extension := filepath.Ext(loaded[1]); (extension == ".css" || extension == ".svg") &&
				!slices.Contains(seen, loaded[1]) {
				seen = append(seen, loaded[1])
				keep(strings.TrimSuffix(loaded[1], extension), extension, s.get(t, loaded[1]).body)
			}
		}
	}
	cmd := exec.Command("java", "-jar", validator, "--format", "json",
		"--exit-zero-always", "--also-check-css", "--also-check-svg", dir)
	var report bytes.Buffer
	cmd.Stderr = &report
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, report.String())
	}
	var said struct {
		Messages []struct {
			Type, SubType, URL, Message, Extract string
			LastLine                             int
		}
	}
	if err := json.Unmarshal(report.Bytes(), &said); err != nil {
		t.Fatalf("%v: %s", err, report.String())
	}
	for _, m := range said.Messages {
		if slices.ContainsFunc(unknownToValidator,
			func(property string) bool { return strings.HasPrefix(m.Message, "CSS: “"+property+"”") }) {
			continue
		}
		t.Errorf("%s, line %d: %s: %s", names[filepath.Base(m.URL)], m.LastLine, m.Message, m.Extract)
	}
}
