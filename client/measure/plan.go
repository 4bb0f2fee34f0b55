// Package measure runs the tests of a profile on a directory: the linear ones with the machine's own dd, the random ones
// by itself. It believes no figure that the kernel's own counters of the device don't confirm.
package measure

import (
	"time"

	"flashdex/result"
)

// Plan bounds a run of a profile.
type Plan struct {
	AreaBytes    int64 // of the test area
	MinAreaBytes int64 // that a slow module must fill, however long it takes
	ChunkBytes   int64 // at most, for one dd
	Look         time.Duration
	SeqWrite     time.Duration // at most
	SeqRead      time.Duration
	RandWrite    func(blocks int64) result.Rule
	RandRead     func(blocks int64) result.Rule
	Whole        time.Duration // random writes get what the others leave of it
}

const (
	linearBytes = 1 << 20 // of one operation of dd
	randomBytes = 4096    // of one random operation
)

// Standard is the plan of the standard profile (docs/method.md). With little memory free the linear tests take smaller
// chunks, since the data to write are held in memory.
func Standard(memoryAvailable int64) Plan {
	p := Plan{
		AreaBytes:    result.StandardAreaBytes,
		MinAreaBytes: 16 << 20,
		ChunkBytes:   32 << 20,
		Look:         2 * time.Second,
		SeqWrite:     90 * time.Second,
		SeqRead:      30 * time.Second,
		RandWrite:    result.StandardRule,
		RandRead:     randReadRule,
		Whole:        6 * time.Minute,
	}
	if memoryAvailable < 256<<20 {
		p.ChunkBytes = 8 << 20
	}
	return p
}

// randReadRule reads for 30 s: whether the interval is tight by then is told, not waited for.
func randReadRule(blocks int64) result.Rule {
	rule := result.StandardRule(blocks)
	limit := 30 * time.Second
	rule.MinNS, rule.MaxNS = limit.Nanoseconds(), limit.Nanoseconds()
	rule.WarmupNS = time.Second.Nanoseconds()
	rule.Consecutive = 1
	return rule
}

// WriteBytes is the most that a run writes to the module: the area once in a line and once at random.
func (p Plan) WriteBytes() int64 { return 2 * p.AreaBytes }

// NeedBytes is what must be free: the area, and room for what the file system writes along with it.
func (p Plan) NeedBytes() int64 { return p.AreaBytes + p.AreaBytes/16 }
