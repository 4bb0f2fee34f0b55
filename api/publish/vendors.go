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

// unlisted is the slug of the page of modules whose maker the catalogue doesn't know. Anybody can make up makers.
const unlisted = "not-in-the-catalogue"

// vendorPage is one maker: its modules, what its silicon says of itself and who published figures of it.
type vendorPage struct {
	Slug      string          `json:"slug"`
	Name      string          `json:"name"`
	Modules   int             `json:"modules"`
	Measured  int             `json:"measured"` // modules of which a result counts
	Units     int             `json:"units"`
	Results   int             `json:"results"`
	Figures   int             `json:"published_figures"`
	Forms     []string        `json:"forms"`
	Best      *vendorBest     `json:"best,omitempty"` // the quickest at 4K random writes
	Pages     []rankingPage   `json:"pages"`
	IDs       []vendorID      `json:"ids"`
	Variants  []vendorVariant `json:"variants"` // at most maxVendorVariants, those of the most units
	Sources   []vendorSource  `json:"sources"`
	published map[string]int
}

type vendorBest struct {
	Slug  string `json:"slug"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Sort  string `json:"sort"`

	value float64
}

// vendorID is a manufacturer id, or one with an OEM id, that sources claim to be the maker's.
type vendorID struct {
	Bus     string   `json:"bus"` // SD or eMMC
	ID      string   `json:"id"`
	Sources []string `json:"sources"`
}

type vendorVariant struct {
	Label string `json:"label"`
	Slug  string `json:"slug"` // of the module
	Name  string `json:"name"`
	Units int    `json:"units"`
}

type vendorSource struct {
	Key     string `json:"key"`
	Label   string `json:"label"`
	Figures int    `json:"figures"`
}

const maxVendorVariants = 50

// vendors gathers the makers of the catalogue, by name, and after them what has none of these.
func (s *site) vendors() (all []*vendorPage, of func(catalogue.Module) *vendorPage) {
	byName := map[string]*vendorPage{}
	for _, m := range s.catalogue.Modules {
		if byName[m.Vendor] == nil {
			byName[m.Vendor] = &vendorPage{Name: cmp.Or(m.Vendor, "Brand not stated"), published: map[string]int{}}
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
	rest := &vendorPage{Slug: unlisted, Name: "Not in the catalogue", published: map[string]int{}}
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
	modules := map[string]catalogue.Module{}
	for _, m := range s.snapshot.Modules {
		if m.Form == catalogue.FormStack {
			continue // which has no maker
		}
		v := of(m)
		at[m.Slug], modules[m.Slug], s.vendor[m.Slug] = v, m, v.Slug
		v.Modules++
		if !slices.Contains(v.Forms, m.Form) {
			v.Forms = append(v.Forms, m.Form)
		}
	}
	for _, p := range s.snapshot.Published {
		if v := at[p.ModuleSlug]; v != nil {
			v.Figures++
			v.published[p.Source]++
		}
	}
	for i := range s.snapshot.Summaries {
		if sum := &s.snapshot.Summaries[i]; at[sum.ModuleSlug] != nil {
			at[sum.ModuleSlug].add(sum, modules[sum.ModuleSlug])
		}
	}
	rows := map[*vendorPage]map[string][]ranking.Row{}
	for method, of := range s.rows {
		for _, r := range of {
			if v := at[r.Module.Slug]; v != nil && r.Reference == "" {
				if rows[v] == nil {
					rows[v] = map[string][]ranking.Row{}
				}
				rows[v][method] = append(rows[v][method], r)
			}
		}
	}
	list := []vendorPage{}
	for _, v := range all {
		if v.Modules == 0 {
			continue
		}
		if err := s.finish(v, rows[v]); err != nil {
			return nil, err
		}
		if err := s.writeFile("vendors/"+v.Slug+".json", v); err != nil {
			return nil, err
		}
		for _, of := range v.Pages {
			pages = append(pages, dataPage{Path: of.Path, Title: v.Name, File: "vendors/" + v.Slug + ".json", Ranking: of.File, Number: of.Page})
		}
		brief := *v
		brief.IDs, brief.Variants, brief.Sources = nil, nil, nil
		list = append(list, brief)
	}
	return pages, s.writeFile("vendors.json", list)
}

// add takes in what a summary says of one of the maker's modules.
func (v *vendorPage) add(sum *figure.Summary, m catalogue.Module) {
	variant, units := sum.Variant, sum.AllUnits
	if sum.Whole() {
		v.Results += sum.Results
		v.Units += sum.Units
		if sum.Units > 0 {
			v.Measured++
		}
		if f, ok := sum.Figures[figure.RandWriteIOPS]; ok && sum.Method == result.MethodFlashdex1 && sum.Contributors >= figure.MinRankedContributors && (v.Best == nil || f.Value > v.Best.value) {
			v.Best = &vendorBest{m.Slug, m.Name(), result.Number(f.Value), page.Sortable(f.Value), f.Value}
		}
		variant, units = sum.OnlyVariant, sum.Identified
	}
	if variant != "" {
		v.Variants = append(v.Variants, vendorVariant{figure.VariantOf(variant).Label(), m.Slug, m.Name(), units})
	}
}

// finish sorts what was gathered of a maker and writes its ranking.
func (s *site) finish(v *vendorPage, rows map[string][]ranking.Row) (err error) {
	slices.SortFunc(v.Forms, func(a, b string) int { return slices.Index(catalogue.Forms, a) - slices.Index(catalogue.Forms, b) })
	slices.SortFunc(v.Variants, func(a, b vendorVariant) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Name, b.Name), strings.Compare(a.Label, b.Label))
	})
	v.Variants = append([]vendorVariant{}, v.Variants[:min(len(v.Variants), maxVendorVariants)]...)
	v.IDs, v.Sources = []vendorID{}, []vendorSource{}
	for _, id := range s.catalogue.IDsOf(v.Name) {
		v.IDs = append(v.IDs, vendorID{map[string]string{"sd": "SD", "mmc": "eMMC"}[id.Bus], id.Text, id.Sources})
	}
	for key, n := range v.published {
		source, _ := s.catalogue.Source(key)
		v.Sources = append(v.Sources, vendorSource{key, label(source), n})
	}
	slices.SortFunc(v.Sources, func(a, b vendorSource) int {
		return cmp.Or(cmp.Compare(b.Figures, a.Figures), strings.Compare(a.Key, b.Key))
	})
	around, err := encode(v.Slug, v)
	if err != nil {
		return err
	}
	v.Pages, err = s.writePages(rankingPage{
		Path: "/vendors/" + v.Slug + "/", Metric: figure.RandWriteIOPS, Vendor: v.Slug, File: "vendor-" + v.Slug, Title: v.Name,
	}, s.sections(figure.RandWriteIOPS, rows, "", result.MethodFlashdex1), around)
	return err
}
