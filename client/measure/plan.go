// Package measure runs the tests of a profile in a directory or on a whole device: the linear ones with the machine's
// own dd, the random ones by itself. It accepts only figures that the kernel's counters of the device confirm.
package measure

import (
	"cmp"
	"errors"
	"time"

	"flashdex/client/device"
	"flashdex/result"
)

// Plan says what a run of a profile does, and its limits. A duration of 0 is no limit.
type Plan struct {
	Method          string
	Profile         string
	Tests           []Step // in order; zero fields of a step are the plan's own
	Filesystem      string // to make on the second half of a whole device; "" for none
	Sync            string // of random writes: dsync or sync
	DevicePasses    int    // linear writes over the first DeviceBytes of a whole device, before all else
	DeviceBytes     int64
	AreaPasses      int           // linear writes over the area, before the tests
	First           bool          // the area of a whole device is at its beginning
	AreaBytes       int64         // size of the test area
	MostAreaBytes   int64         // to which Within enlarges it; 0: it has its size
	Fills           bool          // all of a device, or of a directory's free space, is written
	FillBytes       int64         // that are written so
	CheckpointBytes int64         // of a run that wears a device out: written between two checkpoints
	MinAreaBytes    int64         // that a slow module must fill, however long it takes
	FirstChunkBytes int64         // enough to see whether dd works, and little enough for a very slow module
	ChunkBytes      int64         // limit for one dd
	Look            time.Duration // at the device before the tests
	Wait            time.Duration // for a quiet device and for room for the journal, of a run that can't do without
	Trial           time.Duration // of random writes, to estimate how long all of them will take
	SeqWrite        time.Duration // limit
	SeqRead         time.Duration
	RandWrite       func(blocks int64) result.Rule
	RandRead        func(blocks int64) result.Rule
	Whole           time.Duration // random writes get what the others leave of it
	Steps           []Step        // in place of Tests; the client does each by itself
	Command         []string      // in place of both: the program's path and its arguments
}

const (
	linearBytes  = 1 << 20 // of one operation of dd
	printedBytes = 512     // of one operation of dd without bs, as the article of 2012 prints it
	randomBytes  = 4096    // of one random operation
)

var standardTests = []Step{
	{Test: result.SeqWrite}, {Test: result.RandWrite}, {Test: result.SeqRead}, {Test: result.RandRead},
}

// referenceTests are the tests of the article of 2012. The linear tests of the standard profile come first. Only the
// tests that the article prints have a limit, since one operation moves 512 bytes, and the article goes over the whole
// module. Between them, one test writes zeros in our block size, so that the effect of the zeros can be told from that
// of the 512 bytes. Then come iozone's tests in its order (-i 0 -i 2), the longest last.
var referenceTests = []Step{
	{Test: result.SeqWrite}, {Test: result.SeqRead},
	{Test: result.SeqRead, BlockBytes: printedBytes, Limit: 2 * time.Minute, Optional: true},
	{Test: result.SeqRewrite, Zeros: true},
	{Test: result.SeqWrite, BlockBytes: printedBytes, Zeros: true, Limit: 4 * time.Minute, Optional: true},
	{Test: result.SeqWrite, BlockBytes: randomBytes, Sync: "sync", New: true},
	{Test: result.SeqRewrite, BlockBytes: randomBytes, Sync: "sync"},
	{Test: result.RandRead}, {Test: result.RandWrite},
}

// Standard is the plan of the standard profile (docs/method.md). It holds the data to write in memory, and so uses
// smaller chunks for linear tests if little memory is available.
func Standard(memoryAvailable int64) Plan {
	chunkBytes := int64(32 << 20)
	if memoryAvailable < 256<<20 {
		chunkBytes = 8 << 20
	}
	return Plan{
		Method: result.MethodFlashdex1, Profile: result.ProfileStandard, Sync: "dsync",
		Tests:     standardTests,
		AreaBytes: result.StandardAreaBytes, MinAreaBytes: 16 << 20, FirstChunkBytes: 8 << 20, ChunkBytes: chunkBytes,
		Look: 2 * time.Second, SeqWrite: 90 * time.Second, SeqRead: 30 * time.Second, Whole: 6 * time.Minute,
		RandWrite: result.StandardRule, RandRead: readRule(result.StandardRule, 30*time.Second),
	}
}

