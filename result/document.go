// Package result defines the result document that client and server exchange, its checks for consistency, and the
// functions that derive every figure from its samples. It imports neither side.
//
// Times are integer nanoseconds (ns), sizes are integer bytes, and MB is 10^6 bytes. The sub-package schema holds the
// JSON Schema of the document.
package result

// SchemaVersion is the document version that this package reads and writes.
const SchemaVersion = 1

// MethodFlashdex1 is the test method of docs/method.md. Results of different methods are never ranked together.
const MethodFlashdex1 = "flashdex-1"

// MethodDD1 is the method of flashdex.sh on a platform without a client: one dd process for each 4K write, flushed by
// fsync. The time includes the start of the process. Test.CeilingIOPS shows how much that limits the rate.
const MethodDD1 = "dd-1"

// MethodStack1 is MethodFlashdex1 on a stack of modules (Document.Stack). Its figures say nothing about one module.
const MethodStack1 = "stack-1"

// MethodAltechnative2012 is the method of the Flash Module Benchmark Collection (altechnative.net, 2012), which
// ProfileReference repeats. It primes 512 MiB twice, writes and rewrites them in a line, and then writes them at
// random, every block with O_SYNC.
const MethodAltechnative2012 = "altechnative-2012-2"

// MethodAltechnative2012First is the method of ProfileReference in older clients. It doesn't write and rewrite the area
// in 4 KiB before the random tests. That leaves a module in another state.
const MethodAltechnative2012First = "altechnative-2012"

// Methods that the site shows and never ranks. Each has one profile.
const (
	MethodSustained1 = "sustained-1" // linear writes and reads for minutes
	MethodSweep1     = "sweep-1"     // every record size from 512 B to 16 MiB
	MethodStartup1   = "startup-1"   // starts of a program that is not in the page cache
	MethodFiles1     = "files-1"     // small files by record size, through the page cache and past it
	MethodRecording1 = "recording-1" // linear writes at the rates of a camera
	MethodRecorder1  = "recorder-1"  // linear writes at one rate, in files; a new file replaces the oldest
	MethodQueue1     = "queue-1"     // random operations with 1 to 32 under way at once
	MethodSaturate1  = "saturate-1"  // the whole module written, and then at random until its rate is steady
	MethodMixed1     = "mixed-1"     // random reads and writes at once, and writes after a rest
	MethodStructure1 = "structure-1" // units that a module opens and writes as a whole, found by the times of writes
	MethodEndure1    = "endure-1"    // the whole module written and read back, again and again, until it dies
	MethodVerify1    = "verify-1"    // no test of speed: whether the module has the capacity that it claims

	// MethodIozone50M repeats iozone from SD Card Speed vs. Java SE Embedded Startup Times on Raspberry Pi (White, 2014).
	MethodIozone50M = "iozone-50m"
)

// MethodImported is the prefix of the methods of imported results, such as import-iozone-1. The site shows these
// separately and never ranks them.
const MethodImported = "import-"

// Tools whose output can be imported.
const (
	ToolIozone            = "iozone"
	ToolFio               = "fio"
	ToolDD                = "dd"
	ToolHdparm            = "hdparm"
	ToolAgnostics         = "agnostics" // the SD Card Speed Test of Raspberry Pi Diagnostics, which runs fio
	ToolImager            = "imager"    // the performance export of Raspberry Pi Imager
	ToolCrystalDiskMark   = "crystaldiskmark"
	ToolKDiskMark         = "kdiskmark" // which runs fio
	ToolAmorphousDiskMark = "amorphousdiskmark"
	ToolPiBenchmarks      = "pibenchmarks" // its last table; it runs hdparm, dd, fio and iozone
	ToolH2testw           = "h2testw"
	ToolF3                = "f3"           // f3write and f3read
	ToolSdFat             = "sdfat-bench"  // the bench example of SdFat
	ToolPX4               = "px4-sd-bench" // sd_bench of PX4 and NuttX
)

// MethodOfImport returns the method of results that this version of Flashdex reads from the output of a tool.
func MethodOfImport(tool string) string { return MethodImported + tool + "-1" }

