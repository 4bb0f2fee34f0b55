package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"flashdex/api/page"
)

// hugo runs the pinned Hugo.
type hugo struct {
	program string
	project string // folder of the Hugo project
}

// overlay is configuration that makes Hugo read the publisher's data instead of the project's fixture, and keeps its
// intermediate files out of the project. Lists of mounts don't merge, so it repeats the project's other mount.
const overlay = `resourceDir = %[1]s
cacheDir = %[2]s
[[module.mounts]]
source = "assets"
target = "assets"
[[module.mounts]]
source = %[3]s
target = "assets/data"
[[segments.data.includes]]
kind = "page"
path = "/{%[4]s}/**"
`

// dataFolders are the folders of the pages that are made of data.
var dataFolders = []string{"by", "device", "for", "form", "hosts", "in", "modules", "vendors"}

// dataSegment is the segment of the pages that are made of data.
const dataSegment = "data"

// hugoTimeout limits one run of Hugo, which takes seconds, or minutes for the largest slice. Hugo 0.165 deadlocks if
// ten pages fail at once, as they do on a full disk.
var hugoTimeout = 5 * time.Minute

var errHugoHangs = errors.New("hugo didn't end in time and was killed")

// build renders a segment of the site from the files in dataDir into destination, or the whole site if segment is
// empty. Hugo's intermediate files go into workDir. Hugo ends with this process, however that ends.
func (h hugo) build(ctx context.Context, dataDir, workDir, destination, segment string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, hugoTimeout, errHugoHangs)
	defer cancel()
	cmd, err := h.command(ctx, dataDir, workDir, destination, segment)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // the signal comes when the thread that started Hugo ends
	defer runtime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fmt.Errorf("publish: hugo: %w\n%s", err, output.String())
	}
	return nil
}

// command returns the command that build runs.
func (h hugo) command(ctx context.Context, dataDir, workDir, destination, segment string) (*exec.Cmd, error) {
	var paths []any
	for _, path := range []string{filepath.Join(workDir, "resources"), filepath.Join(workDir, "cache"), dataDir} {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(absolute) // a JSON string is a TOML string
		if err != nil {
			return nil, err
		}
		paths = append(paths, quoted)
	}
	paths = append(paths, strings.Join(dataFolders, ","))
	if err := os.MkdirAll(workDir, 0o755); err != nil {
		return nil, err
	}
	config, err := filepath.Abs(filepath.Join(workDir, "overlay.toml"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, overlay, paths...), 0o644); err != nil {
		return nil, err
	}
	destination, err = filepath.Abs(destination)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, h.program, "build", "--source", h.project, "--config", "hugo.toml,"+config,
		"--destination", destination, "--noBuildLock", "--panicOnWarning", "--renderSegments", segment)
	// By default Hugo keeps all data files that it has read until a quarter of the machine's memory is used. At 10,000
	// modules garbage collection then takes longer than making the pages. Up to the limit, garbage may be four times
	// the memory in use.
	cmd.Env = append(os.Environ(), "HUGO_MEMORYLIMIT=0.05", "GOMEMLIMIT=700MiB", "GOGC=400") // the first in GB
	return cmd, nil
}

// redirect writes pages that redirect from merged modules to their current pages, on any server of static files.
func redirect(destination string, aliases map[string]string) error {
	for from, into := range aliases { // both are slugs: nothing in them needs to be escaped
		dir := filepath.Join(destination, "modules", from)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
		page := fmt.Sprintf(redirectPage, "/modules/"+into+"/")
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
	}
	return nil
}

const redirectPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Merged · Flashdex</title>
<link rel="canonical" href="%[1]s"><meta http-equiv="refresh" content="0; url=%[1]s"></head>
<body><p>This module is now listed <a href="%[1]s">under another name</a>.</p></body></html>
`

// complete checks that a built site has every page it must have: a visitor must never be switched to half a site.
func complete(destination string, pages []dataPage) error {
	wanted := []string{
		"index.html", "404.html", "search/index.html", "search/index.json", "compare/index.html", "method/index.html",
		"data/index.html", "test/index.html", "wanted/index.html", "sources/index.html", "api/index.html",
		"endurance/index.html", "fakes/index.html", "health/index.html",
	}
	for _, path := range feedPaths {
		wanted = append(wanted, path[1:])
	}
	for _, page := range pages {
		wanted = append(wanted, page.Path[1:]+"index.html")
	}
	built := os.DirFS(destination)
	var missing []error
	for _, name := range wanted {
		if info, err := fs.Stat(built, name); err != nil || info.Size() == 0 {
			missing = append(missing, fmt.Errorf("publish: the built site lacks %s", name))
		}
	}
	for _, name := range page.Frames {
		text, err := fs.ReadFile(built, name)
		if err == nil {
			_, err = page.ParseFrame(string(text))
		}
		if err != nil {
			missing = append(missing, fmt.Errorf("publish: %s: %w", name, err))
		}
	}
	return errors.Join(missing...)
}

// maxSliceBytes limits the data of the pages that one run of Hugo makes. Hugo keeps all pages and their data in memory
// until it ends, which takes five times the size of the data. So a large site is made in slices, one run after the
// other, into the same folder.
const maxSliceBytes = 100e6

// slices divides the pages that aren't kept into slices. There is at least one slice, even if it is empty, because the
// first run also makes the pages that show no data.
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

// inputBytes returns the size of the files that a page is made from. It ignores missing files, which Hugo reports.
func (s *site) inputBytes(p dataPage) (bytes int64) {
	for _, name := range []string{p.File, p.Ranking} {
		if info, err := os.Stat(filepath.Join(s.input, filepath.FromSlash(name))); name != "" && err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// rePath matches the path of a page made from data, which consists of slugs.
var rePath = regexp.MustCompile(`^(/[a-z0-9]+(-[a-z0-9]+)*)+/$`)

// pagesIndex is pages.json: the pages that others link to, and the pages that Hugo makes in its next run.
type pagesIndex struct {
	Rankings              map[string][]rankingPage // the first page of each, by kind: by, form, in
	Questions             []questionPage
	Render                []dataPage
	Paths                 []string
	Modules, SitemapPaths int // SitemapPaths limits how many paths a sitemap lists
}

// writePagesFile tells Hugo which pages of data to make in its next run. Hugo doesn't know about the other pages.
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