// Quick is the plan of the quick profile: a first look of a minute in all.
func Quick(memoryAvailable int64) Plan {
	p := Standard(memoryAvailable)
	p.Profile, p.Whole = result.ProfileQuick, time.Minute
	p.AreaBytes, p.MinAreaBytes, p.FirstChunkBytes = result.QuickAreaBytes, 1<<20, 1<<20
	p.SeqWrite, p.SeqRead = 18*time.Second, 8*time.Second
	p.RandWrite, p.RandRead = result.QuickRule, readRule(result.QuickRule, 5*time.Second)
	return p
}

// Reference is the plan of the reference profile: the method of 2012.
func Reference(memoryAvailable int64) Plan {
	p := Standard(memoryAvailable)
	p.Method, p.Profile, p.Sync = result.MethodAltechnative2012, result.ProfileReference, "sync"
	p.Tests = referenceTests
	p.AreaPasses, p.AreaBytes, p.MinAreaBytes = 2, result.ReferenceAreaBytes, result.ReferenceAreaBytes
	p.SeqWrite, p.SeqRead, p.Whole, p.Trial = 0, 0, 0, 10*time.Second
	p.RandWrite, p.RandRead = result.ReferenceRule, result.ReferenceRule
	return p
}

// Erasing is the plan for a whole device. The reference profile overwrites all of it first, as the method does. With a
// file system, it overwrites the test file once more, to allocate its blocks.
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

// OfStack is the plan for a stack of modules. The ranked profiles have methods of their own for stacks.
func (p Plan) OfStack() (Plan, error) {
	switch p.Method {
	case result.MethodFlashdex1:
		p.Method = result.MethodStack1
	case result.MethodAltechnative2012:
		return p, errors.New("the reference profile is for one module, like the published figures that it is compared " +
			"with; measure a stack with the standard profile")
	}
	return p, nil
}

// Sustained is the plan of the sustained profile: linear writes for minutes, which fill a cache and heat a module up,
// and reads of the same data. Plan.Within sets its area.
func Sustained(int64) Plan {
	const most = 64 << 30 // written in 5 minutes at 229 MB/s: more would only wear out faster modules
	return Plan{
		Method: result.MethodSustained1, Profile: result.ProfileSustained, AreaBytes: result.StandardAreaBytes,
		MostAreaBytes: mostAreaBytes, Look: 2 * time.Second, Whole: 8 * time.Minute,
		Steps: []Step{
			{Test: result.SeqWrite, BlockBytes: linearBytes, Sync: "fsync", Limit: 5 * time.Minute, New: true, Bytes: most},
			{Test: result.SeqRead, BlockBytes: linearBytes, Sync: "none", Limit: 2 * time.Minute, Bytes: most},
		},
	}
}

// Recording is the plan of the recording profile. It writes linearly at a camera's rates, two minutes each, and makes a
// new file for each rate. A module that has not taken everything half a minute later doesn't keep up.
func Recording(int64) Plan {
	p := Plan{
		Method: result.MethodRecording1, Profile: result.ProfileRecording, AreaBytes: result.StandardAreaBytes,
		MostAreaBytes: mostAreaBytes, Look: 2 * time.Second, Whole: 8 * time.Minute,
	}
	for _, r := range result.Recordings {
		p.Steps = append(p.Steps, Step{
			Test: r.Test, BlockBytes: linearBytes, Sync: "fsync", Limit: 150 * time.Second, New: true,
			Bytes: r.MBPerS * 1e6 * 120,
		})
	}
	return p
}

// RecorderBytesPerS is the rate of the recorder profile, unless another one is asked for.
const RecorderBytesPerS = 10e6

// Recorder is the plan of the recorder profile. Data come at a constant rate. They are written for four minutes in
// blocks of 1 MiB, and then for four minutes in blocks of 4 KiB. They go to several files: each new one replaces the
// oldest. All files together hold the data of one minute.
func Recorder(int64) Plan { return RecorderAt(RecorderBytesPerS) }

