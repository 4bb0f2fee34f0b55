package spool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/spool"
)

func mustHaveRoom(t *testing.T, s spool.Spool) {
	t.Helper()
	before, err := os.ReadDir(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckRoom(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadDir(s.Dir); err != nil || len(after) != len(before) {
		t.Errorf("%d files became %d, %v", len(before), len(after), err)
	}
}

func mustHaveNone(t *testing.T, s spool.Spool, says string) {
	t.Helper()
	if err := s.CheckRoom(); err == nil || !strings.Contains(err.Error(), says) ||
		!strings.HasSuffix(err.Error(), "Nothing was measured") {
		t.Errorf("%v, want %q", err, says)
	}
}

func TestRoomForResults(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i := range 9_998 {
		name := filepath.Join(s.Dir, fmt.Sprint(i))
		for _, suffix := range []string{".json", ".receipt.json"} {
			if err := os.WriteFile(name+suffix, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	mustHaveRoom(t, s)
	if err := os.WriteFile(filepath.Join(s.Dir, "last.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustHaveNone(t, s, s.Dir+" holds 10000 results of 0 MiB")

	s, path := open(t)
	for bytes, room := range map[int64]bool{1023 << 20: true, 1023<<20 + 1: false} {
		if err := os.Truncate(path, bytes); err != nil { // a hole takes no room
			t.Fatal(err)
		}
		if room {
			mustHaveRoom(t, s)
		} else {
			mustHaveNone(t, s, "holds 1 results of 1023 MiB")
		}
	}
}

func TestRoomOnTheFileSystem(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 16<<20, "")
	s := spool.Spool{Dir: disk.Dir}
	mustHaveRoom(t, s)
	var space syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &space); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(s.Dir, "filler")
	if err := os.WriteFile(filler, make([]byte, int64(space.Bavail)*int64(space.Bsize)-(512<<10)), 0o600); err != nil {
		t.Fatal(err)
	}
	mustHaveNone(t, s, "has less than 1 MiB free")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", disk.Dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	mustHaveNone(t, s, "read-only file system; set FLASHDEX_DIR")
	mustHaveNone(t, spool.Spool{Dir: filepath.Join(disk.Dir, "gone")}, "set FLASHDEX_DIR")
}
