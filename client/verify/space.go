package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"time"

	"flashdex/client/direct"
	"flashdex/result"
)

const (
	stepBytes    = 1 << 20           // of one write or read
	fileBytes    = 4<<30 - stepBytes // FAT32 allows 4 GiB less one byte
	reserveBytes = 64 << 20
)

// Space is a file system's free space, which the test fills. Nothing can leave its files behind: they have no names.
type Space struct {
	Bytes     int64          // to write: the free space less a reserve, in whole MiB
	UsedBytes int64          // in the file system before the test
	Progress  func(Progress) // called about once a second; may be nil

	dir     string
	reserve int64
	run     uint64 // random, so no other run has it
	files   []*os.File
	waiting waiting
}

// Progress says how far a phase is.
type Progress struct {
	Phase       string // "write" or "read" of a Space; "blocks", "stretch" or "check" of a Probe
	Done, Total int64  // bytes of a Space, blocks of a Probe
	Elapsed     time.Duration
	Left        time.Duration // estimated: until the end of a Space, or of a Probe's phase
}

// Content is the outcome of a test of a Space.
type Content struct {
	DeviceBytes             int64 // of which the free space is a part; 0: not known
	WrittenBytes, ReadBytes int64
	Sectors                 Tally
	FirstBad                int64 // byte, in the order of writing; -1: none
	WriteError              error // of a module that failed while it was written
	Stopped                 bool  // it failed or hung so long that the test ended before all was read back
}

// Sound reports whether everything that was written was read back correctly.
func (c Content) Sound() bool {
	return c.WriteError == nil && c.Sectors.Bad() == 0 && c.ReadBytes == c.WrittenBytes
}

// Checked is the finding in the terms of other tools that fill a module, so that all are judged alike. What can't be
// read is no more lost than what came back with changed bits.
func (c Content) Checked() result.Checked {
	return result.Checked{Bytes: c.ReadBytes, OKBytes: c.GoodBytes(), ChangedBytes: c.bytes(Damaged, Unreadable),
		OfBytes: max(c.DeviceBytes, c.WrittenBytes)}
}

// SaysCapacity reports whether the finding is one about the capacity. A module that refuses, or has more than single bad
// blocks, may be worn.
func (c Content) SaysCapacity() bool {
	checked := c.Checked()
	few := 20*checked.ChangedBytes < checked.Bytes
	return c.ReadBytes > 0 && !c.Stopped && (checked.Lacks() || few && c.WriteError == nil)
}

// Unreads reports whether more could not be read than bad blocks explain: a twentieth of all that was written.
func (c Content) Unreads() bool {
	return c.Sectors[Unreadable] > 0 && 20*c.bytes(Unreadable) >= c.WrittenBytes
}

// UnreadableBytes is how much could not be read.
func (c Content) UnreadableBytes() int64 { return c.bytes(Unreadable) }

// GoodBytes is how much came back as it was written.
func (c Content) GoodBytes() int64 { return c.bytes(Good) }

func (c Content) bytes(states ...State) (sum int64) {
	for _, state := range states {
		sum += c.Sectors[state] * SectorBytes
	}
	return sum
}

// NewSpace finds out how much of dir's file system the test can fill. It leaves 1 % or 64 MiB free, whichever is less.
// On a file system that the machine runs from, it leaves whichever is more.
func NewSpace(dir string, system bool) (*Space, error) {
	s := &Space{dir: dir, run: rand.Uint64()}
	var space syscall.Statfs_t
	if err := syscall.Statfs(dir, &space); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	free := int64(space.Bavail) * int64(space.Bsize)
	s.UsedBytes = int64(space.Blocks-space.Bfree) * int64(space.Bsize)
	s.reserve = min(free/100, reserveBytes)
	if system {
		s.reserve = max(free/100, reserveBytes)
	}
	if s.Bytes = (free - s.reserve) / stepBytes * stepBytes; s.Bytes <= 0 {
		return nil, fmt.Errorf("%s has %.1f MB free, too little to check anything; make room and run it again", dir,
			float64(free)/1e6)
	}
	return s, nil
}

