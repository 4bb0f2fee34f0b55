package guest

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"flashdex/result"
)

// TestRecorderOnACard records 1 MB a second on a card that stalls for 0.15, 0.7 and 1.5 s in turn. The profile counts
// the stalls of the card's log, and its buffer holds what comes in the longest one and in the write that it is in.
func TestRecorderOnACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const rate, every = 1e6, 1531 // blocks: about 6 s of the stream
	stalls := []time.Duration{150 * time.Millisecond, 700 * time.Millisecond, 1500 * time.Millisecond}
	model := cardModel{WriteMBPerS: 20, ReadMBPerS: 20, StallEvery: every, Stalls: stalls}
	files, writes := trial{bus: usb, filesystem: "vfat", model: model}.run(t, `
FLASHDEX_DIR=/tmp/results /flashdex /mnt --profile recorder --rate 1MB/s --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json`)
	doc := document(t, files)
	if len(doc.Tests) != 2 {
		t.Fatalf("%d tests", len(doc.Tests))
	}
	var found [3]int64
	for i := range doc.Tests {
		test := &doc.Tests[i]
		f := test.Figures()
		var counts []int64
		for k, ns := range []int64{100e6, 500e6, 1e9} {
			counts = append(counts, *test.StallsAbove(ns).Count)
			found[k] += counts[k]
		}
		want := rate*stalls[2].Seconds() + float64(test.BlockBytes)
		line := fmt.Sprintf("%d B: %s, stalls %v, buffer %.3f MB, want %.3f; p99 %.1f ms", test.BlockBytes, test.Ended, counts,
			float64(*f.BufferBytes)/1e6, want/1e6, float64(*f.P99NS)/1e6)
		t.Log(line)
		// The bus and the block itself take their time, too.
		if took := float64(*f.BufferBytes) / want; test.Ended != result.Complete || took < 0.99 || took > 1.15 ||
			math.Abs(f.MBPerS-1) > 0.01 {
			t.Error(line)
		}
	}
	var made [3]int64
	for _, w := range writes {
		for k, least := range stalls {
			if w.Cost >= least {
				made[k]++
			}
		}
	}
	for k := range made {
		// A few stalls fall into what the file system writes beside the stream.
		if made[k] < 20 || float64(found[k]) < 0.95*float64(made[k])-1 || found[k] > made[k] {
			t.Errorf("%d stalls of %s or more were found, the card made %d", found[k], stalls[k], made[k])
		}
	}
	t.Logf("stalls found %v, made %v; longest %s", found, made, slices.Max(stalls))
}
