package measure

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/result"
)

// fileSizes are multiples of 512 bytes, as direct I/O needs them.
var fileSizes = []int64{100 << 10, 250 << 10, 500 << 10}

var fileTests = []Step{
	{Test: result.BufferedWrite, Sync: "fsync", Files: true}, {Test: result.BufferedRead, Files: true},
	{Test: result.SeqWrite, Sync: "fsync", Files: true}, {Test: result.SeqRead, Files: true},
}

// mostFiles limits how often a file of one size is written or read. A fast module would show nothing new after that.
const mostFiles = 100

// files writes or reads whole files in records of one size. Each of fileSizes gets its part of the time, and is done at
// least once. The file is written beforehand, so that its blocks are allocated. The time of a write includes an fsync.
// Before each read, the file is dropped from the page cache.
func (r *Run) files(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	buffered := s.Test == result.BufferedWrite || s.Test == result.BufferedRead
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: !buffered, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: fileSizes[len(fileSizes)-1], Ended: result.Complete,
	}
	file := a.File
	if !buffered {
		if file, err = a.direct(os.O_RDWR); err != nil {
			return t, err
		}
		defer file.Close()
	}
	memory, free, err := direct.Memory(fileSizes[len(fileSizes)-1])
	if err != nil {
		return t, err
	}
	defer free()
	newRandom().Read(memory) // never fails
	start := time.Now()
	var moved device.Counters
	for i, size := range fileSizes {
		if err := a.lay(memory[:size]); err != nil {
			return t, err
		}
		v := result.Interval{FileBytes: size}
		limit := s.Limit / time.Duration(len(fileSizes))
		for n := 0; n == 0 || n < mostFiles && time.Duration(v.NS) < limit; n++ {
			if err := r.Target.Same(); err != nil {
				return t, err
			}
			if writes(s.Test) {
				number(memory[:size], t.Ops+v.Ops)
			} else if err := forget(a.Fd()); err != nil {
				return t, fmt.Errorf("the file can't be dropped from the page cache: %w", err)
			}
			before, err := r.Target.Disk.Counters()
			if err != nil {
				return t, err
			}
			ns, ops, err := a.whole(ctx, file, s, memory[:size])
			if err != nil {
				return t, fmt.Errorf("%s of a file of %s: %w", label(s.Test, s.BlockBytes), Size(size), err)
			}
			after, err := r.Target.Disk.Counters()
			if err != nil {
				return t, err
			}
			moved = moved.Plus(after.Since(before))
			v.NS, v.Ops, v.Bytes = v.NS+ns, v.Ops+ops, v.Bytes+size
		}
		t.Intervals = append(t.Intervals, v)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
		r.report(Progress{
			Test: label(s.Test, s.BlockBytes), Elapsed: time.Duration(t.DurationNS), Bytes: t.Bytes,
			Share: float64(i+1) / float64(len(fileSizes)), Left: r.left(t.Name, s.Limit-time.Duration(t.DurationNS)),
			Done: i+1 == len(fileSizes),
		})
	}
	t.OverheadNS = time.Since(start).Nanoseconds() - t.DurationNS
	t.DeviceBytes = r.judge(s.Test, s.Sync, t.Bytes, moved)
	return t, proven(s.Test, t.Bytes, moved)
}

// lay makes the test file hold only these data, on the module.
func (a *area) lay(data []byte) error {
	if err := a.Truncate(int64(len(data))); err != nil {
		return err
	}
	if _, err := a.WriteAt(data, 0); err != nil {
		return err
	}
	_, err := a.synced()
	return err
}

// number makes each sector of data to write differ from the ones before.
func number(data []byte, op int64) {
	for at := 0; at+sectorBytes <= len(data); at += sectorBytes {
		binary.LittleEndian.PutUint64(data[at:], uint64(op+1))
	}
}

// whole writes or reads the whole file once in records. It returns how long that took and the number of records.
func (a *area) whole(ctx context.Context, file *os.File, s Step, memory []byte) (ns, ops int64, err error) {
	move, fd := syscall.Pread, int(file.Fd())
	if writes(s.Test) {
		move = syscall.Pwrite
	}
	before := time.Now()
	for at := int64(0); at < int64(len(memory)); at += s.BlockBytes {
		record := memory[at:min(at+s.BlockBytes, int64(len(memory)))]
		n, err := move(fd, record, at)
		switch {
		case err != nil:
			return 0, 0, err
		case n < len(record):
			return 0, 0, io.ErrUnexpectedEOF
		case ctx.Err() != nil:
			return 0, 0, ctx.Err()
		}
		ops++
	}
	if s.Sync == "fsync" {
		if err := a.Sync(); err != nil {
			return 0, 0, fmt.Errorf("the module didn't take the data: %w", err)
		}
	}
	return time.Since(before).Nanoseconds(), ops, nil
}
