package snapshot_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/looptest"
)

// After a power cut the disk holds synced data, and names whose data are missing. That matters around each rename. So
// the test kills the worker there, makes the file system commit its journal, as it does every few seconds, and looks at
// the disk as it is then.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64<<20, "")
	upkeeps(t, func(t *testing.T, b *bench, u upkeep) {
		if !strings.Contains(u.what, "new") {
			t.Skip("nothing is written that others have no part of")
		}
		dir := filepath.Join(disk.Dir, "archive")
		ready := func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			run(t, "cp", "-a", u.before, dir)
			run(t, "sync", "-f", dir)
		}
		ready()
		_, operations, _ := b.startWorker(t, dir, "test").update(u.now, fault{})
		cuts := 0
		done := map[string]int{}
		for i, operation := range operations {
			what := kindOf(operation)
			done[what]++
			if i == 0 || !strings.HasPrefix(operations[i-1], "renameat") {
				continue
			}
			cuts++
			ready()
			at := fault{point: point{what, done[what]}, kill: true}
			if _, _, killed := b.startWorker(t, dir, "test").update(u.now, at); !killed {
				t.Fatalf("the worker outlived %v", at.point)
			}
			other, err := os.Create(filepath.Join(disk.Dir, "other"))
			if err != nil {
				t.Fatal(err)
			}
			if err := other.Sync(); err != nil {
				t.Fatal(err)
			}
			other.Close()
			image := filepath.Join(shared(t), "image")
			run(t, "cp", "--sparse=always", disk.Image, image)
			after := looptest.MountAt(t, looptest.Over(t, image))
			if u.audit(t, b, newAuditor(), filepath.Join(after, "archive"), ""); t.Failed() {
				t.Fatalf("the power failed at %s", operation)
			}
		}
		if t.Logf("%d power cuts", cuts); cuts < 2 {
			t.Error("that is not every rename")
		}
	})
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
