// Package result is the language that the client and the server share: the result document, its units, its checks for
// consistency, and the functions that derive every figure from the samples in it. It imports neither side.
//
// Times are integer nanoseconds (ns), sizes integer bytes, and MB is 10^6 bytes. The JSON Schema of the document is in
// the sub-package schema.
package result

// SchemaVersion is the document version that this package reads and writes.
const SchemaVersion = 1

// MethodFlashdex1 names the test method of docs/method.md. Results of different methods are never ranked together.
const MethodFlashdex1 = "flashdex-1"

// MethodDD1 names what flashdex.sh does where there is no client: one dd for each 4K write, flushed by fsync. Starting the
// process is part of the time, which Test.CeilingIOPS bounds.
const MethodDD1 = "dd-1"

// MethodStack1 names what is MethodFlashdex1 but measured several modules together, as a stack (Document.Stack). What several do together says
// nothing of one.
const MethodStack1 = "stack-1"

// MethodAltechnative2012 names the method of the Flash Module Benchmark Collection (altechnative.net, 2012), which
// ProfileReference repeats: primed twice, 512 MiB, O_SYNC, every block.
const MethodAltechnative2012 = "altechnative-2012"

// Methods whose figures are shown and never ranked; each has one profile.
const (
	MethodSustained1 = "sustained-1" // linear writes and reads for minutes
	MethodSweep1     = "sweep-1"     // every record size from 512 B to 16 MiB
	MethodStartup1   = "startup-1"   // starts of a program that the page cache holds nothing of
	MethodIozone50M  = "iozone-50m"  // after SD Card Speed vs. Java SE Embedded Startup Times on Raspberry Pi (White, 2014): iozone -e -I -s 50M -r 4k -r 512k
)

// MethodImported begins the names of the methods of results that other tools measured: import-iozone-1, import-fio-1,
// import-dd-1 and import-agnostics-1. They are shown apart and never ranked.
const MethodImported = "import-"

// Tools whose output can be imported.
const (
	ToolIozone    = "iozone"
	ToolFio       = "fio"
	ToolDD        = "dd"
	ToolAgnostics = "agnostics" // the SD Card Speed Test of Raspberry Pi Diagnostics, which runs fio
)

// MethodOfImport is the method of what a tool measured and this version of Flashdex read.
func MethodOfImport(tool string) string { return MethodImported + tool + "-1" }

// Profiles. The first two are of MethodFlashdex1 and MethodStack1, where only ProfileStandard is ranked; each other is all there is of a method.
const (
	ProfileQuick     = "quick"
	ProfileStandard  = "standard"
	ProfileReference = "reference"
	ProfileSustained = "sustained"
	ProfileSweep     = "sweep"
	ProfileIozone    = "iozone"
	ProfileStartup   = "startup"
	ProfileImported  = "imported" // no profile of ours: another tool measured, Document.Imported says which
)

// profileOf is the profile of each method that has one of its own.
var profileOf = map[string]string{
	MethodAltechnative2012: ProfileReference, MethodSustained1: ProfileSustained, MethodSweep1: ProfileSweep, MethodIozone50M: ProfileIozone, MethodStartup1: ProfileStartup,
}

// Names of the tests, as the field uses them.
const (
	SeqWrite   = "seq-write"
	SeqRead    = "seq-read"
	RandWrite  = "rand-write"
	RandRead   = "rand-read"
	SeqRewrite = "seq-rewrite" // MethodIozone50M: once more over what SeqWrite made
	SeqReread  = "seq-reread"  // and once more over what SeqRead read
	Startup    = "startup"     // MethodStartup1: an interval for each start, with what the device read meanwhile, in sectors of 512 bytes
)

// StandardAreaBytes is the size of the test area of ProfileStandard. Another span is another method: on a smaller one a
// module keeps more of its allocation units open and looks faster.
const StandardAreaBytes = 256 << 20

// QuickAreaBytes is the size of the test area of ProfileQuick.
const QuickAreaBytes = 64 << 20

// ReferenceAreaBytes is the size of the test area of ProfileReference.
const ReferenceAreaBytes = 512 << 20

// IozoneAreaBytes is the size of the test area of ProfileIozone.
const IozoneAreaBytes = 50 << 20

