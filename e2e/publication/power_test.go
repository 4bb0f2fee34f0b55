package publication

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"flashdex/client/looptest"
)

// Whenever the power fails during a publication, current leads to a whole publication. After the publisher's last step,
// it leads to the new one.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	disk := looptest.Mount(t, 64<<20, "")
	b := openWith(t, 1)
	b.dir = filepath.Join(disk.Dir, "site")
	// The first publication is cut after its last call. The next ones are cut while they link pages of the one before.
	// All others are made in the folder of an old one.
	for _, call := range []string{"fsync", "linkat", "renameat", "symlinkat", "syncfs"} {
		n := 1
		for ; !t.Failed(); n++ {
			a := publishUntil(t, call, n, b.url, b.dir)
			if !a.stopped(t) {
				break
			}
			b.cut(t, disk, call != "fsync")
			if a.resume(t); t.Failed() {
				t.Logf("the power failed after %s", a.at())
			}
		}
		if t.Logf("%d power cuts after a call of %s", n-1, call); n == 1 {
			t.Errorf("that is no call of a publisher")
		}
	}
}

// cut looks at what the disk would hold if the power failed now, or right after a commit of a database on that disk.
func (b *bundle) cut(t *testing.T, disk looptest.Disk, commits bool) {
	t.Helper()
	shown, err := os.Readlink(filepath.Join(b.dir, "current"))
	if err != nil {
		t.Fatal(err)
	}
	if commits {
		file, err := os.Create(filepath.Join(disk.Dir, "commit"))
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	// Data that the file system keeps only in memory aren't in the image.
	image := filepath.Join(t.TempDir(), "image")
	if out, err := exec.Command("cp", "--sparse=always", disk.Image, image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("power cut", func(t *testing.T) { // detaches the copy at its end
		site := filepath.Join(looptest.MountAt(t, looptest.Over(t, image)), filepath.Base(b.dir))
		whole(t, site)
		if name, err := os.Readlink(filepath.Join(site, "current")); name != shown {
			t.Errorf("current leads to %s instead of %s, %v", name, shown, err)
		}
	})
	if err := os.Remove(image); err != nil {
		t.Fatal(err)
	}
}
