package guest

import (
	"testing"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

// TestSweepOfACard tries every record size on a card that takes 200 ms for each random write, whatever its size, and 40
// MB/s in a line. So its highest rate is known for each size, and the measured rate must climb with the record in the
// same way. On a busy machine the emulation delivers one or two MB a second. The card is slow enough to set the
// compared rates even there.
func TestSweepOfACard(t *testing.T) {
	t.Parallel()
	const mbPerS, eachNS = 40, 200 * time.Millisecond
	got := trial{bus: sd, filesystem: "vfat", model: steadyCard(5)}.measure(t, result.ProfileSweep)
	if found := plausible.Check(got.doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	checkPayload(t, got, "Standard PC (i440FX + PIIX, 1996)", sd.platform)
	rates := map[int64]float64{}
	for i := range got.doc.Tests {
		test := &got.doc.Tests[i]
		rate := test.Figures().MBPerS
		t.Logf("%-10s %8d B: %8.3f MB/s in %d operations, %s", test.Name, test.BlockBytes, rate, test.Ops, test.Ended)
		if test.Name != result.RandWrite {
			continue
		}
		rates[test.BlockBytes] = rate
		recordMB := float64(test.BlockBytes) / 1e6
		most := recordMB / (eachNS.Seconds() + recordMB/mbPerS)
		// Ten operations are counted. On a busy machine, the card makes up for a late one.
		if test.BlockBytes >= cardBlockBytes && rate > 1.1*most {
			t.Errorf("random writes of %d bytes at %.3f MB/s, where the card does %.3f", test.BlockBytes, rate, most)
		}
	}
	if len(rates) < 12 || rates[64<<10] < 8*rates[4<<10] || rates[1<<20] < 2*rates[64<<10] {
		t.Errorf("random writes by the size of their records: %v MB/s", rates)
	}
}
