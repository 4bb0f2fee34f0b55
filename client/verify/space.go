package verify

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	stepBytes = 1 << 20 // of one write or read

	// fileBytes is below the limit of FAT32, 4 GiB less one byte.
	fileBytes = 4<<30 - stepBytes

	reserveBytes = 64 << 20
)

// Space is the free space of a file system, to be filled with addressed sectors. The files that fill it have no name
// from the moment they exist, so that nothing can leave them behind, not even kill -9.
type Space struct {
	Bytes     int64          // that will be written: the free space less a reserve, in whole MiB
	UsedBytes int64          // of the file system before
	Progress  func(Progress) // called about once a second; may be nil

	dir     string
	reserve int64
	run     uint64
	files   []*os.File
}

// Progress says how far a phase is.
type Progress struct {
	Phase       string // of a Space "write" or "read"; of a Probe "blocks", "stretch" or "check"
	Done, Total int64  // bytes of a Space, blocks of a Probe
	Elapsed     time.Duration
	Left        time.Duration // as far as it can be told: of a Space until the end, of a Probe until the phase ends
}

// Content is what was found in a Space.
type Content struct {
	WrittenBytes, ReadBytes int64
	Sectors                 Tally
	FirstBad                int64 // byte, counted in the order of writing; -1 if there is none
	WriteError              error // why writing ended early: the module failed
}

// Sound says whether everything that was written was read, and was right.
func (c Content) Sound() bool {
	return c.WriteError == nil && c.Sectors.Bad() == 0 && c.ReadBytes == c.WrittenBytes
}

// NewSpace looks how much of the file system of dir can be filled. It keeps 1 % or 64 MiB free: whichever is less, or
// on a file system that the machine runs from, whichever is more.
func NewSpace(dir string, system bool) (*Space, error) {
	s := &Space{dir: dir, run: NewRun()}
	space, err := s.look()
	if err != nil {
		return nil, err
	}
	free := int64(space.Bavail) * int64(space.Bsize)
	s.UsedBytes = int64(space.Blocks-space.Bfree) * int64(space.Bsize)
	s.reserve = min(free/100, reserveBytes)
	if system {
		s.reserve = max(free/100, reserveBytes)
	}
	if s.Bytes = (free - s.reserve) / stepBytes * stepBytes; s.Bytes <= 0 {
		return nil, fmt.Errorf("%s has %.1f MB free, too little to check anything; make room and run it again", dir, float64(free)/1e6)
	}
	return s, nil
}

func (s *Space) look() (space syscall.Statfs_t, err error) {
	if err := syscall.Statfs(s.dir, &space); err != nil {
		return space, fmt.Errorf("%s: %w", s.dir, err)
	}
	return space, nil
}

// short says whether the file system has no more than the reserve free.
func (s *Space) short() bool {
	space, err := s.look()
	return err == nil && int64(space.Bavail)*int64(space.Bsize) < s.reserve
}

// full says whether a write failed because the file system is full. A device may say so too, and then it isn't.
func (s *Space) full(err error) bool {
	return errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.ENOSPC) && s.short()
}

// Close gives the space back.
func (s *Space) Close() {
	for _, file := range s.files {
		file.Close()
	}
	s.files = nil
}

// Write fills the space. A full file system ends it early without an error; so does a module that fails, which is
// found.WriteError. When the context ends, the error is its cause.
func (s *Space) Write(ctx context.Context, found *Content) error {
	found.FirstBad = -1
	now, next, release, err := twoSteps()
	if err != nil {
		return err
	}
	defer release()
	Build(now, s.run, 0)
	clock := newClock(s.Progress, "write")
	for found.WrittenBytes < s.Bytes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s.short() {
			break
		}
		if found.WrittenBytes%fileBytes == 0 {
			file, err := unnamed(s.dir)
			if err != nil && len(s.files) > 0 {
				found.WriteError = err
				break
			} else if err != nil {
				return err
			}
			s.files = append(s.files, file)
		}
		// The generator works while the module does.
		built := make(chan struct{})
		go func() {
			Build(next, s.run, (found.WrittenBytes+stepBytes)/SectorBytes)
			close(built)
		}()
		_, err := s.files[len(s.files)-1].WriteAt(now, found.WrittenBytes%fileBytes)
		<-built
		if s.full(err) {
			break
		} else if err != nil {
			found.WriteError = err
			break
		}
		found.WrittenBytes += stepBytes
		now, next = next, now
		clock.show(found.WrittenBytes, s.Bytes)
	}
	for _, file := range s.files {
		if err := file.Sync(); err != nil && found.WriteError == nil {
			found.WriteError = err
		}
	}
	return nil
}

