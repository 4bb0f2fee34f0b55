package publication

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/publish"
	"flashdex/api/submission"
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

// successor is the publisher that takes over. It reports which step it is about to take.
type successor struct {
	publish.Store
	reached func(step string)
	asOf    time.Time
	mu      sync.Mutex // the lease is renewed beside the work, too
	next    string     // the step that begins with a look at the lease
}

func (s *successor) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (int64, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != "" {
		s.reached(s.next)
		s.next = ""
	}
	return s.Store.Acquire(ctx, name, holder, ttl)
}

func (s *successor) Fold(ctx context.Context) (int, int64, error) {
	folded, generation, err := s.Store.Fold(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = "tidies up"
	return folded, generation, err
}

func (s *successor) Snapshot(ctx context.Context, do func(*figure.Overview, submission.Results) error) error {
	err := s.Store.Snapshot(ctx, do)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reached("renders")
	s.next = "switches"
	return err
}

// data is of a time that the test sets, so there is something new to publish.
func (s *successor) data() dataset.Index {
	return dataset.Index{Latest: &dataset.Snapshot{AsOf: s.asOf}}
}

var stride = flag.Int("stride", 16, "stop a publisher after one of so many calls of each name; 1: after every one")

// Wherever a publisher stops and goes on after another one has taken over, current stays at the other one's
// publication.
func TestPublisherThatIsStoppedAtEveryStep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	// This is when the first one goes on: how many publications the other one has made, and the next step that it
	// takes.
	for name, at := range map[string]moment{
		"before it tidies up": {0, "tidies up"}, "before it renders": {0, "renders"},
		"before it switches":                       {0, "switches"},
		"after it has switched":                    {1, ""},
		"after nothing is left of the time before": {3, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := openWith(t, 1)
			for _, call := range changes {
				t.Run(call, func(t *testing.T) {
					stops := 0
					for n := 1; !t.Failed() && b.stopAt(t, call, n, at); n += *stride {
						stops++
					}
					if t.Logf("stopped %d times", stops); stops == 0 {
						t.Error("that is no call of a publisher")
					}
				})
			}
		})
	}
}

// moment is a point in the work of a publisher.
type moment struct {
	publications int
	step         string
}

