package snapshot_test

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/dataset/snapshot"
)

var atOperations = flag.Int("operations", 4, "at how many operations of each update something happens; 0: at every one")

// upkeep is an update of the archive that may fail: the archive before it, the time, and what must exist after it.
type upkeep struct {
	what    string
	before  string
	now     time.Time
	deleted []string
	want    string // its summary
}

// shared returns a folder in memory, where syncing takes no time, because there are thousands of updates.
func shared(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "flashdex-dataset-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// at returns an archive in another folder.
func (b *bench) at(dir, holder string, now time.Time) *snapshot.Archive {
	c := b.Config
	c.Dir, c.Holder, c.Now, c.Log = dir, holder, func() time.Time { return now }, slog.New(slog.DiscardHandler)
	return snapshot.New(c)
}

// upkeeps calls do with every kind of update, each while the database is as that update finds it.
func upkeeps(t *testing.T, do func(t *testing.T, b *bench, u upkeep)) {
	b := start(t)
	all := shared(t)
	b.dir = filepath.Join(all, "archive")
	if err := os.Mkdir(b.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if b.Catalogue, err = fewModules(); err != nil {
		t.Fatal(err)
	}
	if err := b.store.ImportCatalogue(t.Context(), b.Catalogue.Modules, b.Catalogue.Published); err != nil {
		t.Fatal(err)
	}
	b.Archive = b.at(b.dir, "test", time.Time{})
	b.Now = func() time.Time { return b.now }
	var deleted []string
	run := func(what string, prepare ...func(*testing.T, string)) {
		for _, prepared := range prepare {
			prepared(t, b.dir)
		}
		if _, _, err := b.store.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		u := upkeep{what: what, before: filepath.Join(all, "before "+what), now: b.now, deleted: deleted}
		copyArchive(t, b.dir, u.before)
		u.want = summary(b.update())
		if index, wrong := newAuditor().sound(b.dir); len(wrong) > 0 || summary(index) != u.want {
			t.Fatalf("%s: after an update without faults: %v", what, wrong)
		}
		t.Run(what, func(t *testing.T) { do(t, b, u) })
		b.now = b.now.AddDate(0, 0, 1)
	}
	b.now = time.Date(2026, 10, 28, 10, 0, 0, 0, time.UTC)
	b.receive(0, "2026-09-30 23:00+00")
	october := b.receive(1, "2026-10-27 10:00+00")
	run("the first snapshot")
	b.now = b.now.Add(time.Hour - 24*time.Hour)
	b.receive(2, "2026-10-28 10:30+00")
	run("again on the same day")
	for range 3 {
		b.receive(3, "2026-10-29 10:00+00")
		b.update()
		b.now = b.now.AddDate(0, 0, 1)
	}
	november := b.receive(4, "2026-11-01 10:00+00")
	run("a day's snapshot of a new month")
	for range 5 {
		b.receive(5, "2026-11-02 10:00+00")
		b.update()
		b.now = b.now.AddDate(0, 0, 1)
	}
	b.receive(6, "2026-11-08 10:00+00")
	run("a snapshot that makes old ones expire")
	deleted = append(deleted, november)
	if err := b.store.DeleteSubmission(t.Context(), secretOf(4), november); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Hour - 24*time.Hour)
	run("the withdrawal of some snapshots")
	deleted = append(deleted, october)
	if err := b.store.DeleteSubmission(t.Context(), secretOf(1), october); err != nil {
		t.Fatal(err)
	}
	b.receive(7, "2026-11-09 10:00+00")
	run("the withdrawal of all snapshots with the day's new one")
	b.receive(8, "2026-11-10 10:00+00")
	b.update()
	b.now = b.now.AddDate(0, 0, 1)
	b.receive(9, "2026-11-11 10:00+00")
	run("the first one after a program without editions", beforeEditions)
}

// copyArchive makes a copy of an archive that shares its files, which nothing may change.
func copyArchive(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case d.IsDir():
			return os.Mkdir(copied, 0o755)
		case d.Type()&os.ModeSymlink != 0:
			leads, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(leads, copied)
		}
		return os.Link(path, copied)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// beforeEditions turns an archive into one of a program that served files/ itself. An error stopped that program for
// good while it withdrew the newest dated snapshot.
func beforeEditions(t *testing.T, dir string) {
	t.Helper()
	run := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	files, ids := filepath.Join(dir, "files"), filepath.Join(dir, "ids")
	edition, err := filepath.EvalSymlinks(filepath.Join(dir, "current"))
	run(err)
	text, err := os.ReadFile(filepath.Join(edition, "snapshots.json"))
	run(err)
	var index dataset.Index
	run(json.Unmarshal(text, &index))
	for i, s := range index.Dated {
		if s.Withdrawn != "" {
			continue
		}
		name, err := os.Readlink(filepath.Join(edition, s.Date))
		run(err)
		copyArchive(t, filepath.Join(edition, name), filepath.Join(files, s.Date))
		run(os.Link(filepath.Join(ids, filepath.Base(name)), filepath.Join(ids, s.Date)))
		if i == 0 {
			run(os.RemoveAll(filepath.Join(files, s.Date)))
			run(os.Mkdir(filepath.Join(files, s.Date), 0o755))
			run(os.WriteFile(filepath.Join(files, s.Date, "WITHDRAWN.txt"), nil, 0o644))
			run(os.Remove(filepath.Join(ids, s.Date)))
		}
	}
	name, err := os.Readlink(filepath.Join(edition, "latest"))
	run(err)
	run(os.Rename(filepath.Join(edition, name), filepath.Join(files, "latest-5-20261110T100000")))
	run(os.Symlink("latest-5-20261110T100000", filepath.Join(files, "latest")))
	run(os.Rename(filepath.Join(edition, "snapshots.json"), filepath.Join(files, "snapshots.json")))
	run(os.RemoveAll(filepath.Join(dir, "editions")))
	run(os.Mkdir(filepath.Join(dir, "building"), 0o755))
	run(os.Remove(filepath.Join(dir, "current")))
}

// reAlike matches operations that an update repeats very often: on files of a snapshot that isn't published yet, and on
// the connection to the database.
var reAlike = regexp.MustCompile(`^(\w+ )(socket|/files/N[./].*?(\.[a-z.]+)?)$`)

// pointsOf returns the points of an update's operations.
func pointsOf(operations []string) (points []point) {
	done := map[string]int{}
	for _, operation := range operations {
		what := kindOf(operation)
		done[what]++
		points = append(points, point{what, done[what]})
	}
	return points
}

// picker picks the points at which something happens to updates. Testing every point takes hours. So it keeps the first
// of similar points, and of these as many as the flag -operations says, evenly from the first to the last.
type picker map[string]bool

func (p picker) pick(all []point) (points []point) {
	for _, at := range all {
		kind := ""
		if match := reAlike.FindStringSubmatch(at.what); match != nil {
			kind = match[1] + match[3]
		}
		if *atOperations == 0 || kind == "" || !p[kind] {
			points = append(points, at)
		}
		p[kind] = true
	}
	few := *atOperations
	if few == 0 || len(points) <= few {
		return points
	}
	some := make([]point, few)
	for i := range some {
		some[i] = points[i*(len(points)-1)/(few-1)]
	}
	return some
}

// reHidden matches the complaint about a snapshot that was taken out of sight.
var reHidden = regexp.MustCompile(`^[0-9a-z-]+: open \S+/current/[0-9a-z-]+: no such file or directory$`)

// audit checks the archive after an update that may have failed. Then it updates the archive once more without a fault,
// and checks that everything is right.
func (u upkeep) audit(t *testing.T, b *bench, a *auditor, dir, failure string) {
	t.Helper()
	_, wrong := a.sound(dir)
	if failure != "" && len(u.deleted) > 0 { // the snapshot to withdraw may be hidden already
		wrong = slices.DeleteFunc(wrong, func(of string) bool { return reHidden.MatchString(of) })
	}
	if err := b.at(dir, "test", u.now).Update(t.Context()); err != nil {
		wrong = append(wrong, "the next update: "+err.Error())
	}
	index, after := a.sound(dir)
	for _, of := range slices.Concat(after, a.without(dir, u.deleted), tidy(dir)) {
		wrong = append(wrong, "after the next update: "+of)
	}
	if summary(index) != u.want {
		wrong = append(wrong, "after the next update there are\n"+summary(index)+"and not\n"+u.want)
	}
	if len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n\t"))
	}
}

