package figure

import (
	"slices"
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
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
	wrong, lost, lostAlone := queued(3, 2), queued(3, 2), queued(3, 2)
	wrong[2].WrongOps, wrong[2].RightAloneOps = 5, 5
	lost[2].WrongOps, lost[2].DiscardOps = 5, 32
	lostAlone[2].WrongOps = 5
	few := queued(3, 2)
	for i := range few[:2] {
		few[i].Intervals = append(few[i].Intervals[:2], few[i].Intervals[20:22]...)
	}
	for name, c := range map[string]struct {
		of          QueueEvidence
		tests       []result.Test
		answer, why string
	}{
		"works":            {on, queued(3, 1), QueueWorks, "3 times as many reads as one at a time, and no error was seen"},
		"gains nothing":    {on, queued(1, 1), QueueNoGain, "neither more reads nor more writes"},
		"failed":           {failed, queued(3, 2), QueueFails, "the kernel recovered it"},
		"wrong data":       {on, wrong, QueueFails, "5 had other data than were written; read again alone, 5 of these were right"},
		"lost data":        {on, lost, QueueLoses, "of 8,192 blocks read back, beside 32 discards, 5 had other data"},
		"wrong, no reason": {on, lostAlone, QueueCantTell, "read again alone, 0 of these were right"},
		"errors":           {errors, queued(3, 2), QueueCantTell, "the kernel reported errors"},
		"errors and wrong": {errors, wrong, QueueFails, "5 of these were right; the kernel reported errors"},
		"errors and loss":  {errors, lost, QueueLoses, "0 of these were right; the kernel reported errors"},
		"recovered, lost":  {failed, lost, QueueFails, "0 of these were right; the card’s queue failed"},
		"lost without it":  {off, lost, QueueCantTell, "doesn’t use the card’s queue; of 8,192 blocks read back"},
		"failed, unknown":  {QueueEvidence{Spoilers: failed.Spoilers}, queued(3, 2), QueueCantTell, "doesn’t say"},
		"host without it":  {off, queued(3, 2), QueueCantTell, "doesn’t use"},
		"a reader":         {QueueEvidence{}, queued(3, 2), QueueCantTell, "doesn’t say"},
		"not measured":     {on, nil, QueueCantTell, "isn’t known"},
		"hardly measured":  {on, few, QueueCantTell, "isn’t known"},
	} {
		if answer, why := QueueAnswer(c.of, c.tests); answer != c.answer || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s, %s; want %s, %s", name, answer, why, c.answer, c.why)
		}
	}
	named := QueueEvidenceOf(result.Identity{SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SN64G",
		HWRev: "0x8", FWRev: "0x6", Date: "06/2021"}}, result.Host{}, nil).NamedCard()
	for _, part := range []string{"SN64G", "0x03", "made 06/2021"} {
		if !strings.Contains(named, part) {
			t.Errorf("the card is %q without %s", named, part)
		}
	}
}

// What runs answer is counted by the registers and the month, for and against.
func TestQueueAnswersAreCounted(t *testing.T) {
	t.Parallel()
	card := &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SN64G", Date: "06/2021"}
	d := result.Document{Method: result.MethodQueue1, Identity: result.Identity{Bus: "sd", SD: card},
		Host: result.Host{CommandQueue: result.QueueOn}, Tests: queued(3, 2)}
	evidence := func() string { return evidenceOfQueue(&d) }
	if got := evidence(); got != "queue: yes, 06/2021" || !slices.Contains(FactsOf(&d, nil).Evidence, got) {
		t.Errorf("a queue that works is %q", got)
	}
	card.Date, d.Spoilers = "", []string{result.QueueRecovery}
	if got := evidence(); got != "queue: no" {
		t.Errorf("a queue that fails is %q", got)
	}
	d.Spoilers = []string{result.RootDisk}
	if got := evidence(); got != "" {
		t.Errorf("a run that is spoiled says %q", got)
	}
	d.Spoilers, d.Host.CommandQueue = nil, result.QueueOff
	if got := evidence(); got != "" {
		t.Errorf("a host without a queue says %q", got)
	}
	v := variantOf(&d)
	got := QueueCountsOf(v, map[string]int{"queue: no gain, 06/2021": 1, "queue: yes, 11/2020": 5, "identified": 9,
		"queue: no": 2, "queue: yes, 06/2021": 3, "queue: loses data beside discards, 06/2021": 4})
	want := []QueueCount{{Registers: v.Label(), No: 2}, {Registers: v.Label(), Made: "11/2020", Yes: 5},
		{Registers: v.Label(), Made: "06/2021", Yes: 3, NoGain: 1, Loses: 4}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Classes that promise rates with a full queue are judged by the rates with one.
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
