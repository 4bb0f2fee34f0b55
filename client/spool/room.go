package spool

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// The spool never drops a result, so it refuses to begin one that it could not keep.
const (
	mostResults   = 10_000
	mostBytes     = 1 << 30
	largestResult = 1 << 20 // that the site accepts
)

// CheckRoom returns an error if another result could not be kept.
func (s Spool) CheckRoom() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return cantKeep(err, "a directory of your own")
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
		return fmt.Errorf("%s holds %d results of %d MiB, and no more are taken, so that none is lost: upload those that "+
			"wait (flashdex upload), then move some of them elsewhere, or set FLASHDEX_DIR to another directory. Nothing was "+
			"measured", s.Dir, len(results), bytes>>20)
	}
	var space syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &space); err == nil && int64(space.Bavail) < largestResult/int64(space.Bsize) {
		return fmt.Errorf("the file system of %s, where results are kept, has less than %d MiB free; make room there or set "+
			"FLASHDEX_DIR to another directory. Nothing was measured", s.Dir, largestResult>>20)
	}
	// Only a try finds missing rights, quotas, missing inodes and file systems that became read-only.
	file, err := os.CreateTemp(s.Dir, "try.*.tmp")
	if err == nil {
		_, err = file.WriteString(strings.Repeat("\n", 4096))
		err = errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return cantKeep(err, "a directory that you can write to")
	}
	return nil
}

func cantKeep(err error, better string) error {
	return fmt.Errorf("results can't be kept: %w; set FLASHDEX_DIR to %s. Nothing was measured", err, better)
}