// Profiles. MethodFlashdex1 and MethodStack1 have the first two and rank the second. Each other method has one.
const (
	ProfileQuick     = "quick"
	ProfileStandard  = "standard"
	ProfileReference = "reference"
	ProfileSustained = "sustained"
	ProfileSweep     = "sweep"
	ProfileIozone    = "iozone"
	ProfileStartup   = "startup"
	ProfileFiles     = "files"
	ProfileRecording = "recording"
	ProfileRecorder  = "recorder"
	ProfileStructure = "structure"
	ProfileQueue     = "queue"
	ProfileSaturate  = "saturate"
	ProfileMixed     = "mixed"
	ProfileEndure    = "endure"
	ProfileVerify    = "verify"
	ProfileImported  = "imported" // measured by another tool, see Document.Imported
)

// ownProfiles pairs methods with their only profiles. No two methods share a profile, except the two of
// ProfileReference.
var ownProfiles = [...]struct{ method, profile string }{
	{MethodAltechnative2012, ProfileReference}, {MethodAltechnative2012First, ProfileReference},
	{MethodSustained1, ProfileSustained}, {MethodSweep1, ProfileSweep}, {MethodIozone50M, ProfileIozone},
	{MethodStartup1, ProfileStartup}, {MethodFiles1, ProfileFiles}, {MethodRecording1, ProfileRecording},
	{MethodRecorder1, ProfileRecorder}, {MethodStructure1, ProfileStructure},
	{MethodQueue1, ProfileQueue},
	{MethodSaturate1, ProfileSaturate}, {MethodMixed1, ProfileMixed}, {MethodEndure1, ProfileEndure},
	{MethodVerify1, ProfileVerify},
}

// profileOf returns a method's only profile. It returns "" if the method has several, or isn't in ownProfiles.
func profileOf(method string) string {
	for _, own := range ownProfiles {
		if own.method == method {
			return own.profile
		}
	}
	return ""
}

// OfReference reports whether a method is one of ProfileReference.
func OfReference(method string) bool { return profileOf(method) == ProfileReference }

// Names of the tests.
const (
	SeqWrite   = "seq-write"
	SeqRead    = "seq-read"
	RandWrite  = "rand-write"
	RandRead   = "rand-read"
	SeqRewrite = "seq-rewrite" // MethodIozone50M, MethodAltechnative2012: again over the data of SeqWrite
	SeqReread  = "seq-reread"  // MethodIozone50M: repeats SeqRead on the same file
	Startup    = "startup"     // MethodStartup1: an interval for each start, with the sectors that the device read

	// MethodFiles1: SeqWrite and SeqRead through the page cache. A write ends with an fsync, and before a read the file is
	// dropped from the cache.
	BufferedWrite = "buffered-write"
	BufferedRead  = "buffered-read"

	// MethodRecording1: linear writes that get so many MB (10^6 bytes) a second. Each waits for its data; OverheadNS
	// includes the waiting.
	Record4MBPerS  = "record-4-mb-per-s"
	Record10MBPerS = "record-10-mb-per-s"
	Record30MBPerS = "record-30-mb-per-s"

	// MethodRecorder1: linear writes at Test.RateBytesPerS, to files of AreaBytes in all.
	StreamWrite = "stream-write"
)

// ownTests pairs tests with the only method that has them. It leaves out the tests of recordings, which are known by
// their rate.
var ownTests = map[string]string{
	TurnWrite: MethodStructure1, GapWrite: MethodStructure1, KeptWrite: MethodStructure1,
	AcrossWrite: MethodStructure1, PlaceWrite: MethodStructure1,
	SameRead: MethodQueue1, QueuedRead: MethodQueue1, QueuedWrite: MethodQueue1, CheckedRead: MethodQueue1,
	FillWrite: MethodSaturate1, RoundWrite: MethodSaturate1, FullWrite: MethodSaturate1,
	Mixed: MethodMixed1, RestedWrite: MethodMixed1, EndureWrite: MethodEndure1, EndureRead: MethodEndure1,
}

// MethodOfTest returns the only method that has a test. It returns "" if several have it.
func MethodOfTest(test string) string { return ownTests[test] }

