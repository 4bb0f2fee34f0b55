package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"
)

// queueOn returns a queue of writes of 4 KiB to an area in a directory.
func queueOn(t *testing.T, dir, sync string) (*area, *queue) {
	t.Helper()
	a, err := newArea(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	o, err := a.operations(result.QueuedWrite, sync, 4096)
	if err != nil {
		t.Fatal(err)
	}
	q, err := newQueue(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.close)
	return a, q
}

// The data that are read back are compared with the written data, byte by byte.
func TestReadBackFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	target, err := device.Running.Find(disk.Dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	a, q := queueOn(t, disk.Dir, "fsync")
	test := result.Test{Name: result.CheckedRead, BlockBytes: 4096, AreaBytes: 8 * mib}
	b := busy{run: &Run{Target: target, Plan: Queue(1 << 30)}, ctx: t.Context(), area: a, queue: q, test: &test,
		step: Step{Limit: time.Hour, Interval: time.Second}, start: time.Now(), random: rand.New(rand.NewPCG(1, 2))}
	if err := b.check(); err != nil {
		t.Fatal(err)
	}
	if test.Ops = result.SumIntervals(test.Intervals).Ops; test.Ops != 4*mib/4096 || test.WrongOps != 0 {
		t.Fatalf("%d of %d reads are wrong", test.WrongOps, test.Ops)
	}
	// Two blocks change places, and another block has one wrong byte.
	file, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", a.Fd()), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	first, second := make([]byte, 4096), make([]byte, 4096)
	for _, of := range []struct {
		block []byte
		from  int64
		to    int64
	}{{first, 0, 4096}, {second, 4096, 0}} {
		if _, err := file.ReadAt(of.block, of.from); err != nil {
			t.Fatal(err)
		}
	}
	for at, block := range map[int64][]byte{0: second, 4096: first} {
		if _, err := file.WriteAt(block, at); err != nil {
			t.Fatal(err)
		}
	}
	one := make([]byte, 1)
	if _, err := file.ReadAt(one, 9*4096+700); err != nil {
		t.Fatal(err)
	}
	one[0] ^= 1
	if _, err := file.WriteAt(one, 9*4096+700); err != nil {
		t.Fatal(err)
	}
	if err := file.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := b.readBack(test.AreaBytes / 4096); err != nil {
		t.Fatal(err)
	}
	if test.WrongOps != 3 || test.RightAloneOps != 0 {
		t.Errorf("%d reads are wrong, want the two that changed places and a third; %d of them are right alone",
			test.WrongOps, test.RightAloneOps)
	}
	// Of blocks that only came back wrong from a full queue, those that are right on the module are told apart.
	moved := b.counters
	if err := b.readAlone([]int64{0, 2, 4}); err != nil {
		t.Fatal(err)
	}
	if test.RightAloneOps != 2 || b.counters.Since(moved).ReadBytes < 3*4096 {
		t.Errorf("%d of two blocks are right alone, and %d bytes are left out of what the test moved",
			test.RightAloneOps, b.counters.Since(moved).ReadBytes)
	}
}

// Go's scheduler sends signals to threads that run for long. None of them ends an interval before its operation.
func TestSignalsEndNoOperation(t *testing.T) {
	t.Parallel()
	_, q := queueOn(t, looptest.Mount(t, 64*mib, "").Dir, "sync")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	waits := syscall.Gettid()
	ctx, enough := context.WithCancel(t.Context())
	var signals sync.WaitGroup
	signals.Go(func() {
		for ctx.Err() == nil {
			_, _, _ = syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(waits), uintptr(syscall.SIGURG))
		}
	})
	defer signals.Wait()
	defer enough()
	for op := range int64(300) { // the first hundred make the file grow, and end before anything waits for them
		if err := q.submit(op, op%100*4096, commandWrite); err != nil {
			t.Fatal(err)
		}
		came := false
		if err := q.wait(func(int, int64) { came = true }); err != nil || !came {
			t.Fatalf("the wait for operation %d ended before it: %v", op+1, err)
		}
	}
}
