package guest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"flashdex/result"
)

// TestMixedOnACard asks a card whose cache of 200 blocks makes room for one in a tenth of a second of rest. A minute makes
// room for all, and ten seconds for more than the 32 writes that are looked at; a second makes it for ten of them. Without
// a rest, every write takes ten times as long.
func TestMixedOnACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	model := cardModel{
		Hit: 4 * time.Millisecond, Merge: 40 * time.Millisecond, Cache: 200, Drains: 100 * time.Millisecond, Alone: true,
		ReadLatency: 2 * time.Millisecond, WriteMBPerS: 100, ReadMBPerS: 100,
	}
	files, _ := trial{bus: virtio, filesystem: "ext4", model: model}.run(t, `
FLASHDEX_DIR=/tmp/results /flashdex /mnt --profile mixed --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json`)
	doc := document(t, files)
	rested, mixed := doc.Test(result.RestedWrite), doc.Test(result.Mixed)
	if rested == nil || mixed == nil {
		t.Fatalf("%d tests", len(doc.Tests))
	}
	said := ""
	for _, rest := range result.RestsNS {
		r := rested.AfterRest(rest)
		said += fmt.Sprintf(" %d s: %.1f IOPS, %.2f times (%.2f to %.2f);", rest/1e9, *rested.RateAfterRest(rest), r.Times, r.Low,
			r.High)
	}
	t.Log(said)
	// The way to the card takes a few milliseconds, too: less than ten times, and surely more than twice.
	for _, rest := range result.RestsNS[2:] {
		if r := rested.AfterRest(rest); r.Low < 2 || r.Times > 10 {
			t.Errorf("after %d s: %+v", rest/1e9, r)
		}
	}
	none, second := *rested.RateAfterRest(0), *rested.RateAfterRest(result.RestsNS[1])
	if none > 25 || second < 1.1*none || second > 2*none {
		t.Errorf("%.1f IOPS without a rest, %.1f after a second", none, second)
	}
	f := mixed.Figures()
	if want := 1e3 / (0.7*2 + 0.3*40); f.IOPS == nil || *f.IOPS > want || *f.IOPS < 0.6*want ||
		math.Abs(float64(result.SumIntervals(mixed.Intervals).Reads)/float64(mixed.Ops)-0.7) > 0.05 {
		t.Errorf("mixed: %v IOPS, want about %.0f", f.IOPS, want)
	}
}