// RecorderAt is the plan of the recorder profile at a rate.
func RecorderAt(bytesPerS int64) Plan {
	p := Plan{
		Method: result.MethodRecorder1, Profile: result.ProfileRecorder, Look: 2 * time.Second, Whole: 10 * time.Minute,
		AreaBytes: max(60*bytesPerS/linearBytes, ringFiles) / ringFiles * ringFiles * linearBytes,
	}
	for _, block := range []int64{linearBytes, randomBytes} {
		p.Steps = append(p.Steps, Step{
			Test: result.StreamWrite, BlockBytes: block, Sync: "fsync", Limit: 270 * time.Second, Rate: bytesPerS,
			Bytes: 240 * bytesPerS / block * block,
		})
	}
	return p
}

// Startup is the plan of the startup profile, without the command.
func Startup(int64) Plan {
	return Plan{Method: result.MethodStartup1, Profile: result.ProfileStartup, Look: 2 * time.Second,
		Whole: 12 * time.Minute}
}

// Saturate is the plan of the saturate profile: linear and random writes as the standard profile does them, then all of
// the module or of a directory's free space in a line, then at random until the rate is steady, and then the first
// random writes once more.
func Saturate(memoryAvailable int64) Plan {
	p := Standard(memoryAvailable)
	p.Method, p.Profile, p.Fills, p.Whole = result.MethodSaturate1, result.ProfileSaturate, true, 0
	p.SeqRead, p.RandRead = 0, func(int64) result.Rule { return result.Rule{} }
	p.Tests = []Step{
		{Test: result.SeqWrite}, {Test: result.RandWrite},
		{Test: result.FillWrite, BlockBytes: linearBytes, Sync: "fsync"},
		{Test: result.RoundWrite, BlockBytes: randomBytes, Sync: "dsync", Limit: SteadyLimit, Interval: roundInterval},
		{Test: result.FullWrite, BlockBytes: randomBytes},
	}
	return p
}

// SteadyLimit is how long the saturate profile waits for a steady rate.
const SteadyLimit = 3 * time.Hour

// Mixed is the plan of the mixed profile: mixed random reads and writes, and writes after a rest.
func Mixed(int64) Plan {
	p := Plan{
		Method: result.MethodMixed1, Profile: result.ProfileMixed, AreaBytes: result.StandardAreaBytes,
		Look: 2 * time.Second, Whole: 13 * time.Minute,
		Steps: []Step{filling(90 * time.Second)},
	}
	for _, s := range mixedSteps {
		s.BlockBytes, s.Sync, s.Interval = randomBytes, "dsync", time.Second
		p.Steps = append(p.Steps, s)
	}
	return p
}

// filling is the step that writes an area first, so that no part of it is empty.
func filling(limit time.Duration) Step {
	return Step{Test: result.SeqWrite, BlockBytes: linearBytes, Sync: "fsync", Limit: limit, New: true}
}

// Resumable reports whether an interrupted run can go on. A run of the reference profile can, since it primes the area
// again. So can a run that fills a whole device.
func (p Plan) Resumable(device bool) bool {
	return p.Method == result.MethodAltechnative2012 || p.Fills && device
}

// mostAreaBytes is the area of a plan that goes over it again and again.
const mostAreaBytes = 32 << 30

// Structure is the plan of the structure profile. It writes an area once, so that no part of it is empty. Then it finds
// out which units the module opens and writes, and which places it favours (result.Structure).
func Structure(int64) Plan {
	p := Plan{
		Method: result.MethodStructure1, Profile: result.ProfileStructure, AreaBytes: result.StandardAreaBytes,
		MostAreaBytes: result.StructureAreaBytes, First: true, Look: 2 * time.Second, Whole: 10 * time.Minute,
		Steps: []Step{filling(150 * time.Second)},
	}
	for _, s := range structureSteps {
		s.Sync = "dsync"
		p.Steps = append(p.Steps, s)
	}
	return p
}

// Queue is the plan of the queue profile. It writes an area, and then reads and writes it at random in blocks of 4 KiB
// with 1 to 32 operations under way.
func Queue(int64) Plan {
	p := Plan{
		Method: result.MethodQueue1, Profile: result.ProfileQueue, AreaBytes: result.StandardAreaBytes,
		Look: 2 * time.Second, Whole: 10 * time.Minute,
		Steps: []Step{filling(2 * time.Minute)},
	}
	for _, s := range queueSteps {
		s.BlockBytes, s.Interval = randomBytes, queueInterval
		p.Steps = append(p.Steps, s)
	}
	return p
}

