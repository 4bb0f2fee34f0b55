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

const idBytes = 16

// add adds a snapshot whose files are in a folder: as the latest, and as the day's if that day has none yet.
func (e *edition) add(latest dataset.Snapshot, folder string) {
	e.index.Latest, e.folders[latestName] = &latest, folder
	if slices.ContainsFunc(e.index.Dated, func(s dataset.Snapshot) bool { return s.Date == latest.Date }) {
		return
	}
	e.index.Dated, e.folders[latest.Date] = append(e.index.Dated, latest), folder
	// The clock may have been set back.
	slices.SortFunc(e.index.Dated, func(s, t dataset.Snapshot) int { return cmp.Compare(t.Date, s.Date) })
	e.expire()
}

// expire drops dated snapshots that are too old to be kept.
func (e *edition) expire() {
	var kept []dataset.Snapshot
	for i, s := range e.index.Dated {
		month := s.Date[:len("2006-01")]
		// Newest first: the first of a month is followed by one of another month, or by none.
		firstOfMonth := i+1 == len(e.index.Dated) || !strings.HasPrefix(e.index.Dated[i+1].Date, month)
		if firstOfMonth || i < keptDays {
			kept = append(kept, s)
		} else {
			delete(e.folders, s.Date)
		}
	}
	e.index.Dated = kept
}

// withdraw publishes an edition without the dated snapshots that hold a result deleted since, or whose list of results
// is lost. If a list can't be read now, withdraw returns the error as unread and goes on.
func (a *Archive) withdraw(ctx context.Context, e edition) (current edition, unread, err error) {
	next := e.next()
	var taken []string
	for k := range next.index.Dated {
		s := &next.index.Dated[k]
		if s.Withdrawn != "" {
			continue
		}
		holds, errRead, err := a.holdsDeleted(ctx, e, s.Date, s)
		if err != nil {
			return e, nil, err
		}
		unread = errors.Join(unread, errRead)
		if holds {
			s.Withdrawn, s.Files = a.Now().UTC().Format(time.DateOnly), nil
			delete(next.folders, s.Date)
			taken = append(taken, s.Date)
		}
	}
	if len(taken) == 0 && !e.old() {
		return e, unread, nil
	}
	if next, err = a.publish(ctx, next); err != nil {
		// A full disk must not keep deleted results in sight: removing a name needs no room.
		for _, day := range taken {
			err = errors.Join(err, a.hide(e, day))
		}
		return e, nil, fmt.Errorf("archive: %w", err)
	}
	if len(taken) > 0 {
		a.Log.Info("withdrew snapshots of the data set, in which a result was deleted", "dates", taken)
	}
	return next, unread, nil
}

// hideLatest hides the latest snapshot if it holds a deleted result and could not be written again.
func (a *Archive) hideLatest(ctx context.Context, e edition) error {
	holds, unread, err := a.holdsDeleted(ctx, e, latestName, e.index.Latest)
	if holds {
		err = a.hide(e, latestName)
	}
	return errors.Join(unread, err)
}

// hide removes a snapshot's name, so that nobody can download it. The next update notices that it is gone.
func (a *Archive) hide(e edition, name string) error {
	err := os.Remove(filepath.Join(a.edition(e.number), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// holdsDeleted reports whether a snapshot holds a result that was deleted since, or whether its files or its list are
// missing.
func (a *Archive) holdsDeleted(ctx context.Context, e edition, name string, s *dataset.Snapshot) (
	holds bool, unread, err error) {
	if e.folders[name] == "" {
		return true, nil, nil
	}
	if e.old() { // such a program wrote the notice before the index
		_, err := os.Stat(filepath.Join(a.files(e.folders[name]), withdrawnName))
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil, nil, err
		}
	}
	// One day earlier, because the clock of the database may differ.
	deleted, err := a.Store.DeletedSince(ctx, s.AsOf.Truncate(24*time.Hour).AddDate(0, 0, -1))
	if err != nil {
		return false, nil, err
	}
	holds, err = holdsAny(a.ids(e.folders[name]), s.Runs, deleted)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil, nil
	}
	if err != nil {
		err = fmt.Errorf("archive: which results are in the snapshot %s is not known: %w", name, err)
	}
	return holds, err, nil
}

// holdsAny reports whether any of the ids is in the list of a snapshot's runs, or the list is incomplete.
func holdsAny(list string, runs int64, ids []string) (holds bool, err error) {
	file, err := os.Open(list)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() != runs*idBytes {
		return err == nil, err
	}
	raw := make([]byte, idBytes)
	for _, id := range ids {
		want, errID := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
		_, found := sort.Find(int(runs), func(i int) int {
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
