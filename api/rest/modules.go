package rest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/problem"
	"flashdex/api/ranking"
	"flashdex/result"
	"flashdex/result/ageing"

	"github.com/go-chi/chi/v5"
)

// module is a module in a list.
type module struct {
	moduleSummary
	Vendor     string   `json:"vendor"`
	Product    string   `json:"product"`
	CapacityGB float64  `json:"capacity_gb,omitempty"` // 10^9 bytes
	Form       string   `json:"form"`
	Classes    []string `json:"classes"`
}

func (s *server) describe(r *http.Request, m catalogue.Module) module {
	return module{s.summary(r, m), m.Vendor, m.Product, m.CapacityGB, m.Form, append([]string{}, m.Classes...)}
}

// standings are the figures of a module by one method, as the site's tables show them.
type standings struct {
	Method   string `json:"method"`
	Rank     int    `json:"rank,omitempty"`      // the best place that the interval allows
	RankTo   int    `json:"rank_to,omitempty"`   // the worst
	RankNote string `json:"rank_note,omitempty"` // why there is no rank
	// Where a module without a rank would stand: the best place and the worst.
	WouldRank    int        `json:"would_rank,omitempty"`
	WouldRankTo  int        `json:"would_rank_to,omitempty"`
	Figures      figure.Set `json:"figures"` // by their keys, which hold the unit
	Calibration  int        `json:"calibration,omitempty"`
	Units        int        `json:"units"`
	Contributors int        `json:"contributors"`
	Independent  int        `json:"independent"` // how many of at most 250 contributors to the module are independent
	Days         int        `json:"days"`        // days on which the independent ones came
	Boards       int        `json:"boards"`      // models of hosts
	Results      int        `json:"results"`
	Prices       []price    `json:"prices,omitempty"`
	Sources      []string   `json:"sources"` // keys of the sources of published figures

	AgeingPerYear *ageing.Change `json:"ageing_per_year,omitempty"`
	AgeingPerTB   *ageing.Change `json:"ageing_per_tb,omitempty"`
}

func standingsOf(p placed) standings {
	return standings{
		p.Method, p.Place.First, p.Place.Last, p.Note, p.Would.First, p.Would.Last, p.Figures, p.Calibration(), p.Units,
		p.Contributors, p.Independent, p.Days, p.Boards, p.Results,
		pricesOf(p.Module, p.Prices), append([]string{}, p.Sources...), p.AgeingPerYear, p.AgeingPerTB,
	}
}

// price is the median price that contributors paid, in one currency.
type price struct {
	figure.PriceMedian
	PerGB float64 `json:"per_gb,omitempty"`
}

func pricesOf(m catalogue.Module, paid []figure.PriceMedian) (prices []price) {
	for _, p := range paid {
		prices = append(prices, price{p, ranking.PricePerGB(m, p)})
	}
	return prices
}

// rated is a figure that a maker promises.
type rated struct {
	Figure  string   `json:"figure"` // its key, which holds the unit
	Value   float64  `json:"value"`
	Percent *float64 `json:"percent,omitempty"` // the measured value in percent of this one
	Source  string   `json:"source"`            // key of the data sheet; printed: on the module
	URL     string   `json:"url,omitempty"`
	Note    string   `json:"note,omitempty"` // under which conditions
}

// part holds the figures of some of a module's units by one method.
type part struct {
	Method       string     `json:"method"`
	Figures      figure.Set `json:"figures"`
	Units        int        `json:"units"`
	Contributors int        `json:"contributors"`
	Results      int        `json:"results"`
}

type hostStandings struct {
	part
	HostClass string `json:"host_class"`
	Label     string `json:"label"`
}

type variantStandings struct {
	part
	Variant figure.Variant `json:"variant"`
	Shown   map[string]int `json:"shown,omitempty"` // number of units by evidence
}

type listedModule struct {
	module
	standings
}

