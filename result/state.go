package result

import (
	"fmt"
	"strings"
)

// Whether free blocks are discarded (trim), so that the module knows that they are free.
const (
	DiscardsNone     = "none"     // the device takes no discards
	DiscardsPossible = "possible" // it takes them on request
	DiscardsOn       = "on"       // the file system discards what it frees
)

var discards = map[string]string{
	DiscardsNone: "the device takes no discards", DiscardsPossible: "the device takes discards when asked",
	DiscardsOn: "the file system discards what it frees",
}

// State says in words how full and how trimmed the module was before the test. It returns "" if that isn't known. A
// module may be faster while it knows that much of it holds nothing.
func (t *Target) State() string {
	var parts []string
	if t.UsedPercent > 0 {
		parts = append(parts, fmt.Sprintf("%d %% of the file system in use", t.UsedPercent))
	}
	if said := discards[t.Discards]; said != "" {
		parts = append(parts, said)
	}
	if t.DiscardedBytes > 0 {
		parts = append(parts, Number(float64(t.DiscardedBytes)/1e9)+" GB discarded since the kernel knows the device")
	}
	return strings.Join(parts, "; ")
}

// MayFitCache says how much a run of the standard profile wrote, if all of it may have fitted into a cache of the
// module, so that its linear writes showed no cliff. It returns "" if they did.
func (d *Document) MayFitCache() string {
	linear := d.Test(SeqWrite)
	if linear == nil || d.Profile != ProfileStandard {
		return ""
	}
	if f := linear.Figures(); f.CliffMB != nil {
		return ""
	}
	var bytes int64
	for i := range d.Tests {
		if t := &d.Tests[i]; strings.HasSuffix(t.Name, "write") {
			bytes += t.Bytes + t.WarmupOps*t.BlockBytes
		}
	}
	return "All that this test wrote, " + Number(float64(bytes)/1e6) +
		" MB, may have fitted into a cache of the module, which would be slower with more."
}
