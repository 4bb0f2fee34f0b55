package plausible_test

import (
	"slices"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

// An imported result has no samples to compare, but must be possible for the form of its module.
func TestImported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(d *result.Document)
		rule   string
	}{
		"as it was measured":   {func(*result.Document) {}, ""},
		"faster than any card": {func(d *result.Document) { d.Tests[1].DurationNS = 60_000_000 }, "bus-ceiling"},
		"faster than memory":   {func(d *result.Document) { d.Tests[1].DurationNS = 1_000_000 }, "bus-impossible"},
		"on a CompactFlash card, more than its bus carries": {func(d *result.Document) {
			d.Module.Form, d.Tests[1].DurationNS = "cf", 300_000_000
		}, "bus-ceiling"},
		"random reads from memory": {func(d *result.Document) {
			d.Tests[3].DurationNS,
				d.Tests[3].Percentiles = d.Tests[3].Ops*20_000, nil
		}, "imported-rate"},
		"the same with 32 in flight": {func(d *result.Document) {
			d.Tests[3].DurationNS, d.Tests[3].QueueDepth, d.Tests[3].Percentiles = d.Tests[3].Ops*20_000, 32, nil
		}, ""},
		"an operation longer than all": {func(
			d *result.Document) {
			d.Tests[2].Percentiles.MaxNS = 2 * d.Tests[2].DurationNS
		}, "slowest-operation"},
		"a histogram": {func(d *result.Document) {
			d.Tests[2].Latency = []result.Bucket{{1_000_000, 5000}, {2_000_000, d.Tests[2].Ops - 5000}}
		}, ""},
		"a histogram of 32 in flight": {func(d *result.Document) {
			d.Tests[2].QueueDepth = 32
			d.Tests[2].Latency = []result.Bucket{{50_000_000, 5000}, {60_000_000, d.Tests[2].Ops - 5000}}
		}, ""},
		"a histogram of more time than passed": {func(d *result.Document) {
			d.Tests[2].Latency = []result.Bucket{{2_000_000, 5000}, {3_000_000, d.Tests[2].Ops - 5000}}
		}, "latency-sum"},
		"a file larger than the module":   {func(d *result.Document) { d.Tests[2].AreaBytes = 64e9 }, "area"},
		"less than the file, though done": {func(d *result.Document) { d.Tests[2].Ended = result.Complete }, "area"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, "../../../result/testdata/valid/imported-fio.json")
			c.change(d)
			found := plausible.Check(d)
			if c.rule == "" && len(found) > 0 || c.rule != "" && !slices.ContainsFunc(
				found, func(f plausible.Finding) bool { return f.Rule == c.rule }) {
				t.Errorf("%+v, want the rule %q", found, c.rule)
			}
		})
	}
}