// Recordings are the tests of MethodRecording1 in their order, with their rates.
var Recordings = [...]struct {
	Test   string
	MBPerS int64 // 10^6 bytes
}{{Record4MBPerS, 4}, {Record10MBPerS, 10}, {Record30MBPerS, 30}}

// RecordedMBPerS returns the rate at which a test of MethodRecording1 gets its data. For any other test it is 0.
func RecordedMBPerS(test string) int64 {
	for _, r := range Recordings {
		if r.Test == test {
			return r.MBPerS
		}
	}
	return 0
}

// PaceBytesPerS returns the rate in bytes a second at which a test gets its data. It is 0 if the test gets them all at
// once.
func (t *Test) PaceBytesPerS() int64 { return max(t.RateBytesPerS, RecordedMBPerS(t.Name)*1e6) }

// Sizes of the test areas of profiles. Another size is another method: on a smaller area, a module keeps a larger share
// of its allocation units open and looks faster.
const (
	StandardAreaBytes  = 256 << 20
	QuickAreaBytes     = 64 << 20
	ReferenceAreaBytes = 512 << 20
	IozoneAreaBytes    = 50 << 20
	StructureAreaBytes = 6 << 30 // at most
)

// Document describes one run of one profile on one module: samples, module, host, client and method.
type Document struct {
	SchemaVersion int      `json:"schema_version"`
	ID            string   `json:"id"` // UUID, made by the client when the run starts; also the resource's name
	Client        Client   `json:"client"`
	Method        string   `json:"method"`
	Profile       string   `json:"profile"`
	StartedAt     string   `json:"started_at"`         // RFC 3339, UTC, the client's clock, which may be years off
	UnitTag       string   `json:"unit_tag,omitempty"` // 32 hex digits of HMAC-SHA-256(secret, CID or USB serial)
	Module        Module   `json:"module"`
	Identity      Identity `json:"identity,omitzero"` // unknown for an imported result, like Host and Target
	Stack         *Stack   `json:"stack,omitempty"`   // nil: one module
	Host          Host     `json:"host,omitzero"`
	Target        Target   `json:"target,omitzero"`
	Tests         []Test   `json:"tests"`             // none by MethodVerify1, and otherwise one or more
	Token         string   `json:"token,omitempty"`   // that the site gave out before the run; "": none
	Resumed       int      `json:"resumed,omitempty"` // how often the run was interrupted and resumed
	Spoilers      []string `json:"spoilers"`          // codes of possible disturbances; empty: clean

	Imported *Imported `json:"imported,omitempty"` // nil: Flashdex measured
}

// Imported describes the output of another tool that Flashdex read. StartedAt is then the time of the import.
type Imported struct {
	Tool        string   `json:"tool"`
	ToolVersion string   `json:"tool_version,omitempty"`
	Options     string   `json:"options,omitempty"`     // the options in the output that define the test; no file names
	MeasuredOn  string   `json:"measured_on,omitempty"` // YYYY-MM-DD, from the output
	Told        []string `json:"told,omitempty"`        // stated by the contributor: test, block-size, direct, sync, unit
	Checked     *Checked `json:"checked,omitempty"`     // nil: the tool didn't look
}

// Options that change what a figure of Imported means.
const (
	OptionZeros   = "data=zeros"      // the tool wrote zeros in place of random data
	OptionF3probe = "checked=f3probe" // f3probe made Checked, not the tool that filled the module
)

// Checked is what a program found that filled a module and read it back, such as H2testw or flashdex verify, or what
// f3probe found, which writes to places over the whole module and then reads them.
type Checked struct {
	Bytes   int64 `json:"bytes"`    // that were written and read back; f3probe: that the module announces
	OKBytes int64 `json:"ok_bytes"` // of them, as they had been written; f3probe: that are usable

	ChangedBytes int64 `json:"changed_bytes,omitempty"` // of the rest, with so few bits changed that the memory is there
	OfBytes      int64 `json:"of_bytes,omitempty"`      // of the volume, of which Bytes are a part; 0: the tool didn't say
}

// Client is the program that measured.
type Client struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Platform string `json:"platform"` // GOOS/GOARCH[vN], e.g. linux/armv6
}

