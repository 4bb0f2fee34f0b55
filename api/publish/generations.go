package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"flashdex/api/publish/lease"
)

// The folder of the publications holds
//
//	current                   a symbolic link to the publication that is shown
//	FENCE-GENERATION-TIME/    a publication, with its manifest beside it (.json)
//	FENCE-GENERATION-TIME.next  a link that is about to become current
//	building/FENCE-TIME/      what a publication is made of
//
// A process may stand still at any point, and go on after another has taken over the lease. It does no harm then:
// decisions/0012 explains why.

// nextLink is the ending of the link that is about to become current.
const nextLink = ".next"

// switchTo makes a publication the current one, unless another process has taken over. A process that takes over
// removes all links that it finds, so an older process's rename fails. Renaming a symbolic link over another is atomic.
func (p *Publisher) switchTo(ctx context.Context, name string, fence int64) error {
	next := filepath.Join(p.Dir, name+nextLink)
	if err := os.Symlink(name, next); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	// Checked after the link was made: a process that takes over from now on finds the link.
	if err := p.lease.Holds(ctx, fence); err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	err := os.Rename(next, filepath.Join(p.Dir, currentLink))
	if shown, _ := os.Readlink(filepath.Join(p.Dir, currentLink)); err == nil || shown == name {
		return nil // a network file system may report an error although it did the rename
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = lease.ErrTaken
	}
	return errors.Join(err, os.RemoveAll(next))
}

const currentLink = "current"

// Current returns the folder of the current publication below dir, or "" if there is none.
func Current(dir string) string {
	name, err := os.Readlink(filepath.Join(dir, currentLink))
	if err != nil {
		return ""
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// nameTime is the layout of the time at the end of the name of a publication's folder.
const nameTime = "20060102T150405.000"

// rePublication matches the names of a publication's files. Older versions wrote names without a fence.
var rePublication = regexp.MustCompile(`^(?:\d+-)?(\d+)-(\d{8}T\d{6}\.\d{3})(\.json|\.next)?$`)

// CurrentGeneration returns the generation of the current publication below dir, and when it was made. ok is false
// if there is none.
func CurrentGeneration(dir string) (generation int64, at time.Time, ok bool) {
	parts := rePublication.FindStringSubmatch(filepath.Base(Current(dir)))
	if parts == nil {
		return 0, time.Time{}, false
	}
	generation, err := strconv.ParseInt(parts[1], 10, 64)
	if at, errTime := time.Parse(nameTime, parts[2]); err == nil && errTime == nil {
		return generation, at, true
	}
	return 0, time.Time{}, false
}

// mend points current to this process's last publication again if something else changed it: a publisher of an older
// version, or a person. If that publication is gone, or there is none, current points to the newest one until the next
// is made.
func (p *Publisher) mend(ctx context.Context, fence int64) error {
	current := Current(p.Dir)
	if p.published < 0 && current != "" || p.published >= 0 && current == p.shown {
		return nil
	}
	to := p.shown
	if _, err := os.Stat(to); p.published < 0 || err != nil {
		to, p.published = newest(p.Dir), -1
	}
	if to == "" {
		return nil
	}
	if err := p.switchTo(ctx, filepath.Base(to), fence); err != nil {
		return err
	}
	p.Log.Warn("something else had changed current; now it leads to a publication again", "publication", filepath.Base(to))
	return nil
}

// newest returns the folder of the newest publication below dir, or "" if there is none.
func newest(dir string) (path string) {
	latest := ""
	there, _ := os.ReadDir(dir)
	for _, e := range there {
		folder, parts := filepath.Join(dir, e.Name()), rePublication.FindStringSubmatch(e.Name())
		if parts != nil && parts[2] > latest && readManifest(folder).Pages != nil {
			path, latest = folder, parts[2]
		}
	}
	return path
}

// keptPublications is how many publications stay beside the current one. A visitor may still be loading files of the
// last one, and the next publication reuses the older one's folder.
const keptPublications = 2

// tidy removes links (so that the processes that made them can no longer switch), unfinished work and old publications.
// It lists these before it checks the lease, so it never removes a successor's files.
func (p *Publisher) tidy(ctx context.Context, fence int64) error {
	if err := os.MkdirAll(filepath.Join(p.Dir, building), 0o755); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	there, err := os.ReadDir(p.Dir)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	unfinished, err := os.ReadDir(filepath.Join(p.Dir, building))
	if err == nil {
		err = p.lease.Holds(ctx, fence)
	}
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for _, e := range there {
		if strings.HasSuffix(e.Name(), nextLink) && rePublication.MatchString(e.Name()) {
			if err := os.RemoveAll(filepath.Join(p.Dir, e.Name())); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	// From here on no other process can switch.
	var gone []string
	for _, e := range unfinished {
		gone = append(gone, filepath.Join(p.Dir, building, e.Name()))
	}
	if current := Current(p.Dir); current != "" { // if there is none, any publication may be the one to return to
		keep := map[string]bool{filepath.Base(current): true}
		for _, name := range readManifest(current).Before {
			keep[name] = true
		}
		for _, e := range there {
			if name := e.Name(); rePublication.MatchString(name) && !keep[strings.TrimSuffix(name, manifestEnding)] {
				gone = append(gone, filepath.Join(p.Dir, name))
			}
		}
	}
	for _, path := range gone {
		if err := os.RemoveAll(path); err != nil { // the next publication tries again
			p.Log.Warn("what no publication needs was not removed", "path", path, "error", err)
		}
	}
	return nil
}

// syncAll syncs the whole file system of a folder to disk. Syncing each file takes many times as long, because there
// may be 200,000 files and most are new.
func syncAll(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	defer folder.Close()
	if _, _, failed := syscall.Syscall(syncfs(), folder.Fd(), 0, 0); failed != 0 {
		return fmt.Errorf("publish: %s could not be written to the disk: %w", dir, failed)
	}
	return nil
}

// syncfs is the number of the system call, which package syscall lacks on some processors.
func syncfs() uintptr {
	switch runtime.GOARCH {
	case "amd64":
		return 306
	case "386":
		return 344
	case "arm":
		return 373
	}
	return 267 // all newer ones
}

// syncFolder syncs the names in a folder to disk.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}