// AreaStart is where the area begins on a whole device.
func (p Plan) AreaStart(deviceBytes int64) int64 {
	if p.First {
		return 0
	}
	return device.AreaStart(deviceBytes)
}

// Filling adds to a plan how many bytes a fill writes to a target.
func (p Plan) Filling(target device.Target) (Plan, error) {
	room := target.FillRoom()
	switch {
	case !p.Fills:
		return p, nil
	case target.Device != nil:
		room -= markBytes
	case room == device.MostFATBytes:
		return p, errors.New("a file on FAT has at most 4 GiB, which don't fill this module. Nothing was written. " +
			"Measure all of it with --device, or a directory of another file system")
	}
	p.FillBytes = room / linearBytes * linearBytes
	return p, nil
}

// Within enlarges a plan's area as far as the room and the plan allow.
func (p Plan) Within(roomBytes int64) Plan {
	p.AreaBytes = max(p.AreaBytes, min(roomBytes, p.MostAreaBytes)/linearBytes*linearBytes)
	return p
}

// Sweep is the plan of the sweep profile. Each of its tests uses every record size that is a power of two, for two
// seconds each.
func Sweep(memoryAvailable int64) Plan {
	const smallest, largest, largestInLittle = 512, 16 << 20, 4 << 20
	p := Standard(memoryAvailable)
	p.Method, p.Profile, p.AreaPasses, p.Whole = result.MethodSweep1, result.ProfileSweep, 1, 5*time.Minute
	p.Tests, p.Sync, p.SeqRead, p.RandWrite, p.RandRead = nil, "", 0, nil, nil
	for bytes := int64(smallest); bytes <= largest && (bytes <= largestInLittle || memoryAvailable >= 64<<20); bytes *= 2 {
		p.addSteps(bytes, 2*time.Second, true, Step{Test: result.SeqWrite, Sync: "fsync"}, Step{Test: result.SeqRead},
			Step{Test: result.RandWrite, Sync: "dsync"}, Step{Test: result.RandRead})
	}
	return p
}

// Iozone is the plan of the iozone profile: iozone -e -I -s 50M -r 4k -r 512k -i 0 -i 1 -i 2, in its order.
func Iozone(int64) Plan {
	p := Plan{
		Method: result.MethodIozone50M, Profile: result.ProfileIozone, AreaBytes: result.IozoneAreaBytes,
		Look: 2 * time.Second, Whole: 50 * time.Minute,
	}
	for _, bytes := range []int64{4 << 10, 512 << 10} {
		p.addSteps(bytes, 4*time.Minute, false, // iozone sets no limit
			Step{Test: result.SeqWrite, Sync: "fsync", New: true}, Step{Test: result.SeqRewrite, Sync: "fsync"},
			Step{Test: result.SeqRead}, Step{Test: result.SeqReread}, Step{Test: result.RandRead},
			Step{Test: result.RandWrite, Sync: "fsync"})
	}
	return p
}

// Files is the plan of the files profile: small files, each with every record size from 512 B to 128 KiB, through the
// page cache and past it.
func Files(int64) Plan {
	p := Plan{
		Method: result.MethodFiles1, Profile: result.ProfileFiles, AreaBytes: fileSizes[len(fileSizes)-1],
		Look: 2 * time.Second, Whole: 5 * time.Minute,
	}
	for bytes := int64(512); bytes <= 128<<10; bytes *= 2 {
		p.addSteps(bytes, 1500*time.Millisecond, true, fileTests...)
	}
	return p
}

func (p *Plan) addSteps(blockBytes int64, limit time.Duration, optional bool, steps ...Step) {
	for _, s := range steps {
		s.BlockBytes, s.Limit, s.Optional, s.Sync = blockBytes, limit, optional, cmp.Or(s.Sync, "none")
		p.Steps = append(p.Steps, s)
	}
}

// RandWriteLimit is the time limit of the random writes of a plan without steps, or 0 if there is none.
func (p Plan) RandWriteLimit() time.Duration {
	if p.RandWrite == nil {
		return 0
	}
	return time.Duration(p.RandWrite(0).MaxNS)
}

