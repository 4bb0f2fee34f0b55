// Package plausible holds the checks at the door beyond the schema: whether the figures of a result document can be true of
// a real module on a real bus, measured by the client. Everything is derived from the document; the clock of the contributor
// is left alone, since a router has none worth believing.
//
// A document that contradicts itself in its counts is refused by result.Document.Check before it comes here. What the rules
// compare, and where their bounds come from, stands in docs/moderation.md.
package plausible

import (
	"fmt"
	"slices"

	"flashdex/result"
)

// Severity says what a finding does to a result.
type Severity int

// Quarantine keeps the result out of every ranking until somebody has looked at it: honest but strange hardware may do this.
// Reject refuses it: no hardware does this.
const (
	Quarantine Severity = iota + 1
	Reject
)

// String names the severity as docs/moderation.md does.
func (s Severity) String() string {
	switch s {
	case Quarantine:
		return "quarantine"
	case Reject:
		return "reject"
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// Finding is one rule that fired. Reason is one or two sentences with the figures, for the contributor to read; none of
// the document's free text is in it.
type Finding struct {
	Rule     string
	Severity Severity
	Reason   string
}

// rule is one check. It reports each violation by add, with the arguments of fmt.Sprintf.
type rule struct {
	name     string
	severity Severity
	check    func(d *result.Document, add func(format string, args ...any))
}

var rules = []rule{
	{"bus-impossible", Reject, busImpossible},
	{"bus-ceiling", Quarantine, busCeiling},
	{"latency-impossible", Reject, latencyImpossible},
	{"latency-floor", Quarantine, latencyFloor},
	{"imported-rate", Quarantine, importedRate},
	{"latency-sum", Reject, latencySum},
	{"slowest-operation", Reject, slowestOperation},
	{"interval-sum", Reject, intervalSum},
	{"device-bytes", Reject, deviceBytes},
	{"area", Reject, area},
	{"method", Quarantine, method},
	{"settled", Quarantine, settled},
	{"coarse-clock", Quarantine, coarseClock},
	{"too-regular", Quarantine, tooRegular},
	{"capacity", Quarantine, capacity},
	{"size", Quarantine, size},
	{"registers", Quarantine, registers},
	{"stack-size", Reject, stacked},
}

// Check holds a document that satisfies the schema and result.Document.Check against what is physically possible. It
// returns every finding, the most severe first, and nil for a plausible document.
func Check(doc *result.Document) []Finding {
	var found []Finding
	for _, r := range rules {
		r.check(doc, func(format string, args ...any) {
			found = append(found, Finding{Rule: r.name, Severity: r.severity, Reason: fmt.Sprintf(format, args...)})
		})
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return int(b.Severity - a.Severity) })
	return found
}

// testNames are how the reasons call the tests.
var testNames = map[string]string{
	result.SeqWrite: "Linear writing", result.SeqRead: "Linear reading",
	result.RandWrite: "Random writing", result.RandRead: "Random reading",
	result.SeqRewrite: "Linear rewriting", result.SeqReread: "Linear rereading", result.Startup: "Starting a program",
}

func random(t *result.Test) bool { return t.Name == result.RandWrite || t.Name == result.RandRead }
