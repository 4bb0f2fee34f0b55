package result

import (
	"fmt"
	"strings"
	"time"
)

// Problem is one error in a document.
type Problem struct {
	Pointer string `json:"pointer"` // JSON pointer to the place
	Detail  string `json:"detail"`
}

// report adds a problem; it formats the detail like fmt.Sprintf.
type report func(pointer, format string, args ...any)

// Check reports where a document contradicts itself, such as sums that don't add up. The document must satisfy the
// schema.
func (d *Document) Check() []Problem {
	var problems []Problem
	add := func(pointer, format string, args ...any) {
		problems = append(problems, Problem{pointer, fmt.Sprintf(format, args...)})
	}
	if !d.profileFits() {
		add("/method", "the profile %s is not of the method %s", d.Profile, d.Method)
	}
	if t := d.Target; d.Method != MethodStartup1 && t.ProgramSum+t.Configuration != "" {
		add("/target", "only %s starts a program", MethodStartup1)
	}
	if t := d.Target; t.UsedPercent > 0 && t.Filesystem == "" {
		add("/target/used_percent", "what has no file system is not %d %% full", t.UsedPercent)
	}
	if t := d.Target; t.DiscardedBytes > 0 && t.Discards == DiscardsNone {
		add("/target/discarded_bytes", "a device that takes no discards did not discard %d bytes", t.DiscardedBytes)
	}
	checkDay := func(pointer, day string) {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			add(pointer, "no calendar has the day %s", day)
		}
	}
	if d.Token != "" && (d.Imported != nil || d.Method == MethodDD1 || d.Method == MethodVerify1) {
		add("/token", "only the client's own measurements have one")
	}
	if d.Imported != nil && d.Imported.MeasuredOn != "" {
		checkDay("/imported/measured_on", d.Imported.MeasuredOn)
	}
	if d.Imported != nil && d.Imported.Checked != nil {
		d.Imported.Checked.check("/imported/checked", add)
	}
	if d.Identity.Checked != nil {
		d.Identity.Checked.check("/identity/checked", add)
	}
	d.checkVerify(add)
	if p := d.Module.Price; p != nil && len(p.On) == len(time.DateOnly) { // otherwise it is a month
		checkDay("/module/price/on", p.On)
	}
	d.checkStack(add)
	d.checkEndurance(add)
	if bus := d.Identity.Bus; d.Host.CommandQueue != "" && bus != "sd" && bus != "mmc" {
		add("/host/command_queue", "only SD cards and eMMCs have one, and the bus is %q", bus)
	}
	if v := d.Identity.Verified; v != nil {
		if v.FoundBytes > v.ClaimedBytes {
			add("/identity/verified/found_bytes", "%d bytes were found, but only %d are claimed", v.FoundBytes, v.ClaimedBytes)
		}
		checkDay("/identity/verified/on", v.On)
	}
	if w := d.Identity.Wear; w != nil {
		w.check(d, add)
	}
	type key struct {
		name       string
		blockBytes int64
	}
	seen := map[key]bool{}
	for i := range d.Tests {
		t := &d.Tests[i]
		addHere := func(field, format string, args ...any) { add(fmt.Sprintf("/tests/%d", i)+field, format, args...) }
		k := key{t.Name, t.BlockBytes}
		if seen[k] {
			addHere("/name", "the test %s with blocks of %d bytes is there twice", t.Name, t.BlockBytes)
		}
		seen[k] = true
		if t.Order != "" && (d.Token == "" || !t.IsRandom()) {
			addHere("/order", "only random tests of a run with a token have one")
		}
		if t.ofFiles() != (d.Method == MethodFiles1) {
			addHere("/intervals", "intervals have file_bytes in the method %s alone, and there all of them", MethodFiles1)
		}
		if recording := RecordedMBPerS(t.Name) > 0; recording != (d.Method == MethodRecording1) {
			addHere("/name", "tests at a camera's rates are those of the method %s, and it has no others", MethodRecording1)
		} else if sum := SumIntervals(t.Intervals); t.PaceBytesPerS() == 0 && sum.BehindNS > 0 ||
			t.Name != StreamWrite && sum.LeastBehindNS > 0 {
			addHere("/intervals", "only a test whose data come at a rate can be behind")
		}
		t.checkInside(addHere, d)
		if t.Data != "" && (t.Name != SeqWrite && t.Name != SeqRewrite || d.Method != MethodAltechnative2012) {
			addHere("/data", "only a linear write of the method %s has other data than random ones", MethodAltechnative2012)
		}
		if t.SourceNS > t.OverheadNS {
			addHere("/source_ns", "%d ns are more than the client's own %d ns", t.SourceNS, t.OverheadNS)
		}
		if d.Imported != nil {
			t.checkImported(addHere)
		} else {
			t.checkMeasured(addHere)
		}
	}
	return problems
}

