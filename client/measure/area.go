package measure

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"flashdex/client/device"
)

// area is the test file, or a region of a whole device. The file loses its name as soon as it is made, so that nothing
// can leave it behind, not even kill -9; it is reached through /proc/self/fd.
type area struct {
	file  store
	start int64 // where in the file or device the area begins
	bytes int64 // written in a line; what the random tests go over
}

// store is what the area lies in.
type store struct {
	*os.File
	device bool
}

// Truncate empties the test file. A device can't be emptied: what waits for it in the page cache is written instead.
func (s store) Truncate(size int64) error {
	if s.device {
		return s.Sync()
	}
	return s.File.Truncate(size)
}

// newArea makes the test file in the directory at path, or opens the whole device at path.
func newArea(path string) (*area, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return newRegion(path)
	}
	return newFile(path)
}

// newRegion opens a whole device that the target holds.
func newRegion(path string) (*area, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("the device can't be opened: %w", err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &area{file: store{file, true}, start: device.AreaStart(size)}, nil
}

// ErrLeftBehind says that the test file, which is empty, is still there.
var ErrLeftBehind = errors.New("the test file can't be removed while it is open, and so might be left behind; nothing was written to it, remove it by hand")

func newFile(dir string) (*area, error) {
	var random [8]byte
	rand.Read(random[:])
	name := filepath.Join(dir, ".flashdex-"+hex.EncodeToString(random[:])+".tmp")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the test file can't be made: %w", err)
	}
	if err := os.Remove(name); err != nil {
		file.Close()
		return nil, fmt.Errorf("%w: %w", ErrLeftBehind, err)
	}
	return &area{file: store{file, false}}, nil
}

func (a *area) close() { a.file.Close() }

// direct opens the file again, past the page cache.
func (a *area) direct(flags int) (*os.File, error) {
	path := "/proc/self/fd/" + strconv.Itoa(int(a.file.Fd()))
	fd, err := syscall.Open(path, flags|syscall.O_DIRECT|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no direct I/O here (O_DIRECT: %w), and without it the page cache would be measured", err)
	}
	return os.NewFile(uintptr(fd), "the test area"), nil
}

// cached says whether the page cache holds any of the first bytes: after reads that were to go past it, it must not.
func (a *area) cached(bytes int64) bool {
	memory, err := syscall.Mmap(int(a.file.Fd()), a.start, int(bytes), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return false
	}
	defer syscall.Munmap(memory)
	pages := make([]byte, (len(memory)+os.Getpagesize()-1)/os.Getpagesize())
	_, _, errno := syscall.Syscall(syscall.SYS_MINCORE, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(unsafe.Pointer(&pages[0])))
	return errno == 0 && slices.ContainsFunc(pages, func(page byte) bool { return page&1 != 0 })
}

// aligned returns memory that begins on a page, as direct I/O needs it, and a function that gives it back.
func aligned(bytes int64) ([]byte, func(), error) {
	memory, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("no %d KiB of memory: %w", bytes>>10, err)
	}
	return memory, func() { _ = syscall.Munmap(memory) }, nil
}

// newRandom returns a generator of incompressible data, different for every test.
func newRandom() *mathrand.ChaCha8 {
	var seed [32]byte
	rand.Read(seed[:])
	return mathrand.NewChaCha8(seed)
}
