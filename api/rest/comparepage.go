package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/result"
)

const (
	maxCompared = chart.MaxSeveral // modules that fit side by side
	maxOffered  = 12               // search results that can be added
)

// comparePage sets modules side by side.
func (s *server) comparePage(r *http.Request, t *table) (page.Page, error) {
	c := s.compared(r, t)
	if len(c.Modules) > 1 {
		s.drawCompared(r.Context(), &c)
	}
	return page.ComparePage(c)
}

// comparePicture answers with the picture that other sites show beside a link to a comparison.
func (s *server) comparePicture(w http.ResponseWriter, r *http.Request) error {
	t, err := s.tables.get(r.Context())
	if err != nil {
		return err
	}
	c := s.compared(r, t)
	if len(c.Modules) < 2 {
		return notFound(w, r)
	}
	drawn, err := c.Picture().PNG()
	if err != nil {
		return err
	}
	sendMade(w, r, ".png", drawn)
	return nil
}

// compared makes a comparison from the table. ?m= names each module by its slug, or by words that only its name has.
// ?base= names the baseline, and ?q= has words to find a module to add.
func (s *server) compared(r *http.Request, t *table) page.Comparison {
	query := r.URL.Query()
	c := page.Comparison{Asked: askedWords(r)}
	chosen := func(m catalogue.Module) bool {
		return slices.ContainsFunc(c.Modules, func(other catalogue.Module) bool { return other.Slug == m.Slug })
	}
	for _, asked := range query["m"] {
		m, found := t.named(asked)
		switch {
		case strings.TrimSpace(asked) == "" || found && chosen(m):
		case len(c.Modules)+len(c.Unknown) == maxCompared:
			c.Left++
		case !found:
			c.Unknown = append(c.Unknown, strings.ToValidUTF8(asked[:min(len(asked), maxAskedText)], ""))
		default:
			c.Modules = append(c.Modules, m)
		}
	}
	if base, found := t.named(query.Get("base")); found {
		c.Base = max(0, slices.IndexFunc(c.Modules, func(m catalogue.Module) bool { return m.Slug == base.Slug }))
	}
	found := slices.DeleteFunc(t.find(c.Asked), chosen)
	c.Found, c.Total = found[:min(len(found), maxOffered)], len(found)
	s.compareMethods(t, &c)
	return c
}

// named finds a module by its slug, by a slug from before a merge, or by words that only its name has.
func (t *table) named(asked string) (catalogue.Module, bool) {
	slug := asked
	if into, merged := t.aliases[slug]; merged {
		slug = into
	}
	if m, found := t.module(slug); found || asked == "" {
		return m, found
	}
	if found := t.find(asked[:min(len(asked), maxAskedText)]); len(found) == 1 {
		return found[0], true
	}
	return catalogue.Module{}, false
}

// compareMethods adds the methods that measured at least two of the modules. For a single module it adds all of its
// methods.
func (s *server) compareMethods(t *table, c *page.Comparison) {
	for _, method := range s.Catalogue.Methods {
		compared := page.ComparedMethod{Method: method, Standings: make([]*page.Standing, len(c.Modules))}
		n := 0
		for i, m := range c.Modules {
			for _, p := range t.of[m.Slug] {
				if p.Method == method.ID && p.Figures.Len() > 0 {
					compared.Standings[i] = &p
					n++
				}
			}
		}
		if n > 1 || n == 1 && len(c.Modules) == 1 {
			c.Methods = append(c.Methods, compared)
		}
	}
}

