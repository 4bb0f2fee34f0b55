package result_test

import (
	"math"
	"slices"
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
		"a rate that fell":    {func(d *result.Document) { trending(d.Test(result.RandWrite)) }, "rose or fell"},
		"every block, and a rate that fell": {func(d *result.Document) {
			trending(d.Test(result.RandWrite))
			d.Test(result.RandWrite).Ended = result.Complete
		}, "rose or fell"},
		"every block, and a wide interval": {func(d *result.Document) {
			d.Test(result.RandWrite).Ended = result.Complete
			d.Test(result.RandWrite).Batches[7].NS *= 10
		}, "not yet known to within 10 %"},
		"every block, and no interval": {func(d *result.Document) {
			d.Test(result.RandWrite).Ended = result.Complete
			d.Test(result.RandWrite).Batches = d.Test(result.RandWrite).Batches[:10]
		}, "not yet known to within 10 %"},
		"not settled for two reasons": {func(d *result.Document) {
			trending(d.Test(result.RandWrite))
			d.Test(result.RandWrite).Ended = result.TimeLimit
		}, "time limit"},
		"another sync":        {func(d *result.Document) { d.Test(result.RandWrite).Sync = "sync" }, "O_DSYNC"},
		"dd alone":            {func(d *result.Document) { d.Method = result.MethodDD1 }, "dd alone"},
		"an unknown method":   {func(d *result.Document) { d.Method = "mine-1" }, "standard profile"},
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

// Reference results are ranked among themselves, by the conditions of their own method.
func TestReferenceIsRankedAmongItsOwn(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*result.Document)
		reason string
	}{
		"a clean one":         {func(*result.Document) {}, ""},
		"the standard's area": {func(d *result.Document) { setArea(d, result.StandardAreaBytes) }, "512 MiB"},
		"the standard's sync": {func(d *result.Document) { d.Test(result.RandWrite).Sync = "dsync" }, "O_SYNC"},
		"stopped by a rule": {func(d *result.Document) { d.Test(result.RandWrite).Ended = result.Converged },
			"not every block"},
		"write amplification": {func(d *result.Document) { d.Test(result.RandWrite).DeviceBytes *= 2 }, "4.4 KiB"},
		"a spoiler":           {func(d *result.Document) { d.Spoilers = []string{result.Swap} }, "swap"},
		"a rate that fell":    {func(d *result.Document) { trending(d.Test(result.RandWrite)) }, "rose or fell"},
	}
	for name, c := range cases {
		for _, file := range []string{"reference.json", "reference-2.json"} { // of an older client, and of this one
			doc := read(t, file)
			c.change(doc)
			reasons := doc.NotRanked()
			ranked := len(reasons) == 0
			if ranked != (c.reason == "") || !ranked && (len(reasons) != 1 || !strings.Contains(reasons[0], c.reason)) {
				t.Errorf("%s, %s: %q, want %q", name, file, reasons, c.reason)
			}
		}
	}
}

// Stacks are ranked among themselves. A stack of loop devices is never ranked.
func TestStacksAreRankedAmongTheirOwn(t *testing.T) {
	t.Parallel()
	doc := read(t, "stack-raid0.json")
	doc.Spoilers = nil
	if reasons := doc.NotRanked(); len(reasons) > 0 {
		t.Errorf("%q", reasons)
	}
	doc.Stack.Members[1].Bus = "loop"
	if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], "loop device") {
		t.Errorf("%q", reasons)
	}
	asQuick(doc)
	if reasons := doc.NotRanked(); len(reasons) != 2 || !strings.Contains(reasons[0], "standard profile") {
		t.Errorf("%q", reasons)
	}
}

// trending makes batches take longer and longer.
func trending(t *result.Test) {
	for i := range t.Batches {
		t.Batches[i].NS += t.Batches[i].NS * int64(i) / 10
	}
}

// A test of 642 IOPS, with an interval from 293 to 6,588, was ranked because it had used every block.
func TestACompleteTestMayNotHaveSettled(t *testing.T) {
	t.Parallel()
	doc := example(t)
	doc.Spoilers = nil
	write := doc.Test(result.RandWrite)
	write.Ended = result.Complete
	if reasons := doc.NotRanked(); len(reasons) > 0 {
		t.Fatalf("an even rate: %q", reasons)
	}
	for i := range write.Batches {
		write.Batches[i] = result.Batch{Ops: 3276, NS: 3276 * 500_000}
	}
	write.Batches[2].NS, write.Batches[13].NS = 3276*6_000_000, 3276*16_000_000
	e := result.EstimateOf(write.Batches)
	if e.Low > 500 || e.High < 5000 && !math.IsInf(e.High, 1) {
		t.Fatalf("%+v", e)
	}
	if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], "did not settle") {
		t.Errorf("%q", reasons)
	}
}

// asQuick makes a complete quick result. Its small area and its time limit are no further reasons.
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
	for _, code := range []string{result.Swap, result.Throttled, result.Undervoltage, result.BusChanged,
		result.KernelErrors} {
		doc := example(t)
		doc.Spoilers = []string{code}
		reasons := doc.NotRanked()
		if len(reasons) != 1 || reasons[0] != result.SpoilerText(code) || reasons[0] == code ||
			!slices.Equal(doc.Spoiled(), reasons) {
			t.Errorf("%s: %q, want its text alone", code, reasons)
		}
	}
}
