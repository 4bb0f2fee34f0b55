package publish

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
)

// maxSlicePages limits how many pages of data one run of Hugo makes. Hugo keeps all of its pages in memory until it
// ends, so a large site is made in slices, one run after the other into the same folder.
const maxSlicePages = 5_000

// slices divides the pages that aren't kept. There is at least one slice, perhaps of no page: the first run also
// makes what is made of no data.
func (s *site) slices() iter.Seq[[]dataPage] {
	changed := slices.DeleteFunc(slices.Clone(s.pages), func(p dataPage) bool { return s.reuse.kept[p.Path] })
	if len(changed) == 0 {
		return slices.Values([][]dataPage{nil})
	}
	return slices.Chunk(changed, s.slicePages)
}

// rePath matches the path of a page of data, which consists of slugs.
var rePath = regexp.MustCompile(`^(/[a-z0-9]+(-[a-z0-9]+)*)+/$`)

// pagesIndex is pages.json: the pages that others link to, and the pages that Hugo makes in its next run.
type pagesIndex struct {
	Rankings     map[string][]rankingPage `json:"rankings"` // the first page of each, by kind: by, form, in
	Questions    []dataPage               `json:"questions"`
	Modules      int                      `json:"modules"`
	Paths        []string                 `json:"paths"`
	SitemapPaths int                      `json:"sitemap_paths"` // how many paths a sitemap lists
	Render       []dataPage               `json:"render"`
}

// writePagesFile tells Hugo which pages of data to make in its next run. It knows nothing of all others.
func (s *site) writePagesFile(render []dataPage) error {
	for _, p := range render {
		if !rePath.MatchString(p.Path) {
			return fmt.Errorf("publish: %q can't be the path of a page", p.Path)
		}
	}
	pages := s.index
	pages.Render = render
	return s.writeFile("pages.json", pages)
}
