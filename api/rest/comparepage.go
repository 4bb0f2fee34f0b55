package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
)

// maxCompared is how many modules still fit side by side.
const maxCompared = chart.MaxSeveral

// maxOffered is how many found modules are offered to be added.
const maxOffered = 12

// comparePage sets modules side by side. ?m= names each by its slug, or by words that only its name has, ?base= names
// the baseline, and ?q= has words of a module to add.
func (s *server) comparePage(r *http.Request, t *table) (page.Page, error) {
	query := r.URL.Query()
	c := page.Comparison{Asked: askedWords(r)}
	for _, asked := range query["m"] {
		m, found := t.named(asked)
		same := func(other catalogue.Module) bool { return found && other.Slug == m.Slug }
		switch {
		case strings.TrimSpace(asked) == "" || slices.ContainsFunc(c.Modules, same):
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
	chosen := map[string]bool{}
	for _, m := range c.Modules {
		chosen[m.Slug] = true
	}
	found := slices.DeleteFunc(t.find(c.Asked), func(m catalogue.Module) bool { return chosen[m.Slug] })
	c.Found, c.Total = found[:min(len(found), maxOffered)], len(found)
	s.compareMethods(t, &c)
	if len(c.Modules) > 1 {
		s.drawCompared(r.Context(), &c)
		s.compareProfiles(r.Context(), &c)
	}
	return page.ComparePage(c)
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

// compareMethods adds the methods that measured at least two of the modules, or the only module.
func (s *server) compareMethods(t *table, c *page.Comparison) {
	for _, method := range s.Catalogue.Methods {
		compared := page.ComparedMethod{Method: method, Standings: make([]*page.Standing, len(c.Modules))}
		n := 0
		for i, m := range c.Modules {
			for _, p := range t.of[m.Slug] {
				if p.Method == method.ID && len(p.Figures) > 0 {
					compared.Standings[i] = &page.Standing{Row: p.Row, Place: p.Place}
					n++
				}
			}
		}
		if n > 1 || n == 1 && len(c.Modules) == 1 {
			c.Methods = append(c.Methods, compared)
		}
	}
}

// drawCompared reads the units and runs of the modules. Without the database, the charts show only the figures of the
// table.
func (s *server) drawCompared(ctx context.Context, c *page.Comparison) {
	slugs, methods := make([]string, len(c.Modules)), make([]string, len(c.Methods))
	for i, m := range c.Modules {
		slugs[i] = m.Slug
	}
	for i, method := range c.Methods {
		methods[i] = method.ID
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	typical, err := s.Store.Typical(ctx, slugs, methods)
	if err != nil {
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
}
