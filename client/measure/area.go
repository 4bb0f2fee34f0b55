package measure

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// area is the test file. It loses its name as soon as it is made, so that nothing can leave it behind, not even
// kill -9; it is reached through /proc/self/fd.
type area struct {
	file  *os.File
	bytes int64 // written in a line; what the random tests go over
}

func newArea(dir string) (*area, error) {
	var random [8]byte
	rand.Read(random[:])
	name := filepath.Join(dir, ".flashdex-"+hex.EncodeToString(random[:])+".tmp")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the test file can't be made: %w", err)
	}
	if err := os.Remove(name); err != nil {
		file.Close()
		return nil, fmt.Errorf("the test file can't be removed while it is open, and so might be left behind; nothing was written to it: %w", err)
	}
	return &area{file: file}, nil
}

func (a *area) close() { a.file.Close() }

// direct opens the file again, past the page cache.
func (a *area) direct(flags int) (*os.File, error) {
	path := "/proc/self/fd/" + strconv.Itoa(int(a.file.Fd()))
	fd, err := syscall.Open(path, flags|syscall.O_DIRECT|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("the file system allows no direct I/O (O_DIRECT: %w), and without it the page cache would be measured", err)
	}
	return os.NewFile(uintptr(fd), "the test file"), nil
}

// cached says whether the page cache holds any of the first bytes: after reads that were to go past it, it must not.
func (a *area) cached(bytes int64) bool {
	memory, err := syscall.Mmap(int(a.file.Fd()), 0, int(bytes), syscall.PROT_READ, syscall.MAP_SHARED)
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