// Module is the contributor's description of the module, or of each member of a stack. Every field may be missing.
type Module struct {
	Vendor     string  `json:"vendor,omitempty"`
	Product    string  `json:"product,omitempty"`
	CapacityGB float64 `json:"capacity_gb,omitempty"` // as printed on it, 10^9 bytes
	Form       string  `json:"form,omitempty"`        // of Forms
	Price      *Price  `json:"price,omitempty"`
}

// Forms are the form factors of a module.
var Forms = []string{"sd", "microsd", "sdexpress", "cf", "usb", "emmc", "other"}

// Price is the amount that the contributor paid for one module. Nobody converts it.
type Price struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // ISO 4217: three capital letters
	On       string  `json:"on"`       // date of purchase: YYYY-MM or YYYY-MM-DD
}

// Identity is the kernel's data about the module, without serial numbers.
type Identity struct {
	Bus       string    `json:"bus"`        // sd, mmc, usb, ata, scsi, nvme, virtio, loop, other or stack
	SizeBytes int64     `json:"size_bytes"` // the whole device, not the partition
	Removable bool      `json:"removable"`
	SD        *Register `json:"sd,omitempty"`
	MMC       *Register `json:"mmc,omitempty"`
	USB       *USB      `json:"usb,omitempty"`
	SCSI      *SCSI     `json:"scsi,omitempty"`
	ATA       *ATA      `json:"ata,omitempty"`
	Verified  *Verified `json:"verified,omitempty"`
	Checked   *Checked  `json:"checked,omitempty"` // only by MethodVerify1: what flashdex verify found in free space
	Wear      *Wear     `json:"wear,omitempty"`
}

// Register holds the registers of an SD card or eMMC as the kernel prints them, in lower-case hex. The serial number in
// the CID is zero. So is the checksum, because hosts change it.
type Register struct {
	CID    string `json:"cid,omitempty"`
	CSD    string `json:"csd,omitempty"`
	SCR    string `json:"scr,omitempty"`
	SSR    string `json:"ssr,omitempty"`
	Manfid string `json:"manfid,omitempty"`
	OEMID  string `json:"oemid,omitempty"`
	Name   string `json:"name,omitempty"`
	HWRev  string `json:"hwrev,omitempty"`
	FWRev  string `json:"fwrev,omitempty"`
	Date   string `json:"date,omitempty"` // MM/YYYY

	// Signs of the complete CID, before the client set the serial number to zero (register.Signs).
	CRCWrong       bool `json:"crc_wrong,omitempty"`
	SerialNearZero bool `json:"serial_near_zero,omitempty"`
}

// USB describes the stick, or the reader that hides the card in it.
type USB struct {
	VendorID      string `json:"vendor_id"`  // 4 hex digits
	ProductID     string `json:"product_id"` // 4 hex digits
	Manufacturer  string `json:"manufacturer,omitempty"`
	Product       string `json:"product,omitempty"`
	DeviceVersion string `json:"device_version,omitempty"`
	SpeedMbitPerS int    `json:"speed_mbit_per_s,omitempty"`
	Driver        string `json:"driver,omitempty"`
	Reader        bool   `json:"reader,omitempty"` // it says that it is a card reader; many readers don't
}

// SCSI is the INQUIRY text of a disk on the SCSI layer, ATA and USB included.
type SCSI struct {
	Vendor string `json:"vendor,omitempty"`
	Model  string `json:"model,omitempty"`
	Rev    string `json:"rev,omitempty"`
}

// ATA is the answer of a disk or CompactFlash card to IDENTIFY DEVICE, without the serial number.
type ATA struct {
	Model         string `json:"model,omitempty"`
	Firmware      string `json:"firmware,omitempty"`
	CapacityBytes int64  `json:"capacity_bytes,omitempty"` // sectors of 512 bytes
	CFA           bool   `json:"cfa,omitempty"`            // it says that it is a CompactFlash card
	UDMAMax       *int   `json:"udma_max,omitempty"`       // highest supported Ultra DMA mode; nil: none
	UDMASelected  *int   `json:"udma_selected,omitempty"`  // selected Ultra DMA mode; nil: none
}

