package measure

import (
	"bytes"
	"context"
	cryptorand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/client/verify"
	"flashdex/result"
)

// Endure is the plan of the endure profile: a whole device is written and read back, again and again, until it dies.
func Endure(int64) Plan {
	return Plan{
		Method: result.MethodEndure1, Profile: result.ProfileEndure, Fills: true, AreaBytes: 2 * linearBytes,
		CheckpointBytes: result.CheckpointBytes, Look: 2 * time.Second, Wait: time.Minute,
	}
}

// endureKeepTime is the time between entries within a pass. A run lasts months, and its journal must stay small.
const endureKeepTime = 10 * time.Minute

// endurance writes a device and reads it back, pass after pass. It keeps no block. Each block's data follow from the
// seed, the pass and the block's number (verify.Build), so data of another place or pass count as wrong.
type endurance struct {
	run    *Run
	area   *area
	file   *os.File
	memory []byte // for a block that is written or read, and for its expected data
	free   func()
	seed   uint64
	blocks int64 // of a pass

	write, read side
	checkpoints []result.Checkpoint

	failing, patience int // operations that failed in a row, and how many may before the whole device is tried
	looked            time.Time
}

// side is one of the two tests.
type side struct {
	name     string
	passes   result.Passes
	fresh    result.Interval // since the last entry
	before   device.Counters // at the last entry
	moved    device.Counters // up to then
	overhead time.Duration
}

// newEndurance continues where earlier runs ended, or begins.
func newEndurance(r *Run, areaBytes int64) (*endurance, error) {
	e := &endurance{run: r, blocks: areaBytes / result.EndureBlockBytes, patience: result.DeadOps}
	for s, name := range map[*side]string{&e.write: result.EndureWrite, &e.read: result.EndureRead} {
		s.name, s.passes.Ops = name, e.blocks
		past := r.part(name)
		for _, v := range past.Seconds {
			s.passes.Add(v)
		}
		if s.moved = past.Moved; len(past.Seed) == 8 {
			e.seed = binary.LittleEndian.Uint64(past.Seed)
		}
	}
	before := ""
	for _, entry := range r.Kept {
		if c := entry.Checkpoint; c != nil {
			if r.Sign == nil || r.Sign(*c, before) != c.Tag {
				return nil, errors.New("a checkpoint in the journal of the run isn't signed by this contributor, or the journal " +
					"was changed")
			}
			e.checkpoints, before = append(e.checkpoints, *c), c.Tag
		}
	}
	return e, nil
}

// Ended returns the tests of an endurance run that won't go on, from its kept entries.
func (r *Run) Ended(areaBytes int64, how result.Ended) ([]result.Test, error) {
	e, err := newEndurance(r, areaBytes)
	if err != nil {
		return nil, err
	}
	return e.tests(how)
}

// endure runs the endure profile.
func (r *Run) endure(ctx context.Context, a *area) error {
	if err := r.mark(a); err != nil {
		return err
	}
	e, err := newEndurance(r, r.Plan.FillBytes)
	if err != nil {
		return err
	}
	e.area = a
	if err := e.open(); err != nil {
		return err
	}
	defer e.close()
	ended, err := e.live(ctx)
	_, _ = e.keep(&e.write), e.keep(&e.read) // a later run does again what isn't kept
	if err == nil {
		r.tests, err = e.tests(ended)
	}
	return err
}

func (e *endurance) open() (err error) {
	if e.seed == 0 {
		var seed [8]byte
		cryptorand.Read(seed[:])
		e.seed = binary.LittleEndian.Uint64(seed[:]) | 1
		binary.LittleEndian.PutUint64(seed[:], e.seed)
		if err := e.run.mustKeep(Entry{Part: &Part{Test: result.EndureWrite, Seed: seed[:]}}); err != nil {
			return err
		}
	}
	if e.file, err = e.area.direct(os.O_RDWR); err != nil {
		return err
	}
	if e.memory, e.free, err = direct.Memory(2 * result.EndureBlockBytes); err != nil {
		e.file.Close()
		return err
	}
	now, err := e.run.Target.Disk.Counters()
	e.write.before, e.read.before = now, now
	return err
}

func (e *endurance) close() {
	e.free()
	e.file.Close()
}

// live runs passes until the device is dead, or the document can hold no more.
func (e *endurance) live(ctx context.Context) (ended result.Ended, err error) {
	for ended == "" && err == nil {
		if e.write.passes.Sum.Ops == e.read.passes.Sum.Ops || e.write.passes.Sum.Ops%e.blocks > 0 {
			ended, err = e.pass(ctx, &e.write)
		} else {
			ended, err = e.pass(ctx, &e.read)
		}
	}
	return ended, err
}

