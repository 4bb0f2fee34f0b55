package result_test

import (
	"strings"
	"testing"

	"flashdex/result"
)

func TestNotRankedSaysWhy(t *testing.T) {
	t.Parallel()
	clean := func() *result.Document {
		doc := example(t)
		doc.Spoilers = nil
		return doc
	}
	if reasons := clean().NotRanked(); len(reasons) != 0 {
		t.Fatalf("the clean example is not ranked: %v", reasons)
	}
	cases := map[string]struct {
		change func(*result.Document)
		reason string
	}{
		"another profile":     {asQuick, "standard profile"},
		"a spoiler":           {func(d *result.Document) { d.Spoilers = []string{"root-disk"} }, "system runs from"},
		"no random write":     {func(d *result.Document) { d.Tests = d.Tests[:1] }, "no 4K random write"},
		"a deeper queue":      {func(d *result.Document) { d.Test(result.RandWrite).QueueDepth = 32 }, "queue depth 1"},
		"cached reads":        {func(d *result.Document) { d.Test(result.SeqRead).Direct = false }, "page cache"},
		"larger random reads": {func(d *result.Document) { d.Test(result.RandRead).BlockBytes = 8192 }, "random reads"},
		"a deep linear queue": {func(d *result.Document) { d.Test(result.SeqRead).QueueDepth = 32 }, "linear transfers"},
		"another read area":   {func(d *result.Document) { d.Test(result.RandRead).AreaBytes /= 2 }, "another area"},
		"a loop device":       {func(d *result.Document) { d.Identity.Bus = "loop" }, "no module"},
		"a virtual disk":      {func(d *result.Document) { d.Identity.Bus = "virtio" }, "no module"},
		"unflushed writes":    {func(d *result.Document) { d.Test(result.SeqWrite).Sync = "none" }, "flushed"},
		"a small area":        {func(d *result.Document) { setArea(d, result.StandardAreaBytes/2) }, "256 MiB"},
		"not settled":         {func(d *result.Document) { d.Test(result.RandWrite).Ended = result.TimeLimit }, "time limit"},
		"write amplification": {func(d *result.Document) { d.Test(result.RandWrite).DeviceBytes *= 2 }, "4.4 KiB"},
	}
	for name, c := range cases {
		doc := clean()
		c.change(doc)
		if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], c.reason) {
			t.Errorf("%s: %q, want one reason with %q", name, reasons, c.reason)
		}
	}
}

// asQuick is a whole quick result: its small area and its time limit are no faults of it.
func asQuick(d *result.Document) {
	d.Profile = result.ProfileQuick
	setArea(d, result.QuickAreaBytes)
	d.Test(result.RandWrite).Ended = result.TimeLimit
}

func setArea(d *result.Document, bytes int64) {
	d.Test(result.RandWrite).AreaBytes = bytes
	d.Test(result.RandRead).AreaBytes = bytes
}

func TestEverySpoilerIsAReason(t *testing.T) {
	t.Parallel()
	for _, code := range []string{result.Swap, result.Throttled, result.Undervoltage, result.BusChanged, result.KernelErrors} {
		doc := example(t)
		doc.Spoilers = []string{code}
		reasons := doc.NotRanked()
		if len(reasons) != 1 || reasons[0] != result.SpoilerText(code) || reasons[0] == code {
			t.Errorf("%s: %q, want its text alone", code, reasons)
		}
	}
}
