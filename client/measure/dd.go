package measure

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/result"
)

// newDD returns the machine's dd with direct I/O. It writes data from a file in memory. No figure comes from dd's
// output.
//
// For blocks of 512 bytes, dd gets no bs, as in the article of 2012: 512 bytes are its default.
func (r *Run) newDD(s Step, a *area, chunkBytes int64) (e engine, err error) {
	path, err := exec.LookPath(cmp.Or(r.DD, "dd"))
	if err != nil {
		return e, err
	}
	var source *os.File // nil: dd reads, or writes zeros
	if writes(s.Test) && !s.Zeros {
		if source, err = newSource(chunkBytes); err != nil {
			return e, err
		}
		e.random = newRandom()
	}
	e.name, e.version, e.close = "dd", versionOfDD(path), func() { source.Close() }
	e.prepare = func(bytes int64) error {
		if s.Zeros {
			return nil
		}
		_, err := source.Seek(0, io.SeekStart)
		if err == nil {
			_, err = io.CopyN(source, e.random, bytes)
		}
		if err != nil {
			return fmt.Errorf("no memory for %d MiB of random data: %w", bytes>>20, err)
		}
		return nil
	}
	e.transfer = func(ctx context.Context, offset, length int64) error {
		block, files := s.blockBytes(), []*os.File{a.File}
		args, at := []string{fmt.Sprintf("count=%d", length/block)}, (a.start+offset)/block
		if block != printedBytes {
			args = append(args, "bs=1M")
		}
		if s.Test == result.SeqRead {
			return runDD(ctx, files, path, append(args, fmt.Sprintf("skip=%d", at), "iflag=direct", "if=/proc/self/fd/3",
				"of=/dev/null")...)
		}
		from := "if=/dev/zero"
		if source != nil {
			from, files = "if=/proc/self/fd/4", append(files, source)
		}
		return runDD(ctx, files, path, append(args, fmt.Sprintf("seek=%d", at), "oflag=direct", "conv=notrunc", from,
			"of=/proc/self/fd/3")...)
	}
	return e, nil
}

// runDD runs dd with files as its descriptors from 3 on.
func runDD(ctx context.Context, files []*os.File, path string, args ...string) error {
	command := exec.CommandContext(ctx, path, args...)
	command.Env = append(os.Environ(), "LC_ALL=C")
	command.ExtraFiles = files
	defer device.Tie(command)()
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Run(); err != nil {
		if strings.Contains(said.String(), syscall.ENOSPC.Error()) || strings.Contains(said.String(), "No space left") {
			err = syscall.ENOSPC
		}
		return fmt.Errorf("dd: %w", err)
	}
	return nil
}

// versionOfDD asks dd for its version.
func versionOfDD(path string) string {
	said, _ := exec.Command(path, "--version").CombinedOutput()
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "coreutils") || strings.Contains(line, "BusyBox") || strings.Contains(line, "toybox") {
			line, _, _ = strings.Cut(line, " multi-call")
			return strings.TrimSpace(device.Keep(line, device.Letters+device.Digits+" .()+_-", 60))
		}
	}
	return ""
}

// memfdCreate is the number of the system call. Package syscall lacks it on some architectures.
var memfdCreate = map[string]uintptr{
	"386": 356, "amd64": 319, "arm": 385, "arm64": 279, "loong64": 279, "mips": 4354, "mips64": 5314, "mips64le": 5314,
	"mipsle": 4354, "ppc64le": 360, "riscv64": 279, "s390x": 350,
}

// newSource makes a file in memory from which dd copies random data.
func newSource(bytes int64) (*os.File, error) {
	name := []byte("flashdex\x00")
	const closeOnExec = 1
	fd, _, errno := syscall.Syscall(memfdCreate[runtime.GOARCH], uintptr(unsafe.Pointer(&name[0])), closeOnExec, 0)
	if errno == 0 {
		return os.NewFile(fd, "random data"), nil
	}
	file, err := direct.UnnamedFile(os.TempDir(), 0) // Linux before 3.17
	if err != nil {
		return nil, fmt.Errorf("no room for the %d MiB of random data to write: %w", bytes>>20, err)
	}
	return file, nil
}
