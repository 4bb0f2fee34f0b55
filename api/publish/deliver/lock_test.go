package deliver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"flashdex/client/looptest"
)

// This makes the test binary deliver a folder, as a process that can be killed.
const deliverInstead = "FLASHDEX_TEST_DELIVER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(deliverInstead); dir != "" {
		if err := deliverAlone(context.Background(), dir, os.Args[1], os.Args[2]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// deliverAlone delivers under a lock, so that no other process delivers at the same time.
func deliverAlone(ctx context.Context, dir, to, lockPath string) error {
	lock, err := Lock(lockPath, func() { fmt.Println("waits") })
	if err != nil {
		return err
	}
	defer lock.Close()
	place, err := Open(to, lock)
	if err != nil {
		return err
	}
	_, err = Deliver(ctx, place, dir, time.Now())
	return err
}

// A delivery is killed while its rsync sends pages. The next delivery waits for that rsync, which would otherwise
// replace new pages by old ones.
func TestDeliveryWaitsForTheProgramsOfAKilledOne(t *testing.T) {
	if _, err := exec.LookPath("rsync"); err != nil {
		t.Skip("needs rsync")
	}
	work, place, lock := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "lock")
	// rsync's fourth run sends the pages. The test holds up its other end.
	shell := filepath.Join(work, "shell")
	if err := os.WriteFile(shell, []byte(`#!/bin/sh
cd "${0%/*}" && shift && echo >>runs
if [ "$(wc -l <runs)" -eq 4 ]; then
	touch held
	until [ -e go ]; do sleep 0.01; done
	sh -c "$*"
	touch sent
else
	sh -c "$*"
fi
`), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RSYNC_RSH", shell)
	start := func(page string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "somewhere:"+place, lock)
		cmd.Env = append(os.Environ(), deliverInstead+"="+
			publication(t, map[string]string{"index.html": page, "a.css": page}), "GORACE=atexit_sleep_ms=0")
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	until := func(name string) {
		t.Helper()
		for {
			if _, err := os.Stat(filepath.Join(work, name)); err == nil {
				return
			}
			select {
			case <-t.Context().Done():
				t.Fatal("never ", name)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	release := func() {
		if err := os.WriteFile(filepath.Join(work, "go"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := start("old")
	until("held")
	if err := old.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = old.Wait()
	file, err := os.OpenFile(lock, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	free := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(free, syscall.EWOULDBLOCK) {
		t.Errorf("the killed delivery's rsync doesn't hold the lock: %v", free)
	}
	next := start("new")
	if free == nil { // the next delivery is only right if it ends after the old one
		_ = next.Wait()
		release()
		until("sent")
	} else {
		release()
		if err := next.Wait(); err != nil {
			t.Error(err)
		}
	}
	to, err := Open(place, nil)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, to, map[string]string{"index.html": "new", "a.css": "new"})
}

// If the power fails after a delivery, the manifest at the place lists no lost file.
func TestPowerCutAfterADelivery(t *testing.T) {
	disk := looptest.Mount(t, 32<<20, "")
	files := map[string]string{"index.html": "home", "modules/a.csv": "a", stylesheet: "p{}"}
	place, err := Open(filepath.Join(disk.Dir, "place"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Deliver(t.Context(), place, publication(t, files), time.Now()); err != nil {
		t.Fatal(err)
	}
	// Another program puts its own file on the disk, and with it the names of all files.
	file, err := os.Create(filepath.Join(disk.Dir, "commit"))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
	image := filepath.Join(t.TempDir(), "image") // without what the file system keeps in memory
	if out, err := exec.Command("cp", "--sparse=always", disk.Image, image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left, err := Open(filepath.Join(looptest.MountAt(t, looptest.Over(t, image)), "place"), nil)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, left, files)
	if there, err := readManifest(t.Context(), left); err != nil || len(there.Files) != len(files) {
		t.Errorf("the manifest lists %d files, %v", len(there.Files), err)
	}
}