// pass does the rest of a pass over the device.
func (e *endurance) pass(ctx context.Context, s *side) (ended result.Ended, err error) {
	start, from := time.Now(), s.passes.Sum
	now, err := e.run.Target.Disk.Counters()
	if err != nil {
		return "", err
	}
	s.before = now
	for done := false; !done && ended == ""; {
		v, err := e.operation(s, s.passes.Sum.Ops/e.blocks, s.passes.Sum.Ops%e.blocks)
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil {
			return "", err
		}
		s.passes.Add(v)
		s.fresh = result.SumIntervals([]result.Interval{s.fresh, v})
		if ended, err = e.judge(ctx, s, v); err != nil {
			return "", err
		}
		done = s.passes.Sum.Ops%e.blocks == 0
		if time.Since(e.looked) >= time.Second || done || ended != "" {
			e.looked = time.Now()
			e.report(s, from, start, done || ended != "")
			if err := e.run.Target.Same(); err != nil {
				return "", err
			}
		}
		if err := e.surely(ctx, func() error {
			err := e.checkpoint(s)
			if err == nil && e.run.Keep != nil && time.Since(e.run.kept) >= endureKeepTime {
				err = e.keep(s)
			}
			return err
		}); err != nil {
			return "", err
		}
	}
	s.overhead += max(time.Since(start)-time.Duration(s.passes.Sum.NS-from.NS), 0)
	if err := e.proven(s); err != nil {
		return "", err
	}
	if ended != "" { // the result needs no journal
		return ended, nil
	}
	return "", e.surely(ctx, func() error { return e.keep(s) })
}

// surely does something that needs the journal, and tries for a while. A run that went on without one would write what
// a later run takes for wrong data.
func (e *endurance) surely(ctx context.Context, do func() error) error {
	err := do()
	for begun := time.Now(); err != nil && time.Since(begun) < e.run.Plan.Wait; err = do() {
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
	return err
}

// operation writes a block of a pass, or reads and compares it. Only the transfer is timed. After the last write of a
// pass, the time also includes a sync.
func (e *endurance) operation(s *side, pass, block int64) (v result.Interval, err error) {
	at := markBytes + block*result.EndureBlockBytes
	data, want := e.memory[:result.EndureBlockBytes], e.memory[result.EndureBlockBytes:]
	verify.Build(want, e.seed+uint64(pass), at/verify.SectorBytes)
	v = result.Interval{Ops: 1, Bytes: result.EndureBlockBytes}
	before := time.Now()
	if s == &e.write {
		if _, err = e.file.WriteAt(want, at); err == nil && block == e.blocks-1 {
			err = e.area.Sync()
		}
	} else {
		_, err = e.file.ReadAt(data, at)
	}
	v.NS = time.Since(before).Nanoseconds()
	v.MaxNS = v.NS
	switch {
	case errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EINVAL): // no answer of a module
		return v, fmt.Errorf("%s: block %d: %w", s.name, block, err)
	case err != nil:
		v.FailedOps = 1
		return v, e.run.Target.Same()
	case s == &e.read && !bytes.Equal(data, want):
		v.WrongOps = 1
	}
	return v, nil
}

// judge decides after an operation whether the run has ended. If many operations in a row have failed, it tries places
// all over the module: a part may have failed, or may never have been there, and the rest may still work.
func (e *endurance) judge(ctx context.Context, s *side, v result.Interval) (ended result.Ended, err error) {
	if sum := s.passes.Sum; sum.Bytes > result.MostEndureBytes-result.EndureBlockBytes ||
		sum.NS > result.MostEndureNS-int64(time.Hour) {
		return result.TimeLimit, nil
	}
	if v.FailedOps+v.WrongOps == 0 {
		e.failing, e.patience = 0, result.DeadOps
		return "", nil
	}
	if e.failing++; e.failing < e.patience {
		return "", nil
	}
	e.patience *= 2
	pass := (s.passes.Sum.Ops - 1) / e.blocks // the failed operation's pass, even if it was the pass's last
	for i := range int64(result.DeadOps) {
		tried, err := e.operation(s, pass, (i*e.blocks+e.blocks/2)/result.DeadOps)
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil {
			return "", err
		}
		if tried.FailedOps+tried.WrongOps == 0 {
			return "", nil
		}
	}
	if e.run.Target.HidesChanges() {
		e.write.fresh, e.read.fresh = result.Interval{}, result.Interval{} // the module may have had no part in these errors
		return "", fmt.Errorf("all of %s fails or holds other data, and its reader doesn't tell whether the card is still "+
			"in it", e.run.Target.Disk.Name)
	}
	return result.Dead, nil
}

