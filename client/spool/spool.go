// Package spool keeps results on disk until, and after, the site has them, and uploads them. A result is on disk, synced
// and under its final name, before anything is sent.
package spool

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"flashdex/result"
)

// Spool is a directory of results, <id>.json, and the contributor's secret. Beside a result stands what became of it:
// <id>.receipt.json is the site's answer to its upload, <id>.refused.json why the site won't have it, <id>.deleted.json
// that it was taken back. <unit tag>.verified is what verify found on a unit. Nothing in it is ever removed to make room.
type Spool struct{ Dir string }

const resultSuffix = ".json"

// Open makes the spool's directory, readable by its owner alone: $FLASHDEX_DIR, else $XDG_DATA_HOME/flashdex, else
// ~/.local/share/flashdex.
func Open() (Spool, error) {
	dir := os.Getenv("FLASHDEX_DIR")
	if dir == "" {
		data := os.Getenv("XDG_DATA_HOME")
		if data == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return Spool{}, errors.New("there is nowhere to keep results: set HOME or FLASHDEX_DIR")
			}
			data = filepath.Join(home, ".local/share")
		}
		dir = filepath.Join(data, "flashdex")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Spool{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Spool{}, fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to a directory that you can write to", err)
	}
	return Spool{dir}, nil
}

// Save writes doc and returns its path and bytes.
func (s Spool) Save(doc *result.Document) (path string, data []byte, err error) {
	data, err = json.Marshal(doc)
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(s.Dir, doc.ID+resultSuffix)
	return path, data, put(path, data)
}

// put writes a file so that it is there whole, or not at all, whatever happens.
func put(path string, data []byte) error {
	if err := writeSynced(path+".tmp", data); err != nil {
		return err
	}
	return rename(path+".tmp", path)
}

// rename gives a file its name for good, also if the power fails now.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
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

// Read reads a result file and says what is wrong with one that isn't a result.
func Read(path string) (*result.Document, []byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var why *fs.PathError
		if errors.As(err, &why) {
			err = why.Err
		}
		return nil, nil, fmt.Errorf("%s can't be read (%w); flashdex list shows the results that are kept", path, err)
	}
	var doc result.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, fmt.Errorf("%s is not a result of flashdex: %w", path, err)
	}
	if doc.SchemaVersion != result.SchemaVersion {
		return nil, nil, fmt.Errorf("%s is a result of schema version %d, and this client knows version %d", path, doc.SchemaVersion, result.SchemaVersion)
	}
	if problems := doc.Check(); len(problems) > 0 {
		return nil, nil, fmt.Errorf("%s contradicts itself at %s: %s", path, problems[0].Pointer, problems[0].Detail)
	}
	return &doc, data, nil
}

// NewID makes a UUID of version 7 (RFC 9562), whose time is the beginning of the day, UTC, on which the run is made: an id is published, and the hour
// is nobody's business. What follows are 74 random bits.
func NewID(at time.Time) string {
	var b [16]byte
	unixMilli := at.UTC().Truncate(24 * time.Hour).UnixMilli()
	rand.Read(b[:])
	for i := range 6 {
		b[i] = byte(unixMilli >> (8 * (5 - i)))
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
