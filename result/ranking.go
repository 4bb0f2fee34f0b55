package result

// MaxKiBPerOp is what a ranked 4K random write may cost at the device: more means that the file system wrote its own
// data along with every operation, so that the figure is the file system's as much as the module's.
const MaxKiBPerOp = 4.4

// NotRanked lists, in words, why the result is shown but not ranked. An empty list means that it is ranked.
func (d *Document) NotRanked() []string {
	if d.Method == MethodDD1 {
		return []string{"it was measured with dd alone, one process for each write"}
	}
	var reasons []string
	standard := d.Method == MethodFlashdex1 && d.Profile == ProfileStandard
	if !standard {
		reasons = append(reasons, "only the standard profile is ranked")
	}
	if bus := d.Identity.Bus; bus == "loop" || bus == "virtio" {
		reasons = append(reasons, "a "+bus+" device is as fast as what is behind it, and no module")
	}
	for _, code := range d.Spoilers {
		reasons = append(reasons, SpoilerText(code))
	}
	for i := range d.Tests {
		if r := d.Tests[i].notStandard(d); r != "" {
			reasons = append(reasons, r)
		}
	}
	t := d.Test(RandWrite)
	if t == nil {
		return append(reasons, "there is no 4K random write test")
	}
	// Another profile has another area and another rule, which are no further faults of it.
	if standard && t.AreaBytes != StandardAreaBytes {
		reasons = append(reasons, "the test area is not 256 MiB")
	}
	if standard && t.Ended == TimeLimit {
		reasons = append(reasons, "random writes varied too much to settle within the time limit")
	}
	if kib := t.Figures().KiBPerOp; kib != nil && *kib > MaxKiBPerOp {
		reasons = append(reasons, "the file system wrote more than 4.4 KiB for each 4 KiB")
	}
	return reasons
}

// notStandard says in words how the test differs from the method's, or "".
func (t *Test) notStandard(d *Document) string {
	written := d.Test(RandWrite)
	switch {
	case !t.Direct:
		return "the " + t.Name + " test went through the page cache"
	case t.Name == RandWrite && (t.BlockBytes != 4096 || t.QueueDepth != 1 || t.Sync != "dsync"):
		return "random writes were not 4 KiB, queue depth 1, O_DSYNC"
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
