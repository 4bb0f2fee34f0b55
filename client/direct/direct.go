// Package direct makes the files and the memory that tests with direct I/O need.
package direct

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrLeftBehind says that an empty test file is still there.
var ErrLeftBehind = errors.New("the test file can't be removed while it is open, and so may be left behind; nothing " +
	"was written to it, remove it by hand")

// UnnamedFile makes a file in dir, opened for reading and writing with more flags, and removes its name at once, so
// that nothing can leave it behind, not even kill -9.
func UnnamedFile(dir string, flags int) (*os.File, error) {
	name := filepath.Join(dir, ".flashdex-"+rand.Text()+".tmp")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|flags, 0o600)
	if errors.Is(err, syscall.EINVAL) { // the kernel makes the file before it refuses the flag
		_ = os.Remove(name)
		return nil, fmt.Errorf("the file system allows no direct I/O (O_DIRECT: %w), and without it the page cache would "+
			"be tested", err)
	} else if err != nil {
		return nil, fmt.Errorf("the test file can't be made: %w", err)
	}
	if err := os.Remove(name); err != nil {
		file.Close()
		return nil, fmt.Errorf("%w: %w", ErrLeftBehind, err)
	}
	return file, nil
}

// Memory returns memory that begins on a page, as direct I/O needs it, and a function that releases it.
func Memory(bytes int64) (memory []byte, release func(), err error) {
	memory, err = syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("no %d KiB of memory: %w", bytes>>10, err)
	}
	return memory, func() { _ = syscall.Munmap(memory) }, nil
}

// Gone reports whether an error of the kernel means that a device is no longer there.
func Gone(err error) bool {
	return errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENOMEDIUM)
}