// checkMeasured compares the sums of a test with its samples.
func (t *Test) checkMeasured(add report) {
	if t.ofFiles() {
		t.checkFiles(add)
		return
	}
	if t.Bytes != t.Ops*t.BlockBytes {
		add("/bytes", "%d operations of %d bytes are %d bytes, not %d", t.Ops, t.BlockBytes, t.Ops*t.BlockBytes, t.Bytes)
	}
	intervals := SumIntervals(t.Intervals)
	if t.Name != Startup && intervals.UserNS+intervals.SystemNS > 0 {
		add("/intervals", "only starts of a program have processor time")
	}
	want := t.Ops + t.WarmupOps
	if intervals.Ops != want {
		add("/intervals", "they hold %d operations, the test %d", intervals.Ops, want)
	}
	if intervals.Bytes != want*t.BlockBytes {
		add("/intervals", "they hold %d bytes, the test %d", intervals.Bytes, want*t.BlockBytes)
	}
	recording := t.PaceBytesPerS() > 0
	for i, v := range t.Intervals {
		if recording && v.BehindNS < v.MaxNS {
			add("/intervals", "interval %d holds an operation of %d ns, and none was more than %d ns behind", i, v.MaxNS,
				v.BehindNS)
		}
		if v.LeastBehindNS > v.BehindNS {
			add("/intervals", "interval %d was at least %d ns behind, and never more than %d", i, v.LeastBehindNS, v.BehindNS)
		}
	}
	if !t.IsRandom() {
		if intervals.NS != t.DurationNS {
			add("/intervals", "they take %d ns, the test %d", intervals.NS, t.DurationNS)
		}
		if t.Name == StreamWrite {
			t.checkLatency(add)
		}
		return
	}
	batches := SumBatches(t.Batches)
	if batches.Ops != t.Ops {
		add("/batches", "they hold %d operations, the test %d", batches.Ops, t.Ops)
	}
	if batches.NS != t.DurationNS {
		add("/batches", "they take %d ns, the test %d", batches.NS, t.DurationNS)
	}
	if t.Engine != "dd" { // dd needs a process for each operation, which leaves no latencies
		t.checkLatency(add)
	}
}

// checkLatency compares the histogram with the operations.
func (t *Test) checkLatency(add report) {
	if ops, err := countOf(t.Latency); err != nil {
		add("/latency", "%v", err)
	} else if ops != t.Ops {
		add("/latency", "it holds %d operations, the test %d", ops, t.Ops)
	}
}

// ofFiles reports whether every interval is of whole files.
func (t *Test) ofFiles() bool {
	for _, v := range t.Intervals {
		if v.FileBytes == 0 {
			return false
		}
	}
	return len(t.Intervals) > 0
}

// checkFiles compares a test of whole files with its intervals, one for each size of a file.
func (t *Test) checkFiles(add report) {
	sum := SumIntervals(t.Intervals)
	if sum.Ops != t.Ops || sum.Bytes != t.Bytes || sum.NS != t.DurationNS || t.IsRandom() || t.WarmupOps > 0 {
		add("/intervals", "they hold %d operations, %d bytes and %d ns, the test others", sum.Ops, sum.Bytes, sum.NS)
	}
	for i, v := range t.Intervals {
		files, records := v.Bytes/v.FileBytes, (v.FileBytes+t.BlockBytes-1)/t.BlockBytes
		if files < 1 || v.Bytes != files*v.FileBytes || v.Ops != files*records {
			add("/intervals", "interval %d has %d operations and %d bytes, which are no whole files of %d bytes in records "+
				"of %d", i, v.Ops, v.Bytes, v.FileBytes, t.BlockBytes)
		}
	}
}

// checkImported compares the sums that another tool printed.
func (t *Test) checkImported(add report) {
	parts := int64(max(len(t.Intervals), 1)) // each may end with an incomplete block
	if t.Bytes > t.Ops*t.BlockBytes || t.Bytes <= (t.Ops-parts)*t.BlockBytes {
		add("/bytes", "%d operations of %d bytes are not %d bytes", t.Ops, t.BlockBytes, t.Bytes)
	}
	sum := SumIntervals(t.Intervals)
	if len(t.Intervals) > 0 && (sum.Ops != t.Ops || sum.Bytes != t.Bytes || sum.NS != t.DurationNS) {
		add("/intervals", "they hold %d operations, %d bytes and %d ns, the test others", sum.Ops, sum.Bytes, sum.NS)
	}
	if ops, err := countOf(t.Latency); err != nil || len(t.Latency) > 0 && ops != t.Ops {
		add("/latency", "it holds %d operations, the test %d", ops, t.Ops)
	}
	if t.Percentiles == nil {
		return
	}
	var before int64
	for _, ns := range []int64{t.Percentiles.P50NS, t.Percentiles.P99NS, t.Percentiles.P999NS, t.Percentiles.MaxNS} {
		if ns != 0 && ns < before {
			add("/percentiles", "%d ns are less than a lower percentile", ns)
		}
		before = max(before, ns)
	}
}

// profileFits reports whether profile and method belong together.
func (d *Document) profileFits() bool {
	profile := profileOf(d.Method)
	for _, own := range ownProfiles {
		if d.Profile == own.profile && profile != own.profile {
			return false
		}
	}
	if profile != "" && d.Profile != profile {
		return false
	}
	imported := d.Imported != nil
	return imported == (d.Profile == ProfileImported) && imported == strings.HasPrefix(d.Method, MethodImported) &&
		(!imported || d.Method == MethodOfImport(d.Imported.Tool))
}

// checkStack reports the first contradiction between a stack, its bus, its method and its members.
func (d *Document) checkStack(add report) {
	isStack := d.Stack != nil
	switch {
	case isStack != (d.Identity.Bus == "stack"):
		add("/stack", "the bus stack and the list of members go together")
	case !isStack && d.Method == MethodStack1:
		add("/method", "stack-1 measures a stack of modules, and there is none")
	case isStack && (d.Method == MethodFlashdex1 || OfReference(d.Method) || d.Method == MethodDD1 ||
		d.Method == MethodVerify1 || d.Imported != nil):
		add("/method", "a stack of modules is not measured by this method")
	case isStack:
		for i := range d.Stack.Members {
			m := &d.Stack.Members[i]
			if m.Bus == "stack" || m.Verified != nil || m.Checked != nil || m.Wear != nil {
				add(fmt.Sprintf("/stack/members/%d", i),
					"a member is a single module that nobody has verified or asked for its wear")
				return
			}
		}
	}
}
