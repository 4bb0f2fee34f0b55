package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// switchTo makes a publication the current one. Renaming a symbolic link over another is atomic.
func (p *Publisher) switchTo(name string) error {
	fresh := filepath.Join(p.Dir, "current.new")
	_ = os.Remove(fresh) // left by a crash; if it can't go, Symlink says so
	if err := os.Symlink(name, fresh); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := os.Rename(fresh, filepath.Join(p.Dir, "current")); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

// Current is the folder of the current publication below dir, or "" before the first one.
func Current(dir string) string {
	name, err := os.Readlink(filepath.Join(dir, "current"))
	if err != nil {
		return ""
	}
	return filepath.Join(dir, name)
}

// nameTime is how the name of a publication's folder tells when it was made, after its generation.
const nameTime = "20060102T150405.000"

// CurrentGeneration tells of which generation the current publication below dir is, and when it was made; ok is false before
// the first one.
func CurrentGeneration(dir string) (generation int64, at time.Time, ok bool) {
	number, made, found := strings.Cut(filepath.Base(Current(dir)), "-")
	generation, err := strconv.ParseInt(number, 10, 64)
	if at, errTime := time.Parse(nameTime, made); found && err == nil && errTime == nil {
		return generation, at, true
	}
	return 0, time.Time{}, false
}

// removeOld keeps the current publication and the one before, whose files a visitor may still be loading.
func (p *Publisher) removeOld() error {
	current := Current(p.Dir)
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	type publication struct {
		path string
		made time.Time
	}
	var old []publication
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || e.Name() == "building" || filepath.Join(p.Dir, e.Name()) == current {
			continue
		}
		of := publication{filepath.Join(p.Dir, e.Name()), info.ModTime()}
		if _, err := os.Stat(makingOf(of.path)); err != nil {
			of.made = time.Time{} // left by a crash, and never shown
		}
		old = append(old, of)
	}
	slices.SortFunc(old, func(a, b publication) int { return b.made.Compare(a.made) })
	for _, o := range old[min(1, len(old)):] {
		for _, path := range []string{o.path, makingOf(o.path)} {
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	return nil
}
