package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A page is made anew when what it is made of has changed. All others are taken from the publication before, as links to the same files.
// What pages were made of stands in a file beside the publication's folder, so that a restart makes no difference.

// making tells what the pages of a publication were made of, as hashes.
type making struct {
	Of    string                `json:"of"` // what every page is made of
	Pages map[string]pageMaking `json:"pages"`
}

// pageMaking tells what one page was made of.
type pageMaking struct {
	Of         string `json:"of"`
	Around     string `json:"around,omitempty"` // what a module's page tells that depends on other modules
	Generation int64  `json:"generation"`       // of the publication that it was made for
}

// An upload may move the places of thousands of modules. So many of their pages are made anew beside what is news, and in each of the publications that
// follow while there is none.
const (
	maxMoved     = 100
	maxMovedIdle = 1_000
)

// reuse decides which pages are taken from the publication before.
type reuse struct {
	from       string // folder of that publication; empty: nothing can be taken
	old        string // folder of one that no visitor is shown any more; empty: there is none
	before     making
	now        making
	generation int64
	kept       map[string]bool // by path
	maxMoved   int
	behind     int // how many are kept although other modules changed what they tell
}

// reuseOf prepares a publication whose pages are all made of the same, of. The one before is in from, and tells so of itself.
func reuseOf(from string, before making, of string, generation int64) *reuse {
	if before.Of != of {
		from = ""
	}
	return &reuse{from: from, before: before, generation: generation, maxMoved: maxMoved, kept: map[string]bool{}, now: making{of, map[string]pageMaking{}}}
}

// keeps notes what a page is made of, and reports whether it is the same as before.
func (r *reuse) keeps(path, of string) bool {
	before, ok := r.earlier(path, of)
	if ok {
		r.now.Pages[path], r.kept[path] = before, true
	} else {
		r.now.Pages[path] = pageMaking{Of: of, Generation: r.generation}
	}
	return ok
}

// earlier is a page of the publication before, if it is made of the same.
func (r *reuse) earlier(path, of string) (pageMaking, bool) {
	before, ok := r.before.Pages[path]
	if !ok || r.from == "" || before.Of != of {
		return pageMaking{}, false
	}
	for _, file := range filesOf(path) {
		if info, err := os.Stat(filepath.Join(r.from, file)); err != nil || info.Size() == 0 {
			return pageMaking{}, false
		}
	}
	return before, true
}

// filesOf are those of a page: itself, and what stands beside a module's.
func filesOf(path string) []string {
	files := []string{pageFile("", path)}
	if slug, ok := strings.CutPrefix(path, "/modules/"); ok {
		for _, ending := range moduleFiles {
			files = append(files, filepath.Join("modules", strings.TrimSuffix(slug, "/")+ending))
		}
	}
	return files
}

// moduleMaking is what the page of a module is made of.
type moduleMaking struct{ slug, of, around string }

// changed notes what the pages of modules are made of, and returns the slugs of those to make. Of the pages for which only other modules
// changed something, those that were made longest ago come first.
func (r *reuse) changed(modules []moduleMaking) map[string]bool {
	slugs := map[string]bool{}
	type movedPage struct {
		moduleMaking
		before pageMaking
	}
	var moved []movedPage
	for _, m := range modules {
		path := modulePath(m.slug)
		before, ok := r.earlier(path, m.of)
		switch {
		case !ok:
			slugs[m.slug] = true
			r.now.Pages[path] = pageMaking{m.of, m.around, r.generation}
		case before.Around == m.around:
			r.now.Pages[path], r.kept[path] = before, true
		default:
			moved = append(moved, movedPage{m, before})
		}
	}
	slices.SortStableFunc(moved, func(a, b movedPage) int { return cmp.Compare(a.before.Generation, b.before.Generation) })
	for i, m := range moved {
		path := modulePath(m.slug)
		if i < r.maxMoved {
			slugs[m.slug] = true
			r.now.Pages[path] = pageMaking{m.of, m.around, r.generation}
		} else {
			r.now.Pages[path], r.kept[path] = m.before, true
			r.behind++
		}
	}
	return slugs
}

// recycle takes the folder of modules' pages out of the old publication: nearly all files in it are those that are kept,
// and to link each of 50,000 pages and what stands beside it, and to remove as many, took half of a publication's time. What is not kept goes, and so does
// the rest of that publication. Hugo has run by then: it would write over files that belong to the publication which is shown.
func (r *reuse) recycle(destination string) error {
	if r.old == "" {
		return nil
	}
	folder, made := filepath.Join(r.old, "modules"), filepath.Join(destination, "modules")
	if err := os.Remove(makingOf(r.old)); err != nil { // first: it is no publication any more
		return fmt.Errorf("publish: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for _, e := range entries {
		slug, _, _ := strings.Cut(e.Name(), ".") // there is none in a slug
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
	if err := errors.Join(os.Remove(made), os.Rename(folder, made), os.RemoveAll(r.old)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// link takes the pages that are kept into destination, where they are not there yet. Nothing is written over: what is linked belongs to several publications.
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

// sameFile reports whether to is the file from already, and removes it if it is another.
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

// makingOf is the file that tells what the publication in a folder was made of.
func makingOf(folder string) string { return folder + ".json" }

// readMaking reads it. Without it nothing is known, and every page is made.
func readMaking(folder string) (m making) {
	text, err := os.ReadFile(makingOf(folder))
	if err != nil || json.Unmarshal(text, &m) != nil {
		return making{}
	}
	return m
}

// write writes it.
func (m making) write(folder string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := os.WriteFile(makingOf(folder), text, 0o644); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func modulePath(slug string) string { return "/modules/" + slug + "/" }

func pageFile(folder, path string) string {
	return filepath.Join(folder, filepath.FromSlash(path), "index.html")
}

// hashOf tells texts apart.
func hashOf(texts ...[]byte) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintln(h, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// programs tells apart this program, which holds the catalogue and the questions, and Hugo.
func programs(hugo string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
		if hugo, err = exec.LookPath(hugo); err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
		return hashOfFiles(self, hugo)
	})
}

// hashOfFiles tells files and what is in folders apart.
func hashOfFiles(roots ...string) (string, error) {
	h := sha256.New()
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			n, err := io.Copy(h, file)
			fmt.Fprintln(h, n, strings.TrimPrefix(path, root))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
