package measure

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/result"
)

const (
	// The intervals at one and at most depth, of two passes, make 20 batches.
	queueInterval  = result.QueueIntervalNS * time.Nanosecond
	queueIntervals = result.BatchCount / 2
	fewIntervals   = 3 // at the other depths: they only draw the curve
	passes         = 2

	// In each checkedBytes, one half is discarded and the other must stay.
	checkedBytes = 2 << 20
	checkedArea  = 64 << 20
	// aloneLimit limits the time in which wrong blocks are read again.
	aloneLimit = 30 * time.Second
)

// queueSteps are the tests of the queue profile after the area was written.
var queueSteps = []Step{
	{Test: result.SameRead, Sync: "none", Limit: 30 * time.Second},
	{Test: result.QueuedRead, Sync: "none", Limit: 90 * time.Second},
	{Test: result.QueuedWrite, Sync: "fsync", Limit: 3 * time.Minute, Bytes: 4 << 30},
	{Test: result.CheckedRead, Sync: "none", Limit: 90 * time.Second, Optional: true},
}

// command describes an operation to the kernel: struct iocb of linux/aio_abi.h.
type command struct {
	data          uint64 // comes back with its completion
	_             [2]uint32
	opcode        uint16
	_             int16
	fd            uint32
	memory, bytes uint64
	offset        int64
	_             [2]uint64
}

const commandRead, commandWrite = 0, 1

// completion is the kernel's report of a finished command: struct io_event.
type completion struct {
	data, _ uint64
	moved   int64 // bytes; negative: an error number
	_       int64
}

// queue keeps several operations under way at once with the kernel's asynchronous I/O. io_submit(2) doesn't wait for
// them if the file was opened for direct I/O.
type queue struct {
	operations
	context  uintptr
	commands [result.MostDepth]command
	begun    [result.MostDepth]time.Time
	idle     []int
	blocks   []byte // one for each command
	freeOwn  func()
}

// setUp asks the kernel for a queue.
func (q *queue) setUp() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_IO_SETUP, result.MostDepth, uintptr(unsafe.Pointer(&q.context)),
		0); errno == syscall.ENOSYS {
		return errors.New("this kernel has no asynchronous I/O (CONFIG_AIO), which the queue profile needs")
	} else if errno != 0 {
		return fmt.Errorf("the kernel makes no queue: %w", errno)
	}
	return nil
}

// canQueue returns an error if the kernel makes no queue. It is asked before anything is written.
func canQueue() error {
	var q queue
	err := q.setUp()
	if err == nil {
		q.destroy()
	}
	return err
}

func newQueue(o operations) (*queue, error) {
	q := &queue{operations: o}
	err := q.setUp()
	if err != nil {
		return nil, err
	}
	if q.blocks, q.freeOwn, err = direct.Memory(result.MostDepth * o.blockBytes); err != nil {
		q.destroy()
		return nil, err
	}
	for i := range q.commands {
		q.idle = append(q.idle, i)
	}
	return q, nil
}

// close waits for the operations that are under way.
func (q *queue) close() {
	q.destroy()
	q.freeOwn()
	q.operations.close()
}

func (q *queue) destroy() { syscall.RawSyscall(syscall.SYS_IO_DESTROY, q.context, 0, 0) }

// underWay is the number of operations that have not come back.
func (q *queue) underWay() int { return len(q.commands) - len(q.idle) }

// submit begins operation op at an offset, a read or a write. Each command has memory of its own, since others may come
// back long before it.
func (q *queue) submit(op, offset int64, opcode uint16) error {
	i := q.idle[len(q.idle)-1]
	block := q.memoryOf(i)
	if opcode == commandWrite {
		copy(block, q.block(op))
	}
	q.commands[i] = command{
		data: uint64(i), opcode: opcode, fd: uint32(q.file.Fd()), memory: uint64(uintptr(unsafe.Pointer(&block[0]))),
		bytes: uint64(len(block)), offset: offset,
	}
	pointer := &q.commands[i]
	q.begun[i] = time.Now()
	if _, _, errno := syscall.RawSyscall(syscall.SYS_IO_SUBMIT, q.context, 1,
		uintptr(unsafe.Pointer(&pointer))); errno != 0 {
		return fmt.Errorf("operation %d: %w", op+1, errno)
	}
	q.idle = q.idle[:len(q.idle)-1]
	return nil
}

