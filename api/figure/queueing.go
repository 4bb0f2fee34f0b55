package figure

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// QueueEvidence holds what a document says about the queue of an SD card or eMMC, besides its tests.
type QueueEvidence struct {
	Card     string // as its registers name it, with the month of manufacture; empty: the registers are not known
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
	QueueNoGain   = "no gain"
	QueueCantTell = "can’t tell"
)

// queueGain is the gain from which on a queue counts as working. A host that only prepares the next command while the
// card does one gains less.
const queueGain = 1.2

// QueueAnswer says from a run of MethodQueue1 whether command queueing works with the card, and why. If the host
// doesn't use the queue, it reports errors and wrong data without blaming the queue.
func QueueAnswer(of QueueEvidence, tests []result.Test) (answer, why string) {
	var gains, none, failed []string
	for i := range tests {
		t := &tests[i]
		switch {
		case t.WrongOps > 0:
			failed = append(failed, fmt.Sprintf("of %s blocks read back, %s had other data than were written",
				result.Count(int(t.Ops)), result.Count(int(t.WrongOps))))
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
	errors := slices.Contains(of.Spoilers, result.KernelErrors)
	if errors {
		failed = append(failed, result.SpoilerText(result.KernelErrors))
	}
	if slices.Contains(of.Spoilers, result.QueueRecovery) {
		failed, errors = append(failed, result.SpoilerText(result.QueueRecovery)), false
	}
	switch {
	case of.HostUses == "":
		answer, why = QueueCantTell, "the kernel doesn’t say whether the host uses the card’s queue"
	case of.HostUses == result.QueueOff:
		answer, why = QueueCantTell, "the host doesn’t use the card’s queue"
	case len(failed) == 1 && errors: // the errors may have any reason
		answer = QueueCantTell
	case len(failed) > 0:
		answer = QueueFails
	case len(gains) > 0:
		return QueueWorks, strings.Join(gains, " and ") + " as one at a time, and no error was seen"
	case len(none) == 2:
		return QueueNoGain, "neither more reads nor more writes than one at a time, and no error was seen"
	default:
		return QueueCantTell, "the gain isn’t known well enough"
	}
	return answer, strings.TrimPrefix(strings.Join(append([]string{why}, failed...), "; "), "; ")
}
