package figure

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// QueueEvidence holds what a document says about the queue of an SD card or eMMC, besides its tests.
type QueueEvidence struct {
	Card     string // as its registers name it, with the month when it was made; empty: they are not known
	HostUses string // result.QueueOn, result.QueueOff; empty: not known
	Spoilers []string
}

// QueueEvidenceOf reads the evidence from parts of a document.
func QueueEvidenceOf(identity result.Identity, host result.Host, spoilers []string) (of QueueEvidence) {
	card := identity.SD
	if card == nil {
		card = identity.MMC
	}
	if card != nil {
		of.Card = variantOf(&result.Document{Identity: identity}).Label()
		if card.Date != "" {
			of.Card += ", made " + card.Date
		}
	}
	of.HostUses, of.Spoilers = host.CommandQueue, spoilers
	return of
}

// Answers to whether a card's command queue works in a run.
const (
	QueueWorks    = "yes"
	QueueFails    = "no"
	QueueLoses    = "loses data beside discards" // whatever its queue does
	QueueNoGain   = "no gain"
	QueueCantTell = "can’t tell"
)

// queueGain is the gain from which on a queue counts as working. A host that only prepares the next command while one
// is done gains less.
const queueGain = 1.2

// QueueAnswer tells by a run of MethodQueue1 whether command queueing works with the card, and why. Where the host
// doesn't use the queue, it reports errors and wrong data without blaming the queue. Only what is right when it is read
// alone, or what the kernel says, speaks against the queue.
func QueueAnswer(of QueueEvidence, tests []result.Test) (answer, why string) {
	var gains, none, failed []string
	var fails, loses bool
	for i := range tests {
		t := &tests[i]
		switch {
		case t.WrongOps > 0:
			fails, loses = t.RightAloneOps > 0, t.WrongOps > t.RightAloneOps && t.DiscardOps > 0
			failed = append(failed, fmt.Sprintf("of %s blocks read back, beside %s discards, %s had other data than were "+
				"written; read again alone, %s of these were right", result.Count(int(t.Ops)), result.Count(int(t.DiscardOps)),
				result.Count(int(t.WrongOps)), result.Count(int(t.RightAloneOps))))
		case result.Queued(t.Name):
			name := map[string]string{result.QueuedRead: "reads", result.QueuedWrite: "writes"}[t.Name]
			switch gain := t.Gain(); {
			case gain.Low >= queueGain:
				gains = append(gains, result.Number(gain.Times)+" times as many "+name)
			case gain.High < queueGain:
				none = append(none, name)
			}
		}
	}
	if slices.Contains(of.Spoilers, result.KernelErrors) { // which may have any reason
		failed = append(failed, result.SpoilerText(result.KernelErrors))
	}
	if slices.Contains(of.Spoilers, result.QueueRecovery) {
		failed, fails = append(failed, result.SpoilerText(result.QueueRecovery)), true
	}
	switch {
	case of.HostUses == "":
		answer, why = QueueCantTell, "the kernel doesn’t say whether the host uses the card’s queue"
	case of.HostUses == result.QueueOff:
		answer, why = QueueCantTell, "the host doesn’t use the card’s queue"
	case fails:
		answer = QueueFails
	case loses:
		answer = QueueLoses
	case len(failed) > 0:
		answer = QueueCantTell
	case len(gains) > 0:
		return QueueWorks, strings.Join(gains, " and ") + " as one at a time, and no error was seen"
	case len(none) == 2:
		return QueueNoGain, "neither more reads nor more writes than one at a time, and no error was seen"
	default:
		return QueueCantTell, "the gain isn’t known well enough"
	}
	return answer, strings.TrimPrefix(strings.Join(append([]string{why}, failed...), "; "), "; ")
}
