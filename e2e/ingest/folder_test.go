package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"flashdex/api/dataset"
	"flashdex/api/store/cluster"
)

// TestWorkersTakeTurnsInOneFolder kills a worker and starts another one in the same folder. Dated snapshots stay
// unchanged, the latest one is updated, snapshots with a deleted result are withdrawn, and the site is delivered. A
// worker with another data folder is refused until `api adopt` replaces the first folder with it.
func TestWorkersTakeTurnsInOneFolder(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "postgres")
	t.Cleanup(func() {
		if elsewhere, err := os.Readlink(home); err == nil {
			_ = os.RemoveAll(elsewhere)
		}
	})
	c, err := cluster.Start(context.WithoutCancel(t.Context()), quiet(home))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	run(t, "migrate", "--database-url", c.URL())
	shared, other := t.TempDir(), t.TempDir()
	address := freeAddress(t)
	supervised(t, t.TempDir(), append([]string{"serve", "--no-publish", "--listen", address, "--data-dir", shared,
		"--database-url", c.URL()}, unlimited...)...)
	upload := func() string {
		t.Helper()
		id, body := document()
		eventually(t, "an upload is stored", func() bool {
			status, err := put(t, "http://"+address, id, body, secretOf(0))
			return err == nil && status == http.StatusCreated
		})
		return id
	}
	worker := func(dir string) *server {
		return supervised(t, t.TempDir(), "worker", "--data-dir", dir, "--database-url", c.URL(),
			"--public-url", "http://localhost")
	}
	taken := upload()

	files := filepath.Join(shared, "dataset", dataset.Served)
	latestHolds := func(id string) bool {
		text, err := os.ReadFile(filepath.Join(files, "latest", "results.csv"))
		return err == nil && bytes.Contains(text, []byte(id))
	}
	first := worker(shared)
	eventually(t, "the first worker publishes", func() bool {
		return published(t, []*server{first}) != nil && latestHolds(taken)
	})
	dated, err := filepath.Glob(filepath.Join(files, "20*"))
	if err != nil || len(dated) != 1 {
		t.Fatalf("dated snapshots: %v, %v", dated, err)
	}
	before := contents(t, dated[0])

	for _, command := range [][]string{
		{"worker"}, {"publish", "--to", filepath.Join(other, "to")}, {"serve", "--listen", "localhost:0"},
	} {
		args := slices.Concat(command, []string{"--data-dir", other, "--database-url", c.URL()}, programs)
		said, err := exec.Command(filepath.Join(root, "bin/api"), args...).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "in another data folder") {
			t.Errorf("api %s with another folder: %v\n%s", command[0], err, said)
		}
	}
	if _, err := os.Stat(filepath.Join(other, "site")); !os.IsNotExist(err) {
		t.Errorf("something was published into the other folder: %v", err)
	}

	first.mu.Lock()
	first.stopping = true
	first.mu.Unlock()
	first.signal(syscall.SIGKILL)
	<-first.gone
	second := worker(shared)
	later := upload()
	eventually(t, "the second worker writes the data set", func() bool {
		return latestHolds(later) && published(t, []*server{second}) != nil
	})
	if after := contents(t, dated[0]); after != before {
		t.Error("a dated snapshot has changed when another worker took over")
	}
	to := filepath.Join(t.TempDir(), "to")
	run(t, append([]string{"publish", "--to", to, "--data-dir", shared, "--database-url", c.URL()}, programs...)...)
	if _, err := os.Stat(filepath.Join(to, "index.html")); err != nil {
		t.Errorf("the worker's publication was not delivered: %v", err)
	}

	request, err := http.NewRequest(http.MethodDelete, "http://"+address+"/v1/results/"+taken, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secretOf(0))
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusNoContent {
		t.Fatalf("taking a result back: %v, %v", answer, err)
	}
	answer.Body.Close()
	eventually(t, "the second worker withdraws the first one's snapshot", func() bool {
		_, err := os.Stat(filepath.Join(dated[0], "WITHDRAWN.txt"))
		return err == nil
	})
	eventually(t, "the latest is without it", func() bool { return latestHolds(later) && !latestHolds(taken) })

	// The other folder replaces the shared one.
	run(t, "adopt", "--data-dir", other, "--database-url", c.URL())
	third := worker(other)
	eventually(t, "the other folder has taken its place", func() bool { return published(t, []*server{third}) != nil })
	stayed := len(published(t, []*server{second}))
	last := upload()
	eventually(t, "it is published there", func() bool {
		made := published(t, []*server{third})
		return value[int](t, c.URL(), "select count(*) from outbox where submission_id = $1", last) == 0 &&
			made[len(made)-1].Generation == value[int64](t, c.URL(), "select folded from publication")
	})
	if n := len(published(t, []*server{second})); n != stayed {
		t.Errorf("the worker of the replaced folder has published %d times more", n-stayed)
	}
}

// contents returns a hash of the names and contents of a folder's files.
func contents(t *testing.T, dir string) (sum [sha256.Size]byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := sha256.New()
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		of := sha256.Sum256(text)
		all.Write([]byte(e.Name()))
		all.Write(of[:])
	}
	return [sha256.Size]byte(all.Sum(nil))
}
