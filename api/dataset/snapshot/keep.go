package snapshot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"flashdex/api/dataset"
)

// keptDays is how many dated snapshots are kept besides the first of each month.
const keptDays = 7

// withdrawnName names the notice in the folder of a withdrawn snapshot.
const withdrawnName = "WITHDRAWN.txt"

const withdrawnText = `The files of this snapshot were withdrawn on %s, because somebody whose result is in it has
taken it back (docs/privacy.md tells how). It is replaced by /data/latest/, and by the dated snapshots
that /data/ lists. What was computed from this snapshot can be cited as before: "Flashdex, %s, since withdrawn".
`

// newIDs names the list of the runs in a snapshot that is being written.
const newIDs = "new"

// ids returns the path of the list of the runs in a dated snapshot: their ids as bytes, in order.
func (a *Archive) ids(date string) string { return filepath.Join(a.Dir, "ids", date) }

const idBytes = 16

// place makes a finished folder the latest one, and also the day's if that day has none yet.
func (a *Archive) place(before dataset.Index, latest dataset.Snapshot, built string) error {
	files := Files(a.Dir)
	name := fmt.Sprintf("latest-%d-%s", latest.Generation, latest.AsOf.Format("20060102T150405"))
	if err := errors.Join(os.MkdirAll(files, 0o755), os.RemoveAll(filepath.Join(files, name))); err != nil {
		return err
	}
	after := dataset.Index{Latest: &latest, Dated: slices.Clone(before.Dated)}
	if !slices.ContainsFunc(before.Dated, func(s dataset.Snapshot) bool { return s.Date == latest.Date }) {
		if err := linkFolder(built, filepath.Join(files, latest.Date)); err != nil {
			return err
		}
		if err := os.Rename(a.ids(newIDs), a.ids(latest.Date)); err != nil {
			return err
		}
		after.Dated = slices.Insert(after.Dated, 0, latest)
	}
	if err := os.Rename(built, filepath.Join(files, name)); err != nil {
		return err
	}
	link := filepath.Join(files, "latest")
	old, _ := os.Readlink(link) // none the first time
	_ = os.Remove(link + ".new")
	if err := os.Symlink(name, link+".new"); err != nil {
		return err
	}
	if err := os.Rename(link+".new", link); err != nil {
		return err
	}
	after.Dated = a.expire(after.Dated)
	if err := a.store(after); err != nil {
		return err
	}
	// Somebody may still be downloading from the folder before.
	folders, err := fs.Glob(os.DirFS(files), "latest-*")
	for _, folder := range folders {
		if folder != name && folder != old {
			err = errors.Join(err, os.RemoveAll(filepath.Join(files, folder)))
		}
	}
	return err
}

// linkFolder makes a folder that shares its files with another.
func linkFolder(from, to string) error {
	fresh := to + ".new"
	// Remove what a crash left.
	if err := errors.Join(os.RemoveAll(to), os.RemoveAll(fresh), os.MkdirAll(fresh, 0o755)); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	for _, e := range entries {
		err = errors.Join(err, os.Link(filepath.Join(from, e.Name()), filepath.Join(fresh, e.Name())))
	}
	if err != nil {
		return err
	}
	return os.Rename(fresh, to)
}

// expire removes dated snapshots that are too old to be kept, and returns the others.
func (a *Archive) expire(dated []dataset.Snapshot) (kept []dataset.Snapshot) {
	for i, s := range dated {
		month := s.Date[:len("2006-01")]
		// Newest first: the first of a month is followed by one of another month, or by none.
		firstOfMonth := i+1 == len(dated) || !strings.HasPrefix(dated[i+1].Date, month)
		if firstOfMonth || i < keptDays {
			kept = append(kept, s)
			continue
		}
		for _, path := range []string{filepath.Join(Files(a.Dir), s.Date), a.ids(s.Date)} {
			if err := os.RemoveAll(path); err != nil {
				a.Log.Error("an old snapshot could not be removed", "date", s.Date, "error", err)
			}
		}
	}
	return kept
}

// withdraw removes the files of dated snapshots with results that were deleted since.
func (a *Archive) withdraw(ctx context.Context) error {
	i := a.Index()
	changed := false
	i.Dated = slices.Clone(i.Dated)
	for k := range i.Dated {
		s := &i.Dated[k]
		if s.Withdrawn != "" {
			continue
		}
		// One day earlier, because the clock of the database may differ.
		deleted, err := a.Store.DeletedSince(ctx, s.AsOf.Truncate(24*time.Hour).AddDate(0, 0, -1))
		if err != nil {
			return err
		}
		if holds, err := a.holdsAny(s.Date, deleted); err != nil {
			return fmt.Errorf("archive: %w", err)
		} else if !holds {
			continue
		}
		s.Withdrawn, s.Files = a.Now().UTC().Format(time.DateOnly), nil
		dir := filepath.Join(Files(a.Dir), s.Date)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		notice := fmt.Appendf(nil, withdrawnText, s.Withdrawn, s.Date)
		if err := replace(filepath.Join(dir, withdrawnName), notice); err != nil {
			return err
		}
		if err := os.Remove(a.ids(s.Date)); err != nil {
			return err
		}
		a.Log.Info("withdrew a snapshot of the data set, a result in which was deleted", "date", s.Date)
		changed = true
	}
	if !changed {
		return nil
	}
	return a.store(i)
}

// holdsAny reports whether any of the ids is in a dated snapshot.
func (a *Archive) holdsAny(date string, ids []string) (holds bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	file, err := os.Open(a.ids(date))
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	raw := make([]byte, idBytes)
	for _, id := range ids {
		want, errID := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
		_, found := sort.Find(int(info.Size()/idBytes), func(i int) int {
			_, errRead := file.ReadAt(raw, int64(i)*idBytes)
			err = cmp.Or(err, errRead)
			return bytes.Compare(want, raw)
		})
		if err = cmp.Or(errID, err); found || err != nil {
			return found, err
		}
	}
	return false, nil
}
