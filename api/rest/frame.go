package rest

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/page/frame"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
	"flashdex/result"
)

//go:embed *page.html
var pageFiles embed.FS

// plainShell stands in for the site's frame until there is one.
//
//go:embed plain.html
var plainShell string

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"number":  result.Number,
	"state":   func(state string) string { return states[state] },
	"verdict": func(state string) string { return verdictStates[state] }, "caveat": func() string { return speedclass.Caveat },
	"bar":  func(percent float64) string { return strconv.FormatFloat(min(percent/2, 100), 'f', 1, 64) },
	"form": catalogue.FormLabel, "join": strings.Join, "letter": chart.Letter,
}).ParseFS(pageFiles, "*page.html"))

// content is what is shown to a person in the frame of the published site.
type content struct {
	title    string
	shell    string // path of the published page that it fills; empty: that of a result
	fragment string // name of the template
	data     any
}

// message shows a problem to a person.
func (s *server) message(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	status, title := fail(w, r, p)
	s.frame(w, r, status, content{title: title, fragment: "message", data: struct{ Title, Detail string }{title, p.Detail}})
}

// frame answers with a page that nobody is to keep.
func (s *server) frame(w http.ResponseWriter, r *http.Request, status int, c content) {
	text, err := s.fill(c)
	if err != nil {
		s.handle(func(http.ResponseWriter, *http.Request) error { return err })(w, r)
		return
	}
	w.Header().Set("Content-Type", static.ContentType(".html"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// fromTablePage answers with a page of what the newest table holds.
func (s *server) fromTablePage(of func(*http.Request, *table) (content, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var text string
		t, err := s.tables.get(r.Context())
		if err == nil {
			var c content
			if c, err = of(r, t); err == nil {
				text, err = s.fill(c)
			}
		}
		if err != nil {
			s.message(w, r, problem.Of(err))
			return
		}
		header := w.Header()
		sum := sha256.Sum256([]byte(text))
		header.Set("ETag", fmt.Sprintf(`"%x"`, sum[:12]))
		header.Set("Cache-Control", "public, max-age=10")
		header.Set("Content-Type", static.ContentType(".html"))
		if r.URL.RawQuery != "" {
			header.Set("X-Robots-Tag", "noindex") // there is no end of what one may ask
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}
}

// The published shell takes the fragment between these. What it holds there itself is for a server that doesn't answer.
const (
	answerComment    = "<!--flashdex:answer-->"
	answerEndComment = "<!--/flashdex:answer-->"
)

// fill puts a page into the shell of the published site, or into a plain one while there is none.
func (s *server) fill(c content) (string, error) {
	var body, heading bytes.Buffer
	err := templates.ExecuteTemplate(&body, c.fragment, c.data)
	if err == nil {
		err = templates.ExecuteTemplate(&heading, "title", frame.Title(c.title))
	}
	if err != nil {
		return "", fmt.Errorf("rest: %w", err)
	}
	// The shell is ours and read first, so nothing in the fragment can be taken for a mark in it.
	before, after, _ := strings.Cut(s.shell(c.shell), answerComment)
	if _, end, ok := strings.Cut(after, answerEndComment); ok {
		after = end
	}
	if start, rest, ok := strings.Cut(before, "<title>"); ok {
		if _, end, ok := strings.Cut(rest, "</title>"); ok {
			before = start + heading.String() + end
		}
	}
	return before + body.String() + after, nil
}

// shell reads the published frame, or gives the plain one if there is none with a place for the fragment.
func (s *server) shell(name string) string {
	if name == "" {
		name = "r/shell/index.html"
	}
	file, info, err := open(s.SiteDir(), name)
	if err != nil || info.IsDir() {
		return plainShell
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil || strings.Count(string(text), answerComment) != 1 {
		return plainShell
	}
	return string(text)
}

func milliseconds(ns int64) string { return result.Number(float64(ns) / 1e6) }