// memoryOf returns the memory that a command reads into or writes from.
func (q *queue) memoryOf(i int) []byte { return q.blocks[int64(i)*q.blockBytes:][:q.blockBytes] }

// wait waits for an operation. It calls done for each operation that has ended, with the time that it took.
func (q *queue) wait(done func(i int, ns int64)) error {
	var completions [result.MostDepth]completion
	var n uintptr
	for errno := syscall.EINTR; errno != 0; {
		// A signal of Go's scheduler may interrupt the wait.
		n, _, errno = syscall.RawSyscall6(syscall.SYS_IO_GETEVENTS, q.context, 1, uintptr(len(completions)),
			uintptr(unsafe.Pointer(&completions[0])), 0, 0)
		if errno != 0 && errno != syscall.EINTR {
			return errno
		}
	}
	now := time.Now()
	for _, c := range completions[:n] {
		switch {
		case c.moved < 0:
			return syscall.Errno(-c.moved)
		case c.moved != q.blockBytes:
			return fmt.Errorf("%d of %d bytes moved: %w", c.moved, q.blockBytes, io.ErrUnexpectedEOF)
		}
		i := int(c.data)
		q.idle = append(q.idle, i)
		done(i, now.Sub(q.begun[i]).Nanoseconds())
	}
	return nil
}

// queued runs one of queueSteps.
func (r *Run) queued(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	if s.Test == result.CheckedRead && a.device {
		return t, notTried("it discards and checks a file of its own, so it takes a directory on the module")
	}
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: result.MostDepth, Direct: true,
		Engine: ownName, TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes, Ended: result.Complete,
	}
	kind := s.Test
	if s.Test == result.CheckedRead {
		kind = result.QueuedWrite // writes first what it reads back
	}
	o, err := a.operations(kind, s.Sync, s.BlockBytes)
	if err != nil {
		return t, err
	}
	q, err := newQueue(o)
	if err != nil {
		o.close()
		return t, err
	}
	defer q.close()
	b := &busy{run: r, ctx: ctx, area: a, queue: q, test: &t, step: s, start: time.Now(),
		random: rand.New(newRandom()), blocks: a.bytes / s.BlockBytes}
	if b.counters, err = r.Target.Disk.Counters(); err != nil {
		return t, err
	}
	switch s.Test {
	case result.SameRead:
		t.QueueDepth = 1
		err = b.keep(1, queueIntervals*passes)
	case result.CheckedRead:
		err = b.check()
	default:
		err = b.depths()
	}
	if errors.Is(err, errOver) {
		err, t.Ended = nil, result.TimeLimit
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", t.Name, err)
	}
	sum := result.SumIntervals(t.Intervals)
	t.Ops, t.Bytes, t.DurationNS = sum.Ops, sum.Bytes, sum.NS
	t.OverheadNS = max(time.Since(b.start).Nanoseconds()-t.DurationNS, 0)
	if t.DeviceBytes, err = r.confirm(t.Name, s.Sync, t.Bytes, b.counters); err != nil {
		return t, err
	}
	r.report(Progress{
		Test: t.Name, Elapsed: time.Since(b.start), Share: 1, Bytes: t.Bytes, Left: r.left(t.Name, 0), Done: true,
	})
	return t, nil
}

// busy keeps a queue busy for a test.
type busy struct {
	run    *Run
	ctx    context.Context
	area   *area
	queue  *queue
	test   *result.Test
	step   Step
	start  time.Time
	looked time.Time
	random *rand.Rand
	blocks int64 // of the area
	op     int64

	counters device.Counters // before the operations that count
}

// depths goes over all depths, up and down again, so that a slow change of the module changes each in the same way.
func (b *busy) depths() error {
	order := result.Depths
	for range passes {
		for _, depth := range order {
			intervals := fewIntervals
			if depth == 1 || depth == result.MostDepth {
				intervals = queueIntervals
			}
			if err := b.keep(depth, intervals); err != nil {
				return err
			}
		}
		slices.Reverse(order[:])
	}
	return nil
}

