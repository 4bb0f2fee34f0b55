package guest

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/result"
)

// TestQueueOfACard compares the rates of the queue profile with cards that do up to eight requests at once, and on two
// of them also with fio's, in the same guest. The card that does one at a time gains next to nothing. Another one loses
// data beside those that are discarded, and nobody may blame its queue.
func TestQueueOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	type card struct {
		slots      int
		losesBytes int64
		fio        bool
		answer     string // where the host uses the queue
	}
	all := map[string]card{
		"1 slot":             {1, 0, true, figure.QueueNoGain},
		"2 slots":            {2, 0, false, figure.QueueWorks},
		"4 slots":            {4, 0, true, figure.QueueWorks},
		"8 slots":            {8, 0, false, figure.QueueWorks},
		"4 slots, with loss": {4, 64 << 10, false, figure.QueueLoses},
	}
	for name, r := range byChance() {
		c := card{slots: 1 + r.IntN(12), losesBytes: oneOf[int64](r, 0, 0, 4<<10, 256<<10), answer: figure.QueueWorks}
		if c.losesBytes > 0 {
			c.answer = figure.QueueLoses
		} else if c.slots == 1 {
			c.answer = figure.QueueNoGain
		}
		all[name] = c
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := cardModel{Hit: queuedOp, Merge: queuedOp, ReadLatency: queuedOp, Slots: c.slots, Alone: true,
				WriteMBPerS: 100, ReadMBPerS: 100, LosesBytes: c.losesBytes}
			tr, job := trial{bus: virtio, filesystem: "ext4", model: model}, discarding
			if c.fio {
				tr.programs, job = []string{"fio"}, job+queuesOfFio
			}
			card, address := tr.insert(t)
			// QEMU passes discards on if an option after the address says so.
			files := tr.boot(t, address+",discard=unmap", job+`
FLASHDEX_DIR=/tmp/results /flashdex /mnt --profile queue --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json`)
			doc := document(t, files)
			for name, kind := range map[string]string{result.QueuedRead: "read", result.QueuedWrite: "write"} {
				test := doc.Test(name)
				if test == nil {
					t.Fatalf("there is no %s", name)
				}
				compareQueues(t, test, c.slots)
				if c.fio {
					compareWithQueuesOfFio(t, test, kind, files)
				}
			}
			checked := doc.Test(result.CheckedRead)
			if checked == nil {
				t.Fatal("nothing was read back")
			}
			line := fmt.Sprintf("of %d blocks read back, %d were wrong, and %d of them right alone; the kernel counted %d "+
				"discards, the card %d", checked.Ops, checked.WrongOps, checked.RightAloneOps, checked.DiscardOps,
				card.discards.Load())
			t.Log(line)
			if checked.Ops == 0 || (checked.WrongOps > 0) != (c.losesBytes > 0) || checked.RightAloneOps > 0 ||
				card.discards.Load() == 0 {
				t.Error(line)
			}
			answer, why := figure.QueueAnswer(figure.QueueEvidence{HostUses: result.QueueOn}, doc.Tests)
			if answer != c.answer {
				t.Errorf("the answer is %q, want %q: %s", answer, c.answer, why)
			}
		})
	}
}

// discarding mounts the file system again, so that it discards what it frees.
const discarding = `
umount /mnt && mount -t ext4 -o noatime,discard "$device" /mnt || exit
`

const queuesOfFio = `
fio="fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=libaio --refill_buffers --bs=4k --runtime=20 \
	--time_based --output-format=json"
fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=psync --rw=write --bs=1M --end_fsync=1 >/dev/null ||
	exit
for depth in 1 32; do
	$fio --rw=randread --iodepth=$depth --output=/out/read.$depth || exit
	$fio --rw=randwrite --iodepth=$depth --output=/out/write.$depth || exit
done
`

// If a card waits for the next operation, the way to the card adds to the time of each. If its queue is full, it
// doesn't. That is a gain, but not the card's. So a card takes queuedOp for an operation, and the way of a single
// operation takes less than a tenth of that: no rate is below leastQueued of the model's.
//
// Operations that are done together go on their way one after the other. So their way is longer if some wait and the
// queue isn't full: leastWaiting. No rate is above mostQueued of the model's, since few counted operations began
// before. So a card of one slot gains at most mostQueued/leastQueued, 1.17. That is less than noGain, the gain from
// which on the answer is that the queue works.
//
// The file system writes its journal and its tables meanwhile, up to ownOps blocks while operations are counted at a
// depth. A depth between has four seconds.
const (
	queuedOp                = 80 * time.Millisecond
	leastQueued, mostQueued = 0.9, 1.05
	leastWaiting            = 0.8
	noGain                  = 1.2
	ownOps                  = 8
)

// compareQueues compares the rate at each depth, and the gain, with a card that has so many slots.
func compareQueues(t *testing.T, test *result.Test, slots int) {
	t.Helper()
	for _, depth := range result.Depths {
		rate, made := test.AtDepth(depth), float64(min(depth, int64(slots)))/queuedOp.Seconds()
		seconds := test.SecondsAt(depth)
		line := fmt.Sprintf("%s at %d: %.1f IOPS (%.1f to %.1f) in %.1f s of a card of %.1f; %.1f under way", test.Name,
			depth, rate.IOPS, rate.Low, rate.High, seconds, made, test.UnderWay(depth))
		t.Log(line)
		least := leastQueued
		if depth > 1 && depth < 2*int64(slots) {
			least = leastWaiting
		}
		least -= ownOps * queuedOp.Seconds() / seconds
		if rate.IOPS < least*made || rate.IOPS > mostQueued*made {
			t.Error(line)
		}
	}
	gain, made := test.Gain(), float64(slots)
	line := fmt.Sprintf("%s gains %.2f times (%.2f to %.2f), the card does %d at once", test.Name, gain.Times,
		gain.Low, gain.High, slots)
	t.Log(line)
	if gain.Times < leastQueued*made || gain.Times > mostQueued/leastQueued*made ||
		slots == 1 && gain.High >= noGain {
		t.Error(line)
	}
}

// compareWithQueuesOfFio compares the rates at one and at most depth with fio's.
func compareWithQueuesOfFio(t *testing.T, test *result.Test, kind string, files map[string][]byte) {
	t.Helper()
	const percent = 5.0 // how much both may differ: the busy computer changes from turn to turn
	for _, depth := range []int64{1, result.MostDepth} {
		ours, theirs := test.AtDepth(depth).IOPS, fioRate(t, kind, files[fmt.Sprintf("%s.%d", kind, depth)])
		line := fmt.Sprintf("%s at %d: %.1f IOPS, fio %.1f", test.Name, depth, ours, theirs)
		t.Log(line)
		if math.Abs(ours/theirs-1) > percent/100 {
			t.Error(line)
		}
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