// listModules answers with the ranking of one method by one figure, best first.
func (s *server) listModules(r *http.Request, t *table) (any, error) {
	query := parametersOf(r, "method", "sort", "figure", "form", "q", "limit", "after")
	asked := order{
		method: s.method(query, result.MethodFlashdex1),
		figure: query.oneOf("sort", figure.RandWriteIOPS, figure.FigureKeys),
	}
	must, form := query.oneOf("figure", "", figure.FigureKeys), query.oneOf("form", "", catalogue.Forms)
	words := strings.Fields(strings.ToLower(query.Get("q")))
	fits := func(p placed) bool {
		_, has := p.Figures.Find(must)
		return (must == "" || has) && (form == "" || p.Module.Form == form) && t.matches(p.Module.Slug, words)
	}
	rows, more := following(query, t.inOrder(asked), func(p placed) string { return p.Module.Slug }, fits)
	if query.err != nil {
		return nil, query.err
	}
	answer := struct {
		Generation int64          `json:"generation"`
		Method     string         `json:"method"`
		Sort       string         `json:"sort"`
		Modules    []listedModule `json:"modules"`
		After      string         `json:"after,omitempty"` // to go on with, as ?after=
	}{t.generation, asked.method, asked.figure, []listedModule{}, more}
	for _, p := range rows {
		answer.Modules = append(answer.Modules, listedModule{s.describe(r, p.Module), standingsOf(p)})
	}
	return answer, nil
}

// getModule answers with one module. The slug of a merged module redirects to its current one.
func (s *server) getModule(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tables.get(r.Context())
	if err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	if into, merged := t.aliases[slug]; merged {
		w.Header().Set("Location", "/v1/modules/"+into)
		w.WriteHeader(http.StatusPermanentRedirect)
		return nil
	}
	m, found := t.module(slug)
	if !found {
		return problem.New(problem.NotFound, "No module of this name is listed. /v1/search?q= finds "+
			"modules by their words. A module that one contributor alone has named is listed when somebody confirms it.")
	}
	answer := struct {
		Generation int64 `json:"generation"`
		module
		Methods   []standings        `json:"methods"` // ranked by 4K random writes
		Hosts     []hostStandings    `json:"hosts"`   // figures from one class of hosts alone
		Variants  []variantStandings `json:"variants"`
		Rated     []rated            `json:"rated"`
		Published int                `json:"published_figures"` // their number
	}{
		t.generation, s.describe(r, m), []standings{}, []hostStandings{}, []variantStandings{}, []rated{}, t.published[slug],
	}
	var measured figure.Set // by our own method
	for _, p := range t.of[slug] {
		answer.Methods = append(answer.Methods, standingsOf(p))
		if p.Method == result.MethodFlashdex1 {
			measured = p.Figures
		}
	}
	for _, f := range dataset.RatedOf(m, s.Catalogue, measured) {
		answer.Rated = append(answer.Rated, rated{f.Metric.Key, f.Value, f.Percent(), f.SourceKey(), f.Source.URL, f.Note})
	}
	summaries, err := s.Store.Summaries(r.Context(), slug)
	if err != nil {
		return err
	}
	for _, sum := range summaries {
		p := part{sum.Method, sum.Figures, sum.Units, sum.Contributors, sum.Results}
		switch {
		case sum.Variant != "":
			answer.Variants = append(answer.Variants, variantStandings{p, figure.VariantOf(sum.Variant), sum.Shown})
		case sum.HostClass != "" && sum.Figures.Len() > 0:
			answer.Hosts = append(answer.Hosts, hostStandings{p, sum.HostClass, figure.HostClassLabel(sum.HostClass)})
		}
	}
	text, err := t.encode(answer)
	if err != nil {
		return err
	}
	return text.write(w, r)
}

// foundPage is something that has a page, or a place on one.
type foundPage struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// search finds modules whose names contain all words, beginning with the most results, and other pages. The answer
// isn't kept with the table, because pages come and go with publications.
func (s *server) search(w http.ResponseWriter, r *http.Request) error {
	query := parametersOf(r, "q", "limit")
	asked, limit := query.Get("q"), query.limit()
	if strings.TrimSpace(asked) == "" {
		query.refuse("The parameter q holds the words to search for.")
	}
	if query.err != nil {
		return query.err
	}
	t, err := s.tables.get(r.Context())
	if err != nil {
		return err
	}
	found := t.find(asked)
	answer := struct {
		Generation int64       `json:"generation"`
		Found      int         `json:"found"` // at most limit of them are listed
		Modules    []module    `json:"modules"`
		Pages      []foundPage `json:"pages"`
	}{t.generation, len(found), []module{}, []foundPage{}}
	for _, m := range found[:min(limit, len(found))] {
		answer.Modules = append(answer.Modules, s.describe(r, m))
	}
	for _, p := range s.findPages(asked, min(limit, maxShownPages)) {
		answer.Pages = append(answer.Pages, foundPage{p.Kind, p.Name, s.baseURL(r) + p.Path})
	}
	text, err := t.encode(answer)
	if err != nil {
		return err
	}
	return text.write(w, r)
}

