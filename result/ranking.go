package result

import (
	"fmt"
	"strings"
)

// MaxKiBPerOp is what a ranked 4K random write may cost at the device: more means that the file system wrote its own
// data along with every operation, so that the figure is the file system's as much as the module's.
const MaxKiBPerOp = 4.4

// ranking is what the results of a method must have in common to be ranked with each other.
type ranking struct {
	method, profile string
	areaBytes       int64
	sync            string
}

var rankings = [...]ranking{
	{MethodFlashdex1, ProfileStandard, StandardAreaBytes, "dsync"},
	{MethodStack1, ProfileStandard, StandardAreaBytes, "dsync"},
	{MethodAltechnative2012, ProfileReference, ReferenceAreaBytes, "sync"},
}

// rankingOf is that of a method; known is false, and the first is returned, if its results are ranked nowhere.
func rankingOf(method string) (r *ranking, known bool) {
	for i := range rankings {
		if rankings[i].method == method {
			return &rankings[i], true
		}
	}
	return &rankings[0], false
}

// Spoiled lists, in words, what may have spoiled the figures. An empty list means that the result is clean.
func (d *Document) Spoiled() []string {
	var reasons []string
	for _, code := range d.Spoilers {
		reasons = append(reasons, SpoilerText(code))
	}
	return reasons
}

// NeverRanked reports whether a method's results are shown and ranked nowhere: those of profiles that answer another question, and
// what was imported.
func NeverRanked(method string) bool {
	_, known := rankingOf(method)
	return !known && profileOf[method] != "" || strings.HasPrefix(method, MethodImported)
}

// NotRanked lists, in words, why the result is shown but not ranked with the others of its method, Spoiled included. An
// empty list means that it is ranked.
func (d *Document) NotRanked() []string {
	if d.Imported != nil {
		return append([]string{"it was imported from the output of " + d.Imported.Tool + ", which measures in another way, unwatched"}, d.Spoiled()...)
	}
	want, known := rankingOf(d.Method)
	if d.Method == MethodDD1 {
		return append([]string{"it was measured with dd alone, one process for each write"}, d.Spoiled()...)
	}
	if own := profileOf[d.Method]; own != "" && !known {
		return append([]string{"the profile " + own + " is shown and not ranked"}, d.Spoiled()...)
	}
	var reasons []string
	whole := known && d.Profile == want.profile
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
	// Another profile has another area and another rule, which are no further faults of it.
	if whole && t.AreaBytes != want.areaBytes {
		reasons = append(reasons, fmt.Sprintf("the test area is not %d MiB", want.areaBytes>>20))
	}
	if whole && t.Ended == TimeLimit {
		reasons = append(reasons, "random writes did not settle within the time limit")
	}
	if d.Method == MethodAltechnative2012 && t.Ended == Converged {
		reasons = append(reasons, "not every block of the area was written to at random")
	}
	if kib := t.kibPerOp(); kib != nil && *kib > MaxKiBPerOp {
		reasons = append(reasons, "the file system wrote more than 4.4 KiB for each 4 KiB")
	}
	return reasons
}

// notStandard says in words how the test of d differs from the method's, whose random writes are of that sync, or "".
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
