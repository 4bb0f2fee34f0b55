package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// QueueEvidence holds what a document says about the queue of an SD card or eMMC, besides its tests.
type QueueEvidence struct {
	Card     string // as its registers name it; empty: they are not known
	Made     string // when: MM/YYYY; empty: not known
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
		of.Card, of.Made = variantOf(&result.Document{Identity: identity}).Label(), card.Date
	}
	of.HostUses, of.Spoilers = host.CommandQueue, spoilers
	return of
}

// NamedCard names the card with the month when it was made.
func (of QueueEvidence) NamedCard() string {
	if of.Made == "" {
		return of.Card
	}
	return of.Card + ", made " + of.Made
}

// Answers to whether a card's command queue works in a run.
const (
	QueueWorks    = "yes"
	QueueFails    = "no"
	QueueLoses    = "loses data beside discards" // whatever its queue does
	QueueNoGain   = "no gain"
	QueueCantTell = "can’t tell"
)

// queueGain is the gain from which on a queue counts as working. A host that only prepares the next command while the
// card does one gains less.
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

// EvidenceQueue begins the evidence of what a run answers about a card's queue, with the month when the card was made if
// its registers tell it: "queue: yes, 06/2021".
const EvidenceQueue = "queue: "

// evidenceOfQueue returns the evidence of a run of MethodQueue1 that tells something; empty: it doesn't.
func evidenceOfQueue(d *result.Document) string {
	if d.Method != result.MethodQueue1 || len(d.Spoiled()) > 0 {
		return ""
	}
	of := QueueEvidenceOf(d.Identity, d.Host, d.Spoilers)
	answer, _ := QueueAnswer(of, d.Tests)
	if answer == QueueCantTell {
		return ""
	}
	return strings.TrimSuffix(EvidenceQueue+answer+", "+of.Made, ", ")
}

// QueueCount counts the units of one variant and month by what their runs answer. A unit whose runs disagree counts for
// each answer.
type QueueCount struct {
	Registers string `json:"registers"`
	Made      string `json:"made,omitempty"` // MM/YYYY; empty: not known
	Yes       int    `json:"yes"`
	No        int    `json:"no"`
	NoGain    int    `json:"no_gain"`
	Loses     int    `json:"loses_data"`
}

// QueueCountsOf reads the counts of a variant from the evidence of its units, the oldest month first.
func QueueCountsOf(v Variant, shown map[string]int) (counts []QueueCount) {
	for evidence, units := range shown {
		told, ok := strings.CutPrefix(evidence, EvidenceQueue)
		if !ok {
			continue
		}
		answer, made, _ := strings.Cut(told, ", ")
		at := slices.IndexFunc(counts, func(c QueueCount) bool { return c.Made == made })
		if at < 0 {
			at = len(counts)
			counts = append(counts, QueueCount{Registers: v.Label(), Made: made})
		}
		switch c := &counts[at]; answer {
		case QueueWorks:
			c.Yes += units
		case QueueFails:
			c.No += units
		case QueueNoGain:
			c.NoGain += units
		case QueueLoses:
			c.Loses += units
		}
	}
	year := func(c QueueCount) string { return c.Made[min(len(c.Made), len("MM/")):] }
	slices.SortFunc(counts, func(a, b QueueCount) int {
		return cmp.Or(cmp.Compare(year(a), year(b)), cmp.Compare(a.Made, b.Made))
	})
	return counts
}
