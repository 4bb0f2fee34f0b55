package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"flashdex/api/publish"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// checkDeleted asks for deleted results, and searches every file for them. The last data set must also hold all the
// other results.
func (c *city) checkDeleted() {
	deleted := c.deleted()
	visitor := c.newPerson()
	n := 0
	for id := range deleted {
		if n++; n%200 == 0 {
			visitor = c.newPerson() // reads are limited
		}
		for _, path := range []string{"/v1/results/" + id, "/r/" + id} {
			if status, _ := c.read(visitor, path, 0); status != http.StatusGone {
				c.t.Errorf("%s of a deleted result is answered with %d", path, status)
			}
		}
	}
	for _, path := range []string{"/v1/results.csv", "/v1/results.ndjson", "/v1/results.parquet"} {
		_, text := c.read(visitor, path, 0)
		c.hasNone(deleted, path, idsIn(path, []byte(text)))
	}
	accepted, err := query[[]string](c.t.Context(), c.pair.url,
		"select coalesce(array_agg(id::text), '{}') from submission where state = 'accepted'")
	if err != nil {
		c.t.Error(err)
	}
	whole := 0
	// This is the whole data set, with the folders that nobody serves. Once it is up to date, no deleted result may be
	// left.
	for _, dir := range []string{filepath.Join(c.shared(), "dataset"), publish.Current(c.publications())} {
		files := 0
		if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			c.hasNone(deleted, path, idsIn(path, text))
			return err
		}); err != nil || files < 10 {
			c.t.Errorf("%s has %d files, %v", dir, files, err)
		}
	}
	for _, name := range []string{"results.csv", "results.parquet"} {
		path := filepath.Join(c.dataset(), "latest", name)
		text, err := os.ReadFile(path)
		if err != nil {
			c.t.Error(err)
			continue
		}
		ids := idsIn(path, text)
		for _, id := range accepted {
			if !ids[id] {
				c.t.Errorf("%s is accepted, and not in %s", id, path)
			}
		}
		whole += len(ids)
	}
	if len(accepted) == 0 || whole == 0 {
		c.t.Error("nothing was accepted: the test tests nothing")
	}
}

func (c *city) hasNone(deleted map[string]bool, path string, ids map[string]bool) {
	for id := range ids {
		if deleted[id] {
			c.t.Errorf("%s was deleted, and is in %s", id, path)
		}
	}
}

// idsIn finds the ids in a file of any format of the site and the data set.
func idsIn(path string, text []byte) map[string]bool {
	ids := map[string]bool{}
	var from io.Reader = bytes.NewReader(text)
	switch filepath.Ext(path) {
	case ".zst":
		if r, err := zstd.NewReader(from); err == nil {
			defer r.Close()
			from = r
		}
	case ".gz":
		if r, err := gzip.NewReader(from); err == nil {
			from = r
		}
	case ".parquet":
		file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return ids
		}
		for _, group := range file.RowGroups() {
			rows := group.Rows()
			defer rows.Close()
			for buffer := make([]parquet.Row, 64); ; {
				n, err := rows.ReadRows(buffer)
				for _, row := range buffer[:n] {
					for _, value := range row {
						if kind := value.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
							addID(ids, value.ByteArray())
						}
					}
				}
				if err != nil {
					break
				}
			}
		}
		return ids
	}
	all, _ := io.ReadAll(bufio.NewReader(from))
	for _, id := range reID.FindAllString(string(all), -1) {
		ids[id] = true
	}
	return ids
}

// addID adds an id that is written as text or as 16 bytes.
func addID(ids map[string]bool, value []byte) {
	if len(value) == 16 {
		h := hex.EncodeToString(value)
		ids[strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")] = true
	} else if reID.Match(value) {
		ids[reID.FindString(string(value))] = true
	}
}
