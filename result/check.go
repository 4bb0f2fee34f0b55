package result

import (
	"fmt"
	"strings"
	"time"
)

// Problem is one fault of a document.
type Problem struct {
	Pointer string `json:"pointer"` // JSON pointer to the place
	Detail  string `json:"detail"`
}

// report adds a problem; it formats the detail like fmt.Sprintf.
type report func(pointer, format string, args ...any)

// Check reports where a document that satisfies the schema contradicts itself, such as sums that don't add up.
func (d *Document) Check() []Problem {
	var problems []Problem
	add := func(pointer, format string, args ...any) {
		problems = append(problems, Problem{pointer, fmt.Sprintf(format, args...)})
	}
	if !d.profileFits() {
		add("/method", "the profile %s is not of the method %s", d.Profile, d.Method)
	}
	checkDay := func(pointer, day string) {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			add(pointer, "no calendar has the day %s", day)
		}
	}
	if d.Imported != nil && d.Imported.MeasuredOn != "" {
		checkDay("/imported/measured_on", d.Imported.MeasuredOn)
	}
	if p := d.Module.Price; p != nil && len(p.On) == len(time.DateOnly) { // otherwise it is a month
		checkDay("/module/price/on", p.On)
	}
	d.checkStack(add)
	if bus := d.Identity.Bus; d.Host.CommandQueue != "" && bus != "sd" && bus != "mmc" {
		add("/host/command_queue", "only SD cards and eMMCs have one, and the bus is %q", bus)
	}
	if v := d.Identity.Verified; v != nil {
		if v.FoundBytes > v.ClaimedBytes {
			add("/identity/verified/found_bytes", "%d bytes were found, but only %d are claimed", v.FoundBytes, v.ClaimedBytes)
		}
		checkDay("/identity/verified/on", v.On)
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
	if t.Bytes != t.Ops*t.BlockBytes {
		add("/bytes", "%d operations of %d bytes are %d bytes, not %d", t.Ops, t.BlockBytes, t.Ops*t.BlockBytes, t.Bytes)
	}
	intervals := SumIntervals(t.Intervals)
	want := t.Ops + t.WarmupOps
	if intervals.Ops != want {
		add("/intervals", "they hold %d operations, the test %d", intervals.Ops, want)
	}
	if intervals.Bytes != want*t.BlockBytes {
		add("/intervals", "they hold %d bytes, the test %d", intervals.Bytes, want*t.BlockBytes)
	}
	if !t.IsRandom() {
		if intervals.NS != t.DurationNS {
			add("/intervals", "they take %d ns, the test %d", intervals.NS, t.DurationNS)
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
	if t.Engine == "dd" { // one process for each operation leaves no latencies
		return
	}
	if ops, err := countOf(t.Latency); err != nil {
		add("/latency", "%v", err)
	} else if ops != t.Ops {
		add("/latency", "it holds %d operations, the test %d", ops, t.Ops)
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
	for method, profile := range profileOf {
		if (d.Method == method) != (d.Profile == profile) {
			return false
		}
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
	case isStack && (d.Method == MethodFlashdex1 || d.Method == MethodAltechnative2012 || d.Method == MethodDD1 ||
		d.Imported != nil):
		add("/method", "a stack of modules is not measured by this method")
	case isStack:
		for i := range d.Stack.Members {
			if d.Stack.Members[i].Bus == "stack" || d.Stack.Members[i].Verified != nil {
				add(fmt.Sprintf("/stack/members/%d", i), "a member is a single module that nobody has verified")
				return
			}
		}
	}
}
