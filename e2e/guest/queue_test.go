package guest

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"flashdex/result"
)

// TestQueueOfACard compares the rates of the queue profile with fio's, in one guest on one card that does up to four
// requests at once, and with one that does one at a time and so gains next to nothing.
func TestQueueOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const percent = 5.0 // by which both may differ: the busy computer changes from turn to turn
	for _, slots := range []int{1, 4} {
		t.Run(fmt.Sprint("slots ", slots), func(t *testing.T) {
			t.Parallel()
			model := cardModel{Hit: 12 * time.Millisecond, Merge: 12 * time.Millisecond, ReadLatency: 8 * time.Millisecond,
				Slots: slots, Alone: true, WriteMBPerS: 100, ReadMBPerS: 100}
			files, _ := trial{bus: virtio, filesystem: "ext4", model: model, programs: []string{"fio"}}.run(t, `
fio="fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=libaio --refill_buffers --bs=4k --runtime=20 \
	--time_based --output-format=json"
fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=psync --rw=write --bs=1M --end_fsync=1 >/dev/null || exit
for depth in 1 32; do
	$fio --rw=randread --iodepth=$depth --output=/out/read.$depth || exit
	$fio --rw=randwrite --iodepth=$depth --output=/out/write.$depth || exit
done
FLASHDEX_DIR=/tmp/results /flashdex /mnt --profile queue --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json`)
			doc := document(t, files)
			for name, kind := range map[string]string{result.QueuedRead: "read", result.QueuedWrite: "write"} {
				test := doc.Test(name)
				if test == nil {
					t.Fatalf("there is no %s", name)
				}
				for _, depth := range []int64{1, result.MostDepth} {
					ours, theirs := test.AtDepth(depth), fioRate(t, kind, files[fmt.Sprintf("%s.%d", kind, depth)])
					line := fmt.Sprintf("%s at %d: %.1f IOPS (%.1f to %.1f), fio %.1f; %.1f under way", name, depth, ours.IOPS, ours.Low,
						ours.High, theirs, test.UnderWay(depth))
					t.Log(line)
					if math.Abs(ours.IOPS/theirs-1) > percent/100 {
						t.Error(line)
					}
				}
				gain := test.Gain()
				t.Logf("%s: %.2f times (%.2f to %.2f)", name, gain.Times, gain.Low, gain.High)
				if want := float64(slots); gain.Times < 0.9*want || gain.Times > 1.35*want {
					t.Errorf("%s gains %.2f, the card does %d at once", name, gain.Times, slots)
				}
			}
			if test := doc.Test(result.CheckedRead); test == nil || test.WrongOps > 0 {
				t.Errorf("read back: %+v", test)
			}
		})
	}
}

// fioRate returns fio's own rate of reads or writes.
func fioRate(t *testing.T, kind string, output []byte) float64 {
	t.Helper()
	var said struct {
		Jobs []map[string]json.RawMessage `json:"jobs"`
	}
	var of struct {
		IOPS float64 `json:"iops"`
	}
	if err := json.Unmarshal(output, &said); err != nil || len(said.Jobs) != 1 {
		t.Fatalf("fio said %s (%v)", output, err)
	}
	if err := json.Unmarshal(said.Jobs[0][kind], &of); err != nil || of.IOPS == 0 {
		t.Fatalf("fio said %s (%v)", output, err)
	}
	return of.IOPS
}
