package guest

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"flashdex/result"
)

// TestRecorderOnACard records 1 MB a second on cards that stall. The profile counts the stalls of the card's log. Its
// buffer holds the data that come during the longest stall and during the write that stalls.
func TestRecorderOnACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const ms = time.Millisecond
	type card struct {
		every  int64 // blocks; 244 come in a second
		stalls []time.Duration
	}
	all := map[string]card{
		"0.2 s, every 3 s":  {701, []time.Duration{200 * ms}},
		"0.7 s, every 10 s": {2503, []time.Duration{700 * ms}},
		"several in turn":   {1531, []time.Duration{150 * ms, 700 * ms, 1500 * ms}},
	}
	for name, r := range byChance() {
		c := card{every: 700 + r.Int64N(1800)}
		for range 1 + r.IntN(3) {
			c.stalls = append(c.stalls, someTime(r, 120*ms, 1600*ms))
		}
		all[name] = c
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := cardModel{WriteMBPerS: 20, ReadMBPerS: 20, StallEvery: c.every, Stalls: c.stalls}
			// A disk lets a write wait for what others write. So the card's data are in memory.
			late := lateness(t)
			doc, writes := trial{filesystem: "ext4", model: model, temp: "/dev/shm"}.here(t,
				"--profile", result.ProfileRecorder, "--rate", "1MB/s")
			if len(doc.Tests) != 2 {
				t.Fatalf("%d tests", len(doc.Tests))
			}
			most := late()
			for i := range doc.Tests {
				compareBuffer(t, &doc.Tests[i], model, most)
			}
			for _, stall := range c.stalls {
				compareStalls(t, doc, writes, stall)
			}
		})
	}
}

// lateness watches each processor until it is asked for the longest time by which one of them was late for a sleep.
func lateness(t *testing.T) (longest func() time.Duration) {
	t.Helper()
	const sleep = time.Millisecond
	var stop atomic.Bool
	each := make(chan time.Duration, runtime.NumCPU())
	for cpu := range runtime.NumCPU() {
		go func() {
			runtime.LockOSThread() // never unlocked, so the thread with its processor ends here
			only := uint64(1) << cpu
			if _, _, err := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(only),
				uintptr(unsafe.Pointer(&only))); err != 0 {
				t.Error(err)
			}
			var most time.Duration
			for !stop.Load() {
				start := time.Now()
				_ = syscall.Nanosleep(&syscall.Timespec{Nsec: int64(sleep)}, nil)
				most = max(most, time.Since(start)-sleep)
			}
			each <- most
		}()
	}
	t.Cleanup(func() { stop.Store(true) })
	return func() (most time.Duration) {
		stop.Store(true)
		for range runtime.NumCPU() {
			most = max(most, <-each)
		}
		return most
	}
}

// compareBuffer compares the buffer of a recording at 1 MB a second with the longest stall of the card. The computer
// was late by no more than late.
func compareBuffer(t *testing.T, test *result.Test, model cardModel, late time.Duration) {
	t.Helper()
	// The buffer is within percent of the model's. But it shows the slowest of up to 58,000 writes. Such a write may meet
	// a moment in which the computer itself stops, and passes through four programs, each of which waits for a processor.
	const rate, percent, way = 1e6, 5.0, 40 * time.Millisecond
	block := float64(test.BlockBytes)
	want := rate*(slices.Max(model.Stalls).Seconds()+block/1e6/model.WriteMBPerS) + block
	f := test.Figures()
	got := float64(value(f.BufferBytes))
	line := fmt.Sprintf("%d B: %s, %.3f MB/s, buffer %.3f MB, want %.3f (%+.1f %%); the computer was up to %v late",
		test.BlockBytes, test.Ended, f.MBPerS, got/1e6, want/1e6, 100*(got/want-1), late)
	if f.P99NS != nil {
		line += fmt.Sprintf("; p99 %.1f ms", float64(*f.P99NS)/1e6)
	}
	t.Log(line)
	if test.Ended != result.Complete || math.Abs(f.MBPerS*1e6/rate-1) > 0.01 || got < (1-percent/100)*want ||
		got > want+max(percent/100*want, rate*way.Seconds())+rate*late.Seconds() {
		t.Error(line)
	}
}

// compareStalls compares the number of stalls of about a length or longer with the card's log.
func compareStalls(t *testing.T, doc *result.Document, writes []cardWrite, stall time.Duration) {
	t.Helper()
	// The card makes up for an earlier sleep that was too long, so a stall may be a little shorter. The way to the card
	// makes others a little longer.
	const way = 40 * time.Millisecond
	least := stall / 10 * 8
	var found, made, most int64
	for i := range doc.Tests {
		found += value(doc.Tests[i].StallsAbove(least.Nanoseconds()).Count)
	}
	for _, w := range writes {
		if w.Cost >= least {
			made++
		}
		if w.Cost >= least-way {
			most++
		}
	}
	line := fmt.Sprintf("%d stalls of %v or more were found, the card made %d to %d", found, least, made, most)
	t.Log(line)
	// A few stalls fall into the file system's own writes beside the stream, and the busy computer seldom stops as
	// long.
	if made < 15 || float64(found) < 0.95*float64(made)-1 || found > most+2 {
		t.Error(line)
	}
}
