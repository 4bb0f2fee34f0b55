package publish

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// maxPartPages is the most pages made of data that Hugo makes at once. It keeps every page in memory until it ends, so a large site is
// made in parts, each in a run of its own into the same folder. Pages that are made of no data are made in each.
const maxPartPages = 5_000

// parts divides the pages that are not kept, but for those of modules, of which Hugo makes the frame alone. There is one part at least.
func (s *site) parts(pages []string) iter.Seq[[]string] {
	fresh := slices.DeleteFunc(slices.Clone(pages), func(path string) bool { return s.reuse.kept[path] || strings.HasPrefix(path, "/modules/") })
	if len(fresh) == 0 {
		return slices.Values([][]string{nil})
	}
	return slices.Chunk(fresh, s.partPages)
}

// writePagesFile tells Hugo to make the pages of a part. For it those of other parts are kept like all others.
func (s *site) writePagesFile(part []string) error {
	makes := map[string]bool{}
	for _, path := range part {
		makes[path] = true
	}
	kept := maps.Clone(s.reuse.kept)
	paths, _ := s.pages["paths"].([]string)
	for _, path := range paths {
		if !makes[path] {
			kept[path] = true
		}
	}
	pages := maps.Clone(s.pages)
	pages["kept"] = kept
	return s.writeFile("pages.json", pages)
}
