package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"flashdex/api/dataset"
	"flashdex/api/publish/lease"
)

// An archive is a folder with
//
//	files/NAME     the files of a snapshot
//	ids/NAME       the ids of its runs
//	editions/N     all that is served at one time: the index, the feed, the notices of withdrawn snapshots, and for each
//	               other snapshot, and for the latest, a symbolic link to its folder in files/
//	current        a symbolic link to the newest edition: this alone is served
//
// The newest edition is the truth. An update first writes everything new where nobody looks, and syncs it. Then it
// renames an edition to the next number. That moment changes everything that can be downloaded. Afterwards it removes
// only what the newest edition doesn't lead to. So an update may be interrupted anywhere. The next update does the
// rest: it points current to the newest edition, and sweeps.
//
// A NAME and the name of an unfinished edition begin with the fence of the lease under which they were written. No
// holder of the lease sweeps what a later holder writes. A new holder first renames the unfinished editions of others.
// From then on, no process that was paused can give its edition a number, and current leads to nothing that is swept.
type edition struct {
	number int
	index  dataset.Index
	// folders holds the NAME of each available snapshot, by its name in the edition: "latest", or its day.
	folders map[string]string
}

const (
	filesName     = "files"
	idsName       = "ids"
	editionsName  = "editions"
	latestName    = "latest"
	indexName     = "snapshots.json"
	feedName      = "feed.xml"
	croissantName = "croissant.json"
	// takenEnding is appended to the name of an unfinished edition of an earlier holder of the lease.
	takenEnding = ".taken"
)

// name returns the NAME under which this holder of the lease writes an edition.
func (a *Archive) name(number int) string { return fmt.Sprintf("%d.%d", a.fence, number) }

// files returns the folder of a snapshot.
func (a *Archive) files(name string) string { return filepath.Join(a.Dir, filesName, name) }

// ids returns the path of the list of the runs in a snapshot: their ids as bytes, in order.
func (a *Archive) ids(name string) string { return filepath.Join(a.Dir, idsName, name) }

func (a *Archive) edition(number int) string {
	return filepath.Join(a.Dir, editionsName, strconv.Itoa(number))
}

// newestNumber returns the number of the newest edition; 0: there is none.
func (a *Archive) newestNumber() (newest int, err error) {
	entries, err := os.ReadDir(filepath.Join(a.Dir, editionsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, e := range entries {
		if number, err := strconv.Atoi(e.Name()); err == nil {
			newest = max(newest, number)
		}
	}
	return newest, nil
}

// newest reads the newest edition. Without one it reads what programs before editions kept in files/.
func (a *Archive) newest() (edition, error) {
	e := edition{folders: map[string]string{}}
	var err error
	if e.number, err = a.newestNumber(); err != nil {
		return e, err
	}
	dir := a.edition(e.number)
	if e.number == 0 {
		dir = a.files("")
	}
	text, err := os.ReadFile(filepath.Join(dir, indexName))
	if e.number == 0 && errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &e.index)
	}
	if err != nil {
		return e, err
	}
	for _, name := range e.index.Names() {
		_, err := os.Stat(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		leads, errLink := os.Readlink(filepath.Join(dir, name))
		if e.number == 0 && errors.Is(errLink, syscall.EINVAL) {
			leads, errLink = name, nil // a folder
		}
		if err := errors.Join(err, errLink); err != nil {
			return e, err
		}
		e.folders[name] = filepath.Base(leads)
	}
	if e.folders[latestName] == "" {
		e.index.Latest = nil
	}
	return e, nil
}

// old reports whether an older program wrote the archive, before there were editions.
func (e edition) old() bool { return e.number == 0 && len(e.index.Dated) > 0 }

// next returns the next edition, with the same contents so far.
func (e edition) next() edition {
	return edition{e.number + 1, dataset.Index{Latest: e.index.Latest, Dated: slices.Clone(e.index.Dated)},
		maps.Clone(e.folders)}
}

// publish makes an edition the current one, and removes what only older editions held.
func (a *Archive) publish(ctx context.Context, e edition) (edition, error) {
	building := filepath.Join(a.Dir, editionsName, a.name(e.number))
	if err := errors.Join(os.RemoveAll(building), os.MkdirAll(building, 0o755)); err != nil {
		return e, err
	}
	text, err := json.MarshalIndent(e.index, "", " ")
	if err != nil {
		return e, err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(building, indexName), append(text, '\n'), 0o644),
		os.WriteFile(filepath.Join(building, feedName), a.feed(e.index), 0o644))
	if e.index.Latest != nil {
		described, errDescribe := dataset.Croissant(e.index.Latest, a.SiteURL+"/data/")
		err = errors.Join(err, errDescribe, os.WriteFile(filepath.Join(building, croissantName), described, 0o644))
	}
	for name, folder := range e.folders {
		err = errors.Join(err, os.Symlink(filepath.Join("../..", filesName, folder), filepath.Join(building, name)))
	}
	for _, s := range e.index.Dated {
		if s.Withdrawn != "" {
			dir := filepath.Join(building, s.Date)
			err = errors.Join(err, os.Mkdir(dir, 0o755),
				os.WriteFile(filepath.Join(dir, withdrawnName), fmt.Appendf(nil, withdrawnText, s.Withdrawn, s.Date), 0o644))
		}
	}
	if err != nil {
		return e, err
	}
	if err := syncAll(building); err != nil {
		return e, err
	}
	// From now on, a process that takes over finds the edition and takes it away.
	if err := a.lease.Holds(ctx, a.fence); err != nil {
		return e, err
	}
	err = os.Rename(building, a.edition(e.number))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) { // or the number was given to another one
		err = lease.ErrTaken
	}
	if err != nil {
		return e, err
	}
	if err := a.point(); err != nil {
		return e, err
	}
	return e, a.sweep(e)
}

