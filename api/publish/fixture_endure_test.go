package publish

import (
	"fmt"
	"math/rand/v2"

	"flashdex/result"
)

// life returns the tests of the endure profile: passes that become slower and have errors from one pass on. If the
// module has errors, its first owner sees it die, and the others stop earlier.
func (sp profiled) life(moduleBytes int64, slower float64, who int, host computer, r *rand.Rand) []result.Test {
	const block = result.EndureBlockBytes
	blocks := moduleBytes/block - 1
	begin := func(name, sync string) result.Test {
		return result.Test{Name: name, BlockBytes: block, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex",
			AreaBytes: blocks * block, Ended: result.Stopped, OverheadNS: 1_000_000_000_000 + r.Int64N(1_000_000_000)}
	}
	written, read := begin(result.EndureWrite, "fsync"), begin(result.EndureRead, "none")
	add := func(t *result.Test, ops, wrong, failed int64, mbPerS float64) {
		v := result.Interval{Ops: ops, Bytes: ops * block, WrongOps: wrong, FailedOps: failed}
		v.NS = int64(float64(v.Bytes) * 1e3 / mbPerS * slower * (0.97 + 0.06*r.Float64()))
		v.MaxNS = v.NS / ops * 40
		t.Intervals = append(t.Intervals, v)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
		t.DeviceBytes += v.Bytes - failed*block
	}
	passes := sp.passes - 15*who
	for pass := 1; pass <= passes; pass++ {
		age := 1 - 0.3*float64(pass)/float64(sp.passes)
		wrong := int64(0)
		if sp.firstError > 0 && pass >= sp.firstError {
			wrong = 1 + int64(pass-sp.firstError)*3
		}
		add(&written, blocks, 0, wrong/2, min(sp.writeMBPerS, host.mbPerS)*age)
		last := int64(0)
		if n := len(written.Checkpoints); n > 0 {
			last = written.Checkpoints[n-1].Bytes
		}
		if written.Bytes >= last+result.CheckpointBytes {
			written.Checkpoints = append(written.Checkpoints, result.Checkpoint{Bytes: written.Bytes, NS: written.DurationNS,
				WrongOps:  result.SumIntervals(read.Intervals).WrongOps,
				FailedOps: result.SumIntervals(written.Intervals).FailedOps, Tag: fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())})
		}
		add(&read, blocks, wrong, 0, min(sp.readMBPerS, host.mbPerS))
	}
	if sp.firstError > 0 && who == 0 {
		add(&written, blocks/3, 0, 900, min(sp.writeMBPerS, host.mbPerS)/3)
		written.Ended, read.Ended = result.Dead, result.Dead
	}
	return []result.Test{written, read}
}