// stopAt makes a publisher stop at its nth call of that name, and another one take over. The first one goes on at a
// moment of the other one's work.
func (b *bundle) stopAt(t *testing.T, call string, n int, at moment) (stopped bool) {
	t.Helper()
	if call == "linkat" { // the third publication links pages of the second; later ones have them in an old folder
		if err := os.RemoveAll(b.dir); err != nil {
			t.Fatal(err)
		}
		b.publishQuickly(t)
		b.publishQuickly(t)
	}
	a := publishUntil(t, call, n, b.url, b.dir)
	if !a.stopped(t) {
		return false
	}
	holder := fmt.Sprint("B ", call, n)
	// The first one may have sent a renewal before it stopped. Postgres may run it after this statement, but there is
	// no second one.
	for ok := false; !ok && !t.Failed(); {
		b.execute(t, "update lease set expires_at = '-infinity' where name = 'publisher'") // as after half a minute
		var err error
		if _, ok, err = b.Acquire(t.Context(), "publisher", holder, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	var now moment
	var building []string // the folders there while the other one makes its first publication
	first := ""
	resumed := false
	resume := sync.OnceFunc(func() { a.resume(t); resumed = true })
	defer resume()
	next := &successor{Store: b.Store, asOf: time.Now()}
	next.reached = func(step string) {
		if now.step = step; now == (moment{0, "renders"}) {
			building, _ = filepath.Glob(filepath.Join(b.dir, "building", "*"))
		}
		if now == at {
			resume()
		}
	}
	config := quick(next, b.catalogue, b.dir, holder, os.Stderr)
	config.Data = next.data
	p := publish.New(config)
	shown := ""
	for !t.Failed() && now.publications < at.publications+2 {
		next.asOf, now.step = next.asOf.Add(time.Hour), ""
		if err := p.PublishIfNew(t.Context()); err != nil {
			t.Errorf("publication %d: %v", now.publications+1, err)
		}
		name, _ := os.Readlink(filepath.Join(b.dir, "current"))
		if name == shown {
			t.Errorf("publication %d is not shown", now.publications+1)
		}
		shown, first = name, cmp.Or(first, name)
		whole(t, b.dir)
		if now = (moment{now.publications + 1, ""}); now == at {
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
	if !resumed && !t.Failed() {
		t.Errorf("the moment %+v never came", at)
	}
	parts := strings.Split(first, "-")
	own := filepath.Join(b.dir, "building", parts[0]+"-"+parts[len(parts)-1])
	calls, err := os.ReadFile(a.calls)
	if err != nil || !slices.Contains(building, own) || strings.Contains(string(calls), own) {
		t.Errorf("both worked in one folder, or not in %s: %v, %v", own, building, err)
	}
	// The next one finds a free lease and another process's unfinished work, but little of it to remove.
	left := filepath.Join(b.dir, "building", "left")
	if err := errors.Join(b.Release(t.Context(), "publisher", config.Holder), os.RemoveAll(filepath.Dir(left)),
		os.MkdirAll(left, 0o755), os.WriteFile(filepath.Join(left, "file"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		t.Logf("stopped after %s\n%s", a.at(), strings.TrimSpace(a.output.String()))
	}
	return true
}

// publishQuickly publishes by a process that has just started.
func (b *bundle) publishQuickly(t *testing.T) {
	t.Helper()
	if err := publish.New(quick(b.Store, b.catalogue, b.dir, "before", os.Stderr)).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// If anything leads current astray, the next poll leads it back.
func TestCurrentIsMended(t *testing.T) {
	t.Parallel()
	b := openWith(t, 1)
	b.publishQuickly(t)
	config := quick(b.Store, b.catalogue, b.dir, "one", os.Stderr)
	p := publish.New(config)
	poll := func(p *publish.Publisher) {
		t.Helper()
		if err := p.PublishIfNew(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	poll(p)
	current := filepath.Join(b.dir, "current")
	shown, err := os.Readlink(current)
	if err != nil {
		t.Fatal(err)
	}
	var before struct{ Before []string }
	text, err := os.ReadFile(filepath.Join(b.dir, shown+".json"))
	if err = orElse(err, func() error { return json.Unmarshal(text, &before) }); err != nil || len(before.Before) != 1 {
		t.Fatalf("%v before, %v", before.Before, err)
	}
	lead := func(to string) {
		t.Helper()
		err := os.Remove(current)
		if to != "" {
			err = errors.Join(err, os.Symlink(to, current))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, astray := range []string{"", "nowhere", before.Before[0]} {
		lead(astray)
		poll(p)
		if now, err := os.Readlink(current); now != shown {
			t.Errorf("led to %q, current leads to %s, %v", astray, now, err)
		}
		whole(t, b.dir)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, shown)); err != nil {
		t.Fatal(err)
	}
	poll(p)
	whole(t, b.dir) // another publication

	// Another process has published, so this one's publication is old.
	shown = filepath.Base(publish.Current(b.dir))
	if err := b.Release(t.Context(), "publisher", "one"); err != nil {
		t.Fatal(err)
	}
	b.publishQuickly(t)
	poll(p)
	if now, err := os.Readlink(current); now == shown {
		t.Errorf("current leads back to %s, %v", now, err)
	}
	whole(t, b.dir)

	// A new process that can't publish leads to the publication that there is.
	if err := b.Release(t.Context(), "publisher", "one"); err != nil {
		t.Fatal(err)
	}
	lead("nowhere")
	config.Holder, config.Hugo = "two", "/bin/false"
	if err := publish.New(config).PublishIfNew(t.Context()); err == nil {
		t.Error("published without Hugo")
	}
	whole(t, b.dir)
}
