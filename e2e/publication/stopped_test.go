package publication

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/publish"
)

// whole checks that current leads to a publication with all of its pages.
func whole(t *testing.T, dir string) {
	t.Helper()
	name, err := os.Readlink(filepath.Join(dir, "current"))
	if err != nil {
		t.Error(err)
		return
	}
	var manifest struct{ Pages map[string]any }
	text, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err = orElse(err, func() error { return json.Unmarshal(text, &manifest) }); err != nil {
		t.Errorf("current leads to %s: %v", name, err)
		return
	}
	wanted := map[string]string{}
	for _, name := range madeOfNoData {
		wanted[name] = name
	}
	for path := range manifest.Pages {
		wanted[path[1:]+"index.html"] = path
	}
	if len(wanted) < len(madeOfNoData)+3 {
		t.Errorf("%s has %d pages", name, len(wanted))
	}
	for file, want := range wanted {
		if page, err := os.ReadFile(filepath.Join(dir, name, file)); err != nil || string(page) != want {
			t.Errorf("current leads to %s, where %s holds %q, %v", name, file, page, err)
			return
		}
	}
}

// successor is the publisher that takes over. Before it asks whether it still has the lease it calls next.
type successor struct {
	publish.Store
	next func()
	asOf time.Time
}

func (s *successor) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (int64, bool, error) {
	if s.next != nil {
		s.next()
	}
	return s.Store.Acquire(ctx, name, holder, ttl)
}

// data is of a time that the test sets, so that there is something new to publish.
func (s *successor) data() dataset.Index {
	return dataset.Index{Latest: &dataset.Snapshot{AsOf: s.asOf}}
}

// Wherever a publisher stops and goes on after another one has taken over, current stays at what that one published.
func TestPublisherThatIsStoppedAtEveryStep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	// When the first one goes on: publications that the other one has made, and how often it has asked for the lease for
	// the next one.
	for name, at := range map[string]moment{
		"after it has tidied up": {0, 3}, "before it switches": {0, 4}, "after it has switched": {1, 0},
		"after nothing is left of the time before": {3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := openWith(t, 1)
			for _, call := range changes {
				n := 1
				for ; !t.Failed() && b.stopAt(t, call, n, at); n++ {
				}
				t.Logf("stopped after each of %d calls of %s", n-1, call)
			}
		})
	}
}

// moment is a point in the work of a publisher.
type moment struct{ publications, asked int }

// stopAt has a publisher stop at its nth call of that name, and another one take over. The first one goes on at a moment of that one's work.
func (b *bundle) stopAt(t *testing.T, call string, n int, at moment) (stopped bool) {
	t.Helper()
	a := publishUntil(t, call, n, b.url, b.dir)
	if !a.stopped(t) {
		return false
	}
	b.execute(t, "update lease set expires_at = '-infinity' where name = 'publisher'") // as after half a minute
	var now moment
	resume := sync.OnceFunc(func() { a.resume(t) })
	defer resume()
	next := &successor{Store: b.Store, asOf: time.Now()}
	next.next = func() {
		if now.asked++; now == at {
			resume()
		}
	}
	config := quick(next, b.catalogue, b.dir, fmt.Sprint("B ", call, n), os.Stderr)
	config.Data = next.data
	p := publish.New(config)
	shown := ""
	for now.publications < at.publications+2 {
		next.asOf, now.asked = next.asOf.Add(time.Hour), 0
		if err := p.PublishIfNew(t.Context()); err != nil {
			t.Errorf("publication %d: %v", now.publications+1, err)
		}
		name, _ := os.Readlink(filepath.Join(b.dir, "current"))
		if name == shown {
			t.Errorf("publication %d is not shown", now.publications+1)
		}
		shown = name
		whole(t, b.dir)
		if now = (moment{now.publications + 1, 0}); now == at {
			resume()
		}
		if current, err := os.Readlink(filepath.Join(b.dir, "current")); current != shown {
			t.Errorf("current leads to %s and no longer to %s, %v", current, shown, err)
		}
		if err := p.PublishIfNew(t.Context()); err != nil {
			t.Error(err)
		}
		if current, err := os.Readlink(filepath.Join(b.dir, "current")); current != shown {
			t.Errorf("after a poll current leads to %s and no longer to %s, %v", current, shown, err)
		}
		whole(t, b.dir)
	}
	// The next one finds a lease that is free and the work of another process, but little of it to remove.
	building, left := filepath.Join(b.dir, "building"), filepath.Join(b.dir, "building", "left")
	if err := errors.Join(b.Release(t.Context(), "publisher", config.Holder), os.RemoveAll(building),
		os.MkdirAll(left, 0o755), os.WriteFile(filepath.Join(left, "file"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		t.Logf("stopped after %s\n%s", a.at(), strings.TrimSpace(a.output.String()))
	}
	return true
}