// short reports whether the file system has less free space than the reserve.
func (s *Space) short() bool {
	var space syscall.Statfs_t
	return syscall.Statfs(s.dir, &space) == nil && int64(space.Bavail)*int64(space.Bsize) < s.reserve
}

// full reports whether a write failed because the file system is full. A failing device may also return ENOSPC.
func (s *Space) full(err error) bool {
	return errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.ENOSPC) && s.short()
}

// Close gives the space back.
func (s *Space) Close() {
	for _, file := range s.files {
		file.Close()
	}
}

// Write fills the space. It ends early, without an error, if the file system is full or the module fails;
// found.WriteError holds the failure. When the context ends, the error is its cause.
func (s *Space) Write(ctx context.Context, found *Content) error {
	found.FirstBad = -1
	memory, release, err := direct.Memory(2 * stepBytes)
	if err != nil {
		return err
	}
	defer release()
	now, next := memory[:stepBytes], memory[stepBytes:]
	Build(now, s.run, 0)
	clock := newClock(s.Progress, "write")
	for found.WrittenBytes < s.Bytes && !s.short() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if found.WrittenBytes%fileBytes == 0 {
			file, err := direct.UnnamedFile(s.dir, syscall.O_DIRECT)
			if err != nil && len(s.files) > 0 {
				found.WriteError = err
				break
			} else if err != nil {
				return err
			}
			s.files = append(s.files, file)
		}
		var built sync.WaitGroup // builds the next step while the module writes this one
		built.Go(func() { Build(next, s.run, (found.WrittenBytes+stepBytes)/SectorBytes) })
		began := time.Now()
		_, err := s.files[len(s.files)-1].WriteAt(now, found.WrittenBytes%fileBytes)
		took := time.Since(began)
		built.Wait()
		if err != nil {
			if !s.full(err) {
				found.WriteError = err
			}
			break
		}
		found.WrittenBytes += stepBytes
		if found.WriteError = s.waiting.add(stepBytes, took, nil); found.WriteError != nil {
			break
		}
		now, next = next, now
		clock.show(found.WrittenBytes, s.Bytes)
	}
	for _, file := range s.files {
		found.WriteError = cmp.Or(found.WriteError, file.Sync())
	}
	return nil
}

// Read reads back what Write wrote, or less of a module that fails or hangs for too long: then found.Stopped is true.
// When the context ends, the error is its cause, and found covers all until then.
func (s *Space) Read(ctx context.Context, found *Content) error {
	memory, release, err := direct.Memory(3 * stepBytes)
	if err != nil {
		return err
	}
	defer release()
	now, next, want := memory[:stepBytes], memory[stepBytes:2*stepBytes], memory[2*stepBytes:]
	var examined sync.WaitGroup // examines the last step while the module reads the next one
	defer examined.Wait()
	clock := newClock(s.Progress, "read")
	for at := int64(0); at < found.WrittenBytes; at += stepBytes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		began := time.Now()
		_, err := s.files[at/fileBytes].ReadAt(now, at%fileBytes)
		stop := s.waiting.add(stepBytes, time.Since(began), err)
		examined.Wait()
		p := now
		examined.Go(func() {
			bad := at / SectorBytes
			if err == nil {
				bad = found.Sectors.examine(p, want, s.run, bad)
			} else {
				found.Sectors[Unreadable] += stepBytes / SectorBytes
			}
			if bad >= 0 && found.FirstBad < 0 {
				found.FirstBad = bad * SectorBytes
			}
			found.ReadBytes += stepBytes
		})
		now, next = next, now
		clock.show(at+stepBytes, found.WrittenBytes)
		if stop != nil && at+stepBytes < found.WrittenBytes {
			found.Stopped = true
			break
		}
	}
	return nil
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
	until := time.Duration(left / float64(done) * float64(elapsed))
	c.report(Progress{Phase: c.phase, Done: done, Total: total, Elapsed: elapsed, Left: until})
}