// Document is one run of one profile on one module: what was measured, on what, by what, and how.
type Document struct {
	SchemaVersion int      `json:"schema_version"`
	ID            string   `json:"id"` // UUID, made by the client when the run starts; also the resource's name
	Client        Client   `json:"client"`
	Method        string   `json:"method"`
	Profile       string   `json:"profile"`
	StartedAt     string   `json:"started_at"`         // RFC 3339, UTC, the client's clock: boards without one are years off
	UnitTag       string   `json:"unit_tag,omitempty"` // 32 hex digits: truncated HMAC-SHA-256(contributor's secret, CID or USB serial)
	Module        Module   `json:"module"`
	Identity      Identity `json:"identity,omitzero"` // of an imported result nobody knows this and the next three
	Stack         *Stack   `json:"stack,omitempty"`   // nil: one module
	Host          Host     `json:"host,omitzero"`
	Target        Target   `json:"target,omitzero"`
	Tests         []Test   `json:"tests"`
	Resumed       int      `json:"resumed,omitempty"` // how often the run was interrupted and gone on with
	Spoilers      []string `json:"spoilers"`          // codes of what may have spoiled the figures; empty means clean

	Imported *Imported `json:"imported,omitempty"` // nil: Flashdex measured
}

// Imported says what other tool measured, where Flashdex only read its output. Of such a document, StartedAt is when it was read.
type Imported struct {
	Tool        string   `json:"tool"`
	ToolVersion string   `json:"tool_version,omitempty"`
	Options     string   `json:"options,omitempty"`     // that say what was measured, as the output shows them; no names of files
	MeasuredOn  string   `json:"measured_on,omitempty"` // YYYY-MM-DD, by the output
	Told        []string `json:"told,omitempty"`        // what the output doesn't say, so that the contributor did: test, block-size, direct, sync, unit
}

// Client is the program that measured.
type Client struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Platform string `json:"platform"` // GOOS/GOARCH[vN], e.g. linux/armv6
}

// Module is what the contributor says the module is; of a stack, each of its members. Every field may be missing.
type Module struct {
	Vendor     string  `json:"vendor,omitempty"`
	Product    string  `json:"product,omitempty"`
	CapacityGB float64 `json:"capacity_gb,omitempty"` // as printed on it, 10^9 bytes
	Form       string  `json:"form,omitempty"`        // sd, microsd, cf, usb, emmc, other
	Price      *Price  `json:"price,omitempty"`
}

// Price is what the contributor paid for one module. It is never converted.
type Price struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // ISO 4217: three capital letters
	On       string  `json:"on"`       // when it was bought: YYYY-MM or YYYY-MM-DD
}

// Identity is what the kernel shows of the module, less every serial number.
type Identity struct {
	Bus       string    `json:"bus"`        // sd, mmc, usb, ata, scsi, nvme, virtio, loop, other; stack: Document.Stack has those of its members
	SizeBytes int64     `json:"size_bytes"` // the whole device, not the partition
	Removable bool      `json:"removable"`
	SD        *Register `json:"sd,omitempty"`
	MMC       *Register `json:"mmc,omitempty"`
	USB       *USB      `json:"usb,omitempty"`
	SCSI      *SCSI     `json:"scsi,omitempty"`
	ATA       *ATA      `json:"ata,omitempty"`
	Verified  *Verified `json:"verified,omitempty"`
}

// Register holds the registers of an SD card or eMMC as the kernel prints them, in lower-case hex. In CID the serial
// number and the checksum, whose last byte differs by host, are zero.
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

	// What the whole CID showed, before anything in it was zeroed (register.Signs).
	CRCWrong       bool `json:"crc_wrong,omitempty"`
	SerialNearZero bool `json:"serial_near_zero,omitempty"`
}

// USB is the stick, or the reader that hides the card in it.
type USB struct {
	VendorID      string `json:"vendor_id"`  // 4 hex digits
	ProductID     string `json:"product_id"` // 4 hex digits
	Manufacturer  string `json:"manufacturer,omitempty"`
	Product       string `json:"product,omitempty"`
	DeviceVersion string `json:"device_version,omitempty"`
	SpeedMbitPerS int    `json:"speed_mbit_per_s,omitempty"`
	Driver        string `json:"driver,omitempty"`
	Reader        bool   `json:"reader,omitempty"` // it says that it is a card reader; many don't
}

// SCSI is the INQUIRY text of a disk on the SCSI layer, ATA and USB included.
type SCSI struct {
	Vendor string `json:"vendor,omitempty"`
	Model  string `json:"model,omitempty"`
	Rev    string `json:"rev,omitempty"`
}

// ATA is what a disk or CompactFlash card answers to IDENTIFY DEVICE, less its serial number.
type ATA struct {
	Model         string `json:"model,omitempty"`
	Firmware      string `json:"firmware,omitempty"`
	CapacityBytes int64  `json:"capacity_bytes,omitempty"` // its sectors, of 512 bytes
	CFA           bool   `json:"cfa,omitempty"`            // it says that it is a CompactFlash card
	UDMAMax       *int   `json:"udma_max,omitempty"`       // highest Ultra DMA mode that it can do; nil: none
	UDMASelected  *int   `json:"udma_selected,omitempty"`  // the mode that it is in; nil: none
}