// underWayNS returns how long operations were under way since the disk's count was before; 0 if that isn't known. The
// kernel counts in 32 bits.
func (b *busy) underWayNS(before int64) int64 { return max(b.run.Target.Disk.UnderWayNS()-before, 0) }

// look reports about once a second how far the test is. It returns an error if the module was changed.
func (b *busy) look() error {
	if time.Since(b.looked) < time.Second {
		return b.ctx.Err()
	}
	b.looked = time.Now()
	elapsed := b.looked.Sub(b.start)
	b.run.report(Progress{
		Test: b.test.Name, Elapsed: elapsed, Share: min(elapsed.Seconds()/b.step.Limit.Seconds(), 1),
		Bytes: b.op * b.test.BlockBytes, Left: b.run.left(b.test.Name, b.step.Limit-elapsed),
	})
	return cmp.Or(b.ctx.Err(), b.run.Target.Same())
}

// next is the offset of the next operation of the test.
func (b *busy) next() int64 {
	if b.test.Name == result.SameRead {
		return b.area.start
	}
	return b.area.start + b.random.Int64N(b.blocks)*b.test.BlockBytes
}

// keep keeps depth operations under way for some intervals. Operations that end before the first interval or after the
// last don't count.
func (b *busy) keep(depth int64, intervals int) error {
	opcode := uint16(commandRead)
	if b.test.Name == result.QueuedWrite {
		opcode = commandWrite
	}
	for k := 0; k <= intervals+1; k++ {
		v := result.Interval{Kind: result.Kind{Depth: depth}}
		begun, before := time.Now(), b.run.Target.Disk.UnderWayNS()
		ends := func() bool { return time.Since(begun) >= b.step.Interval && v.Ops > 0 }
		between := b.ctx.Err // operations
		switch k {
		case 0:
			ends, between = func() bool { return v.Ops >= depth }, b.look
		case intervals + 1:
			ends, between = func() bool { return b.queue.underWay() == 0 }, b.look
		}
		for !ends() {
			for k <= intervals && b.queue.underWay() < int(depth) {
				if err := b.queue.submit(b.op, b.next(), opcode); err != nil {
					return err
				}
				b.op++
			}
			if err := b.queue.wait(func(_ int, ns int64) {
				v.Ops++
				v.Bytes += b.test.BlockBytes
				v.MaxNS = max(v.MaxNS, ns)
			}); err != nil {
				return err
			}
			if err := between(); err != nil {
				return err
			}
		}
		if k == intervals+1 && opcode == commandWrite {
			if _, err := b.queue.finish(); err != nil {
				return err
			}
		}
		if k == 0 || k == intervals+1 {
			v.AsideOps = v.Ops
		}
		v.NS, v.UnderWayNS = time.Since(begun).Nanoseconds(), b.underWayNS(before)
		if v.Ops > 0 {
			b.test.Intervals = append(b.test.Intervals, v)
		}
		if err := b.look(); err != nil { // outside of the intervals that count
			return err
		}
		over := time.Since(b.start) >= b.step.Limit || b.step.Bytes > 0 && b.op*b.test.BlockBytes >= b.step.Bytes
		switch {
		case over && k > intervals:
			return errOver
		case over:
			k = intervals // the operations under way still have to end
		}
	}
	return nil
}

