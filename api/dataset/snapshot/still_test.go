package snapshot_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// expirer returns a function that lets all leases expire, as if their holders had been paused for long.
func (b *bench) expirer(t *testing.T) func() {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return func() {
		t.Helper()
		if _, err := conn.Exec(t.Context(), "update lease set expires_at = '-infinity'"); err != nil {
			t.Fatal(err)
		}
	}
}

// stopAt pauses a worker at a point of an update, if it gets there. The returned function lets the worker continue, and
// returns its error.
func (w *worker) stopAt(u upkeep, at point) (goOn func() (failure string)) {
	f := fault{point: at, pause: make(chan struct{}), paused: make(chan struct{})}
	ended := make(chan string, 1)
	go func() {
		failure, _, _ := w.update(u.now, f)
		ended <- failure
		close(ended)
	}()
	var failure string
	select {
	case <-f.paused:
	case failure = <-ended:
	}
	return func() string { close(f.pause); return failure + <-ended }
}

// nextDay moves the clock to the next day, uploads another result, and lets all leases expire.
func (b *bench) nextDay(n int, expire func()) {
	b.t.Helper()
	b.now = b.now.AddDate(0, 0, 1)
	b.upload(n, "Turbo", "Board A")
	if _, _, err := b.store.Fold(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	expire()
}

// A worker is paused while it holds the lease. It continues when another worker has written a snapshot, and an edition
// that has no number yet. It removes neither.
func TestNobodySweepsWhatALaterHolderWrites(t *testing.T) {
	t.Parallel()
	b := start(t)
	expire := b.expirer(t)
	b.upload(0, "Turbo", "Board A")
	b.update()
	b.nextDay(1, expire)
	first := b.startWorker(t, b.dir, "first").stopAt(upkeep{now: b.now}, point{"openat /editions", 1})
	expire()
	second := b.startWorker(t, b.dir, "second").stopAt(upkeep{now: b.now}, point{"renameat /editions/N*", 1})
	if failure := first(); !strings.Contains(failure, "taken over") {
		t.Errorf("the first said %q", failure)
	}
	if failure := second(); failure != "" {
		t.Errorf("the second said %q", failure)
	}
	index, wrong := newAuditor().sound(b.dir)
	if len(wrong) > 0 || index.Latest.Runs != 2 || len(index.Dated) != 2 {
		t.Errorf("%v\n%s", wrong, summary(index))
	}
}

// A worker is paused before it makes its edition the current one. It continues when another worker has replaced and
// removed that edition. Users can download the other worker's edition at once, not only after the next update.
func TestALateSwitchIsPutRight(t *testing.T) {
	t.Parallel()
	b := start(t)
	expire := b.expirer(t)
	b.upload(0, "Turbo", "Board A")
	b.update()
	b.nextDay(1, expire)
	still := b.startWorker(t, b.dir, "first").stopAt(upkeep{now: b.now}, point{"symlinkat /current.new", 1})
	b.nextDay(2, expire)
	if err := b.at(b.dir, "second", b.now).Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	still()
	index, wrong := newAuditor().sound(b.dir)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if index.Latest.Runs != 3 {
		t.Errorf("what can be downloaded is older: %s", summary(index))
	}
}

// standStill pauses a worker at some operations of every kind of update. Another worker takes over, and then the first
// one continues. Whatever it does, nothing wrong can be downloaded, and the next update puts everything right.
func standStill(t *testing.T, which func([]point) []point, takeOver func(*testing.T, *bench, upkeep, string)) {
	picker := picker{}
	upkeeps(t, func(t *testing.T, b *bench, u upkeep) {
		dir, a, expire := filepath.Join(shared(t), "archive"), newAuditor(), b.expirer(t)
		copyArchive(t, u.before, dir)
		expire()
		_, operations, _ := b.startWorker(t, dir, "still").update(u.now, fault{})
		points := picker.pick(which(pointsOf(operations)))
		for _, at := range points {
			copyArchive(t, u.before, dir)
			expire()
			still := b.startWorker(t, dir, "still")
			goOn := still.stopAt(u, at)
			expire()
			takeOver(t, b, u, dir)
			expire()
			failure := goOn()
			expire()
			if u.audit(t, b, a, dir, failure); t.Failed() {
				t.Fatalf("stood still at %v: %s", at, failure)
			}
			still.Stop()
		}
		t.Logf("%d operations, at %d of which it stood still", len(operations), len(points))
	})
}

func TestStoodStillAtAnyOperation(t *testing.T) {
	t.Parallel()
	standStill(t, func(all []point) []point { return all },
		func(t *testing.T, b *bench, u upkeep, dir string) {
			if err := b.at(dir, "other", u.now).Update(t.Context()); err != nil {
				t.Errorf("the other: %v", err)
			}
		})
}

// The other worker removes what no edition leads to, and dies. Then the first worker must not publish what was removed.
func TestStoodStillBeforeOneThatDies(t *testing.T) {
	t.Parallel()
	first := func(all []point, what string) int {
		return slices.IndexFunc(all, func(p point) bool { return strings.HasPrefix(p.what, what) })
	}
	standStill(t, func(all []point) []point { // from the making of an edition to its number
		points := all[first(all, "mkdirat /editions/N") : first(all, "renameat /editions/N /editions/")+1]
		// How often one reads from the database differs from run to run.
		return slices.DeleteFunc(slices.Clone(points), func(p point) bool { return strings.HasSuffix(p.what, "socket") })
	}, func(t *testing.T, b *bench, u upkeep, dir string) {
		other := b.startWorker(t, dir, "other")
		if _, _, killed := other.update(u.now, fault{point: point{"unlinkat /editions/N*", 1}, kill: true}); !killed {
			t.Error("the other lived on")
		}
	})
}
