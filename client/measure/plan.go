// Package measure runs the tests of a profile on a directory or a whole device: the linear ones with the machine's own dd, the random ones
// by itself. It believes no figure that the kernel's own counters of the device don't confirm.
package measure

import (
	"cmp"
	"errors"
	"time"

	"flashdex/result"
)

// Plan says what a run of a profile does, and bounds it. A duration of 0 is no limit.
type Plan struct {
	Method          string
	Profile         string
	Tests           []string // in order
	Filesystem      string   // that is made on the whole device, from half of it on; "" for none
	Sync            string   // of random writes: dsync or sync
	DevicePasses    int      // of linear writes over the first DeviceBytes of a whole device, before all else
	DeviceBytes     int64    // of those
	AreaPasses      int      // of linear writes over the area, before the tests
	AreaBytes       int64    // of the test area
	MinAreaBytes    int64    // that a slow module must fill, however long it takes
	FirstChunkBytes int64    // enough to see whether dd does what it is told, and little enough for a very slow module
	ChunkBytes      int64    // at most, for one dd
	Look            time.Duration
	Trial           time.Duration // of random writes, to say how long they will take
	SeqWrite        time.Duration // at most
	SeqRead         time.Duration
	RandWrite       func(blocks int64) result.Rule
	RandRead        func(blocks int64) result.Rule
	Whole           time.Duration // random writes get what the others leave of it
	Steps           []Step        // instead of Tests, each done by the client alone
	Command         []string      // instead of both, to be started; the first is the program's path
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
		Sync:            "sync",
		AreaPasses:      2,
		AreaBytes:       result.ReferenceAreaBytes,
		MinAreaBytes:    result.ReferenceAreaBytes,
		FirstChunkBytes: 8 << 20,
		ChunkBytes:      chunkBytes(memoryAvailable),
		Look:            2 * time.Second,
		Trial:           10 * time.Second,
		RandWrite:       result.ReferenceRule,
		RandRead:        result.ReferenceRule,
	}
}

// Erasing is the plan for a whole device of so many bytes, on which a file system is made first unless filesystem is "": the reference
// profile primes all of it, as the method does, and has only a file filled once more, so that it has its blocks.
func (p Plan) Erasing(deviceBytes int64, filesystem string) Plan {
	if p.Method != result.MethodAltechnative2012 {
		return p
	}
	p.DevicePasses, p.DeviceBytes, p.AreaPasses = p.AreaPasses, deviceBytes/linearBytes*linearBytes, 0
	if filesystem != "" {
		p.AreaPasses, p.Filesystem = 1, filesystem
	}
	return p
}

// OfStack is the plan for a stack of modules. What is ranked of modules has a method of its own there.
func (p Plan) OfStack() (Plan, error) {
	switch p.Method {
	case result.MethodFlashdex1:
		p.Method = result.MethodStack1
	case result.MethodAltechnative2012:
		return p, errors.New("the reference profile is for one module, as the published figures are that it is compared with; measure a stack with the standard profile")
	}
	return p, nil
}

// Sustained is the plan of the sustained profile: a line of writes for minutes, in which a cache fills up and a module grows hot,
// and reads of what was written. For its area, see Plan.Within.
func Sustained(int64) Plan {
	return Plan{
		Method:    result.MethodSustained1,
		Profile:   result.ProfileSustained,
		AreaBytes: result.StandardAreaBytes,
		Look:      2 * time.Second,
		Whole:     8 * time.Minute,
		Steps: []Step{ // as much as modules of up to 229 MB/s take in 5 minutes: more would only wear out faster ones
			{Test: result.SeqWrite, BlockBytes: linearBytes, Sync: "fsync", Limit: 5 * time.Minute, New: true, Bytes: 64 << 30},
			{Test: result.SeqRead, BlockBytes: linearBytes, Sync: "none", Limit: 2 * time.Minute, Bytes: 64 << 30},
		},
	}
}

// Startup is the plan of the startup profile, less the command.
func Startup(int64) Plan {
	return Plan{Method: result.MethodStartup1, Profile: result.ProfileStartup, Look: 2 * time.Second, Whole: 12 * time.Minute}
}

// Within is the plan with the area that it takes where a file or region may have so many bytes: all of that, if it goes around in
// its area for as long as it has time, and else its own.
func (p Plan) Within(bytes int64) Plan {
	if len(p.Steps) > 0 && p.Steps[0].Bytes > 0 {
		const most = 32 << 30
		p.AreaBytes = max(p.AreaBytes, min(bytes, most)/linearBytes*linearBytes)
	}
	return p
}

