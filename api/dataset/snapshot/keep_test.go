package snapshot_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/store"
)

// failing is a database that breaks off in the middle of the table of results.
type failing struct{ *store.Store }

func (f failing) Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error {
	return f.Store.Dataset(ctx, func(o *figure.Overview, r figure.Records) error { return do(o, failingRecords{r}) })
}

type failingRecords struct{ figure.Records }

var errBroken = errors.New("it broke off")

func (f failingRecords) Tests(ctx context.Context, which figure.Filter, do func(*figure.Test) error) error {
	return f.Records.Tests(ctx, which, func(of *figure.Test) error { return errors.Join(do(of), errBroken) })
}

// While the data set can't be written, the last one stays, without any file of a failed attempt. After a day the last
// one goes too, if it holds a deleted result.
func TestLatestDoesNotOutliveADeletionByMoreThanADay(t *testing.T) {
	t.Parallel()
	b := start(t)
	first := b.upload(0, "Turbo", "Board A")
	b.upload(1, "Turbo", "Board A")
	b.update()
	fail := func() {
		t.Helper()
		b.Store = failing{b.store}
		if err := b.Update(t.Context()); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		b.Store = b.store
	}
	b.now = b.now.Add(48 * time.Hour)
	b.upload(2, "Turbo", "Board A")
	if _, _, err := b.store.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fail(); !b.has("latest/results.csv") {
		t.Error("the latest is gone, and nothing was deleted")
	}
	if err := b.store.DeleteSubmission(t.Context(), secretOf(0), first); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.store.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(-47 * time.Hour)
	if fail(); !b.has("latest/results.csv") || b.has("2026-11-22/results.csv") {
		t.Error("after an hour the latest is gone, or the day's is still there")
	}
	b.now = b.now.Add(24 * time.Hour)
	if fail(); b.has("latest/results.csv") {
		t.Error("after a day the latest is still there with a deleted result in it")
	}
	if wrong := open(t, b.dir); len(wrong) > 0 {
		t.Errorf("still open: %v", wrong)
	}
	if i := b.update(); !b.has("latest/results.csv") || i.Latest.Runs != 2 {
		t.Errorf("%+v", i.Latest)
	}
	if wrong := tidy(b.dir); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// open returns the files below a folder that this process has open.
func open(t *testing.T, dir string) (paths []string) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if leads, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(leads, dir) &&
			!strings.Contains(leads, ".pages-") { // the garbage collector closes these
			paths = append(paths, leads)
		}
	}
	return paths
}

// A list of runs that can't be read holds up nothing else. If a list is lost, its snapshot is withdrawn.
func TestOneBadListStopsNothingElse(t *testing.T) {
	t.Parallel()
	b := start(t)
	var gone string
	for i := range 3 {
		gone = b.upload(i, "Turbo", "Board A")
		b.update()
		b.now = b.now.AddDate(0, 0, 1)
	}
	list := func(day string) string {
		leads, err := os.Readlink(filepath.Join(served(b.dir), day))
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(b.dir, "ids", filepath.Base(leads))
	}
	bad := list("2026-11-22")
	if err := errors.Join(os.Rename(bad, bad+".kept"), os.Symlink(bad, bad)); err != nil { // it leads to itself
		t.Fatal(err)
	}
	if err := os.Truncate(list("2026-11-23"), 16); err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteSubmission(t.Context(), secretOf(2), gone); err != nil {
		t.Fatal(err)
	}
	b.upload(3, "Turbo", "Board A")
	if _, _, err := b.store.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := b.Update(t.Context())
		if err == nil || !strings.Contains(err.Error(), "which results are in the snapshot 2026-11-22 is not known") {
			t.Errorf("the error is %v", err)
		}
	}
	i := b.Index()
	if i.Latest.Runs != 3 || len(i.Dated) != 4 || i.Dated[1].Withdrawn == "" || i.Dated[2].Withdrawn == "" ||
		i.Dated[3].Withdrawn != "" {
		t.Errorf("%s", summary(i))
	}
	if err := os.Remove(bad); err != nil {
		t.Fatal(err)
	}
	if i := b.update(); i.Dated[3].Withdrawn == "" {
		t.Errorf("a snapshot of which nobody knows what it holds is there: %s", summary(i))
	}
}

// If a program before editions had begun to withdraw a snapshot, it is withdrawn, even if nobody can tell what it held.
func TestWhatAnOldProgramBeganToWithdrawIsWithdrawn(t *testing.T) {
	t.Parallel()
	b := start(t)
	for i := range 2 {
		b.upload(i, "Turbo", "Board A")
		b.update()
		b.now = b.now.AddDate(0, 0, 1)
	}
	beforeEditions(t, b.dir)
	list := filepath.Join(b.dir, "ids", b.now.AddDate(0, 0, -1).Format(time.DateOnly))
	if err := os.Symlink(list, list); err != nil { // it leads to itself
		t.Fatal(err)
	}
	if i := b.update(); i.Dated[0].Withdrawn == "" {
		t.Errorf("a snapshot without its files is listed with them: %s", summary(i))
	}
	if _, wrong := newAuditor().sound(b.dir); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// If the clock is set forward while the data set is written, writing doesn't seem to take longer, so the pause after it
// isn't longer either.
func TestTheClockMayBeSetForwardWhileWriting(t *testing.T) {
	t.Parallel()
	b := start(t)
	now := b.now
	b.Now = func() time.Time {
		before := now
		now = b.now.Add(5 * time.Hour)
		return before
	}
	b.upload(0, "Turbo", "Board A")
	first := b.update().Latest
	b.upload(1, "Turbo", "Board A")
	if again := b.update().Latest; again.Runs != 2 {
		t.Errorf("not written five hours later, because writing is said to have taken %v s", first.Seconds)
	}
}

// A clock that was set back stops nothing, and the newest day stays first.
func TestTheClockMayBeSetBack(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.upload(0, "Turbo", "Board A")
	b.update()
	b.now = b.now.AddDate(0, 0, -2)
	b.upload(1, "Turbo", "Board A")
	if i := b.update(); i.Latest.Runs != 2 || len(i.Dated) != 2 || i.Dated[0].Date != "2026-11-22" {
		t.Errorf("%s", summary(i))
	}
}
