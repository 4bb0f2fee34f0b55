// Package measure runs the tests of a profile on a directory or a whole device: the linear ones with the machine's own dd, the random ones
// by itself. It believes no figure that the kernel's own counters of the device don't confirm.
package measure

import (
	"time"

	"flashdex/result"
)

// Plan says what a run of a profile does, and bounds it. A duration of 0 is no limit.
type Plan struct {
	Method          string
	Profile         string
	Tests           []string // in order
	Passes          int      // of linear writes over the area; the last is the test, those before it prime the module
	Sync            string   // of random writes: dsync or sync
	AreaBytes       int64    // of the test area
	MinAreaBytes    int64    // that a slow module must fill, however long it takes
	FirstChunkBytes int64    // enough to see whether dd does what it is told, and little enough for a very slow module
	ChunkBytes      int64    // at most, for one dd
	Look            time.Duration
	SeqWrite        time.Duration // at most
	SeqRead         time.Duration
	RandWrite       func(blocks int64) result.Rule
	RandRead        func(blocks int64) result.Rule
	Whole           time.Duration // random writes get what the others leave of it
}

const (
	linearBytes = 1 << 20 // of one operation of dd
	randomBytes = 4096    // of one random operation
)

// Standard is the plan of the standard profile (docs/method.md). With little memory free the linear tests take smaller
// chunks, since the data to write are held in memory.
func Standard(memoryAvailable int64) Plan {
	return Plan{
		Method:          result.MethodFlashdex1,
		Profile:         result.ProfileStandard,
		Tests:           []string{result.SeqWrite, result.RandWrite, result.SeqRead, result.RandRead},
		Passes:          1,
		Sync:            "dsync",
		AreaBytes:       result.StandardAreaBytes,
		MinAreaBytes:    16 << 20,
		FirstChunkBytes: 8 << 20,
		ChunkBytes:      chunkBytes(memoryAvailable),
		Look:            2 * time.Second,
		SeqWrite:        90 * time.Second,
		SeqRead:         30 * time.Second,
		RandWrite:       result.StandardRule,
		RandRead:        readRule(result.StandardRule, 30*time.Second),
		Whole:           6 * time.Minute,
	}
}

// Quick is the plan of the quick profile: a minute in all, for a first look.
func Quick(memoryAvailable int64) Plan {
	return Plan{
		Method:          result.MethodFlashdex1,
		Profile:         result.ProfileQuick,
		Tests:           []string{result.SeqWrite, result.RandWrite, result.SeqRead, result.RandRead},
		Passes:          1,
		Sync:            "dsync",
		AreaBytes:       result.QuickAreaBytes,
		MinAreaBytes:    1 << 20,
		FirstChunkBytes: 1 << 20,
		ChunkBytes:      chunkBytes(memoryAvailable),
		Look:            2 * time.Second,
		SeqWrite:        18 * time.Second,
		SeqRead:         8 * time.Second,
		RandWrite:       result.QuickRule,
		RandRead:        readRule(result.QuickRule, 5*time.Second),
		Whole:           time.Minute,
	}
}

// Reference is the plan of the reference profile: the method of 2012, without any limit. Random reads come before random
// writes, as in iozone, and so what takes longest comes last.
func Reference(memoryAvailable int64) Plan {
	return Plan{
		Method:          result.MethodAltechnative2012,
		Profile:         result.ProfileReference,
		Tests:           []string{result.SeqWrite, result.SeqRead, result.RandRead, result.RandWrite},
		Passes:          2,
		Sync:            "sync",
		AreaBytes:       result.ReferenceAreaBytes,
		MinAreaBytes:    result.ReferenceAreaBytes,
		FirstChunkBytes: 8 << 20,
		ChunkBytes:      chunkBytes(memoryAvailable),
		Look:            2 * time.Second,
		RandWrite:       result.ReferenceRule,
		RandRead:        result.ReferenceRule,
	}
}

func chunkBytes(memoryAvailable int64) int64 {
	if memoryAvailable < 256<<20 {
		return 8 << 20
	}
	return 32 << 20
}

// RandWriteLimit is the most that the plan's random writes take, or 0 if there is no limit.
func (p Plan) RandWriteLimit() time.Duration { return time.Duration(p.RandWrite(0).MaxNS) }

// randWriteLimit is the rule's own limit, or what is left after elapsed when filling the area took long and the reads are
// still to come; never less than the rule's floor. It is 0 if there is no limit.
func (p Plan) randWriteLimit(elapsed time.Duration) time.Duration {
	rule := p.RandWrite(0)
	if rule.MaxNS == 0 {
		return 0
	}
	rest := p.Whole - elapsed - p.SeqRead - time.Duration(p.RandRead(0).MaxNS)
	return max(min(time.Duration(rule.MaxNS), rest), time.Duration(rule.MinNS))
}

// Raised is the plan with another limit for its random writes, and as much more for the whole.
func (p Plan) Raised(limit time.Duration) Plan {
	p.Whole += limit - p.RandWriteLimit()
	rule := p.RandWrite
	p.RandWrite = func(blocks int64) result.Rule {
		raised := rule(blocks)
		raised.MaxNS = limit.Nanoseconds()
		return raised
	}
	return p
}

// readRule reads for so long: whether the interval is tight by then is told, not waited for.
func readRule(of func(blocks int64) result.Rule, limit time.Duration) func(blocks int64) result.Rule {
	return func(blocks int64) result.Rule {
		rule := of(blocks)
		rule.MinNS, rule.MaxNS = limit.Nanoseconds(), limit.Nanoseconds()
		rule.WarmupNS = time.Second.Nanoseconds()
		rule.Consecutive = 1
		return rule
	}
}

// WriteBytes is the most that a run writes to the module: each pass over the area, in a line and at random.
func (p Plan) WriteBytes() int64 { return int64(p.Passes+1) * p.AreaBytes }

// NeedBytes is what must be free: the area, and room for what the file system writes along with it.
func (p Plan) NeedBytes() int64 { return p.AreaBytes + p.AreaBytes/16 }
