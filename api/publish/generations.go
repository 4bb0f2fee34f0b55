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

// Current returns the folder of the current publication below dir, or "" before the first one.
func Current(dir string) string {
	name, err := os.Readlink(filepath.Join(dir, "current"))
	if err != nil {
		return ""
	}
	return filepath.Join(dir, name)
}

// nameTime is the layout of the time in the name of a publication's folder, after its generation.
const nameTime = "20060102T150405.000"

// CurrentGeneration returns the generation of the current publication below dir, and when it was made. ok is false
// before the first one.
func CurrentGeneration(dir string) (generation int64, at time.Time, ok bool) {
	number, made, found := strings.Cut(filepath.Base(Current(dir)), "-")
	generation, err := strconv.ParseInt(number, 10, 64)
	if at, errTime := time.Parse(nameTime, made); found && err == nil && errTime == nil {
		return generation, at, true
	}
	return 0, time.Time{}, false
}

// keptPublications is how many publications stay beside the current one. A visitor may still be loading files of the
// last; the next publication takes the modules' pages of the one before.
const keptPublications = 2

// old returns the folders of the publications before the current one, the newest first, and of those never shown.
func (p *Publisher) old() (shown, unfinished []string, err error) {
	current := Current(p.Dir)
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("publish: %w", err)
	}
	made := map[string]time.Time{}
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if !e.IsDir() || e.Name() == "building" || path == current {
			continue
		}
		if info, err := os.Stat(manifestOf(path)); err != nil {
			unfinished = append(unfinished, path)
		} else {
			made[path], shown = info.ModTime(), append(shown, path)
		}
	}
	slices.SortFunc(shown, func(a, b string) int { return made[b].Compare(made[a]) })
	return shown, unfinished, nil
}

// removeOld removes publications that nobody is shown any more, each manifest first: without it nothing is taken from
// half a folder.
func (p *Publisher) removeOld() error {
	shown, unfinished, err := p.old()
	if err != nil {
		return err
	}
	for _, folder := range append(unfinished, shown[min(keptPublications, len(shown)):]...) {
		for _, path := range []string{manifestOf(folder), folder} {
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	return nil
}
