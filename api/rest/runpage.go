package rest

import (
	"bytes"
	_ "embed" // the templates
	"html/template"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"flashdex/api/index"
	"flashdex/api/problem"
	"flashdex/api/verdict"
	"flashdex/result"
)

//go:embed runpage.html
var pageText string

// plainShell stands in for the site's frame until there is one.
//
//go:embed plain.html
var plainShell string

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"number": number, "milliseconds": milliseconds, "kib": func(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1024, 'f', -1, 64) },
	"test":    func(name string) string { return testNames[name] },
	"ended":   func(e result.Ended) string { return endings[e] },
	"state":   func(state string) string { return states[state] },
	"verdict": func(state string) string { return verdictStates[state] }, "caveat": func() string { return verdict.Caveat },
	"bar": func(percent float64) string { return strconv.FormatFloat(min(percent/2, 100), 'f', 1, 64) },
}).Parse(pageText))

var (
	testNames = map[string]string{
		result.SeqWrite: "Linear write", result.SeqRead: "Linear read", result.RandWrite: "4K random write", result.RandRead: "4K random read",
	}
	endings = map[result.Ended]string{
		result.Complete: "after the whole test area", result.Converged: "when the interval was tight enough", result.TimeLimit: "at its time limit",
	}
	states = map[string]string{
		index.Accepted: "accepted", index.Quarantined: "held back until somebody has looked at it", index.Rejected: "rejected",
	}
	verdictStates = map[string]string{verdict.Reached: "reached", verdict.NotReached: "not reached", verdict.CantTell: "can’t tell"}
)

// run is what the page of a result shows.
type run struct {
	Result        index.Submission
	Module        moduleSummary
	RandWriteIOPS float64 // 0: not measured
	ReceivedOn    string
	Accepted      bool
	judged
}

// runPage shows one result as soon as it is stored, in the frame of the published site.
func (s *server) runPage(w http.ResponseWriter, r *http.Request) {
	sub, module, document, err := s.submission(r)
	if err != nil {
		p := problem.Of(err)
		if p.Kind == problem.NotFound {
			p = problem.Wrap(problem.NotFound, err, "There is no result with this id here. If it was measured but not uploaded yet, upload it: flashdex upload sends what is waiting.")
		}
		s.message(w, r, p)
		return
	}
	judged, err := s.judge(sub, module, document)
	if err != nil {
		s.message(w, r, problem.Of(err))
		return
	}
	shown := run{
		judged: judged, Result: sub, Module: s.receipt(r, sub, module).Module, RandWriteIOPS: index.FiguresOf(sub.Tests)[index.RandWriteIOPS].Value,
		ReceivedOn: sub.ReceivedAt.Format(time.DateOnly), Accepted: sub.State == index.Accepted,
	}
	s.frame(w, r, http.StatusOK, shown.Module.Name, "run", shown)
}

// message shows a problem to a person.
func (s *server) message(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	status, title := fail(w, r, p)
	s.frame(w, r, status, title, "message", struct{ Title, Detail string }{title, p.Detail})
}

// runComment is where the published shell takes the fragment.
const runComment = "<!--flashdex:run-->"

// frame answers with a fragment in the shell of the published site, or in a plain page while there is none.
func (s *server) frame(w http.ResponseWriter, r *http.Request, status int, title, fragment string, data any) {
	var body, heading bytes.Buffer
	err := pages.ExecuteTemplate(&body, fragment, data)
	if err == nil {
		err = pages.ExecuteTemplate(&heading, "title", title)
	}
	if err != nil {
		s.handle(func(http.ResponseWriter, *http.Request) error { return err })(w, r)
		return
	}
	// The shell is ours and read first, so nothing in the fragment can be taken for a mark in it.
	before, after, _ := strings.Cut(s.shell(), runComment)
	if start, rest, ok := strings.Cut(before, "<title>"); ok {
		if _, end, ok := strings.Cut(rest, "</title>"); ok {
			before = start + heading.String() + end
		}
	}
	w.Header().Set("Content-Type", contentTypes[".html"])
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, before+body.String()+after)
}

// shell reads the published frame, or gives the plain one if there is none with a place for the fragment.
func (s *server) shell() string {
	file, info, err := open(s.SiteDir(), "r/shell/index.html")
	if err != nil || info.IsDir() {
		return plainShell
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil || strings.Count(string(text), runComment) != 1 {
		return plainShell
	}
	return string(text)
}

// number writes 3 significant digits without an exponent, in groups from 10,000 on, as the site's tables do.
func number(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
	v = math.Round(v*scale) / scale
	decimals := max(0, min(6, 2-int(math.Floor(math.Log10(math.Abs(v))))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if v < 10_000 {
		return text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func milliseconds(ns int64) string { return number(float64(ns) / 1e6) }
