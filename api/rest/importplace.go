package rest

import (
	"cmp"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// names reports whether somebody typed a module's name.
func names(m result.Module) bool { return m.Vendor != "" || m.Product != "" }

// placeImport adds what is known of the module that a form names, and where the pasted figures stand among published
// ones. It stores nothing.
func (s *server) placeImport(t *table, shown *page.Import) {
	var slug string
	if names(shown.Module) {
		shown.Named = s.named(t, shown.Module)
		slug = shown.Named.Slug
	}
	for i := range shown.Documents {
		if by := shown.Documents[i].Imported; by.LacksCapacity() {
			shown.NoPlace = append(shown.NoPlace, by.Tool+": "+by.Found())
		}
		for _, f := range figure.PublishedAs(&shown.Documents[i]) {
			method, _ := s.Catalogue.Method(f.Method)
			var among []*ranking.Row
			var others *ranking.Row
			for _, p := range t.inOrder(order{f.Method, f.Key}) {
				if p.Module.Slug == slug {
					others = p.Row
				} else {
					among = append(among, p.Row)
				}
			}
			if p := page.PlaceOf(method.Label, f, among, others); p.Of > 1 {
				shown.Places = append(shown.Places, p)
			}
		}
	}
}

// named returns what is known of the module that somebody typed.
func (s *server) named(t *table, typed result.Module) *page.NamedModule {
	m := s.Catalogue.Of(&result.Document{Module: typed}, "")
	known := new(page.NamedModule)
	known.Module, known.Listed = t.module(cmp.Or(t.aliases[m.Slug], m.Slug))
	if !known.Listed {
		for _, slug := range m.Candidates {
			if near, listed := t.module(slug); listed {
				known.Near = append(known.Near, near)
			}
		}
		if len(known.Near) == 0 {
			near := t.find(strings.ToLower(typed.Vendor + " " + typed.Product))
			known.Near = near[:min(len(near), maxOffered)]
		}
	}
	for _, p := range t.of[known.Slug] {
		if (p.Method == result.MethodFlashdex1 || p.Method == catalogue.MethodExpected) && p.Figures.Len() > 0 {
			known.Own = &p
		}
	}
	return known
}
