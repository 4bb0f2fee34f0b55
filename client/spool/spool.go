// Package spool keeps results and uploads them. A result is on disk, synced, before anything is sent, and stays there.
package spool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"flashdex/result"
)

// Spool is a directory of results, <id>.json, and the contributor's secret. It never removes a result. Files beside a
// result give its state: <id>.receipt.json is the site's answer to the upload, <id>.refused.json its refusal, and
// <id>.deleted.json says that the site has deleted it. <unit tag>.verified holds what verify found on a unit, and <unit
// tag>.watched the site that watch uploads the unit's results to without asking, <unit tag>.tries when watch began to
// measure it, and <unit tag>.told what watch said last of its change.
type Spool struct{ Dir string }

const resultSuffix = ".json"

// Open makes the spool's private directory: $FLASHDEX_DIR, $XDG_DATA_HOME/flashdex, or ~/.local/share/flashdex.
func Open() (Spool, error) {
	dir, data := os.Getenv("FLASHDEX_DIR"), os.Getenv("XDG_DATA_HOME")
	if dir == "" && data == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return Spool{}, errors.New("there is nowhere to keep results: set HOME or FLASHDEX_DIR")
		}
		data = filepath.Join(home, ".local/share")
	}
	dir, err := filepath.Abs(cmp.Or(dir, filepath.Join(data, "flashdex")))
	if err != nil {
		return Spool{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Spool{}, fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to a directory that you can write to", err)
	}
	return Spool{dir}, nil
}

// Save writes doc. It returns its path and bytes.
func (s Spool) Save(doc *result.Document) (path string, data []byte, err error) {
	data, err = json.Marshal(doc)
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(s.Dir, doc.ID+resultSuffix)
	return path, data, put(path, data)
}

// put writes a whole file or none, whatever happens.
func put(path string, data []byte) error {
	if err := writeSynced(path+".tmp", data); err != nil {
		return err
	}
	return rename(path+".tmp", path)
}

// rename renames a file so that the new name survives a power failure.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func writeSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// Read reads a result file. Its error says what is wrong with a file that holds no result.
func Read(path string) (*result.Document, []byte, error) {
	data, err := os.ReadFile(path)
	if why, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, nil, fmt.Errorf("%s can't be read (%w); flashdex list shows the kept results", path, why.Err)
	}
	var doc result.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, fmt.Errorf("%s is not a result of flashdex: %w", path, err)
	}
	if doc.SchemaVersion != result.SchemaVersion {
		return nil, nil, fmt.Errorf("%s is a result of schema version %d, and this client knows version %d",
			path, doc.SchemaVersion, result.SchemaVersion)
	}
	if problems := doc.Check(); len(problems) > 0 {
		return nil, nil, fmt.Errorf("%s contradicts itself at %s: %s", path, problems[0].Pointer, problems[0].Detail)
	}
	return &doc, data, nil
}

// NewID makes an id that tells only the day of a run (UTC). Ids are published, and the hour of a run is private.
func NewID(at time.Time) string { return result.NewIDAt(at.UTC().Truncate(24 * time.Hour)) }

// The spool never drops a result, so it refuses a run whose result it could not keep.
const (
	mostResults   = 10_000
	mostBytes     = 1 << 30
	largestResult = 1 << 20 // that the site accepts
)

// CheckRoom returns an error if another result could not be kept.
func (s Spool) CheckRoom() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return cantKeep(err, "a directory of your own")
	}
	var bytes int64
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
	}
	results, err := s.results()
	if err != nil {
		return err
	}
	if len(results) >= mostResults || bytes > mostBytes-largestResult {
		return fmt.Errorf("%s holds %d results of %d MiB, and no more are taken, so that none is lost: upload those that "+
			"wait (flashdex upload), then move some of them elsewhere, or set FLASHDEX_DIR to another directory. Nothing was "+
			"measured", s.Dir, len(results), bytes>>20)
	}
	var space syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &space); err == nil && int64(space.Bavail) < largestResult/int64(space.Bsize) {
		return fmt.Errorf("the file system of %s, where results are kept, has less than %d MiB free; make room there or set "+
			"FLASHDEX_DIR to another directory. Nothing was measured", s.Dir, largestResult>>20)
	}
	// Only a try finds missing rights, quotas, missing inodes and file systems that became read-only.
	file, err := os.CreateTemp(s.Dir, "try.*.tmp")
	if err == nil {
		_, err = file.WriteString(strings.Repeat("\n", 4096))
		err = errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return cantKeep(err, "a directory that you can write to")
	}
	return nil
}

func cantKeep(err error, better string) error {
	return fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to %s. Nothing was measured", err, better)
}