// randWriteLimit returns the rule's own limit. If filling the area took long, it returns the time that is left after
// elapsed and the reads that still follow, but no less than the rule's minimum. It returns 0 if there is no limit.
func (p Plan) randWriteLimit(elapsed time.Duration) time.Duration {
	rule := p.RandWrite(0)
	if rule.MaxNS == 0 {
		return 0
	}
	if p.Whole == 0 {
		return time.Duration(rule.MaxNS)
	}
	rest := p.Whole - elapsed - p.SeqRead - time.Duration(p.RandRead(0).MaxNS)
	return max(min(time.Duration(rule.MaxNS), rest), time.Duration(rule.MinNS))
}

// Raised is the plan with a higher limit for its random writes, and as much more time for the whole.
func (p Plan) Raised(limit time.Duration) Plan {
	p.Whole += limit - p.RandWriteLimit()
	rule := p.RandWrite
	p.RandWrite = func(blocks int64) result.Rule {
		raised := rule(blocks)
		raised.MaxNS = limit.Nanoseconds()
		raised.MinNS = raised.MaxNS / result.MaxOverMin
		return raised
	}
	return p
}

// readRule makes a rule that reads for a fixed time, whether or not the interval is tight by then.
func readRule(of func(blocks int64) result.Rule, limit time.Duration) func(blocks int64) result.Rule {
	return func(blocks int64) result.Rule {
		rule := of(blocks)
		rule.MinNS, rule.MaxNS = limit.Nanoseconds(), limit.Nanoseconds()
		rule.WarmupNS = time.Second.Nanoseconds()
		rule.Consecutive = 1
		return rule
	}
}

// WriteBytes is the most that a run writes to the module.
func (p Plan) WriteBytes() int64 {
	bytes := int64(p.DevicePasses)*p.DeviceBytes + int64(p.AreaPasses)*p.AreaBytes
	steps := p.Steps
	if steps == nil {
		steps = p.Tests
	}
	for _, s := range steps {
		switch {
		case s.Test == result.CheckedRead:
			bytes += checkedArea
		case s.Test == result.FillWrite:
			bytes += p.FillBytes
		case s.Test == result.Mixed:
			bytes += s.Bytes / result.MixedOf * (result.MixedOf - result.MixedReads)
		case s.Test == result.RoundWrite: // as much as it takes
		case !writes(s.Test):
		case s.Files:
			for _, size := range fileSizes {
				bytes += size * (mostFiles + 1) // it is written beforehand
			}
		default:
			bytes += cmp.Or(s.Bytes, p.AreaBytes)
		}
	}
	return bytes
}

// LinearWriteBytes is how much a plan without steps writes in blocks of linearBytes.
func (p Plan) LinearWriteBytes() int64 {
	bytes := int64(p.DevicePasses)*p.DeviceBytes + int64(p.AreaPasses)*p.AreaBytes
	for _, s := range p.Tests {
		if writes(s.Test) && s.blockBytes() == linearBytes {
			bytes += p.AreaBytes
		}
	}
	return bytes
}

// NeedBytes is the space that must be free: the area, and room for the file system's own data.
func (p Plan) NeedBytes() int64 { return p.AreaBytes + p.AreaBytes/16 }

// CanEstimate reports whether Plan.Takes can use a result of the module.
func CanEstimate(d *result.Document) bool {
	for _, name := range []string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead} {
		if t := d.Test(name); t == nil || t.DurationNS == 0 || t.Ops == 0 {
			return false
		}
	}
	return true
}

// Takes estimates how long a run without a limit takes on the module of an earlier result. CanEstimate must accept that
// result. Takes assumes that O_SYNC on a file system doubles the time of each random write. It leaves out the linear
// writes of 4 KiB, since only a result of the same profile has their rate.
func (p Plan) Takes(earlier *result.Document) time.Duration {
	seconds := func(name string, bytes int64) float64 {
		t := earlier.Test(name)
		return float64(bytes) / float64(t.Bytes) * float64(t.DurationNS) / 1e9
	}
	random := seconds(result.RandWrite, p.AreaBytes)
	if p.DevicePasses == 0 || p.Filesystem != "" {
		random *= 2
	}
	linear := seconds(result.SeqWrite, p.LinearWriteBytes()) + seconds(result.SeqRead, p.AreaBytes)
	all := time.Duration((linear + random + seconds(result.RandRead, p.AreaBytes)) * float64(time.Second))
	for _, s := range p.Tests {
		all += s.Limit
	}
	return all
}