// Verified is what flashdex verify --device found on the same unit before.
type Verified struct {
	ClaimedBytes int64  `json:"claimed_bytes"`
	FoundBytes   int64  `json:"found_bytes"` // real from the beginning on; ClaimedBytes if nothing contradicts it
	On           string `json:"on"`          // YYYY-MM-DD, UTC
}

// Host is the computer that the module was measured in.
type Host struct {
	Board       string `json:"board,omitempty"`
	Arch        string `json:"arch"`
	Kernel      string `json:"kernel"`
	CPU         string `json:"cpu,omitempty"`
	CPUs        int    `json:"cpus"`
	MemoryBytes int64  `json:"memory_bytes"`
	BusMode     string `json:"bus_mode,omitempty"`
	BusClockHz  int64  `json:"bus_clock_hz,omitempty"`
}

// Target is where on the module the test area lay.
type Target struct {
	Kind       string `json:"kind"` // directory or device
	Filesystem string `json:"filesystem,omitempty"`
	RootDisk   bool   `json:"root_disk"`
	Program    string `json:"program,omitempty"`     // MethodStartup1: the name of what was started, without its directory and arguments
	Mkfs       string `json:"mkfs,omitempty"`        // how the file system was made and mounted, if the client did that for the test
	WriteCache string `json:"write_cache,omitempty"` // as the kernel names it: write back, write through
}

// Test is one measurement with its samples. A document has one of a name and block size.
//
// Another tool tells sums and no samples. Of a test in an imported document, OverheadNS and DeviceBytes are 0, not known; there are
// no batches and no histogram; Intervals are the single dd's of a test, or missing; and DurationNS is the time that went by.
type Test struct {
	Name          string `json:"name"`
	BlockBytes    int64  `json:"block_bytes"`
	QueueDepth    int    `json:"queue_depth"`
	Sync          string `json:"sync"` // none, fsync (once, at the end, within the time), dsync, sync
	Direct        bool   `json:"direct"`
	Engine        string `json:"engine"` // dd or flashdex; imported: iozone, fio or dd
	EngineVersion string `json:"engine_version,omitempty"`
	AreaBytes     int64  `json:"area_bytes"`

	// What is counted. Of a random test, DurationNS is the sum of the latencies of Ops operations after the warm-up.
	Ops        int64 `json:"ops"`
	Bytes      int64 `json:"bytes"`
	DurationNS int64 `json:"duration_ns"`

	WarmupOps   int64 `json:"warmup_ops,omitempty"`
	WarmupNS    int64 `json:"warmup_ns,omitempty"`
	OverheadNS  int64 `json:"overhead_ns"`             // what the client itself took between operations; not in DurationNS
	SourceBytes int64 `json:"source_bytes,omitempty"`  // linear write: random data made ahead of the timed part
	SourceNS    int64 `json:"source_ns,omitempty"`     // the time that took; it is in OverheadNS
	TimeLimitNS int64 `json:"time_limit_ns,omitempty"` // the longest that the rule of a random test allowed, or the profile of any; 0 for no limit
	DeviceBytes int64 `json:"device_bytes"`            // what the kernel counted at the device during the test, warm-up included
	Ended       Ended `json:"ended"`

	CeilingIOPS int64 `json:"ceiling_iops,omitempty"` // MethodDD1: what the same loop does on memory

	Intervals []Interval `json:"intervals,omitempty"` // the whole test, warm-up included, in order
	Batches   []Batch    `json:"batches,omitempty"`   // random tests: the counted operations in BatchCount batches
	Latency   []Bucket   `json:"latency,omitempty"`   // random tests: histogram of the counted operations

	Percentiles *Percentiles `json:"percentiles,omitempty"` // imported random tests: what the tool made of its own histogram
}

// Percentiles are those of the latencies that another tool measured. 0: it doesn't tell.
type Percentiles struct {
	P50NS  int64 `json:"p50_ns,omitempty"`
	P99NS  int64 `json:"p99_ns,omitempty"`
	P999NS int64 `json:"p999_ns,omitempty"`
	MaxNS  int64 `json:"max_ns,omitempty"`
}

// Ended says why a test ended.
type Ended string

// The ways in which a test ends.
const (
	Complete  Ended = "complete"   // every block of the area
	Converged Ended = "converged"  // the stopping rule was satisfied
	TimeLimit Ended = "time-limit" // neither, within the time allowed
)

// Interval is a stretch of a test: about a second of a random test, or more of a long one (Series); one dd of a linear one.
type Interval struct {
	Ops   int64 `json:"ops"`
	Bytes int64 `json:"bytes"`
	NS    int64 `json:"ns"`
	MaxNS int64 `json:"max_ns,omitempty"` // the slowest operation in it
}

// Batch is a run of consecutive operations: how many, and the sum of their latencies.
type Batch struct {
	Ops int64 `json:"ops"`
	NS  int64 `json:"ns"`
}