// drawCompared adds the units and runs of the modules. If the database is away, the charts show only the table's
// figures.
func (s *server) drawCompared(ctx context.Context, c *page.Comparison) {
	var slugs, methods []string
	for _, m := range c.Modules {
		slugs = append(slugs, m.Slug)
	}
	for _, method := range c.Methods {
		methods = append(methods, method.ID)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	typical, err := s.Store.Typical(ctx, slugs, methods)
	profiled, alsoErr := s.Store.Profiled(ctx, slugs, figure.MaxProfiledRuns)
	if err = errors.Join(err, alsoErr); err != nil {
		s.Log.Warn("modules are compared without their runs and units", "error", err)
		c.NotDrawn = true
	}
	for i := range c.Methods {
		method := &c.Methods[i]
		method.Drawn = make([]figure.ChartData, len(slugs))
		for k, slug := range slugs {
			for _, drawn := range typical[slug] {
				if drawn.Method == method.ID && method.Standings[k] != nil {
					method.Drawn[k] = drawn
				}
			}
		}
	}
	s.compareProfiles(profiled, c)
}

// compareProfiles adds the newest runs of each module by the methods that are never ranked, if two modules have runs by
// the method.
func (s *server) compareProfiles(profiled map[string][]figure.ProfiledRun, c *page.Comparison) {
	shared := sharedStarts(c.Modules, profiled)
	for _, method := range figure.ProfiledMethods {
		var runs []chart.Profiled
		var listed []page.ProfiledRun
		base, modules := 0, 0
		for i, m := range c.Modules {
			if i == c.Base {
				base = len(runs)
			}
			own := comparedRuns(method, profiled[m.Slug], shared, chart.MaxSeveral/len(c.Modules))
			modules += min(1, len(own))
			for k, r := range own {
				run := chart.Profiled{
					Letter: chart.Letter(i), Label: m.Name(), Class: chart.Several(i), Module: m.Slug, Unit: r.Unit,
					Board: r.Board, Target: r.Target, Queue: r.Queue, Tests: r.Tests,
				}
				how := r.Target.Configuration
				if method == result.MethodSustained1 && len(own) > 1 {
					how = measuredHow(own, k)
					run.Label += ", " + how + ", " + r.Host
					if k > 0 {
						run.Letter += strconv.Itoa(k + 1)
						run.Class = chart.Several(k*len(c.Modules) + i)
					}
				}
				runs = append(runs, run)
				listed = append(listed, page.ProfiledRun{
					Letter: run.Letter, Module: m.Name(), Path: "/r/" + r.ID,
					ReceivedOn: r.ReceivedAt.UTC().Format(time.DateOnly), Host: r.Host, How: how,
				})
			}
		}
		if p := chart.ProfileOfModules(method, method+"-", runs, base); modules > 1 && !p.IsEmpty() {
			c.Profiles = append(c.Profiles, *s.profile(method, p, listed))
		}
	}
}

// comparedRuns picks the newest run of a module by a method. Of program starts that modules share, it picks the newest
// in each configuration. Of runs that last minutes, it picks the newest of each unit, way and host, but only a few:
// readers must be able to tell all modules' lines apart.
func comparedRuns(method string, runs []figure.ProfiledRun, shared map[start]int, most int) (
	picked []figure.ProfiledRun) {
	type stands struct {
		start
		configuration, unit, kind, host, reader string
	}
	had := map[stands]bool{}
	for _, r := range runs {
		if r.Method != method {
			continue
		}
		var by stands
		switch method {
		case result.MethodStartup1:
			if by = (stands{start: startOf(r), configuration: r.Target.Configuration}); shared[by.start] < 2 {
				continue
			}
		case result.MethodSustained1:
			by = stands{unit: r.Unit, kind: r.Target.Kind, host: r.Host, reader: r.Reader}
		}
		if !had[by] && (method != result.MethodSustained1 || len(picked) < most) {
			had[by], picked = true, append(picked, r)
		}
	}
	return picked
}

// measuredHow says how one of a module's runs differs from the others.
func measuredHow(runs []figure.ProfiledRun, at int) string {
	r := runs[at]
	how := "in a folder"
	if r.Target.Kind == "device" {
		how = "with --device"
	}
	if r.Reader != "" {
		how += ", reader " + r.Reader
	}
	var units []string
	for _, other := range runs {
		if !slices.Contains(units, other.Unit) {
			units = append(units, other.Unit)
		}
	}
	if len(units) > 1 {
		how += ", unit " + strconv.Itoa(slices.Index(units, r.Unit)+1)
	}
	return how
}

// start is what two starts must have in common for their times to compare.
type start struct{ program, version, board string }

func startOf(r figure.ProfiledRun) start {
	return start{r.Target.Program, r.Target.ProgramSum, r.Board}
}

// sharedStarts counts the modules that have each start. It leaves out starts whose version or board is unknown, because
// nobody can tell whether they are the same.
func sharedStarts(modules []catalogue.Module, profiled map[string][]figure.ProfiledRun) map[start]int {
	shared := map[start]int{}
	for _, m := range modules {
		own := map[start]bool{}
		for _, r := range profiled[m.Slug] {
			of := startOf(r)
			if r.Method == result.MethodStartup1 && of.version != "" && of.board != "" && !own[of] {
				own[of] = true
				shared[of]++
			}
		}
	}
	return shared
}