// Verified is what flashdex verify --device found: by MethodVerify1 in this run, and otherwise in an earlier one on the
// same unit.
type Verified struct {
	ClaimedBytes int64  `json:"claimed_bytes"`
	FoundBytes   int64  `json:"found_bytes"` // real flash, counted from the beginning; ClaimedBytes if the unit is genuine
	On           string `json:"on"`          // YYYY-MM-DD, UTC
}

// Host is the computer that measured the module.
type Host struct {
	Board       string `json:"board,omitempty"`
	Arch        string `json:"arch"`
	Kernel      string `json:"kernel"`
	CPU         string `json:"cpu,omitempty"`
	CPUs        int    `json:"cpus"`
	MemoryBytes int64  `json:"memory_bytes"`
	BusMode     string `json:"bus_mode,omitempty"`
	BusClockHz  int64  `json:"bus_clock_hz,omitempty"`

	CommandQueue string `json:"command_queue,omitempty"` // of the SD card or eMMC: QueueOn, QueueOff; empty: not known
}

// States of a card's command queue. With it, the host may give the card up to 32 commands before the first is done.
const (
	QueueOn  = "on"
	QueueOff = "off"
)

// Target is the place of the test area on the module.
type Target struct {
	Kind       string `json:"kind"` // directory or device
	Filesystem string `json:"filesystem,omitempty"`
	RootDisk   bool   `json:"root_disk"`
	Mkfs       string `json:"mkfs,omitempty"`        // how the client made and mounted the file system for the test
	WriteCache string `json:"write_cache,omitempty"` // in the kernel's words: write back, write through

	// Before the test, as far as the kernel shows it. See Target.State.
	UsedPercent    int64  `json:"used_percent,omitempty"`    // of the file system, rounded up; 0: not known
	Discards       string `json:"discards,omitempty"`        // DiscardsNone …; empty: not known
	DiscardedBytes int64  `json:"discarded_bytes,omitempty"` // since the kernel knows the device; 0: none, or unknown

	// MethodStartup1. Starts compare only if program, version, configuration and host are the same.
	Program       string `json:"program,omitempty"`       // file name, without its directory
	ProgramSum    string `json:"program_sum,omitempty"`   // 32 hex digits of the SHA-256 of its file: tells versions apart
	Configuration string `json:"configuration,omitempty"` // the contributor's name for it; empty: not told
	ProgramBytes  int64  `json:"program_bytes,omitempty"` // size of the files on the module that a start uses
}

// Test is one measurement with its samples. A document has at most one with the same name and block size.
//
// Other tools print sums without samples. In an imported document, OverheadNS and DeviceBytes are 0 (unknown), and
// Batches are missing. Latency is missing, too, unless the tool prints a histogram (fio's json+). Intervals are single
// runs, passes or seconds, and DurationNS is the elapsed time.
type Test struct {
	Name          string `json:"name"`
	BlockBytes    int64  `json:"block_bytes"`
	QueueDepth    int    `json:"queue_depth"` // imported: 0 is unknown
	Sync          string `json:"sync"`        // none, fsync (once at the end, part of the time), dsync, sync
	Direct        bool   `json:"direct"`
	Engine        string `json:"engine"` // dd or flashdex; imported: the tool that measured
	EngineVersion string `json:"engine_version,omitempty"`
	Data          string `json:"data,omitempty"` // that was written: Zeros; "": random
	AreaBytes     int64  `json:"area_bytes"`

	// The counted part. For a random test, DurationNS is the sum of the latencies of Ops operations after the warm-up.
	Ops        int64 `json:"ops"`
	Bytes      int64 `json:"bytes"`
	DurationNS int64 `json:"duration_ns"`

	WarmupOps   int64 `json:"warmup_ops,omitempty"`
	WarmupNS    int64 `json:"warmup_ns,omitempty"`
	OverheadNS  int64 `json:"overhead_ns"`             // the client's own time between operations; not in DurationNS
	SourceBytes int64 `json:"source_bytes,omitempty"`  // linear write: random data made before the timed part
	SourceNS    int64 `json:"source_ns,omitempty"`     // time to make these data; part of OverheadNS
	TimeLimitNS int64 `json:"time_limit_ns,omitempty"` // limit of the stopping rule or the profile; 0: no limit
	DeviceBytes int64 `json:"device_bytes"`            // the kernel's count at the device, warm-up included
	Ended       Ended `json:"ended"`

	CeilingIOPS int64 `json:"ceiling_iops,omitempty"` // MethodDD1: the rate of the same loop on memory

	// CheckedRead: operations whose data are not what was written, those of them whose block was right when it was read
	// again alone, and discards that the device had done before.
	WrongOps      int64 `json:"wrong_ops,omitempty"`
	RightAloneOps int64 `json:"right_alone_ops,omitempty"`
	DiscardOps    int64 `json:"discard_ops,omitempty"`

	RateBytesPerS int64 `json:"rate_bytes_per_s,omitempty"` // StreamWrite: the rate of the data

	Checkpoints []Checkpoint `json:"checkpoints,omitempty"` // EndureWrite: one for every CheckpointBytes

	Order string `json:"order,omitempty"` // random tests of a run with a token: OrderSum of the used blocks

	Intervals []Interval `json:"intervals,omitempty"` // the whole test, warm-up included, in order
	Batches   []Batch    `json:"batches,omitempty"`   // random tests: the counted operations in BatchCount batches
	Latency   []Bucket   `json:"latency,omitempty"`   // random tests, StreamWrite: histogram of the counted operations

	Percentiles *Percentiles `json:"percentiles,omitempty"` // imported tests; beside Latency, only MaxNS matters
}