// checkpoint signs what was written and found whenever CheckpointBytes more are full.
func (e *endurance) checkpoint(s *side) error {
	sum, bytes, before := s.passes.Sum, int64(0), ""
	if n := len(e.checkpoints); n > 0 {
		bytes, before = e.checkpoints[n-1].Bytes, e.checkpoints[n-1].Tag
	}
	if s != &e.write || e.run.Sign == nil || sum.Bytes < bytes+e.run.Plan.CheckpointBytes {
		return nil
	}
	c := result.Checkpoint{Bytes: sum.Bytes, NS: sum.NS, WrongOps: e.read.passes.Sum.WrongOps,
		FailedOps: sum.FailedOps + e.read.passes.Sum.FailedOps}
	c.Tag = e.run.Sign(c, before)
	err := e.keep(s) // so that the journal holds what is signed
	if err == nil {
		err = e.run.mustKeep(Entry{Checkpoint: &c})
	}
	if err == nil {
		e.checkpoints = append(e.checkpoints, c)
	}
	return err
}

// keep keeps what was done since the last entry, if the device is there to confirm it. What was written is on the
// module before it is in the journal: it would be missing there if the card was pulled out.
func (e *endurance) keep(s *side) error {
	now, err := e.run.Target.Disk.Counters()
	if err != nil || s.fresh.Ops == 0 {
		return nil
	}
	if s == &e.write && e.area.Sync() != nil && e.run.Target.Same() != nil {
		return nil
	}
	moved := now.Since(s.before)
	err = e.run.mustKeep(Entry{Part: &Part{Test: s.name, Seconds: []result.Interval{s.fresh}, Moved: moved}})
	if err == nil {
		s.fresh, s.moved, s.before = result.Interval{}, s.moved.Plus(moved), now
	}
	return err
}

// proven returns an error if the device counted fewer bytes than a pass has moved so far.
func (e *endurance) proven(s *side) error {
	now, err := e.run.Target.Disk.Counters()
	if err != nil {
		return err
	}
	moved := s.fresh.Bytes - s.fresh.FailedOps*result.EndureBlockBytes
	return proven(s.name, moved, now.Since(s.before))
}

// report says how far a pass is.
func (e *endurance) report(s *side, from result.Interval, start time.Time, done bool) {
	sum := s.passes.Sum
	share := func(ops int64) float64 { return float64(ops) / float64(e.blocks) }
	passes := (sum.Ops - 1) / e.blocks
	wrong := e.read.passes.Sum
	e.run.report(Progress{
		Test: s.name, Elapsed: time.Since(start), Bytes: sum.Bytes - from.Bytes, Done: done,
		Share: share(sum.Ops - passes*e.blocks), From: share(from.Ops % e.blocks),
		Note: fmt.Sprintf("pass %s, %s wrong, %s failed", result.Count(int(passes+1)), result.Count(int(wrong.WrongOps)),
			result.Count(int(wrong.FailedOps+e.write.passes.Sum.FailedOps))),
	})
}

// tests returns both tests, or only the test that was begun.
func (e *endurance) tests(ended result.Ended) (tests []result.Test, err error) {
	for _, s := range []*side{&e.write, &e.read} {
		sum := s.passes.Sum
		if sum.Ops == 0 || sum.NS == 0 {
			continue
		}
		const mostNS = 9e15 // the most that a document holds
		t := result.Test{
			Name: s.name, BlockBytes: result.EndureBlockBytes, QueueDepth: 1, Sync: "none", Direct: true, Engine: ownName,
			AreaBytes: e.blocks * result.EndureBlockBytes, Ops: sum.Ops, Bytes: sum.Bytes, DurationNS: sum.NS,
			OverheadNS: min(s.overhead.Nanoseconds(), mostNS), Ended: ended, Intervals: s.passes.Intervals,
			DeviceBytes: s.moved.ReadBytes,
		}
		if s == &e.write {
			t.Sync, t.DeviceBytes, t.Checkpoints = "fsync", s.moved.WrittenBytes, e.checkpoints
		}
		tests = append(tests, t)
	}
	if len(tests) == 0 || tests[0].Name != result.EndureWrite {
		return nil, errors.New("nothing was written yet")
	}
	return tests, nil
}
