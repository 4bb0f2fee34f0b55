package publish

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A page is rendered when its data has changed. All other pages are taken from the previous publication, as hard
// links to the same files. A manifest beside a publication's folder records what its pages were made of, so that a
// restart makes no difference.

// manifest records hashes of what a publication's pages were made from, and where modules stood.
type manifest struct {
	Common    string                `json:"common"` // what all pages depend on
	Pages     map[string]pageRecord `json:"pages"`  // by path
	Redirects []string              `json:"redirects"`
	Before    []string              `json:"before"` // publications that were shown before, the newest first
	Ranks     map[string]rankRecord `json:"ranks"`  // of modules that are or were ranked, by "slug method"
}

// pageRecord says what one page was made of.
type pageRecord struct {
	Data     string `json:"data"`
	Standing string `json:"standing,omitempty"` // of a module: where it stands among others
	Made     int64  `json:"made"`               // time in ms of the publication that rendered it
}

// One upload may move the ranks of thousands of modules, and rows on hundreds of ranking pages. A publication with news
// renders at most this many of the moved pages besides the news. One without news renders idleFactor times as many. The
// rest follow in the next publications.
const (
	maxMoved         = 50 // modules
	maxMovedRankings = 10
	idleFactor       = 20
)

// maxTouched limits how many touched modules ranking pages are searched for. If more modules were touched, no page
// waits.
const maxTouched = 100

// reuse decides which pages to take from the previous publication.
type reuse struct {
	from     string // folder of the previous publication; empty: nothing can be taken
	oldest   string // folder of a publication that nobody is shown any more; empty: there is none
	previous manifest
	manifest manifest // of the new publication
	made     int64
	kept     map[string]bool // paths of the pages that are taken
	touched  map[string]bool // slugs of modules that changed themselves, or are gone
	moved    int             // how many pages may be rendered when maxMoved is 1
	outdated int             // how many pages are kept although other modules have moved
}

// newReuse prepares a publication whose pages all depend on common. from is the folder of the previous publication.
func newReuse(from string, previous manifest, common string, made int64) *reuse {
	r := &reuse{
		from: from, previous: previous, made: made, moved: 1, kept: map[string]bool{}, touched: map[string]bool{},
		manifest: manifest{Common: common, Pages: map[string]pageRecord{}},
	}
	if from != "" {
		before := append([]string{filepath.Base(from)}, previous.Before...)
		r.manifest.Before = before[:min(keptPublications, len(before))]
	}
	if previous.Common != common {
		r.from = ""
	} else if len(previous.Before) >= keptPublications {
		r.oldest = filepath.Join(filepath.Dir(from), previous.Before[keptPublications-1])
	}
	return r
}

// keeps records what a page is made from, and reports whether it is the same as before.
func (r *reuse) keeps(path, data string) bool {
	before, ok := r.held(path)
	if ok = ok && before.Data == data; ok {
		r.keep(path, before)
	} else {
		r.manifest.Pages[path] = pageRecord{Data: data, Made: r.made}
	}
	return ok
}

func (r *reuse) keep(path string, record pageRecord) {
	r.manifest.Pages[path], r.kept[path] = record, true
}

// held returns the record of a page, if the previous publication has the page's files.
func (r *reuse) held(path string) (pageRecord, bool) {
	before, ok := r.previous.Pages[path]
	if !ok || r.from == "" {
		return pageRecord{}, false
	}
	for _, file := range filesOf(path) {
		if info, err := os.Stat(filepath.Join(r.from, file)); err != nil || info.Size() == 0 {
			return pageRecord{}, false
		}
	}
	return before, true
}

// filesOf returns the files of a page: the page, its picture, and the files beside a module's page.
func filesOf(path string) []string {
	dir := filepath.FromSlash(path)
	files := []string{filepath.Join(dir, "index.html")}
	if hasPicture(path) {
		files = append(files, filepath.Join(dir, pictureFile))
	}
	if slug, ok := slugOf(path); ok {
		for _, ending := range moduleFiles {
			files = append(files, filepath.Join("modules", slug+ending))
		}
	}
	return files
}

// pageInputs says what a page is made of.
type pageInputs struct{ path, data, standing string }

// changed records what the modules' pages are made from, and returns the slugs of the modules whose pages to render.
func (r *reuse) changed(modules []pageInputs) map[string]bool {
	slugs := map[string]bool{}
	var moved []pageInputs
	for _, m := range modules {
		before, ok := r.held(m.path)
		switch slug, _ := slugOf(m.path); {
		case !ok || before.Data != m.data:
			slugs[slug], r.touched[slug] = true, true
			r.manifest.Pages[m.path] = pageRecord{m.data, m.standing, r.made}
		case before.Standing == m.standing:
			r.keep(m.path, before)
		default:
			moved = append(moved, m)
		}
	}
	for _, at := range r.follow(moved, maxMoved) {
		slug, _ := slugOf(moved[at].path)
		slugs[slug] = true
	}
	for path := range r.previous.Pages {
		if slug, ok := slugOf(path); ok && r.manifest.Pages[path].Made == 0 {
			r.touched[slug] = true
		}
	}
	return slugs
}

