package publish

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A page is rendered when what it shows has changed. All other pages are taken from the previous publication, as hard
// links to the same files. A manifest beside a publication's folder records what its pages were made of, so that a
// restart makes no difference.

// manifest records what the pages of a publication were made of, as hashes.
type manifest struct {
	Common string                `json:"common"` // what all pages depend on
	Pages  map[string]pageRecord `json:"pages"`  // by path
}

// pageRecord says what one page was made of.
type pageRecord struct {
	Data       string `json:"data"`
	Standing   string `json:"standing,omitempty"` // of a module: where it stands among others
	Generation int64  `json:"generation"`         // of the publication that rendered the page
}

// One upload may move the ranks of thousands of modules. A publication with news renders at most maxMoved of their
// pages beside the news; one without news renders at most maxMovedIdle. The rest follow in the next publications.
const (
	maxMoved     = 50
	maxMovedIdle = 1_000
)

// reuse decides which pages are taken from the previous publication.
type reuse struct {
	from       string // folder of the previous publication; empty: nothing can be taken
	oldest     string // folder of a publication that is shown to nobody any more; empty: there is none
	previous   manifest
	manifest   manifest // of the new publication
	generation int64
	kept       map[string]bool // paths of the pages that are taken
	maxMoved   int
	outdated   int // how many pages are kept although their module's standing has changed
}

// newReuse prepares a publication whose pages all depend on common. The previous one is in from.
func newReuse(from string, previous manifest, common string, generation int64) *reuse {
	if previous.Common != common {
		from = ""
	}
	return &reuse{
		from: from, previous: previous, generation: generation, maxMoved: maxMoved, kept: map[string]bool{},
		manifest: manifest{common, map[string]pageRecord{}},
	}
}

// keeps records what a page is made of, and reports whether that is the same as before.
func (r *reuse) keeps(path, data string) bool {
	before, ok := r.record(path, data)
	if ok {
		r.keep(path, before)
	} else {
		r.manifest.Pages[path] = pageRecord{Data: data, Generation: r.generation}
	}
	return ok
}

func (r *reuse) keep(path string, record pageRecord) {
	r.manifest.Pages[path], r.kept[path] = record, true
}

// record returns the previous record of a page that was made of the same data and whose files are there.
func (r *reuse) record(path, data string) (pageRecord, bool) {
	before, ok := r.previous.Pages[path]
	if !ok || r.from == "" || before.Data != data {
		return pageRecord{}, false
	}
	for _, file := range filesOf(path) {
		if info, err := os.Stat(filepath.Join(r.from, file)); err != nil || info.Size() == 0 {
			return pageRecord{}, false
		}
	}
	return before, true
}

// filesOf returns the files of a page: the page, and the files beside a module's page.
func filesOf(path string) []string {
	files := []string{filepath.Join(filepath.FromSlash(path), "index.html")}
	if slug, ok := strings.CutPrefix(path, "/modules/"); ok {
		for _, ending := range moduleFiles {
			files = append(files, filepath.Join("modules", strings.TrimSuffix(slug, "/")+ending))
		}
	}
	return files
}

// moduleInputs says what the page of a module is made of.
type moduleInputs struct{ slug, data, standing string }

// changed records what the pages of modules are made of, and returns the slugs of the pages to render. Where only the
// standing has changed, the pages that were rendered longest ago come first.
func (r *reuse) changed(modules []moduleInputs) map[string]bool {
	slugs := map[string]bool{}
	render := func(m moduleInputs) {
		slugs[m.slug] = true
		r.manifest.Pages[modulePath(m.slug)] = pageRecord{m.data, m.standing, r.generation}
	}
	type movedPage struct {
		moduleInputs
		before pageRecord
	}
	var moved []movedPage
	for _, m := range modules {
		before, ok := r.record(modulePath(m.slug), m.data)
		switch {
		case !ok:
			render(m)
		case before.Standing == m.standing:
			r.keep(modulePath(m.slug), before)
		default:
			moved = append(moved, movedPage{m, before})
		}
	}
	slices.SortStableFunc(moved, func(a, b movedPage) int { return cmp.Compare(a.before.Generation, b.before.Generation) })
	for i, m := range moved {
		if i < r.maxMoved {
			render(m.moduleInputs)
		} else {
			r.keep(modulePath(m.slug), m.before)
			r.outdated++
		}
	}
	return slugs
}

// recycle moves the folder of modules' pages from the oldest publication to the new one, in destination. Nearly all
// of its files are those that are kept; to link 50,000 pages with the files beside them took half of a publication's
// time. What is not kept is removed. Hugo has run by then: it would write into files that belong to the publication
// which is shown.
func (r *reuse) recycle(destination string) error {
	if r.oldest == "" {
		return nil
	}
	folder, made := filepath.Join(r.oldest, "modules"), filepath.Join(destination, "modules")
	if err := os.Remove(manifestOf(r.oldest)); err != nil { // first: the folder is no publication any more
		return fmt.Errorf("publish: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for _, e := range entries {
		slug, _, _ := strings.Cut(e.Name(), ".") // a slug has no dot
		if !r.kept[modulePath(slug)] {
			if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	if entries, err = os.ReadDir(made); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(made, e.Name()), filepath.Join(folder, e.Name())); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
	}
	if err := errors.Join(os.Remove(made), os.Rename(folder, made), os.RemoveAll(r.oldest)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// link links the files of kept pages into destination, where they aren't there yet. It never writes into a file,
// which may belong to several publications.
func (r *reuse) link(destination string) error {
	for path := range r.kept {
		for _, file := range filesOf(path) {
			from, to := filepath.Join(r.from, file), filepath.Join(destination, file)
			if same, err := sameFile(from, to); err != nil {
				return fmt.Errorf("publish: %w", err)
			} else if same {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
			if err := os.Link(from, to); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	return nil
}

// sameFile reports whether to is the same file as from, and removes it if it is another.
func sameFile(from, to string) (bool, error) {
	there, err := os.Lstat(to)
	if os.IsNotExist(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	wanted, err := os.Lstat(from)
	if err != nil || os.SameFile(there, wanted) {
		return err == nil, err
	}
	return false, os.Remove(to)
}

func manifestOf(folder string) string { return folder + ".json" }

// readManifest returns an empty manifest if there is none to read: then every page is rendered.
func readManifest(folder string) (m manifest) {
	text, err := os.ReadFile(manifestOf(folder))
	if err != nil || json.Unmarshal(text, &m) != nil {
		return manifest{}
	}
	return m
}

func (m manifest) write(folder string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return writeText(manifestOf(folder), text)
}

func modulePath(slug string) string { return "/modules/" + slug + "/" }
