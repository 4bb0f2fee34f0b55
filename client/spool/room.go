package spool

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// The spool refuses to begin what it could not keep, since it never drops anything.
const (
	mostResults   = 10_000
	mostBytes     = 1 << 30
	largestResult = 1 << 20 // as the site takes it
)

// CheckRoom says why another result could not be kept, before it is measured.
func (s Spool) CheckRoom() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to a directory of your own. Nothing was measured", err)
	}
	var bytes int64
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
	}
	results, err := s.results()
	if err != nil {
		return err
	}
	if len(results) >= mostResults || bytes > mostBytes-largestResult {
		return fmt.Errorf("%d results of %d MiB are kept in %s, and no more are taken, so that none is lost: upload those that wait (flashdex upload), then move some of them elsewhere, or set FLASHDEX_DIR to another directory. Nothing was measured",
			len(results), bytes>>20, s.Dir)
	}
	var space syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &space); err == nil && int64(space.Bavail) < largestResult/int64(space.Bsize) {
		return fmt.Errorf("the file system of %s, where results are kept, has less than %d MiB free; make room there or set FLASHDEX_DIR to another directory. Nothing was measured",
			s.Dir, largestResult>>20)
	}
	// Rights, quotas, inodes and file systems that became read-only are only found by trying.
	file, err := os.CreateTemp(s.Dir, "try.*.tmp")
	if err == nil {
		_, err = file.WriteString(strings.Repeat("\n", 4096))
		file.Close()
		if removeErr := os.Remove(file.Name()); err == nil {
			err = removeErr
		}
	}
	if err != nil {
		return fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to a directory that you can write to. Nothing was measured", err)
	}
	return nil
}
