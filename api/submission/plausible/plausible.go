// Package plausible checks whether the figures of a result can be true of a real module on a real bus, measured by the
// client. It derives everything from the document. It ignores the contributor's clock, because a router has none that
// keeps time.
//
// result.Document.Check has already refused documents whose counts contradict each other. docs/moderation.md describes
// the rules and the sources of their bounds.
package plausible

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Severity says what a finding does to a result.
type Severity int

// Quarantine keeps the result out of every ranking until an operator has looked at it: unusual but honest hardware may
// do this. Reject refuses the result: no hardware does this.
const (
	Quarantine Severity = iota + 1
	Reject
)

// Finding is one violation of a rule. Reason tells the contributor the figures in one or two sentences. It quotes none
// of the document's free text.
type Finding struct {
	Rule     string
	Severity Severity
	Reason   string
}

// report adds a finding, whose reason it formats as fmt.Sprintf does.
type report func(format string, args ...any)

var rules = []struct {
	name     string
	severity Severity
	check    func(d *result.Document, add report)
}{
	{"bus-impossible", Reject, eachTest(rateAbove(impossibleTimes, math.Inf(1)))},
	{"bus-ceiling", Quarantine, eachTest(rateAbove(busMargin, impossibleTimes))},
	{"bus-clock", Quarantine, busClock},
	{"latency-impossible", Reject, eachTest(latencyImpossible)},
	{"latency-floor", Quarantine, eachTest(latencyFloor)},
	{"imported-rate", Quarantine, importedRate},
	{"latency-sum", Reject, eachTest(latencySum)},
	{"slowest-operation", Reject, eachTest(slowestOperation)},
	{"interval-sum", Reject, eachTest(intervalSum)},
	{"device-bytes", Reject, eachTest(deviceBytes)},
	{"area", Reject, area},
	{"method", Quarantine, eachTest(method)},
	{"settled", Quarantine, eachTest(settled)},
	{"coarse-clock", Quarantine, eachTest(coarseClock)},
	{"too-regular", Quarantine, eachTest(tooRegular)},
	{"too-even", Quarantine, eachTest(tooEven)},
	{"repeated", Quarantine, repeated},
	{"clock", Quarantine, clock},
	{"digits", Quarantine, digits},
	{"samples", Quarantine, eachTest(samples)},
	{"histogram", Quarantine, eachTest(histogram)},
	{"capacity", Quarantine, capacity},
	{"size", Quarantine, size},
	{"registers", Quarantine, registers},
	{"command-queue", Quarantine, commandQueue},
	{"stack-size", Reject, stackSize},
}

// eachTest applies a check to each test of a document.
func eachTest(check func(d *result.Document, t *result.Test, add report)) func(d *result.Document, add report) {
	return func(d *result.Document, add report) {
		for i := range d.Tests {
			check(d, &d.Tests[i], add)
		}
	}
}

// Check applies every rule to a document that the schema and result.Document.Check have accepted. It returns all
// findings, the most severe first, or nil for a plausible document.
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

// testNames are the names of the tests at the beginning of a sentence.
var testNames = map[string]string{
	result.SeqWrite: "Linear writing", result.SeqRead: "Linear reading",
	result.RandWrite: "Random writing", result.RandRead: "Random reading",
	result.SeqRewrite: "Linear rewriting", result.SeqReread: "Linear rereading", result.Startup: "Starting a program",
	result.BufferedWrite: "Writing through the page cache", result.BufferedRead: "Reading through the page cache",
	result.Record4MBPerS: "Recording at 4 MB/s", result.Record10MBPerS: "Recording at 10 MB/s",
	result.Record30MBPerS: "Recording at 30 MB/s",
	result.StreamWrite:    "Writing a stream", result.TurnWrite: "Writing in turn",
	result.GapWrite: "Writing to both sides of a gap", result.KeptWrite: "Writing beside places that are open",
	result.SameRead: "Reading one block", result.QueuedRead: "Queued reading", result.QueuedWrite: "Queued writing",
	result.CheckedRead: "Reading back", result.FillWrite: "Filling", result.RoundWrite: "Writing in rounds",
	result.FullWrite: "Random writing on the full module",
	result.Mixed:     "Reading and writing", result.RestedWrite: "Writing after rests",
	result.EndureWrite: "Writing all of it again and again", result.EndureRead: "Reading all of it again and again",
	result.AcrossWrite: "Writing across boundaries", result.PlaceWrite: "Writing to a place",
}

// inSentence returns the name of a test within a sentence.
func inSentence(t *result.Test) string { return strings.ToLower(testNames[t.Name]) }

func seconds(ns int64) float64      { return float64(ns) / 1e9 }
func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }
