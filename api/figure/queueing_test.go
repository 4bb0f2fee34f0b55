package figure

import (
	"strings"
	"testing"

	"flashdex/result"
)

// queued returns the tests of a module whose reads and writes gain these factors from a full queue.
func queued(reads, writes float64) (tests []result.Test) {
	for name, gain := range map[string]float64{result.QueuedRead: reads, result.QueuedWrite: writes} {
		t := result.Test{Name: name}
		for depth, times := range map[int64]float64{1: 1, result.MostDepth: gain} {
			for range 20 {
				t.Intervals = append(t.Intervals, result.Interval{
					Kind: result.Kind{Depth: depth}, Ops: int64(1000 * times), NS: 500_000_000,
				})
			}
		}
		tests = append(tests, t)
	}
	return append(tests, result.Test{Name: result.CheckedRead, Ops: 8192})
}

func TestQueueAnswers(t *testing.T) {
	t.Parallel()
	on, off := QueueEvidence{HostUses: result.QueueOn}, QueueEvidence{HostUses: result.QueueOff}
	failed := QueueEvidenceOf(result.Identity{}, result.Host{CommandQueue: result.QueueOn},
		[]string{result.RootDisk, result.QueueRecovery})
	errors := QueueEvidence{HostUses: result.QueueOn, Spoilers: []string{result.KernelErrors}}
	wrong := queued(3, 2)
	wrong[2].WrongOps = 5
	few := queued(3, 2)
	for i := range few[:2] {
		few[i].Intervals = append(few[i].Intervals[:2], few[i].Intervals[20:22]...)
	}
	for name, c := range map[string]struct {
		of          QueueEvidence
		tests       []result.Test
		answer, why string
	}{
		"works":           {on, queued(3, 1), QueueWorks, "3 times as many reads as one at a time, and no error was seen"},
		"gains nothing":   {on, queued(1, 1), QueueNoGain, "neither more reads nor more writes"},
		"failed":          {failed, queued(3, 2), QueueFails, "the kernel recovered it"},
		"wrong data":      {on, wrong, QueueFails, "of 8,192 blocks read back, 5 had other data"},
		"errors":          {errors, queued(3, 2), QueueCantTell, "the kernel reported errors"},
		"errors and loss": {errors, wrong, QueueFails, "5 had other data than were written; the kernel reported errors"},
		"lost without it": {off, wrong, QueueCantTell, "doesn’t use the card’s queue; of 8,192 blocks read back, 5"},
		"failed, unknown": {QueueEvidence{Spoilers: failed.Spoilers}, queued(3, 2), QueueCantTell, "doesn’t say"},
		"host without it": {off, queued(3, 2), QueueCantTell, "doesn’t use"},
		"a reader":        {QueueEvidence{}, queued(3, 2), QueueCantTell, "doesn’t say"},
		"not measured":    {on, nil, QueueCantTell, "isn’t known"},
		"hardly measured": {on, few, QueueCantTell, "isn’t known"},
	} {
		if answer, why := QueueAnswer(c.of, c.tests); answer != c.answer || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s, %s; want %s, %s", name, answer, why, c.answer, c.why)
		}
	}
	card := QueueEvidenceOf(result.Identity{SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SN64G",
		HWRev: "0x8", FWRev: "0x6", Date: "06/2021"}}, result.Host{}, nil).Card
	for _, part := range []string{"SN64G", "0x03", "made 06/2021"} {
		if !strings.Contains(card, part) {
			t.Errorf("the card is %q without %s", card, part)
		}
	}
}

// Classes that promise rates with a full queue are judged by such rates.
func TestOfQueue(t *testing.T) {
	t.Parallel()
	var of []result.Figures
	for _, test := range queued(4, 2) {
		test.BlockBytes, test.QueueDepth = 4096, result.MostDepth
		of = append(of, test.Figures())
	}
	figures := OfQueue(of)
	if read, write := figures.At(RandReadIOPS).Value, figures.At(RandWriteIOPS).Value; read < 7990 || read > 8100 ||
		write < 3990 || write > 4100 {
		t.Errorf("%v reads and %v writes a second", read, write)
	}
	if _, found := OfRun(of).Find(RandWriteIOPS); found {
		t.Error("a rate with a full queue stands among those of one at a time")
	}
}
