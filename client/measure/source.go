package measure

import (
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// source is a file in memory that dd copies random data from.
type source struct {
	file   *os.File
	random *mathrand.ChaCha8
	buffer []byte
}

// memfdCreate is the number of the system call, which package syscall doesn't name everywhere.
var memfdCreate = map[string]uintptr{
	"386": 356, "amd64": 319, "arm": 385, "arm64": 279, "loong64": 279, "mips": 4354, "mips64": 5314, "mips64le": 5314,
	"mipsle": 4354, "ppc64le": 360, "riscv64": 279, "s390x": 350,
}

func newSource(bytes int64) (*source, error) {
	name := []byte("flashdex\x00")
	const closeOnExec = 1
	fd, _, errno := syscall.Syscall(memfdCreate[runtime.GOARCH], uintptr(unsafe.Pointer(&name[0])), closeOnExec, 0)
	if errno == 0 {
		return sourceOf(os.NewFile(fd, "random data")), nil
	}
	file, err := os.CreateTemp("", "flashdex-") // Linux before 3.17
	if err != nil {
		return nil, fmt.Errorf("no room for the %d MiB of random data to write: %w", bytes>>20, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return sourceOf(file), nil
}

func sourceOf(file *os.File) *source {
	return &source{file: file, random: newRandom(), buffer: make([]byte, 64<<10)}
}

// refill replaces the first bytes of the source, so that no two chunks are alike.
func (s *source) refill(bytes int64) error {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for done := int64(0); done < bytes; {
		part := s.buffer[:min(int64(len(s.buffer)), bytes-done)]
		s.random.Read(part) // never fails
		if _, err := s.file.Write(part); err != nil {
			return fmt.Errorf("no memory for %d MiB of random data: %w", bytes>>20, err)
		}
		done += int64(len(part))
	}
	return nil
}

func (s *source) close() { s.file.Close() }
