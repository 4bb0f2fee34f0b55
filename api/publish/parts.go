package publish

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxPartPages is the most pages made of data that Hugo makes at once. It keeps every page in memory until it ends, so a large site is
// made in parts, each in a run of its own into the same folder. Pages that are made of no data are made in each.
const maxPartPages = 5_000

// parts divides the pages that are not kept, but for those of modules, of which Hugo makes the frame alone. There is one part at least.
func (s *site) parts() iter.Seq[[]dataPage] {
	fresh := slices.DeleteFunc(slices.Clone(s.pages), func(p dataPage) bool { return s.reuse.kept[p.Path] || strings.HasPrefix(p.Path, "/modules/") })
	if len(fresh) == 0 {
		return slices.Values([][]dataPage{nil})
	}
	return slices.Chunk(fresh, s.partPages)
}

// rePath matches the path of a page made of data: slugs alone.
var rePath = regexp.MustCompile(`^(/[a-z0-9]+(-[a-z0-9]+)*)+/$`)

// writePagesFile tells Hugo which pages of data to make in its next run. It knows nothing of all others.
func (s *site) writePagesFile(render []dataPage) error {
	for _, p := range render {
		if !rePath.MatchString(p.Path) {
			return fmt.Errorf("publish: %q can't be the path of a page", p.Path)
		}
	}
	pages := maps.Clone(s.index)
	pages["render"] = render
	return s.writeFile("pages.json", pages)
}
