package snapshot

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
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

// place makes a finished folder the latest one, and also the day's if that day has none yet.
func (a *Archive) place(before dataset.Index, latest dataset.Snapshot, built string) error {
	files := Files(a.Dir)
	if err := os.MkdirAll(files, 0o755); err != nil {
		return err
	}
	name := "latest-" + fmt.Sprint(latest.Generation) + "-" + latest.AsOf.Format("20060102T150405")
	if err := os.RemoveAll(filepath.Join(files, name)); err != nil {
		return err
	}
	ids := filepath.Join(built, idsName)
	after := dataset.Index{Latest: &latest, Dated: slices.Clone(before.Dated)}
	dated := !slices.ContainsFunc(before.Dated, func(s dataset.Snapshot) bool { return s.Date == latest.Date })
	if dated {
		if err := a.copyDated(built, latest.Date); err != nil {
			return err
		}
		if err := os.Rename(ids, a.ids(latest.Date)); err != nil {
			return err
		}
		after.Dated = slices.Insert(after.Dated, 0, latest)
	} else if err := os.Remove(ids); err != nil {
		return err
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
	return a.removeOld(name, old)
}

// removeOld removes all but the latest folder and the one before, from which somebody may still be downloading.
func (a *Archive) removeOld(current, before string) error {
	entries, err := os.ReadDir(Files(a.Dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "latest-") && name != current && name != before {
			if err := os.RemoveAll(filepath.Join(Files(a.Dir), name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Archive) ids(date string) string { return filepath.Join(a.Dir, "ids", date) }

// copyDated makes the folder of a day. It shares its files with the latest folder.
func (a *Archive) copyDated(built, date string) error {
	to := filepath.Join(Files(a.Dir), date)
	for _, dir := range []string{to, to + ".new"} { // left by a crash
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(to+".new", 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(a.Dir, "ids"), 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(built)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == idsName {
			continue
		}
		if err := os.Link(filepath.Join(built, e.Name()), filepath.Join(to+".new", e.Name())); err != nil {
			return err
		}
	}
	return os.Rename(to+".new", to)
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
		holds, err := a.holdsAny(s.Date, deleted)
		if err != nil {
			return wrap(err)
		}
		if !holds {
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
func (a *Archive) holdsAny(date string, ids []string) (bool, error) {
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
	for _, id := range ids {
		want, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
		if err != nil {
			return false, err
		}
		var failed error
		raw := make([]byte, idBytes)
		_, found := sort.Find(int(info.Size()/idBytes), func(i int) int {
			if _, err := file.ReadAt(raw, int64(i)*idBytes); err != nil && err != io.EOF {
				failed = err
			}
			return strings.Compare(string(want), string(raw))
		})
		if found || failed != nil {
			return found, failed
		}
	}
	return false, nil
}

const idBytes = 16