// check writes a part of the area, discards every other MiB of it, and reads the rest back at the most depth. On a
// discard, some cards lose the data beside it. With a full queue, some return the data of another block.
func (b *busy) check() error {
	area := min(b.test.AreaBytes, checkedArea) / checkedBytes * checkedBytes
	if area == 0 {
		return notTried("the test area is too small for it")
	}
	all := area / b.test.BlockBytes
	for b.op < all || b.queue.underWay() > 0 {
		if b.op < all && b.queue.underWay() < result.MostDepth {
			if err := b.queue.submit(b.op, b.area.start+b.op*b.test.BlockBytes, commandWrite); err != nil {
				return err
			}
			b.op++
		} else if err := b.queue.wait(func(int, int64) {}); err != nil {
			return err
		}
		if err := b.look(); err != nil {
			return err
		}
		if time.Since(b.start) >= b.step.Limit/2 { // the other half of the time is for reading
			all = b.op
		}
	}
	if area = all * b.test.BlockBytes / checkedBytes * checkedBytes; area == 0 {
		return notTried("what is to be read back took too long to write")
	}
	if err := b.area.Sync(); err != nil {
		return err
	}
	discarded := b.run.Target.Disk.DiscardCount()
	const punch = 0x02 | 0x01 // FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
	for at := int64(checkedBytes / 2); at < area; at += checkedBytes {
		err := syscall.Fallocate(int(b.area.Fd()), punch, at, checkedBytes/2)
		if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
			return notTried("the file system discards no part of a file")
		} else if err != nil {
			return err
		}
	}
	if err := b.area.Sync(); err != nil {
		return err
	}
	b.test.AreaBytes = area
	var err error
	if b.counters, err = b.run.Target.Disk.Counters(); err != nil {
		return err
	}
	err = b.readBack(area / b.test.BlockBytes)
	b.test.DiscardOps = max(b.run.Target.Disk.DiscardCount()-discarded, 0) // a file system may discard after its sync
	return err
}

// readBack reads the blocks that were not discarded, in random order, and compares them with the written data.
func (b *busy) readBack(all int64) error {
	const half = checkedBytes / 2
	var order []int64
	for _, k := range b.random.Perm(int(all)) {
		if int64(k)*b.test.BlockBytes/half%2 == 0 {
			order = append(order, int64(k))
		}
	}
	var blocks [result.MostDepth]int64 // that the commands read
	var wrong []int64
	var v result.Interval
	begun, before := time.Now(), b.run.Target.Disk.UnderWayNS()
	for next := 0; next < len(order) || b.queue.underWay() > 0; {
		if next < len(order) && b.queue.underWay() < result.MostDepth {
			blocks[b.queue.idle[len(b.queue.idle)-1]] = order[next]
			if err := b.queue.submit(order[next], b.area.start+order[next]*b.test.BlockBytes, commandRead); err != nil {
				return err
			}
			next++
			b.op++
			continue
		}
		if err := b.queue.wait(func(i int, ns int64) {
			v.Ops++
			v.Bytes += b.test.BlockBytes
			v.MaxNS = max(v.MaxNS, ns)
			if !bytes.Equal(b.queue.memoryOf(i), b.queue.block(blocks[i])) {
				wrong = append(wrong, blocks[i])
			}
		}); err != nil {
			return err
		}
		if err := b.look(); err != nil {
			return err
		}
		if time.Since(begun) >= b.step.Interval || next == len(order) && b.queue.underWay() == 0 {
			v.Depth = result.MostDepth
			v.NS, v.UnderWayNS = time.Since(begun).Nanoseconds(), b.underWayNS(before)
			b.test.Intervals = append(b.test.Intervals, v)
			v, begun, before = result.Interval{}, time.Now(), b.run.Target.Disk.UnderWayNS()
			if time.Since(b.start) >= b.step.Limit {
				order, b.test.Ended = order[:next], result.TimeLimit
			}
		}
	}
	b.test.WrongOps = int64(len(wrong))
	return b.readAlone(wrong)
}

// readAlone reads wrong blocks again, one at a time. What is right then came wrong out of the queue; the rest is wrong
// on the card.
func (b *busy) readAlone(wrong []int64) error {
	before, err := b.run.Target.Disk.Counters()
	if err != nil {
		return err
	}
	begun := time.Now()
	for _, block := range wrong {
		if time.Since(begun) >= aloneLimit {
			break
		}
		if err := b.queue.submit(block, b.area.start+block*b.test.BlockBytes, commandRead); err != nil {
			return err
		}
		if err := b.queue.wait(func(i int, _ int64) {
			if bytes.Equal(b.queue.memoryOf(i), b.queue.block(block)) {
				b.test.RightAloneOps++
			}
		}); err != nil {
			return err
		}
		if err := b.look(); err != nil {
			return err
		}
	}
	after, err := b.run.Target.Disk.Counters()
	b.counters = b.counters.Plus(after.Since(before)) // none of this is an operation of the test
	return err
}
