// Package deliver brings a publication to where visitors load it from: a folder, another machine, or an object store. Only files
// that changed are sent. What a page needs is there before the page, and what an old page needs stays for a day.
package deliver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Place is where files are delivered to. Names are relative, with slashes.
type Place interface {
	// Read returns one file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// Put sends files of a local folder. Each is replaced at once: nobody reads half of one.
	Put(ctx context.Context, folder string, names []string) error
	// Remove removes files. That one isn't there is no error.
	Remove(ctx context.Context, names []string) error
}

// Open finds the place: s3://BUCKET or s3://BUCKET/PREFIX, what rsync takes for another machine (HOST:DIR or rsync://HOST/MODULE), or a folder.
func Open(to string) (Place, error) {
	switch {
	case to == "":
		return nil, errors.New("deliver: name a folder, HOST:DIR or s3://BUCKET/PREFIX")
	case strings.HasPrefix(to, "s3://"):
		return openBucket(strings.TrimPrefix(to, "s3://"))
	case strings.Contains(to, ":"):
		return machine(to), nil
	}
	return folder(to), nil
}

// manifestName is the file at the place that tells what is there.
const manifestName = "manifest.json"

// removeAfter is how long a file stays that no page needs any more: for visitors who still have an old page, and caches that do.
const removeAfter = 24 * time.Hour

// manifest tells of every file that may be at the place.
type manifest struct {
	Files map[string]string    `json:"files"` // SHA-256 by name; empty: not known, because a delivery broke off
	Gone  map[string]time.Time `json:"gone"`  // files that are in no publication any more, and since when
}

// Report counts files.
type Report struct{ Sent, Same, Removed int }

// Deliver makes a place hold the publication in dir. If it breaks off, the next one goes on.
func Deliver(ctx context.Context, place Place, dir string, now time.Time) (r Report, err error) {
	there, err := readManifest(ctx, place)
	if err != nil {
		return r, err
	}
	here, err := hashes(dir)
	if err != nil {
		return r, err
	}
	next := manifest{Files: here, Gone: map[string]time.Time{}}
	var expired []string
	for _, known := range []map[string]time.Time{there.Gone, since(there.Files, now)} {
		for name, at := range known {
			if _, again := here[name]; again {
				continue
			}
			if now.Sub(at) > removeAfter {
				expired = append(expired, name)
			} else if _, noted := next.Gone[name]; !noted {
				next.Gone[name] = at
			}
		}
	}
	var needed, pages []string // what pages need first
	for name, hash := range here {
		switch {
		case there.Files[name] == hash:
			r.Same++
		case path.Ext(name) == ".html":
			pages = append(pages, name)
		default:
			needed = append(needed, name)
		}
	}
	r.Sent, r.Removed = len(needed)+len(pages), len(expired)
	if r.Sent > 0 {
		if err := writeManifest(ctx, place, there.during(here)); err != nil {
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
			return r, fmt.Errorf("deliver: %w", err)
		}
	}
	return r, writeManifest(ctx, place, next)
}

func putAll(ctx context.Context, place Place, dir string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := place.Put(ctx, dir, names); err != nil {
		return fmt.Errorf("deliver: what was sent so far stays, and the next delivery sends the rest: %w", err)
	}
	return nil
}

// since notes the files of the last publication as gone from now on.
func since(files map[string]string, now time.Time) map[string]time.Time {
	gone := map[string]time.Time{}
	for name := range files {
		gone[name] = now
	}
	return gone
}

// during is the manifest while files are sent: any that differ may be the old, the new, or not there.
func (m manifest) during(here map[string]string) manifest {
	both := manifest{Files: map[string]string{}, Gone: map[string]time.Time{}}
	for name, at := range m.Gone {
		if _, again := here[name]; !again {
			both.Gone[name] = at
		}
	}
	for name, hash := range m.Files {
		if next, kept := here[name]; !kept || next == hash {
			both.Files[name] = hash
		}
	}
	for name := range here {
		if _, same := both.Files[name]; !same {
			both.Files[name] = ""
		}
	}
	return both
}

func readManifest(ctx context.Context, place Place) (m manifest, err error) {
	text, err := place.Read(ctx, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("deliver: what is there can't be asked for: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("deliver: %s is not what a delivery wrote; remove it, and everything is sent again: %w", manifestName, err)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(m.Files)), slices.Collect(maps.Keys(m.Gone))) {
		if !fs.ValidPath(name) || name == "." {
			return m, fmt.Errorf("deliver: %s names %q, which no delivery wrote; remove it, and everything is sent again", manifestName, name)
		}
	}
	return m, nil
}

func writeManifest(ctx context.Context, place Place, m manifest) error {
	dir, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return fmt.Errorf("deliver: %w", err)
	}
	defer os.RemoveAll(dir)
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("deliver: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifestName), text, 0o644); err != nil {
		return fmt.Errorf("deliver: %w", err)
	}
	return putAll(ctx, place, dir, []string{manifestName})
}

// hashes reads every file below dir.
func hashes(dir string) (map[string]string, error) {
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		open, err := os.Open(file)
		if err != nil {
			return err
		}
		defer open.Close()
		h := sha256.New()
		if _, err := io.Copy(h, open); err != nil {
			return err
		}
		found[filepath.ToSlash(name)] = hex.EncodeToString(h.Sum(nil))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("deliver: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("deliver: there is nothing in %s; nothing was changed", dir)
	}
	return found, nil
}