// follow chooses which of the waiting pages to render: the ones that were rendered longest ago. It keeps the others.
func (r *reuse) follow(moved []pageInputs, most int) (chosen []int) {
	order := make([]int, len(moved))
	for i := range order {
		order[i] = i
	}
	madeBefore := func(at int) int64 { return r.previous.Pages[moved[at].path].Made }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(madeBefore(a), madeBefore(b)) })
	most = min(most*r.moved, len(moved))
	for _, at := range order[:most] {
		m := moved[at]
		delete(r.kept, m.path)
		r.manifest.Pages[m.path] = pageRecord{m.data, m.standing, r.made}
	}
	for _, at := range order[most:] {
		r.keep(moved[at].path, r.previous.Pages[moved[at].path])
	}
	r.outdated += len(moved) - most
	return order[:most]
}

// mayWait reports whether a ranking's page may show old rows for a while. It may if none of its old or new rows is of a
// touched module, so that all pages agree about touched modules.
func (r *reuse) mayWait(path string, sections []section[rankedRow]) bool {
	if _, ok := r.held(path); !ok || len(r.touched) > maxTouched {
		return false
	}
	for _, sec := range sections {
		if slices.ContainsFunc(sec.Rows, func(row rankedRow) bool { return r.touched[row.Module.Slug] }) {
			return false
		}
	}
	shown, err := os.ReadFile(filepath.Join(r.from, filesOf(path)[0]))
	for slug := range r.touched {
		if err != nil || bytes.Contains(shown, []byte(modulePath(slug))) {
			return false
		}
	}
	return true
}

// assemble makes a publication from the pages in fresh and the kept pages. It redirects from merged modules to the
// modules that they were merged into.
func (r *reuse) assemble(fresh, destination string, aliases map[string]string) error {
	there, err := r.recycle(destination)
	if err == nil {
		err = moveFiles(fresh, destination)
	}
	if err == nil {
		r.manifest.Redirects = slices.Sorted(maps.Keys(aliases))
		err = redirect(destination, aliases)
	}
	for path := range r.kept {
		for _, file := range filesOf(path) {
			if err != nil || there[path] {
				break
			}
			to := filepath.Join(destination, file)
			if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
				err = os.Link(filepath.Join(r.from, file), to) // publications share the file: nothing may write into it
			}
		}
	}
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// recycle turns the oldest publication's folder into the new publication's, and returns the paths of the kept pages in
// it. It removes all other pages. A page's record names the publication that rendered it, so recycle needs to look at
// no file: linking 50,000 pages and the files beside them took half of a publication's time.
func (r *reuse) recycle(destination string) (there map[string]bool, err error) {
	there = map[string]bool{}
	before := readManifest(r.oldest)
	if r.oldest == "" || before.Pages == nil {
		return there, nil
	}
	// This comes first: from now on no other process has the folder, not even one that was paused here.
	err = os.Rename(r.oldest, destination)
	if errors.Is(err, fs.ErrNotExist) { // another process has it
		return there, nil
	} else if err == nil {
		err = os.RemoveAll(manifestOf(r.oldest))
	}
	if err != nil {
		return nil, err
	}
	var gone []string
	for path, record := range before.Pages {
		if there[path] = r.kept[path] && r.manifest.Pages[path].Made == record.Made; !there[path] {
			gone = append(gone, path)
		}
	}
	for _, from := range before.Redirects {
		gone = append(gone, modulePath(from))
	}
	slices.Sort(gone)
	for _, path := range slices.Backward(gone) { // pages below another page first
		for _, file := range filesOf(path) {
			if err := os.Remove(filepath.Join(destination, file)); err != nil && !os.IsNotExist(err) {
				return nil, err
			}
		}
		_ = os.Remove(filepath.Join(destination, filepath.FromSlash(path))) // fails if other pages lie below
	}
	entries, err := os.ReadDir(destination)
	for _, e := range entries {
		if err == nil && !slices.Contains(dataFolders, e.Name()) {
			err = os.RemoveAll(filepath.Join(destination, e.Name()))
		}
	}
	return there, err
}

// moveFiles moves all files below from to the same places below to.
func moveFiles(from, to string) error {
	if _, err := os.Stat(to); os.IsNotExist(err) {
		return os.Rename(from, to)
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		at := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(at, 0o755)
		}
		return os.Rename(path, at)
	})
}

const manifestEnding = ".json"

func manifestOf(folder string) string { return folder + manifestEnding }

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

// slugOf returns the slug of the module whose page has this path.
func slugOf(path string) (slug string, ok bool) {
	slug, ok = strings.CutPrefix(path, "/modules/")
	return strings.TrimSuffix(slug, "/"), ok
}

// hashOf returns a hash of texts and their order.
func hashOf(texts ...[]byte) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintln(h, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// programs returns a function that hashes this program (which contains the catalogue and the questions) and Hugo.
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

// hashOfFiles hashes files, and all files in folders together with their names.
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
