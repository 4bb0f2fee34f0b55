package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"flashdex/api/dataset"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// auditor looks at an archive as people do who download from it. It reads a file only once, even if it has several
// names.
type auditor struct {
	sums  map[fileKey]string
	texts map[fileKey]string
}

type fileKey struct {
	device, inode uint64
	size, at      int64
}

func newAuditor() *auditor { return &auditor{map[fileKey]string{}, map[fileKey]string{}} }

// served is where the files of /data/ are.
func served(dir string) string { return filepath.Join(dir, dataset.Served) }

func keyOf(path string) (fileKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileKey{}, err
	}
	s := info.Sys().(*syscall.Stat_t)
	return fileKey{s.Dev, s.Ino, info.Size(), info.ModTime().UnixNano()}, nil
}

// sum returns the size and SHA-256 of a file. It fails if the file is a damaged database.
func (a *auditor) sum(path string) (string, error) {
	key, err := keyOf(path)
	if err != nil || a.sums[key] != "" {
		return a.sums[key], err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(path, ".sqlite") {
		if err := integrity(path); err != nil {
			return "", err
		}
	}
	hash := sha256.Sum256(text)
	a.sums[key] = fmt.Sprintf("%d %s", len(text), hex.EncodeToString(hash[:]))
	return a.sums[key], nil
}

func integrity(path string) error {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	if err != nil {
		return err
	}
	said := ""
	err = sqlitex.Execute(conn, "pragma integrity_check", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		said += s.ColumnText(0)
		return nil
	}})
	if err == nil && said != "ok" {
		err = errors.New(said)
	}
	return errors.Join(err, conn.Close())
}

// text returns a file's contents, unpacked.
func (a *auditor) text(path string) (string, error) {
	key, err := keyOf(path)
	if err != nil || a.texts[key] != "" {
		return a.texts[key], err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	switch filepath.Ext(path) {
	case ".gz":
		var packed *gzip.Reader
		if packed, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, err = io.ReadAll(packed)
		}
	case ".zst":
		var packed *zstd.Decoder
		if packed, err = zstd.NewReader(nil); err == nil {
			text, err = packed.DecodeAll(text, nil)
			packed.Close()
		}
	}
	a.texts[key] = string(text)
	return a.texts[key], err
}

// sound returns the faults of an archive as people could download it: files that are missing from the index beside
// them, files with another size or sum in the index, and files of the index that don't exist.
func (a *auditor) sound(dir string) (index dataset.Index, wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	root := served(dir)
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		if leads, err := os.Readlink(root); err == nil {
			report("%s leads to %s, which is not there", root, leads)
		}
		return index, wrong
	}
	text, errRead := os.ReadFile(filepath.Join(root, "snapshots.json"))
	if err = errors.Join(err, errRead); err == nil {
		err = json.Unmarshal(text, &index)
	}
	if err != nil && len(entries) > 0 {
		report("%d things can be downloaded without an index: %v", len(entries), err)
		return index, wrong
	}
	listed := map[string]*dataset.Snapshot{}
	if index.Latest != nil {
		listed["latest"] = index.Latest
	}
	for i := range index.Dated {
		s := &index.Dated[i]
		listed[s.Date] = s
		if i > 0 && index.Dated[i-1].Date <= s.Date {
			report("%s is listed after %s", s.Date, index.Dated[i-1].Date)
		}
	}
	for _, e := range entries {
		if name := e.Name(); listed[name] == nil &&
			!slices.Contains([]string{"snapshots.json", "feed.xml", "croissant.json"}, name) {
			report("%s can be downloaded and is not in the index", name)
		}
	}
	for name, s := range listed {
		for _, problem := range a.soundFolder(filepath.Join(root, name), s) {
			report("%s: %s", name, problem)
		}
	}
	feed, err := os.ReadFile(filepath.Join(root, "feed.xml"))
	if err != nil {
		report("%v", err)
	}
	var days []string
	for _, match := range regexp.MustCompile(`<id>[^<]*/data/(\d[^<]*)/</id>`).FindAllStringSubmatch(string(feed), -1) {
		days = append(days, match[1])
	}
	for i := range max(len(days), len(index.Dated)) {
		if len(days) != len(index.Dated) || days[i] != index.Dated[i].Date {
			report("the feed lists %v", days)
			break
		}
	}
	return index, wrong
}

