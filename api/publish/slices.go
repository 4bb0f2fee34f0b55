package publish

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
)

// maxSliceBytes limits the data of the pages that one run of Hugo makes. Hugo keeps all of its pages and their data in
// memory until it ends, and takes five times as much for them. So a large site is made in slices, one run after the
// other into the same folder.
const maxSliceBytes = 100e6

// slices divides the pages that aren't kept. There is at least one slice, perhaps of no page: the first run also
// makes the pages that show no data.
func (s *site) slices() iter.Seq[[]dataPage] {
	return func(yield func([]dataPage) bool) {
		var slice []dataPage
		var bytes int64
		for _, p := range s.pages {
			if s.reuse.kept[p.Path] {
				continue
			}
			size := s.inputBytes(p)
			if len(slice) > 0 && bytes+size > s.sliceBytes {
				if !yield(slice) {
					return
				}
				slice, bytes = nil, 0
			}
			slice, bytes = append(slice, p), bytes+size
		}
		yield(slice)
	}
}

// inputBytes is the size of the files that a page is made of. Hugo reports those that are missing.
func (s *site) inputBytes(p dataPage) (bytes int64) {
	for _, name := range []string{p.File, p.Ranking} {
		if info, err := os.Stat(filepath.Join(s.input, filepath.FromSlash(name))); name != "" && err == nil {
			bytes += info.Size()
		}
	}
	return bytes
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
