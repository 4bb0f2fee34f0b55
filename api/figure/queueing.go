package figure

import (
	"slices"
	"strings"

	"flashdex/result"
)

// QueueEvidence is what a document says of the queue of an SD card or eMMC, besides its tests.
type QueueEvidence struct {
	Card     string // as its registers name it, with the month when it was made; empty: they are not known
	HostUses string // result.QueueOn, result.QueueOff; empty: not known
	Failed   string // what the kernel said during the run; empty: nothing
}

// QueueEvidenceOf reads it from a document.
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
	of.HostUses = host.CommandQueue
	var failed []string
	for _, code := range []string{result.QueueRecovery, result.KernelErrors} {
		if slices.Contains(spoilers, code) {
			failed = append(failed, result.SpoilerText(code))
		}
	}
	of.Failed = strings.Join(failed, "; ")
	return of
}

// Answers to whether a card's command queue works in a run.
const (
	QueueWorks    = "yes"
	QueueFails    = "no"
	QueueNoGain   = "no gain"
	QueueCantTell = "can’t tell"
)

// queueGain is how many times as many reads with a full queue show that it works: one that only passes on what waits
// gains less.
const queueGain = 1.2

// QueueAnswer tells by a run of MethodQueue1 whether command queueing works with the card, and why.
func QueueAnswer(of QueueEvidence, tests []result.Test) (answer, why string) {
	var gains, none []string
	for i := range tests {
		t := &tests[i]
		switch {
		case t.Name == result.CheckedRead && t.WrongOps > 0:
			return QueueFails, "of " + result.Count(int(t.Ops)) + " reads beside discarded blocks, " +
				result.Count(int(t.WrongOps)) + " had other data than were written"
		case !result.Queued(t.Name):
			continue
		}
		name := map[string]string{result.QueuedRead: "reads", result.QueuedWrite: "writes"}[t.Name]
		switch gain := t.Gain(); {
		case gain.Low >= queueGain:
			gains = append(gains, result.Number(gain.Times)+" times as many "+name)
		case gain.High < queueGain:
			none = append(none, name)
		}
	}
	switch {
	case of.Failed != "":
		return QueueFails, of.Failed
	case of.HostUses == "":
		return QueueCantTell, "the kernel doesn’t say whether the host uses the card’s queue"
	case of.HostUses == result.QueueOff:
		return QueueCantTell, "the host doesn’t use the card’s queue"
	case len(gains) > 0:
		return QueueWorks, strings.Join(gains, " and ") + " as one at a time, without an error"
	case len(none) == 2:
		return QueueNoGain, "neither more reads nor more writes than one at a time, and no error"
	}
	return QueueCantTell, "the gain isn’t known well enough"
}