func (a *auditor) soundFolder(dir string, s *dataset.Snapshot) (wrong []string) {
	want := map[string]string{}
	if s.Withdrawn != "" {
		want["WITHDRAWN.txt"] = ""
	} else {
		want["SHA256SUMS"] = ""
	}
	sums := ""
	for _, f := range s.Files {
		want[f.Name] = fmt.Sprintf("%d %s", f.Bytes, f.SHA256)
		sums += f.SHA256 + "  " + f.Name + "\n"
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	for _, e := range entries {
		expected, listed := want[e.Name()]
		delete(want, e.Name())
		sum, err := a.sum(filepath.Join(dir, e.Name()))
		switch {
		case !listed:
			wrong = append(wrong, e.Name()+" can be downloaded and is not in the index")
		case err != nil || expected != "" && sum != expected:
			wrong = append(wrong, fmt.Sprintf("%s is %s and not %s as in the index: %v", e.Name(), sum, expected, err))
		case e.Name() == "SHA256SUMS":
			if text, _ := os.ReadFile(filepath.Join(dir, e.Name())); string(text) != sums {
				wrong = append(wrong, "SHA256SUMS is "+string(text))
			}
		}
	}
	for name := range want {
		wrong = append(wrong, name+" is in the index and not there")
	}
	return wrong
}

// without returns the downloadable files that still hold one of these deleted results.
func (a *auditor) without(dir string, deleted []string) (wrong []string) {
	folders, err := filepath.Glob(filepath.Join(served(dir), "*"))
	if err != nil {
		return []string{err.Error()}
	}
	for _, folder := range folders {
		for _, pattern := range []string{"results.csv", "samples-*.csv.gz", "documents-*.zst"} {
			paths, _ := filepath.Glob(filepath.Join(folder, pattern))
			for _, path := range paths {
				text, err := a.text(path)
				if err != nil {
					wrong = append(wrong, err.Error())
				}
				for _, id := range deleted {
					if strings.Contains(text, id) {
						wrong = append(wrong, fmt.Sprintf("the deleted result %s can be downloaded from %s", id, path))
					}
				}
			}
		}
	}
	return wrong
}

// summary lists what an index promises.
func summary(i dataset.Index) string {
	var b strings.Builder
	line := func(name string, s dataset.Snapshot) {
		fmt.Fprintf(&b, "%s: %s, %d runs, %d files, withdrawn %q\n", name, s.AsOf.Format("2006-01-02 15:04"), s.Runs,
			len(s.Files), s.Withdrawn)
	}
	if i.Latest != nil {
		line("latest", *i.Latest)
	}
	for _, s := range i.Dated {
		line(s.Date, s)
	}
	return b.String()
}

// tidy returns the files of the archive that belong to no snapshot.
func tidy(dir string) (wrong []string) {
	var names []string
	links, _ := filepath.Glob(filepath.Join(served(dir), "*"))
	for _, link := range links {
		if leads, err := os.Readlink(link); err == nil {
			names = append(names, filepath.Base(leads))
		}
	}
	for _, of := range []string{"files", "ids"} {
		entries, err := os.ReadDir(filepath.Join(dir, of))
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		for _, e := range entries {
			if !slices.Contains(names, e.Name()) {
				wrong = append(wrong, of+"/"+e.Name()+" belongs to no snapshot")
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(entries) {
			wrong = append(wrong, fmt.Sprintf("%s has %d entries for %v", of, len(entries), names))
		}
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !slices.Contains([]string{"files", "ids", "editions", "current"}, e.Name()) {
			wrong = append(wrong, e.Name()+" is left")
		}
	}
	if editions, _ := os.ReadDir(filepath.Join(dir, "editions")); len(editions) != 1 {
		wrong = append(wrong, fmt.Sprintf("there are %d editions", len(editions)))
	}
	return wrong
}