// results counts the uploads of a module.
func (t *table) results(slug string) (n int) {
	for _, p := range t.of[slug] {
		n += p.Results
	}
	return n
}

// presetHead is a question without its answers.
type presetHead struct {
	Key  string `json:"key"` // this and the next come before the URL
	Text string `json:"question"`
	URL  string `json:"url"` // the page with the answer
	question.Question
}

func (s *server) question(r *http.Request, p question.Question) presetHead {
	p.Steps, p.Sources = append([]question.Step{}, p.Steps...), append([]string{}, p.Sources...)
	return presetHead{p.Key, p.Text, s.baseURL(r) + "/for/" + p.Key + "/", p}
}

// answeredModule is a module with its score, or why it has none.
type answeredModule struct {
	module
	Rank     int            `json:"rank,omitempty"`
	RankTo   int            `json:"rank_to,omitempty"`
	RankNote string         `json:"rank_note,omitempty"`
	Score    *figure.Figure `json:"score,omitempty"`
	Meaning  string         `json:"meaning,omitempty"`
	LeftOut  string         `json:"left_out,omitempty"`
	Figures  figure.Set     `json:"figures"` // in the formula
	Prices   []price        `json:"prices,omitempty"`
	Sources  []string       `json:"sources"`
}

func (s *server) listPresets(r *http.Request, _ *table) (any, error) {
	answer := struct {
		Presets []presetHead `json:"presets"`
	}{[]presetHead{}}
	for _, p := range s.Presets {
		answer.Presets = append(answer.Presets, s.question(r, p))
	}
	return answer, nil
}

// reCurrency matches the code of a currency, ISO 4217.
var reCurrency = regexp.MustCompile(`^[A-Z]{3}$`)

// getPreset answers a question with the modules measured by one method, best first. Modules left out come last.
func (s *server) getPreset(r *http.Request, t *table) (any, error) {
	at := slices.IndexFunc(s.Presets, func(p question.Question) bool { return p.Key == chi.URLParam(r, "key") })
	if at < 0 {
		return nil, problem.New(problem.NotFound, "There is no such question. /v1/presets lists them.")
	}
	p := s.Presets[at]
	query := parametersOf(r, "method", "currency", "limit", "after")
	method := s.method(query, result.MethodFlashdex1)
	p = p.In(query.word("currency", p.Currency, reCurrency.MatchString,
		"The parameter currency has three capital letters, such as EUR."))
	var rows []*ranking.Row
	for _, placed := range t.inOrder(order{method, figure.RandWriteIOPS}) {
		rows = append(rows, placed.Row)
	}
	slug, all := func(a ranking.Answer) string { return a.Module.Slug }, func(ranking.Answer) bool { return true }
	answers, more := following(query, ranking.Answers(p, rows), slug, all)
	if query.err != nil {
		return nil, query.err
	}
	answer := struct {
		Generation int64 `json:"generation"`
		presetHead
		Method  string           `json:"method"`
		Modules []answeredModule `json:"modules"`
		After   string           `json:"after,omitempty"` // to go on with, as ?after=
	}{t.generation, s.question(r, p), method, []answeredModule{}, more}
	for _, a := range answers {
		m := answeredModule{
			module: s.describe(r, a.Module), Rank: a.Place.First, RankTo: a.Place.Last, RankNote: a.Note,
			LeftOut: a.LeftOut,
			Prices:  pricesOf(a.Module, a.Prices), Sources: append([]string{}, a.Sources...),
		}
		if a.LeftOut == "" {
			m.Score, m.Meaning = &a.Score, p.Meaning(a.Score.Value)
		}
		for _, key := range p.Figures {
			if f, ok := a.Figures.Find(key); ok {
				m.Figures.Put(key, f)
			}
		}
		answer.Modules = append(answer.Modules, m)
	}
	return answer, nil
}