// takeAway renames the unfinished editions of earlier holders of the lease, so that none of them gets a number. A
// rename does that atomically.
func (a *Archive) takeAway() error {
	entries, err := os.ReadDir(filepath.Join(a.Dir, editionsName))
	for _, e := range entries {
		fence := fenceOf(e.Name())
		if fence == 0 || fence >= a.fence || strings.HasSuffix(e.Name(), takenEnding) {
			continue
		}
		unfinished := filepath.Join(a.Dir, editionsName, e.Name())
		errRename := os.Rename(unfinished, unfinished+takenEnding)
		if !errors.Is(errRename, fs.ErrNotExist) { // otherwise it got its number, or was removed
			err = errors.Join(err, errRename)
		}
	}
	return err
}

// point makes current lead to the newest edition. Then it checks again: if it was paused in between, its edition may no
// longer be the newest.
func (a *Archive) point() error {
	current := filepath.Join(a.Dir, dataset.Served)
	for {
		newest, err := a.newestNumber()
		if err != nil || newest == 0 {
			return err
		}
		want := filepath.Join(editionsName, strconv.Itoa(newest))
		if leads, err := os.Readlink(current); err == nil && leads == want {
			return nil
		}
		if err := os.Remove(current + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := errors.Join(os.Symlink(want, current+".new"), os.Rename(current+".new", current)); err != nil {
			return err
		}
	}
}

// sweep removes everything that the newest edition, e, doesn't lead to.
func (a *Archive) sweep(e edition) error {
	newest, err := a.newestNumber()
	if err != nil {
		return err
	}
	if newest != e.number {
		return lease.ErrTaken
	}
	var kept, gone []string
	for _, name := range e.folders {
		kept = append(kept, name)
	}
	for _, of := range []string{filesName, idsName, editionsName} {
		entries, err := os.ReadDir(filepath.Join(a.Dir, of))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, entry := range entries {
			name := entry.Name()
			number, errNumber := strconv.Atoi(name)
			switch isEdition := of == editionsName && errNumber == nil; {
			case isEdition && number >= e.number, !isEdition && slices.Contains(kept, name), fenceOf(name) > a.fence:
			default:
				gone = append(gone, filepath.Join(a.Dir, of, name))
			}
		}
	}
	// A program before editions left its unfinished snapshot there.
	if old := filepath.Join(a.Dir, "building"); e.number > 0 && exists(old) {
		gone = append(gone, old)
	}
	if len(gone) == 0 {
		return nil
	}
	// Its replacement must be on the disk first.
	if err := errors.Join(syncFile(filepath.Join(a.Dir, editionsName)), syncFile(a.Dir)); err != nil {
		return err
	}
	for _, path := range gone {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// fenceOf returns the fence in a NAME; 0: there is none.
func fenceOf(name string) (fence int64) {
	var number int
	if n, _ := fmt.Sscanf(name, "%d.%d", &fence, &number); n < 2 {
		return 0
	}
	return fence
}

// syncAll syncs a folder and everything in it to the disk.
func syncAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return syncFile(path)
	})
}

func syncFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
