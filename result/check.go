package result

import (
	"fmt"
	"strings"
	"time"
)

// Problem is one thing that is wrong with a document: where (a JSON pointer) and what.
type Problem struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Check reports where a document that satisfies the schema contradicts itself: sums that don't add up can't be
// measurements. It returns nil for a consistent document.
func (d *Document) Check() []Problem {
	var problems []Problem
	if !d.profileFits() {
		problems = append(problems, Problem{"/method", fmt.Sprintf("the profile %s is not of the method %s", d.Profile, d.Method)})
	}
	if d.Imported != nil && d.Imported.MeasuredOn != "" && !isDay(d.Imported.MeasuredOn) {
		problems = append(problems, Problem{"/imported/measured_on", "no calendar has the day " + d.Imported.MeasuredOn})
	}
	if p := d.Module.Price; p != nil && !isDay(p.On) && len(p.On) == len(time.DateOnly) {
		problems = append(problems, Problem{"/module/price/on", "no calendar has the day " + p.On})
	}
	if pointer, detail := d.checkStack(); detail != "" {
		problems = append(problems, Problem{pointer, detail})
	}
	if v := d.Identity.Verified; v != nil {
		if v.FoundBytes > v.ClaimedBytes {
			problems = append(problems, Problem{"/identity/verified/found_bytes",
				fmt.Sprintf("%d bytes were found of %d that are claimed", v.FoundBytes, v.ClaimedBytes)})
		}
		if !isDay(v.On) {
			problems = append(problems, Problem{"/identity/verified/on", "no calendar has the day " + v.On})
		}
	}
	type key struct {
		name       string
		blockBytes int64
	}
	seen := map[key]bool{}
	for i := range d.Tests {
		t := &d.Tests[i]
		at := fmt.Sprintf("/tests/%d", i)
		add := func(field, format string, args ...any) {
			problems = append(problems, Problem{at + field, fmt.Sprintf(format, args...)})
		}
		if seen[key{t.Name, t.BlockBytes}] {
			add("/name", "the test %s with blocks of %d bytes is there twice", t.Name, t.BlockBytes)
		}
		seen[key{t.Name, t.BlockBytes}] = true
		if t.SourceNS > t.OverheadNS {
			add("/source_ns", "%d ns are not within the client's own %d ns", t.SourceNS, t.OverheadNS)
		}
		if d.Imported != nil {
			t.checkImported(add)
			continue
		}
		if t.Bytes != t.Ops*t.BlockBytes {
			add("/bytes", "%d operations of %d bytes are %d bytes, not %d", t.Ops, t.BlockBytes, t.Ops*t.BlockBytes, t.Bytes)
		}
		var intervals Interval
		for _, v := range t.Intervals {
			intervals.Ops += v.Ops
			intervals.Bytes += v.Bytes
			intervals.NS += v.NS
		}
		if want := t.Ops + t.WarmupOps; intervals.Ops != want {
			add("/intervals", "they hold %d operations, the test %d", intervals.Ops, want)
		}
		if want := (t.Ops + t.WarmupOps) * t.BlockBytes; intervals.Bytes != want {
			add("/intervals", "they hold %d bytes, the test %d", intervals.Bytes, want)
		}
		if t.IsRandom() {
			t.checkRandom(add)
		} else if intervals.NS != t.DurationNS {
			add("/intervals", "they take %d ns, the test %d", intervals.NS, t.DurationNS)
		}
	}
	return problems
}

// checkImported is what can be held against each other in the sums of another tool.
func (t *Test) checkImported(add func(field, format string, args ...any)) {
	parts := int64(max(len(t.Intervals), 1)) // each may end with a block that is not whole
	if t.Bytes > t.Ops*t.BlockBytes || t.Bytes <= (t.Ops-parts)*t.BlockBytes {
		add("/bytes", "%d operations of %d bytes are not %d bytes", t.Ops, t.BlockBytes, t.Bytes)
	}
	var intervals Interval
	for _, v := range t.Intervals {
		intervals.Ops += v.Ops
		intervals.Bytes += v.Bytes
		intervals.NS += v.NS
	}
	if len(t.Intervals) > 0 && (intervals != Interval{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}) {
		add("/intervals", "they hold %d operations, %d bytes and %d ns, the test others", intervals.Ops, intervals.Bytes, intervals.NS)
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

// profileFits reports whether the profile is the one that the method has, or none that another method has for itself.
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

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func (t *Test) checkRandom(add func(field, format string, args ...any)) {
	var batches Batch
	for _, b := range t.Batches {
		batches.Ops += b.Ops
		batches.NS += b.NS
	}
	if batches.Ops != t.Ops {
		add("/batches", "they hold %d operations, the test %d", batches.Ops, t.Ops)
	}
	if batches.NS != t.DurationNS {
		add("/batches", "they take %d ns, the test %d", batches.NS, t.DurationNS)
	}
	if t.Engine == "dd" { // one process for each operation: nobody timed them singly
		return
	}
	ops, err := countOf(t.Latency)
	if err != nil {
		add("/latency", "%v", err)
	} else if ops != t.Ops {
		add("/latency", "it holds %d operations, the test %d", ops, t.Ops)
	}
}

// checkStack says where what is said of a stack contradicts itself, and how, or "".
func (d *Document) checkStack() (pointer, detail string) {
	ofStack := d.Stack != nil
	switch {
	case ofStack != (d.Identity.Bus == "stack"):
		return "/stack", "the bus stack and what the stack is made of go together"
	case !ofStack && d.Method == MethodStack1:
		return "/method", "stack-1 measures a stack of modules, and there is none"
	case ofStack && (d.Method == MethodFlashdex1 || d.Method == MethodAltechnative2012 || d.Method == MethodDD1 || d.Imported != nil):
		return "/method", "a stack of modules is not measured by this method"
	case ofStack:
		for i := range d.Stack.Members {
			if d.Stack.Members[i].Bus == "stack" || d.Stack.Members[i].Verified != nil {
				return fmt.Sprintf("/stack/members/%d", i), "a member is a single module, of which nothing was verified"
			}
		}
	}
	return "", ""
}
