package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
)

// attach makes a block device that behaves like a simulated one. It is a loop device over the only file of a FUSE file
// system (linux/fuse.h), which this process serves.
func attach(t *testing.T, device *simulated) (path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("needs FUSE: %v", err)
	}
	file := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=%o,user_id=0,group_id=0", fd, syscall.S_IFREG)
	if err := syscall.Mount("flashdex-test", file, "fuse", 0, options); err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		serve(fd, device)
	}()
	t.Cleanup(func() {
		if err := syscall.Unmount(file, syscall.MNT_DETACH); err != nil {
			t.Error(err)
			return
		}
		<-served
		syscall.Close(fd)
	})
	return looptest.Over(t, file, "--sector-size=4096")
}

// serve answers the kernel's requests until the file system is unmounted.
func serve(fd int, device *simulated) {
	const (
		getattr, setattr, open, read, write, release, fsync, flush, initialise = 3, 4, 14, 15, 16, 18, 20, 25, 26
		inHeader, argument, maxWrite                                           = 40, 40, 128 << 10
	)
	le := binary.LittleEndian
	request := make([]byte, inHeader+argument+maxWrite+4096)
	for {
		n, err := syscall.Read(fd, request)
		if errors.Is(err, syscall.EINTR) || errors.Is(err, syscall.ENOENT) {
			continue
		} else if err != nil || n < inHeader {
			return
		}
		var answer []byte
		var errno syscall.Errno
		body := request[inHeader:n]
		switch le.Uint32(request[4:]) {
		case initialise:
			answer = make([]byte, 64)
			le.PutUint32(answer, 7)
			le.PutUint32(answer[4:], 31)
			le.PutUint32(answer[20:], maxWrite)
		case getattr, setattr:
			answer = make([]byte, 104)
			le.PutUint64(answer[16:], 1) // inode
			le.PutUint64(answer[24:], uint64(device.claims))
			le.PutUint32(answer[76:], syscall.S_IFREG|0o600)
			le.PutUint32(answer[80:], 1) // links
		case open:
			answer = make([]byte, 16)
			le.PutUint32(answer[8:], 1) // not through the page cache
		case read:
			answer = make([]byte, le.Uint32(body[16:]))
			if _, err := device.ReadAt(answer, int64(le.Uint64(body[8:]))); err != nil {
				answer, errno = nil, syscall.EIO
			}
		case write:
			size := le.Uint32(body[16:])
			answer = make([]byte, 8)
			le.PutUint32(answer, size)
			if _, err := device.WriteAt(body[argument:][:size], int64(le.Uint64(body[8:]))); err != nil {
				answer, errno = nil, syscall.EIO
			}
		case release, fsync, flush:
		default:
			errno = syscall.ENOSYS
		}
		header := make([]byte, 16, 16+len(answer))
		le.PutUint32(header, uint32(16+len(answer)))
		le.PutUint32(header[4:], uint32(-int32(errno)))
		copy(header[8:], request[8:16])
		// The kernel may have given up the request.
		_, _ = syscall.Write(fd, append(header, answer...))
	}
}

// The probe finds the same on real block devices with direct I/O as in the simulation.
func TestProbeOfRealBlockDevices(t *testing.T) {
	t.Parallel()
	const claims, real = 256 << 20, 12345
	for name, c := range map[string]struct {
		where func(int64) (int64, bool)
		bytes int64
		kind  Kind
	}{
		"genuine":  {honest, claims, Genuine},
		"limited":  {limited(real), real * blockBytes, Limited},
		"wrapped":  {wrapped(real), real * blockBytes, Wrapped},
		"mirrored": {func(block int64) (int64, bool) { return min(block, 2*40_000-1-block), true }, 0, Chained},
		"hashed":   {func(block int64) (int64, bool) { return scattered(block, 7) % real, true }, 0, Chained},
		"chained": {func(block int64) (int64, bool) { return block, block < real || block > 2*real }, real * blockBytes,
			Chained},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			device := newSimulated(claims, c.where)
			device.cacheBlocks = 500
			file, err := os.OpenFile(attach(t, device), os.O_RDWR|os.O_EXCL|syscall.O_DIRECT, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			probe := Probe{Device: file, SizeBytes: claims}
			if found, err := probe.Do(context.Background()); err != nil || found.Kind != c.kind ||
				found.RealBytes != c.bytes && c.bytes > 0 {
				t.Errorf("%+v, %v; want %s, %d bytes", found, err, c.kind, c.bytes)
			}
		})
	}
}

// A module whose reads fail for too long ends the test, which tells what it knows until then.
func TestSpaceEndsWhereErrorsLast(t *testing.T) {
	t.Parallel()
	device := newSimulated(128<<20, honest)
	device.bad = []badRegion{{20_000, 22_000, readFails}} // beyond what the file system keeps for itself
	disk := attach(t, device)
	mkfs := exec.Command("mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^has_journal", disk)
	if said, err := mkfs.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	space, err := NewSpace(looptest.MountAt(t, disk), false)
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	var found Content
	err = space.Write(context.Background(), &found)
	space.waiting = waiting(patience) // as if others had failed before
	if err := errors.Join(err, space.Read(context.Background(), &found)); err != nil {
		t.Fatal(err)
	}
	if !found.Stopped || found.Sound() || found.ReadBytes >= found.WrittenBytes || found.Sectors[Good] == 0 ||
		found.Sectors[Unreadable] != stepBytes/SectorBytes {
		t.Errorf("%+v", found)
	}
}

// On a fake with a file system, the blocks beyond the real size are lost without any error.
func TestSpaceOnAFakeBlockDevice(t *testing.T) {
	t.Parallel()
	const claims, real = 128 << 20, 80 << 20
	disk := attach(t, newSimulated(claims, limited(real/blockBytes)))
	if said, err := exec.Command("mkfs.ext4", "-q", "-F", "-b", "4096", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	space, err := NewSpace(looptest.MountAt(t, disk), false)
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	var found Content
	if err := errors.Join(space.Write(context.Background(), &found),
		space.Read(context.Background(), &found)); err != nil {
		t.Fatal(err)
	}
	// The file system keeps the rest for itself and for root.
	lost := (found.Sectors[Blank] + found.Sectors[Foreign]) * SectorBytes
	if found.Sound() || found.WriteError != nil || lost < (claims-real)/2 || lost > claims-real ||
		lost+found.Sectors[Good]*SectorBytes != found.ReadBytes {
		t.Errorf("%+v", found)
	}
	if words := found.Words(); !strings.Contains(words, "is lost. That is the sign of a fake.") {
		t.Error(words)
	}
}
