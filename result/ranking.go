package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MaxKiBPerOp limits how much the device may transfer for one 4K random write of a ranked result. Above it, the file
// system wrote data of its own with every operation, so the figure measures the file system, too.
const MaxKiBPerOp = 4.4

// ranking holds the conditions under which the results of a method are ranked with each other.
type ranking struct {
	method, profile string
	areaBytes       int64
	sync            string
}

var rankings = [...]ranking{
	{MethodFlashdex1, ProfileStandard, StandardAreaBytes, "dsync"},
	{MethodStack1, ProfileStandard, StandardAreaBytes, "dsync"},
	{MethodAltechnative2012, ProfileReference, ReferenceAreaBytes, "sync"},
	{MethodAltechnative2012First, ProfileReference, ReferenceAreaBytes, "sync"},
}

// rankingOf returns the ranking of a method, or nil if its results are never ranked.
func rankingOf(method string) *ranking {
	i := slices.IndexFunc(rankings[:], func(r ranking) bool { return r.method == method })
	if i < 0 {
		return nil
	}
	return &rankings[i]
}

// Spoiled describes the conditions that may have spoiled the figures. It returns nil for a clean result. MethodQueue1
// looks for errors, so these don't spoil its result. MethodEndure1 ends with errors, and conditions that slow a module
// down don't age it.
func (d *Document) Spoiled() []string {
	var reasons []string
	for _, code := range d.Spoilers {
		if d.Method == MethodEndure1 && code != BusyDevice {
			continue
		}
		if d.Method == MethodQueue1 && (code == KernelErrors || code == QueueRecovery) {
			continue
		}
		reasons = append(reasons, SpoilerText(code))
	}
	return reasons
}

// NeverRanked reports whether a method's results are only shown. These are imported results, and answers to another
// question.
func NeverRanked(method string) bool {
	return rankingOf(method) == nil && profileOf(method) != "" || strings.HasPrefix(method, MethodImported)
}

// NotRanked explains why the result isn't ranked with the others of its method; it includes Spoiled. nil: it is ranked.
func (d *Document) NotRanked() []string {
	want := rankingOf(d.Method)
	never := ""
	switch own := profileOf(d.Method); {
	case d.Imported != nil:
		never = "it was imported from the output of " + d.Imported.Tool + ", which measures in another way, unwatched"
	case d.Method == MethodDD1:
		never = "it was measured with dd alone, one process for each write"
	case own != "" && want == nil:
		never = "the profile " + own + " is shown and not ranked"
	}
	if never != "" {
		return append([]string{never}, d.Spoiled()...)
	}
	var reasons []string
	whole := want != nil && d.Profile == want.profile
	if !whole {
		reasons = append(reasons, "only the standard profile is ranked")
		want = &rankings[0]
	}
	for _, device := range d.Devices() {
		if bus := device.Bus; bus == "loop" || bus == "virtio" {
			reasons = append(reasons, "a "+bus+" device is no module: it is as fast as what is behind it")
			break
		}
	}
	reasons = append(reasons, d.Spoiled()...)
	for i := range d.Tests {
		if r := d.Tests[i].notStandard(d, want.sync); r != "" {
			reasons = append(reasons, r)
		}
	}
	t := d.Test(RandWrite)
	if t == nil {
		return append(reasons, "there is no 4K random write test")
	}
	// Another profile has another area and another stopping rule, so these are no further reasons.
	if whole && t.AreaBytes != want.areaBytes {
		reasons = append(reasons, fmt.Sprintf("the test area is not %d MiB", want.areaBytes>>20))
	}
	if reason := t.notSettled(); whole && reason != "" {
		reasons = append(reasons, reason)
	}
	if OfReference(d.Method) && t.Ended == Converged {
		reasons = append(reasons, "not every block of the area was written to at random")
	}
	if kib := t.kibPerOp(); kib != nil && *kib > MaxKiBPerOp {
		reasons = append(reasons, "the file system wrote more than 4.4 KiB for each 4 KiB")
	}
	return reasons
}

// NotSettled begins the reason why a result isn't ranked if its random writes did not settle.
const NotSettled = "random writes did not settle"

// notSettled describes why the rate of random writes isn't known well enough to be ranked. It returns "" if it is. A
// test that ends because it used every block need not have satisfied the stopping rule.
func (t *Test) notSettled() string {
	e := EstimateOf(t.Batches)
	switch {
	case t.Ended == TimeLimit:
		return NotSettled + " within the time limit"
	case e.Trend:
		return NotSettled + ": their rate rose or fell until the end"
	case e.HalfWidth > settledHalfWidth:
		return NotSettled + ": at the end, their rate was not yet known to within 10 %"
	}
	return ""
}

// SettledNS returns the time in ns over which random writes settled, or 0 if they didn't. Neither their rate nor its
// interval shows what a module does less often than that.
func (t *Test) SettledNS() int64 {
	if t.notSettled() != "" {
		return 0
	}
	return t.DurationNS
}

// notStandard describes the first difference between a test of d and the standard profile with this sync. It returns ""
// if there is none.
func (t *Test) notStandard(d *Document, sync string) string {
	written := d.Test(RandWrite)
	switch {
	case !t.Direct:
		return "the " + t.Name + " test went through the page cache"
	case t.Name == RandWrite && (t.BlockBytes != 4096 || t.QueueDepth != 1 || t.Sync != sync):
		return "random writes were not 4 KiB, queue depth 1, O_" + strings.ToUpper(sync)
	case t.Name == RandRead && (t.BlockBytes != 4096 || t.QueueDepth != 1):
		return "random reads were not 4 KiB, queue depth 1"
	case t.Name == RandRead && written != nil && t.AreaBytes != written.AreaBytes:
		return "random reads had another area than random writes"
	case t.Name == SeqWrite && t.Sync == "none":
		return "linear writes were not flushed within the time"
	case (t.Name == SeqWrite || t.Name == SeqRead) && t.QueueDepth != 1:
		return "linear transfers were not at queue depth 1"
	}
	return ""
}

// Codes of Document.Spoilers: events during a run that make its figures less meaningful for the module.
const (
	RootDisk     = "root-disk"
	BusyDevice   = "busy-device"
	BusyCPU      = "busy-cpu"
	Swap         = "swap"
	Throttled    = "throttled"
	Undervoltage = "undervoltage"
	BusChanged   = "bus-changed"
	KernelErrors = "kernel-errors"
	Interrupted  = "interrupted"

	QueueRecovery = "queue-recovery"
)

var spoilers = map[string]string{
	RootDisk:     "the system runs from the module",
	BusyDevice:   "something else used the module during the test",
	BusyCPU:      "other programs kept the processor busy",
	Swap:         "the system could swap to the module",
	Throttled:    "the processor was throttled, being too hot or short of power",
	Undervoltage: "the computer's supply voltage was too low",
	BusChanged:   "the bus changed its speed, or the host its use of the card's queue, during the test",
	KernelErrors: "the kernel reported errors of the module during the test",
	Interrupted:  "the test was stopped early",

	QueueRecovery: "the card’s queue failed, and the kernel recovered it",
}

// SpoilerText explains a code of Document.Spoilers in a few words.
func SpoilerText(code string) string { return cmp.Or(spoilers[code], code) }
