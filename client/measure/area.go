package measure

import (
	cryptorand "crypto/rand"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"flashdex/client/device"
	"flashdex/client/direct"
)

// area is the test file, or a region of a whole device. The file has no name and is reached through /proc/self/fd.
type area struct {
	*os.File
	device bool
	start  int64 // where the area begins in the file or device
	bytes  int64 // size, as the linear write left it; the random tests cover it
}

// empty empties the test file. A device can't be emptied, so for a device it writes the dirty pages of the page cache.
func (a *area) empty() error {
	if a.device {
		return a.Sync()
	}
	return a.Truncate(0)
}

// synced makes the module take everything that was written. It returns how long that took.
func (a *area) synced() (ns int64, err error) {
	return timeOf(a.Sync)
}

// timeOf returns how long a sync took.
func timeOf(sync func() error) (ns int64, err error) {
	before := time.Now()
	if err := sync(); err != nil {
		return 0, fmt.Errorf("the module didn't take the data: %w", err)
	}
	return time.Since(before).Nanoseconds(), nil
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
	file, err := direct.UnnamedFile(path, 0)
	return &area{File: file}, err
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
	return &area{File: file, device: true, start: device.AreaStart(size)}, nil
}

// direct opens the file again, past the page cache.
func (a *area) direct(flags int) (*os.File, error) {
	fd, err := syscall.Open(fmt.Sprintf("/proc/self/fd/%d", a.Fd()), flags|syscall.O_DIRECT|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no direct I/O here (O_DIRECT: %w); without it the page cache would be measured", err)
	}
	return os.NewFile(uintptr(fd), "the test area"), nil
}

// cached reports whether the page cache holds any of the first bytes. After direct reads it must hold none.
func (a *area) cached(bytes int64) bool {
	memory, err := syscall.Mmap(int(a.Fd()), a.start, int(bytes), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return false
	}
	defer syscall.Munmap(memory)
	pages := make([]byte, (len(memory)+os.Getpagesize()-1)/os.Getpagesize())
	_, _, errno := syscall.Syscall(syscall.SYS_MINCORE,
		uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(unsafe.Pointer(&pages[0])))
	return errno == 0 && slices.ContainsFunc(pages, func(page byte) bool { return page&1 != 0 })
}

// newRandom returns a generator of incompressible data that differ from test to test.
func newRandom() *rand.ChaCha8 {
	var seed [32]byte
	cryptorand.Read(seed[:])
	return rand.NewChaCha8(seed)
}
