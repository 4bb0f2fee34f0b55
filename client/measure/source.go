package measure

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"flashdex/client/direct"
)

// source is a file in memory from which dd copies random data.
type source struct {
	file   *os.File
	random *rand.ChaCha8
	buffer []byte
}

// memfdCreate is the number of the system call. Package syscall lacks it on some architectures.
var memfdCreate = map[string]uintptr{
	"386": 356, "amd64": 319, "arm": 385, "arm64": 279, "loong64": 279, "mips": 4354, "mips64": 5314, "mips64le": 5314,
	"mipsle": 4354, "ppc64le": 360, "riscv64": 279, "s390x": 350,
}

func newSource(bytes int64) (*source, error) {
	name := []byte("flashdex\x00")
	const closeOnExec = 1
	var file *os.File
	fd, _, errno := syscall.Syscall(memfdCreate[runtime.GOARCH], uintptr(unsafe.Pointer(&name[0])), closeOnExec, 0)
	if errno == 0 {
		file = os.NewFile(fd, "random data")
	} else { // Linux before 3.17
		var err error
		if file, err = direct.UnnamedFile(os.TempDir(), 0); err != nil {
			return nil, fmt.Errorf("no room for the %d MiB of random data to write: %w", bytes>>20, err)
		}
	}
	return &source{file: file, random: newRandom(), buffer: make([]byte, 64<<10)}, nil
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