// Zeros is the Test.Data of the linear write that the article of MethodAltechnative2012 prints, in pieces of 512 bytes.
// SeqRewrite also has it, in pieces of 1 MiB.
const Zeros = "zeros"

// Percentiles are the latency percentiles that another tool printed, in ns. 0: not printed.
type Percentiles struct {
	P50NS  int64 `json:"p50_ns,omitempty"`
	P99NS  int64 `json:"p99_ns,omitempty"`
	P999NS int64 `json:"p999_ns,omitempty"`
	MaxNS  int64 `json:"max_ns,omitempty"`
}

// Ended says why a test ended.
type Ended string

// The reasons for the end of a test.
const (
	Complete  Ended = "complete"   // the test used every block of the area
	Converged Ended = "converged"  // the samples satisfied the stopping rule
	TimeLimit Ended = "time-limit" // the time was over
)

// Interval is a part of a test: at least a second of a random test (Series), or one dd or chunk of a linear test.
type Interval struct {
	Ops   int64 `json:"ops"`
	Bytes int64 `json:"bytes"`
	NS    int64 `json:"ns"`
	MaxNS int64 `json:"max_ns,omitempty"` // slowest operation

	// The processor time that a start and its children took, in their own code and in the kernel. Both 0: not known.
	UserNS   int64 `json:"user_ns,omitempty"`
	SystemNS int64 `json:"system_ns,omitempty"`

	// MethodFiles1: the size of the file that was written or read as a whole, at least once. Its last record may be
	// shorter.
	FileBytes int64 `json:"file_bytes,omitempty"`

	// MethodRecording1, MethodRecorder1: the longest time between a block's data being complete and being written.
	BehindNS int64 `json:"behind_ns,omitempty"`

	// MethodRecorder1: the shortest such time. One block that is hardly behind shows that the module caught up. 0: not
	// known.
	LeastBehindNS int64 `json:"least_behind_ns,omitempty"`

	// MethodQueue1: for how long the kernel had operations under way, each counted by itself.
	UnderWayNS int64 `json:"under_way_ns,omitempty"`

	Reads int64 `json:"reads,omitempty"` // Mixed: how many operations are reads

	// MethodEndure1: operations that found other data than were written, and operations that failed.
	WrongOps  int64 `json:"wrong_ops,omitempty"`
	FailedOps int64 `json:"failed_ops,omitempty"`

	Kind // MethodStructure1, MethodQueue1, MethodMixed1
}

// Batch is a number of consecutive operations and the sum of their latencies.
type Batch struct {
	Ops int64 `json:"ops"`
	NS  int64 `json:"ns"`
}
