// Package speedclass compares figures with the speed classes that are printed on a module. A class is reached, not
// reached, or nobody can tell. If the test wasn't made as the class demands, a missed promise says nothing. A kept
// promise counts, because the module kept it under harder conditions, though not for as long as the class demands.
package speedclass

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

// States of a verdict.
const (
	Reached    = "reached"
	NotReached = "not-reached"
	CantTell   = "cant-tell"
)

// Caveat describes for readers how the test differs from the tests of the classes.
const Caveat = "The classes are defined for another test: the card is erased and filled to three quarters, and " +
	"random operations go on for ten minutes; linear classes are recorded into whole free allocation " +
	"units. Flashdex measures a card as it is, in one area of 256 MiB, one operation at a time, each " +
	"write on the card before the next, for minutes. For classes that need the card’s command queue, a run of the " +
	"queue profile counts, too: 32 operations at once for some ten seconds, and writes may stay in the card’s cache. " +
	"Ten seconds give a verdict only from twice the promise on, and below half of it. " +
	"So \"reached\" says more than \"not reached\": a used, full or fragmented card can miss here what it does when " +
	"it is freshly erased. Only a card that slows down after that time can look better here."

// Conditions describe the measurement.
type Conditions struct {
	Method    string   // result.Method...; others are not compared with classes
	NotRanked []string // why the result is not ranked, in words; such figures are not compared either
	BusMBPerS float64  // the most that the host's bus carries, 10^6 bytes per second; 0: not known
	Reader    bool     // a USB card reader lay between host and card
	// CommandQueue means that the test kept the card's command queue filled and let its cache work. A test that does
	// one operation at a time does neither, whatever the host can do.
	CommandQueue bool
	QueueSeconds float64 // of result.MethodQueue1: for which the rates with a full queue were measured
}

// Margin compares one promise of a class with the measured figure.
type Margin struct {
	Measure  string // "4K random write"
	Key      string // of the metric
	Unit     string // "IOPS" or "MB/s"
	Promised float64
	Measured figure.Figure
	Percent  float64 // measured in percent of promised
	Missed   bool    // for certain, and only the module can be the reason
}

// Verdict is the result for one class.
type Verdict struct {
	Class   string // as printed: "A1"
	State   string
	Reason  string   // one sentence, for everybody, with the figures
	Margins []Margin // of the promises whose figure was measured
}

// Of judges each printed class by figures. It leaves out labels that are not in classes, because they promise nothing:
// "80x" is a rate, "UDMA 7" a bus. A class that is printed twice is judged once.
func Of(classes []catalogue.SpeedClass, printed []string, figures figure.Set, c Conditions) []Verdict {
	var verdicts []Verdict
	for _, label := range printed {
		i := slices.IndexFunc(classes, func(s catalogue.SpeedClass) bool { return spelling(s.Label) == spelling(label) })
		if i < 0 || slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Class == classes[i].Label }) {
			continue
		}
		verdicts = append(verdicts, of(classes[i], figures, c))
	}
	return verdicts
}

var withoutGaps = strings.NewReplacer(" ", "", "-", "")

// spelling is the same for all spellings of one class: "Class 10", "class10" and "C10".
func spelling(label string) string {
	s := withoutGaps.Replace(strings.ToLower(label))
	if rest, ok := strings.CutPrefix(s, "class"); ok {
		return "c" + rest
	}
	return s
}

func of(s catalogue.SpeedClass, figures figure.Set, c Conditions) Verdict {
	v := Verdict{Class: s.Label, State: CantTell}
	switch {
	case c.Method != result.MethodFlashdex1 && !result.OfReference(c.Method) &&
		!(c.Method == result.MethodQueue1 && s.NeedsCommandQueue):
		v.Reason = "The figures were not taken by a method that compares with the class's test."
	case len(c.NotRanked) > 0 && c.Method == result.MethodQueue1:
		v.Reason = sentence("Can't tell by this run", c.NotRanked)
	case len(c.NotRanked) > 0:
		v.Reason = sentence("Can't tell, because the result is not ranked", c.NotRanked)
	case !s.Confirmed:
		v.Reason = "No source confirms what the class promises."
	}
	if v.Reason != "" {
		return v
	}
	var kept, missed, open []string
	for _, p := range promisesOf(s) {
		metric := figure.MetricOf(p.key)
		m, ok := figures.Find(p.key)
		if !ok {
			open = append(open, "the "+metric.Name+" was not measured")
			continue
		}
		v.Margins = append(v.Margins, Margin{metric.Name, p.key, metric.Unit, p.least, m, 100 * m.Value / p.least, false})
		low, high := m.Ends()
		excuse, margin := excuseOf(p, s, m, c), c.marginOf(p)
		switch {
		case low >= margin*p.least:
			kept = append(kept, p.sentence(m))
		case low < p.least && high >= p.least:
			open = append(open, p.sentence(m)+", so the promise lies within the interval")
		case high < p.least && excuse != "":
			open = append(open, p.sentence(m)+", but "+excuse)
		case high < p.least/margin:
			missed = append(missed, p.sentence(m))
			v.Margins[len(v.Margins)-1].Missed = true
		default:
			open = append(open, fmt.Sprintf("%s, but %.0f seconds of the class's ten minutes tell only rates below half of "+
				"the promise, and from twice the promise on", p.sentence(m), c.QueueSeconds))
		}
	}
	switch {
	case len(missed) > 0:
		v.State, v.Reason = NotReached, sentence("Not reached", missed)
	case len(open) > 0:
		v.State, v.Reason = CantTell, sentence("Can't tell", open)
	default:
		v.State, v.Reason = Reached, sentence("Reached", kept)
	}
	return v
}

// sentence joins a verdict and its figures to the whole reason.
func sentence(what string, parts []string) string {
	return what + ": " + strings.Join(parts, "; ") + "."
}

// farBelow is the share of a class's promise below which a measurement is a sign of a counterfeit. Genuine cards may
// miss their class by less, because of hosts, readers and wear.
const farBelow = 0.5

// Signs returns a sign for each promise that even the upper end of the measured interval misses by far. It leaves out
// misses that the host, the reader or the test may have caused.
func Signs(verdicts []Verdict) (found []sign.Sign) {
	for _, v := range verdicts {
		for _, m := range v.Margins {
			if _, high := m.Measured.Ends(); m.Missed && high < farBelow*m.Promised {
				found = append(found, sign.Of(sign.FarBelowClass, m.Measure, high, m.Unit, v.Class, m.Promised))
			}
		}
	}
	return found
}