// Read reads back what Write wrote, and counts what came. When the context ends, the error is its cause, and found is
// what was read until then.
func (s *Space) Read(ctx context.Context, found *Content) error {
	now, next, release, err := twoSteps()
	if err != nil {
		return err
	}
	defer release()
	want := make([]byte, stepBytes)
	examined := make(chan struct{})
	close(examined)
	defer func() { <-examined }()
	clock := newClock(s.Progress, "read")
	for at := int64(0); at < found.WrittenBytes; at += stepBytes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		_, err := s.files[at/fileBytes].ReadAt(now, at%fileBytes)
		// The one before is examined while the module works.
		<-examined
		examined = make(chan struct{})
		go func(p []byte, err error, done chan struct{}) {
			defer close(done)
			bad := at / SectorBytes
			if err != nil {
				found.Sectors[Unreadable] += stepBytes / SectorBytes
			} else {
				bad = found.Sectors.examine(p, want, s.run, at/SectorBytes)
			}
			if bad >= 0 && found.FirstBad < 0 {
				found.FirstBad = bad * SectorBytes
			}
			found.ReadBytes += stepBytes
		}(now, err, examined)
		now, next = next, now
		clock.show(at+stepBytes, found.WrittenBytes)
	}
	return nil
}

// unnamed makes a file that has no name, for direct I/O.
func unnamed(dir string) (*os.File, error) {
	var random [8]byte
	rand.Read(random[:])
	name := filepath.Join(dir, ".flashdex-"+hex.EncodeToString(random[:])+".tmp")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_DIRECT, 0o600)
	if errors.Is(err, syscall.EINVAL) {
		// The file is made before the flag is refused.
		_ = os.Remove(name)
		return nil, fmt.Errorf("the file system allows no direct I/O (O_DIRECT: %w), and without it the page cache would be checked", err)
	} else if err != nil {
		return nil, fmt.Errorf("a file to fill the space with can't be made: %w", err)
	}
	if err := os.Remove(name); err != nil {
		file.Close()
		return nil, fmt.Errorf("a file can't be removed while it is open, and so might be left behind; nothing was written to it: %w", err)
	}
	return file, nil
}

// twoSteps returns two buffers that begin on a page, as direct I/O needs them.
func twoSteps() (one, other []byte, release func(), err error) {
	memory, release, err := aligned(2 * stepBytes)
	if err != nil {
		return nil, nil, nil, err
	}
	return memory[:stepBytes], memory[stepBytes:], release, nil
}

func aligned(bytes int) (memory []byte, release func(), err error) {
	memory, err = syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("no %d KiB of memory: %w", bytes>>10, err)
	}
	return memory, func() { _ = syscall.Munmap(memory) }, nil
}

// clock reports progress about once a second.
type clock struct {
	report      func(Progress)
	phase       string
	start, next time.Time
}

func newClock(report func(Progress), phase string) *clock {
	return &clock{report: report, phase: phase, start: time.Now()}
}

func (c *clock) show(done, total int64) {
	now := time.Now()
	if c.report == nil || done < total && now.Before(c.next) {
		return
	}
	c.next = now.Add(time.Second)
	elapsed := now.Sub(c.start)
	left := float64(total - done)
	if c.phase == "write" {
		left += float64(total) // reading is hardly ever slower
	}
	c.report(Progress{Phase: c.phase, Done: done, Total: total, Elapsed: elapsed,
		Left: time.Duration(left / float64(done) * float64(elapsed))})
}