// Any operation on a file or on the connection to the database may fail: nothing wrong can be downloaded, and the next
// update finishes the work.
func TestAnyOperationMayFail(t *testing.T) {
	t.Parallel()
	picker := picker{}
	upkeeps(t, func(t *testing.T, b *bench, u upkeep) {
		dir, a := filepath.Join(shared(t), "archive"), newAuditor()
		w := b.startWorker(t, dir, "test")
		copyArchive(t, u.before, dir)
		_, operations, _ := w.update(u.now, fault{})
		u.audit(t, b, a, dir, "")
		failed := 0
		points := picker.pick(pointsOf(operations))
		for _, at := range points {
			copyArchive(t, u.before, dir)
			failure, _, died := w.update(u.now, fault{point: at, errno: syscall.EIO})
			if died {
				t.Fatalf("the worker died of EIO at %v", at)
			}
			if failure != "" {
				failed++
			}
			if u.audit(t, b, a, dir, failure); t.Failed() {
				t.Fatalf("EIO at %v: %s", at, failure)
			}
		}
		t.Logf("%d operations, of %d of which one failed, and %d updates with them", len(operations), len(points), failed)
	})
}

// A worker may be killed at any operation.
func TestKilledAtAnyOperation(t *testing.T) {
	t.Parallel()
	picker := picker{}
	upkeeps(t, func(t *testing.T, b *bench, u upkeep) {
		dir, a := filepath.Join(shared(t), "archive"), newAuditor()
		copyArchive(t, u.before, dir)
		_, operations, _ := b.startWorker(t, dir, "test").update(u.now, fault{})
		points := picker.pick(pointsOf(operations))
		for _, at := range points {
			copyArchive(t, u.before, dir)
			_, _, killed := b.startWorker(t, dir, "test").update(u.now, fault{point: at, kill: true})
			if !killed && !strings.HasSuffix(at.what, "socket") {
				t.Errorf("the worker outlived %v", at)
			}
			if u.audit(t, b, a, dir, ""); t.Failed() {
				t.Fatalf("killed at %v", at)
			}
		}
		t.Logf("%d operations, of which %d were the last", len(operations), len(points))
	})
}

// The disk may become full at any operation. Even so, a deleted result is hidden, and the first update after there is
// room again finishes the work.
func TestTheDiskMayBeFull(t *testing.T) {
	t.Parallel()
	picker := picker{}
	upkeeps(t, func(t *testing.T, b *bench, u upkeep) {
		dir, a := filepath.Join(shared(t), "archive"), newAuditor()
		w := b.startWorker(t, dir, "test")
		copyArchive(t, u.before, dir)
		_, operations, _ := w.update(u.now, fault{full: true})
		points := picker.pick(pointsOf(operations))
		for _, at := range points {
			copyArchive(t, u.before, dir)
			failure, _, died := w.update(u.now, fault{point: at, errno: syscall.ENOSPC, full: true})
			if died {
				t.Fatalf("the worker died of the full disk at %v", at)
			}
			for _, wrong := range a.without(dir, u.deleted) {
				if !strings.Contains(wrong, "/latest/") {
					t.Error(wrong)
				}
			}
			if u.audit(t, b, a, dir, failure); t.Failed() {
				t.Fatalf("the disk is full at %v: %s", at, failure)
			}
		}
		t.Logf("%d operations that need room, of %d of which one found the disk full", len(operations),
			len(points))
	})
}
