package publish

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// unlisted is the slug of the page that all makers outside the catalogue share, because anybody can make up makers.
const unlisted = "not-in-the-catalogue"

// maxVendorVariants limits the variants on a maker's page to the ones with the most units.
const maxVendorVariants = 50

// vendorPage is the page of a maker: its modules, what their silicon says, and who published figures of them.
type vendorPage struct {
	Slug, Name               string
	Modules, Measured, Units int // Measured: modules with a result that counts
	Figures                  int // published
	Forms                    []string
	Best                     *vendorBest // the quickest at 4K random writes

	// The list of all makers leaves these out.
	IDs      []catalogue.ClaimedID
	Variants []vendorVariant
	Others   []vendorModule `json:",omitempty"` // listed modules that are in no row of the ranking
	Sources  []vendorSource

	figures map[string]int            // published, by source
	rows    map[string][]*ranking.Row // by method
}

func newVendorPage(slug, name string) *vendorPage {
	return &vendorPage{Slug: slug, Name: name, figures: map[string]int{}, rows: map[string][]*ranking.Row{}}
}

type vendorBest struct {
	Slug, Name, Value, Sort string
	value                   float64
}

// vendorVariant is a variant of a module.
type vendorVariant struct {
	Label, Slug, Name string
	Units             int
}

// vendorModule is a module without a figure that a table compares.
type vendorModule struct{ Slug, Name, Known string }

type vendorSource struct {
	sourceLink
	Figures int
}

// vendors returns a page for each maker of the catalogue, by name, then one page for all other modules. of returns the
// page of a module.
func (s *site) vendors() (all []*vendorPage, of func(catalogue.Module) *vendorPage) {
	byName := map[string]*vendorPage{}
	for _, m := range s.catalogue.Modules {
		if byName[m.Vendor] == nil {
			byName[m.Vendor] = newVendorPage("", cmp.Or(m.Vendor, "Brand not stated"))
			all = append(all, byName[m.Vendor])
		}
	}
	slices.SortFunc(all, func(a, b *vendorPage) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	taken := map[string]bool{unlisted: true}
	for _, v := range all {
		v.Slug = catalogue.SlugOf([]string{v.Name}, func(slug string) bool { return taken[slug] })
		taken[v.Slug] = true
	}
	rest := newVendorPage(unlisted, "Not in the catalogue")
	return append(all, rest), func(m catalogue.Module) *vendorPage {
		if v := byName[m.Vendor]; v != nil && (m.Vendor != "" || !m.Provisional) {
			return v
		}
		return rest
	}
}

// writeVendorPages writes the pages of each maker that has modules, and the list of makers.
func (s *site) writeVendorPages() (pages []dataPage, err error) {
	all, of := s.vendors()
	at := map[string]*vendorPage{} // by the slug of the module
	for _, m := range s.snapshot.Modules {
		if m.Form == catalogue.FormStack {
			continue // a stack has no maker
		}
		v := of(m)
		at[m.Slug], s.vendor[m.Slug] = v, v.Slug
		v.Modules++
		if len(s.placed[m.Slug]) == 0 && !m.FromContributors() {
			v.Others = append(v.Others, vendorModule{m.Slug, m.Name(), s.knownOf(m)})
		}
		if !slices.Contains(v.Forms, m.Form) {
			v.Forms = append(v.Forms, m.Form)
		}
	}
	for i := range s.snapshot.Summaries {
		if sum := &s.snapshot.Summaries[i]; at[sum.ModuleSlug] != nil {
			at[sum.ModuleSlug].add(sum, s.modules[sum.ModuleSlug])
		}
	}
	for _, p := range s.snapshot.Published {
		if v := at[p.ModuleSlug]; v != nil {
			v.Figures++
			v.figures[p.Source]++
		}
	}
	for method, of := range s.rows {
		for _, r := range of {
			if v := at[r.Module.Slug]; v != nil {
				v.rows[method] = append(v.rows[method], r)
			}
		}
	}
	list := []*vendorPage{}
	for _, v := range all {
		if v.Modules == 0 {
			continue
		}
		of, err := s.writeVendor(v)
		if err != nil {
			return nil, err
		}
		v.IDs, v.Variants, v.Others, v.Sources = nil, nil, nil, nil
		pages, list = append(pages, of...), append(list, v)
	}
	return pages, s.writeFile("vendors.json", list)
}

// knownOf says what is known of a module without a figure that a table compares.
func (s *site) knownOf(m catalogue.Module) string {
	var known []string
	for _, r := range s.rated(m) {
		rated := "rated " + result.Number(r.Value) + " " + r.Metric.Unit
		if r.Metric.Key != catalogue.RatedTransfer { // the others have a direction
			rated += ", " + r.Metric.Label
		}
		known = append(known, rated)
	}
	if n := len(s.published[m.Slug]); n > 0 {
		known = append(known, page.Counted(n, "published figure"))
	}
	if n := len(s.told[m.Slug].checks); n > 0 {
		known = append(known, page.Counted(n, "unit")+" checked for fake capacity")
	}
	return cmp.Or(strings.Join(known, "; "), "known from: "+s.knownFrom(m))
}

// add adds a summary of one of the maker's modules.
func (v *vendorPage) add(sum *figure.Summary, m catalogue.Module) {
	variant, units := sum.Variant, sum.AllUnits
	if sum.Whole() {
		v.Units += sum.Units
		if sum.Units > 0 {
			v.Measured++
		}
		f, measured := sum.Figures.Find(figure.RandWriteIOPS)
		ranked := sum.Method == result.MethodFlashdex1 && sum.Vouched()
		if measured && ranked && (v.Best == nil || f.Value > v.Best.value) {
			v.Best = &vendorBest{m.Slug, m.Name(), result.Number(f.Value), page.Sortable(f.Value), f.Value}
		}
		variant, units = sum.OnlyVariant, sum.Identified
	}
	if variant != "" {
		v.Variants = append(v.Variants, vendorVariant{figure.VariantOf(variant).Label(), m.Slug, m.Name(), units})
	}
}

// writeVendor sorts the lists of a maker, and writes its page and its ranking.
func (s *site) writeVendor(v *vendorPage) ([]dataPage, error) {
	slices.SortFunc(v.Forms, func(a, b string) int {
		return slices.Index(catalogue.Forms, a) - slices.Index(catalogue.Forms, b)
	})
	slices.SortFunc(v.Variants, func(a, b vendorVariant) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Name, b.Name), strings.Compare(a.Label, b.Label))
	})
	v.Variants = v.Variants[:min(len(v.Variants), maxVendorVariants)]
	v.IDs = s.catalogue.IDsOf(v.Name)
	for key, n := range v.figures {
		v.Sources = append(v.Sources, vendorSource{s.sourceLinks([]string{key})[0], n})
	}
	slices.SortFunc(v.Sources, func(a, b vendorSource) int {
		return cmp.Or(cmp.Compare(b.Figures, a.Figures), strings.Compare(a.Anchor, b.Anchor))
	})
	file := "vendors/" + v.Slug + ".json"
	text, err := encode(file, v)
	if err != nil {
		return nil, err
	}
	if err := s.writeText(file, text); err != nil {
		return nil, err
	}
	pages, err := s.writeRanking(rankingPage{
		Path: "/vendors/" + v.Slug + "/", Metric: figure.RandWriteIOPS, file: "vendor-" + v.Slug, Title: v.Name,
	}, s.sections(figure.RandWriteIOPS, v.rows, "", result.MethodFlashdex1), text)
	for i := range pages {
		pages[i].Ranking, pages[i].File = pages[i].File, file
	}
	return pages, err
}
