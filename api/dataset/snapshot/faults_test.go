package snapshot_test

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/store"
	"flashdex/data"
	"flashdex/e2e/calltest"
)

// A worker is a separate process that updates an archive on command. Each of its operations on the archive's files and
// on the connection to the database is counted. One of them may fail, or the worker may die instead.
type worker struct {
	*calltest.Worker
	dir string

	mu         sync.Mutex
	order      fault
	counting   bool
	count      int      // of the operations that order counts
	operations []string // of the update
}

// fault says what happens to a worker at an operation. The zero fault does nothing.
type fault struct {
	point
	kill   bool
	pause  chan struct{} // not nil: the worker is paused until it is closed
	paused chan struct{} // closed when the worker is paused
	errno  syscall.Errno
	full   bool // from then on the disk is full; only operations that need space count
}

// point identifies an operation of an update, by what it does and how often the update did the same before. Plain
// numbers of operations differ from run to run: the database's answers come in more or fewer parts, and several formats
// are written at the same time.
type point struct {
	what string // as kindOf returns it, or its beginning and an asterisk
	nth  int    // from 1 on
}

func (p point) is(operation string) bool {
	beginning, any := strings.CutSuffix(p.what, "*")
	what := kindOf(operation)
	return what == p.what || any && strings.HasPrefix(what, beginning)
}

var reNumbers = regexp.MustCompile(`\.pages-\d+|\d+\.\d+`)

// kindOf removes the numbers that differ from run to run.
func kindOf(operation string) string { return reNumbers.ReplaceAllString(operation, "N") }

const (
	workerArchive  = "FLASHDEX_TEST_ARCHIVE"
	workerDatabase = "FLASHDEX_TEST_DATABASE"
	workerHolder   = "FLASHDEX_TEST_HOLDER"
)

func TestMain(m *testing.M) {
	if os.Getenv(workerArchive) != "" {
		if err := work(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work is the worker's side: each line that it reads is the time of an update.
func work() error {
	ctx := context.Background()
	db, err := store.Open(ctx, os.Getenv(workerDatabase))
	if err != nil {
		return err
	}
	c, err := fewModules()
	if err != nil {
		return err
	}
	if err := calltest.Ask(); err != nil {
		return err
	}
	for times := bufio.NewScanner(os.Stdin); times.Scan(); {
		now, err := time.Parse(time.RFC3339, times.Text())
		if err != nil {
			return err
		}
		archive := snapshot.New(snapshot.Config{Store: db, Catalogue: c, Dir: os.Getenv(workerArchive),
			Holder: os.Getenv(workerHolder), SiteURL: "https://flashdex.example", Version: "1",
			Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
		if err := archive.Update(ctx); err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", "; "))
		} else {
			fmt.Println("updated")
		}
	}
	return nil
}

// fewModules returns a catalogue that is quick to read and write, because there are thousands of workers and updates.
func fewModules() (*catalogue.Catalogue, error) {
	few := fstest.MapFS{}
	err := fs.WalkDir(data.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "published/") && d.Name() != "derekwhite_2014.csv" {
			return err
		}
		text, err := data.FS.ReadFile(path)
		few[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		return nil, err
	}
	return catalogue.Load(few)
}

// startWorker starts a worker on an archive.
func (b *bench) startWorker(t *testing.T, dir, holder string) *worker {
	t.Helper()
	w := &worker{dir: dir}
	w.Worker = calltest.Start(t, []string{workerArchive + "=" + dir, workerDatabase + "=" + b.url,
		workerHolder + "=" + holder}, w.decide)
	return w
}

// update has the worker update its archive under a fault. It returns its error, "" if there was none, and its
// operations.
func (w *worker) update(now time.Time, f fault) (failure string, operations []string, killed bool) {
	w.mu.Lock()
	w.order, w.counting, w.count, w.operations = f, true, 0, nil
	w.mu.Unlock()
	fmt.Fprintln(w.In, now.Format(time.RFC3339))
	if killed = !w.Out.Scan(); !killed {
		failure = strings.TrimPrefix(w.Out.Text(), "updated")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counting = false
	return failure, w.operations, killed
}

// decide says what happens to a call of the worker.
func (w *worker) decide(c calltest.Call) (d calltest.Decision) {
	what := c.On(w.dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	order := &w.order
	if !w.counting || what == "" || order.full && (!c.NeedsRoom() || strings.HasSuffix(what, " socket")) {
		return d
	}
	w.operations = append(w.operations, what)
	if order.nth == 0 || !order.is(what) {
		return d
	}
	if w.count++; w.count != order.nth {
		return d
	}
	switch {
	case order.full: // and nothing fits any more
		order.point, w.count = point{"*", 1}, 0
		d.Errno = order.errno
	case order.kill:
		d.Kill = true
	case order.pause != nil:
		order.nth = 0
		close(order.paused)
		w.mu.Unlock()
		<-order.pause
		w.mu.Lock()
	default:
		order.nth = 0
		d.Errno = order.errno
	}
	return d
}
