// Package deliver copies a publication to the place that visitors load it from: a folder, another machine, or an
// object store. It sends only changed files. A page arrives after the files that it needs, and files that only older
// pages need stay for a day.
package deliver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Place is the target of a delivery. File names are relative, with slashes.
type Place interface {
	// Read returns one file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// Put sends files of a local folder. It replaces each of them atomically, so that nobody reads an incomplete file.
	Put(ctx context.Context, folder string, names []string) error
	// Remove removes files. A missing file is no error.
	Remove(ctx context.Context, names []string) error
}

// Open returns the place with this name: s3://BUCKET or s3://BUCKET/PREFIX, another machine as rsync names it (HOST:DIR
// or rsync://HOST/MODULE), or a folder. Programs that it starts hold the lock as long as they run.
func Open(to string, lock *os.File) (Place, error) {
	switch {
	case to == "":
		return nil, errors.New("deliver: name a folder, HOST:DIR or s3://BUCKET/PREFIX")
	case strings.HasPrefix(to, "s3://"):
		return openBucket(strings.TrimPrefix(to, "s3://"))
	case strings.Contains(to, ":"):
		return machine{to, lock}, nil
	}
	return folder(to), nil
}

// Lock locks a file, for one delivery at a time. If another one has it, Lock calls wait and waits. The lock lasts until
// the file is closed, here and in all programs that inherited it.
func Lock(path string, wait func()) (*os.File, error) {
	lock, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("deliver: %w", err)
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		wait()
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("deliver: %s: %w", path, err), lock.Close())
	}
	return lock, nil
}

// manifestName is the file that lists the files at the place.
const manifestName = "manifest.json"

// removeAfter is how long a file stays after no page needs it any more, for visitors and caches that still have an old
// page.
const removeAfter = 24 * time.Hour

// manifest lists every file that may be at the place.
type manifest struct {
	Files map[string]string    `json:"files"` // SHA-256 by name; empty: unknown, because a delivery was interrupted
	Gone  map[string]time.Time `json:"gone"`  // since when files are in no publication any more
}

// Report counts files.
type Report struct{ Sent, Same, Removed int }

// Deliver makes a place hold the publication in dir. If it is interrupted, the next delivery continues.
//
// The manifest is written twice. The first one lists the files that are about to change, so that after a crash the
// next delivery sends them again. The second one lists the files at the place.
func Deliver(ctx context.Context, place Place, dir string, now time.Time) (r Report, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("deliver: %w", err)
		}
	}()
	there, err := readManifest(ctx, place)
	if err != nil {
		return r, err
	}
	here, err := hashes(dir)
	if err != nil {
		return r, err
	}
	next := manifest{Files: here, Gone: map[string]time.Time{}}
	for name := range there.Files {
		next.Gone[name] = now
	}
	maps.Copy(next.Gone, there.Gone)
	var expired []string
	for name, since := range next.Gone {
		if _, again := here[name]; again {
			delete(next.Gone, name)
		} else if now.Sub(since) > removeAfter {
			expired = append(expired, name)
			delete(next.Gone, name)
		}
	}
	// While files are being sent, a file that differs may be the old one, the new one, or missing.
	during := manifest{Files: map[string]string{}, Gone: maps.Clone(there.Gone)}
	maps.Copy(during.Files, there.Files)
	var needed, pages []string // pages come after the files that they need
	for name, hash := range here {
		delete(during.Gone, name)
		if there.Files[name] == hash {
			r.Same++
			continue
		}
		during.Files[name] = ""
		if path.Ext(name) == ".html" {
			pages = append(pages, name)
		} else {
			needed = append(needed, name)
		}
	}
	r.Sent, r.Removed = len(needed)+len(pages), len(expired)
	if r.Sent > 0 {
		if err := writeManifest(ctx, place, during); err != nil {
			return r, err
		}
	}
	for _, names := range [][]string{needed, pages} {
		slices.Sort(names)
		if err := putAll(ctx, place, dir, names); err != nil {
			return r, err
		}
	}
	if len(expired) > 0 {
		if err := place.Remove(ctx, expired); err != nil {
			return r, err
		}
	}
	return r, writeManifest(ctx, place, next)
}

func putAll(ctx context.Context, place Place, dir string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := place.Put(ctx, dir, names); err != nil {
		return fmt.Errorf("the files sent so far stay, and the next delivery sends the rest: %w", err)
	}
	return nil
}

func readManifest(ctx context.Context, place Place) (m manifest, err error) {
	text, err := place.Read(ctx, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("the place can't be read, so nothing was sent: %w", err)
	}
	const again = "remove it, and everything is sent again"
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s is not what a delivery wrote; %s: %w", manifestName, again, err)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(m.Files)), slices.Collect(maps.Keys(m.Gone))) {
		if !fs.ValidPath(name) || name == "." {
			return m, fmt.Errorf("%s names %q, which no delivery wrote; %s", manifestName, name, again)
		}
	}
	return m, nil
}

func writeManifest(ctx context.Context, place Place, m manifest) error {
	dir, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, manifestName), text, 0o644); err != nil {
		return err
	}
	return putAll(ctx, place, dir, []string{manifestName})
}

// hashes returns the SHA-256 of every file below dir, by name.
func hashes(dir string) (map[string]string, error) {
	found := map[string]string{}
	here := os.DirFS(dir)
	err := fs.WalkDir(here, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(here, name)
		found[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is nothing in %s; nothing was changed", dir)
	}
	return found, err
}