// Sweep is the plan of the sweep profile: every record size that is a power of two, for two seconds in each way.
func Sweep(memoryAvailable int64) Plan {
	const smallest, largest, largestInLittle, each = 512, 16 << 20, 4 << 20, 2 * time.Second
	fill := Standard(memoryAvailable)
	plan := Plan{
		Method:          result.MethodSweep1,
		Profile:         result.ProfileSweep,
		AreaPasses:      1,
		AreaBytes:       fill.AreaBytes,
		MinAreaBytes:    fill.MinAreaBytes,
		FirstChunkBytes: fill.FirstChunkBytes,
		ChunkBytes:      fill.ChunkBytes,
		Look:            fill.Look,
		SeqWrite:        fill.SeqWrite,
		Whole:           5 * time.Minute,
	}
	for bytes := int64(smallest); bytes <= largest; bytes *= 2 {
		if bytes > largestInLittle && memoryAvailable < 64<<20 {
			break
		}
		for _, s := range []Step{
			{Test: result.SeqWrite, Sync: "fsync"}, {Test: result.SeqRead, Sync: "none"},
			{Test: result.RandWrite, Sync: "dsync"}, {Test: result.RandRead, Sync: "none"},
		} {
			s.BlockBytes, s.Limit, s.Optional = bytes, each, true
			plan.Steps = append(plan.Steps, s)
		}
	}
	return plan
}

// Iozone is the plan of the iozone profile: what iozone -e -I -s 50M -r 4k -r 512k -i 0 -i 1 -i 2 does, in its order.
func Iozone(int64) Plan {
	const each = 4 * time.Minute // iozone has no limit
	plan := Plan{Method: result.MethodIozone50M, Profile: result.ProfileIozone, AreaBytes: result.IozoneAreaBytes, Look: 2 * time.Second, Whole: 50 * time.Minute}
	for _, bytes := range []int64{4 << 10, 512 << 10} {
		for _, s := range []Step{
			{Test: result.SeqWrite, Sync: "fsync", New: true}, {Test: result.SeqRewrite, Sync: "fsync"},
			{Test: result.SeqRead, Sync: "none"}, {Test: result.SeqReread, Sync: "none"},
			{Test: result.RandRead, Sync: "none"}, {Test: result.RandWrite, Sync: "fsync"},
		} {
			s.BlockBytes, s.Limit = bytes, each
			plan.Steps = append(plan.Steps, s)
		}
	}
	return plan
}

func chunkBytes(memoryAvailable int64) int64 {
	if memoryAvailable < 256<<20 {
		return 8 << 20
	}
	return 32 << 20
}

// RandWriteLimit is the most that the random writes of a plan without steps take, or 0 if there is no limit.
func (p Plan) RandWriteLimit() time.Duration {
	if p.RandWrite == nil {
		return 0
	}
	return time.Duration(p.RandWrite(0).MaxNS)
}

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

// WriteBytes is the most that a run writes to the module: each pass over it or the area, in a line and at random.
func (p Plan) WriteBytes() int64 {
	bytes := int64(p.DevicePasses)*p.DeviceBytes + int64(p.AreaPasses)*p.AreaBytes
	if p.Steps == nil {
		return bytes + 2*p.AreaBytes
	}
	for _, s := range p.Steps {
		if writes(s.Test) {
			bytes += cmp.Or(s.Bytes, p.AreaBytes)
		}
	}
	return bytes
}

// NeedBytes is what must be free: the area, and room for what the file system writes along with it.
func (p Plan) NeedBytes() int64 { return p.AreaBytes + p.AreaBytes/16 }

// Tells says whether a result of a module tells how long another run on it takes.
func Tells(d *result.Document) bool {
	for _, name := range []string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead} {
		if t := d.Test(name); t == nil || t.DurationNS == 0 || t.Ops == 0 {
			return false
		}
	}
	return true
}

// Takes is how long a run without a limit takes on the module of an earlier result that Tells. On a file system O_SYNC is reckoned to
// double what each random write costs.
func (p Plan) Takes(earlier *result.Document) time.Duration {
	seconds := func(name string, bytes int64) float64 {
		t := earlier.Test(name)
		return float64(bytes) / float64(t.Bytes) * float64(t.DurationNS) / 1e9
	}
	random := seconds(result.RandWrite, p.AreaBytes)
	if p.DevicePasses == 0 || p.Filesystem != "" {
		random *= 2
	}
	sum := seconds(result.SeqWrite, p.WriteBytes()-p.AreaBytes) + seconds(result.SeqRead, p.AreaBytes) + random + seconds(result.RandRead, p.AreaBytes)
	return time.Duration(sum * float64(time.Second))
}
