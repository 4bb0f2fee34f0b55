package rest

import (
	"net/http"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

func (s *server) moduleRoutes(r chi.Router) {
	r.Get("/v1/modules", s.handle(s.fromTable(s.listModules)))
	r.Get("/v1/modules/{slug}", s.handle(s.getModule))
	r.Get("/v1/search", s.handle(s.fromTable(s.search)))
}

// module is what is told of a module in a list.
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
	Method   string     `json:"method"`
	Rank     int        `json:"rank,omitempty"`      // the best place that the interval allows
	RankTo   int        `json:"rank_to,omitempty"`   // the worst
	RankNote string     `json:"rank_note,omitempty"` // why there is no rank
	Figures  figure.Set `json:"figures"`             // by their keys, which hold the unit
	Units    int        `json:"units"`
	Boards   int        `json:"boards"` // models of hosts
	Results  int        `json:"results"`
	Prices   []price    `json:"prices,omitempty"`
	Sources  []string   `json:"sources"` // keys of the sources of published figures
}

func standingsOf(p placed) standings {
	return standings{p.Method, p.Place.First, p.Place.Last, p.Note, p.Figures, p.Units, p.Boards, p.Results, pricesOf(p.Module, p.Prices), append([]string{}, p.Sources...)}
}

// price is what was paid for units of a module in one currency.
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
	Percent *float64 `json:"percent,omitempty"` // what was measured in per cent of it
	Source  string   `json:"source"`            // key of the data sheet; printed: on the module
	URL     string   `json:"url,omitempty"`
	Note    string   `json:"note,omitempty"` // under which conditions
}

// ratedOf are the figures that the catalogue has of a module's data sheets.
func (s *server) ratedOf(t *table, m catalogue.Module) []rated {
	var measured figure.Set
	for _, p := range t.of[m.Slug] {
		if p.Method == result.MethodFlashdex1 && p.Reference == "" {
			measured = p.Figures
		}
	}
	all := []rated{}
	for _, r := range dataset.RatedOf(m, s.Catalogue, measured) {
		all = append(all, rated{r.Metric.Key, r.Value, r.Percent(), r.SourceKey(), r.Source.URL, r.Note})
	}
	return all
}

// part is what some of a module's units show by one method.
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
	Variant variant        `json:"variant"`
	Shown   map[string]int `json:"shown,omitempty"` // how many units showed which evidence
}

type variant struct {
	Bus      string `json:"bus"`
	Manfid   string `json:"manfid,omitempty"`
	OEMID    string `json:"oemid,omitempty"`
	Name     string `json:"name"`
	Revision string `json:"revision"`
}

type listedModule struct {
	module
	standings
}

// listModules gives the ranking of one method by one figure, best first.
func (s *server) listModules(r *http.Request, t *table) (any, error) {
	query, err := parametersOf(r, "method", "sort", "figure", "form", "q", "limit", "after")
	if err != nil {
		return nil, err
	}
	asked := order{method: result.MethodFlashdex1, figure: figure.RandWriteIOPS}
	if method := query.Get("method"); method != "" {
		asked.method = method
	}
	if key := query.Get("sort"); key != "" {
		asked.figure = key
	}
	must, form, after := query.Get("figure"), query.Get("form"), query.Get("after")
	for name, key := range map[string]string{"sort": asked.figure, "figure": must} {
		if key != "" && !slices.Contains(figure.FigureKeys, key) {
			return nil, problem.New(problem.BadRequest, "The parameter %s is one of %s.", name, strings.Join(figure.FigureKeys, ", "))
		}
	}
	if form != "" && !slices.Contains(catalogue.Forms, form) {
		return nil, problem.New(problem.BadRequest, "The parameter form is one of %s.", strings.Join(catalogue.Forms, ", "))
	}
	if err := s.checkMethod(asked.method); err != nil {
		return nil, err
	}
	limit, err := limitOf(query)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(query.Get("q")))
	rows := t.order[asked]
	if after != "" {
		at := slices.IndexFunc(rows, func(p placed) bool { return p.Module.Slug == after })
		if at < 0 {
			return nil, problem.New(problem.BadRequest, "The module that the parameter after names is not in this list, or no longer. Begin the list again without it.")
		}
		rows = rows[at+1:]
	}
	answer := struct {
		Generation int64          `json:"generation"`
		Method     string         `json:"method"`
		Sort       string         `json:"sort"`
		Modules    []listedModule `json:"modules"`
		After      string         `json:"after,omitempty"` // to go on with, as ?after=
	}{t.generation, asked.method, asked.figure, []listedModule{}, ""}
	for _, p := range rows {
		_, has := p.Figures[must]
		if must != "" && !has || form != "" && p.Module.Form != form || !t.matches(p.Module.Slug, words) {
			continue
		}
		if len(answer.Modules) == limit {
			answer.After = answer.Modules[limit-1].Slug
			break
		}
		answer.Modules = append(answer.Modules, listedModule{s.describe(r, p.Module), standingsOf(p)})
	}
	return answer, nil
}

// getModule gives one module. The slug of one that was merged leads to what it is now.
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
		return problem.New(problem.NotFound, "There is no module of this name. /v1/search?q= finds modules by their words.")
	}
	answer := struct {
		Generation int64 `json:"generation"`
		module
		Methods   []standings        `json:"methods"` // rank by 4K random writes
		Hosts     []hostStandings    `json:"hosts"`   // from the results in one class of hosts alone
		Variants  []variantStandings `json:"variants"`
		Rated     []rated            `json:"rated"`
		Published int                `json:"published_figures"` // how many there are of it, with sources
	}{t.generation, s.describe(r, m), []standings{}, []hostStandings{}, []variantStandings{}, s.ratedOf(t, m), t.published[slug]}
	for _, p := range t.of[slug] {
		answer.Methods = append(answer.Methods, standingsOf(p))
	}
	summaries, err := s.Store.Summaries(r.Context(), slug)
	if err != nil {
		return err
	}
	for _, sum := range summaries {
		p := part{sum.Method, sum.Figures, sum.Units, sum.Contributors, sum.Results}
		switch {
		case sum.Variant != "":
			v := figure.VariantOf(sum.Variant)
			answer.Variants = append(answer.Variants, variantStandings{p, variant(v), sum.Shown})
		case sum.HostClass != "" && len(sum.Figures) > 0:
			answer.Hosts = append(answer.Hosts, hostStandings{p, sum.HostClass, figure.HostClassLabel(sum.HostClass)})
		}
	}
	text, err := asText(t, answer)
	if err != nil {
		return err
	}
	writeText(w, r, text)
	return nil
}

// search finds modules in whose name all words stand, those with the most results first.
func (s *server) search(r *http.Request, t *table) (any, error) {
	query, err := parametersOf(r, "q", "limit")
	if err != nil {
		return nil, err
	}
	limit, err := limitOf(query)
	if err != nil {
		return nil, err
	}
	asked := query.Get("q")
	if strings.TrimSpace(asked) == "" {
		return nil, problem.New(problem.BadRequest, "The parameter q holds the words to search for.")
	}
	found := t.find(asked)
	answer := struct {
		Generation int64    `json:"generation"`
		Found      int      `json:"found"` // of which at most limit are listed
		Modules    []module `json:"modules"`
	}{t.generation, len(found), []module{}}
	for _, m := range found[:min(limit, len(found))] {
		answer.Modules = append(answer.Modules, s.describe(r, m))
	}
	return answer, nil
}

// results counts the uploads of a module.
func (t *table) results(slug string) (n int) {
	for _, p := range t.of[slug] {
		n += p.Results
	}
	return n
}
