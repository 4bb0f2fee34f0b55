package result_test

import (
	"strings"
	"testing"

	"flashdex/result"
)

func TestStateOfTheModuleBefore(t *testing.T) {
	t.Parallel()
	const used, on = "83 % of the file system in use", "the file system discards what it frees"
	for want, target := range map[string]result.Target{
		"": {},
		used + "; " + on + "; 1.24 GB discarded since the kernel knows the device": {
			UsedPercent: 83, Discards: result.DiscardsOn, DiscardedBytes: 1_240_000_000},
		used + "; the device takes discards when asked": {UsedPercent: 83, Discards: result.DiscardsPossible},
		"the device takes no discards":                  {Discards: result.DiscardsNone},
	} {
		if got := target.State(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A short test can't tell a quick module from one with a cache, unless the test fills the cache.
func TestWhatFitsACacheIsSaid(t *testing.T) {
	t.Parallel()
	doc := example(t)
	if got := doc.MayFitCache(); !strings.HasPrefix(got, "All that this test wrote, 269 MB, may have fitted into a cache") {
		t.Errorf("%q", got)
	}
	full := example(t)
	write := full.Test(result.SeqWrite)
	write.Intervals = nil
	for i := range 16 {
		interval := result.Interval{Ops: 16, Bytes: 16 << 20, NS: 500_000_000}
		if i > 8 {
			interval.NS *= 5
		}
		write.Intervals = append(write.Intervals, interval)
	}
	quick, another := example(t), example(t)
	quick.Profile, another.Tests = result.ProfileQuick, another.Tests[1:]
	for name, doc := range map[string]*result.Document{
		"a cliff": full, "a quick look": quick, "no linear write": another,
	} {
		if got := doc.MayFitCache(); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
