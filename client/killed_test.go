package main

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/result"
)

// After kill -9 in the middle of a test, nothing is left on the module, and its space is free again, on any file
// system. The test file has no name while it is written, and dd ends with the client.
func TestKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, filesystem := range []string{"ext2", "ext4", "vfat", "exfat", "f2fs", "xfs"} {
		t.Run(filesystem, func(t *testing.T) {
			t.Parallel()
			disk := looptest.MountAs(t, filesystem, 512<<20)
			_ = exec.Command("rmdir", filepath.Join(disk.Dir, "lost+found")).Run()
			free := freeBytes(t, disk.Dir)
			command, _ := client(t, "--no-upload", disk.Dir)
			said, err := command.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			begun := false
			for lines := bufio.NewScanner(said); lines.Scan(); {
				if !begun && strings.HasPrefix(lines.Text(), result.SeqWrite) {
					begun = true
					if left := freeBytes(t, disk.Dir); left > free-(4<<20) {
						t.Errorf("%d of %d bytes are free in the middle of the test", left, free)
					}
					if err := command.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = command.Wait()
			if !begun {
				t.Fatal("the test never began")
			}
			mustBeEmpty(t, disk.Dir)
			for range 200 { // until dd, which ends by itself, has ended
				if freeBytes(t, disk.Dir) >= free {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
			t.Errorf("%d of %d bytes are free", freeBytes(t, disk.Dir), free)
		})
	}
}

func freeBytes(t *testing.T, dir string) int64 {
	t.Helper()
	var space syscall.Statfs_t
	if err := syscall.Statfs(dir, &space); err != nil {
		t.Fatal(err)
	}
	return int64(space.Bfree) * int64(space.Bsize)
}
