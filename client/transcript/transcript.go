// Package transcript reads what other tools printed, in any order and any number in one text. It never guesses: the
// user must give the facts that an output leaves open. It reports the parts that it can't use, with line and reason.
package transcript

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashdex/result"
)

// The facts that an output may leave open.
const (
	FactTest      = "test"       // the name of a test, such as seq-write
	FactBlockSize = "block-size" // bytes
	FactDirect    = "direct"     // yes or no: past the page cache
	FactSync      = "sync"       // none, fsync, dsync, sync
	FactUnit      = "unit"       // kb, ops: the unit of iozone's table
)

// Unknown is the answer of a user who doesn't know a fact. Outputs that leave this fact open are left out.
const Unknown = "unknown"

// Values are the allowed values of a fact, or nil for a size.
var Values = map[string][]string{
	FactTest:   {result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead, Unknown},
	FactDirect: {"yes", "no", Unknown},
	FactSync:   {"none", "fsync", "dsync", "sync", Unknown},
	FactUnit:   {"kb", "ops", Unknown},
}

// Transcript is the content of a text.
type Transcript struct {
	Outputs []Output
	LeftOut []string // the parts that are in no output, each with its line and the reason

	places []place          // of its outputs, and of sections that were left out for their places
	named  []place          // the same, and the places of failed runs
	found  []result.Checked // by f3probe
}

// Output is one result: runs of one tool. It holds no test twice in different ways.
type Output struct {
	result.Imported
	Tests []result.Test
}

// MissingError lists the facts that the text leaves open and the user didn't give.
type MissingError struct{ Facts []string }

func (e *MissingError) Error() string {
	return "the output doesn't contain everything: " + strings.Join(e.Facts, ", ")
}

// format is the output of one tool, or of several tools that print alike.
type format struct {
	begins func(t *text) bool     // whether an output begins at the current line
	read   func(s *section) error // reads it from there on; an error leaves out all of it
}

// formats returns the formats in the order in which they are tried. It is a function because iozone's reader uses it,
// too.
func formats() []format {
	return []format{
		{jsonBegins, readJSON}, {agnosticsBegins, agnostics}, {iozoneBegins, iozone}, {fioBegins, fioText},
		{ddBegins, dd}, {hdparmBegins, hdparm}, {diskMarkBegins, diskMark}, {piBegins, piBenchmarks},
		{piFioBegins, piFio}, {sbcBenchBegins, sbcBench},
		{summaryBegins, summary}, {h2testwBegins, h2testw}, {f3Begins, f3}, {sdFatBegins, sdFat}, {px4Begins, px4},
	}
}

// beginsAny reports whether any output begins at the current line.
func (t *text) beginsAny() bool {
	return slices.ContainsFunc(formats(), func(f format) bool { return f.begins(t) })
}

// Read reads a text, with the user's facts. The text and the texts beside it are of one module. So Read leaves out
// outputs of several devices, volumes or cards in all of them. Its error is *MissingError if more facts are needed, or
// says why there is nothing to read.
func Read(content string, given map[string]string, beside ...Transcript) (Transcript, error) {
	t := textOf(content)
	all := collected{given: given, open: map[string]bool{}, against: map[string]error{}}
	var whole, bare []outcome // bare: each dd without its command
	var rates []int           // lines with a rate that belongs to nothing
	for t.at < len(t.lines) {
		i := slices.IndexFunc(formats(), func(f format) bool { return f.begins(t) })
		if i < 0 {
			if hasRate(t.line()) {
				rates = append(rates, t.at)
			}
			t.at++
			continue
		}
		s := section{text: t, from: t.at, facts: facts{given: given, against: map[string]error{}}}
		err := formats()[i].read(&s)
		t.at = min(max(t.at, s.from+1), len(t.lines))
		if s.to = t.at - 1; s.bare && err == nil {
			bare = append(bare, outcome{s, nil})
		} else {
			whole = append(whole, outcome{s, err})
		}
	}
	all.places, all.named = refuseSeveral(whole, beside)
	for i := range bare {
		if len(bare) > 1 {
			bare[i].err = errors.New("one of several without their commands, so nobody knows which did what")
		}
	}
	for _, o := range append(whole, bare...) {
		all.take(&o.section, o.err)
	}
	for _, at := range rates {
		all.leave(at, at, "a rate that belongs to no output that can be read: "+shorten(t.lines[at]))
	}
	return all.transcript(beside)
}

// OnlyProbed reports whether only f3probe's finding was read. The rates that it belongs to may be in a text beside.
func (t *Transcript) OnlyProbed() bool { return len(t.Outputs) == 0 && len(t.found) > 0 }

// section is one output in a text.
type section struct {
	*text
	facts
	from    int // its first line, counted from 0
	to      int // its last line
	tool    string
	version string
	day     string
	repeats bool    // another run of the same test is one more interval, not one more result
	bare    bool    // a dd without its command
	places  []place // that it measured, if it shows them
	checked *result.Checked
	made    []made
	left    []string
}

// outcome is a section, and the reason if all of it is left out.
type outcome struct {
	section
	err error
}

// made is a test with the options that define it.
type made struct {
	test    result.Test
	options string
}

func (s *section) add(t result.Test, options string) { s.made = append(s.made, made{t, options}) }

func (s *section) leave(format string, args ...any) {
	s.left = append(s.left, fmt.Sprintf(format, args...))
}

// collected holds what was read so far.
type collected struct {
	Transcript
	given   map[string]string
	open    map[string]bool  // the given facts that some output leaves open
	against map[string]error // the given facts that some output contradicts
	missing []string
	probes  []*section // f3probe's, which check without a rate
}

func (c *collected) leave(from, to int, why string) {
	lines := fmt.Sprintf("line %d", from+1)
	if to > from {
		lines = fmt.Sprintf("lines %d to %d", from+1, to+1)
	}
	c.LeftOut = append(c.LeftOut, lines+": "+why)
}

// take adds a section's tests and facts, or notes why it is left out.
func (c *collected) take(s *section, err error) {
	to := s.to
	for to > s.from && strings.TrimSpace(s.lines[to]) == "" {
		to--
	}
	if err == nil {
		maps.Copy(c.against, s.against)
	}
	for _, fact := range slices.Concat(s.used, s.unknown) {
		c.open[fact] = true
	}
	if err == nil && len(s.unknown) > 0 {
		err = errors.New("nobody knows this of it: " + strings.Join(s.unknown, ", "))
	}
	if err != nil {
		c.leave(s.from, to, fmt.Sprintf("%s: %v", s.tool, err))
		return
	}
	for _, fact := range s.missing {
		if !slices.Contains(c.missing, fact) {
			c.missing = append(c.missing, fact)
		}
	}
	if len(s.missing) > 0 { // the tests are not whole
		return
	}
	for _, why := range s.left {
		c.leave(s.from, to, s.tool+": "+why)
	}
	if s.isProbe() {
		c.probes = append(c.probes, s)
	}
	first := len(c.Outputs)
	if s.repeats {
		first = 0
	}
	for i := range s.made {
		if why := fault(s.tool, &s.made[i].test); why != "" {
			c.leave(s.from, to, s.tool+": "+why)
			continue
		}
		c.place(s, &s.made[i], first)
	}
}

// maxOutputs is the most results of one text.
const maxOutputs = 1000

// place puts a test into the first output, from first on, that has no other test of its name and block size.
func (c *collected) place(s *section, m *made, first int) {
	at := first
	for ; at < len(c.Outputs); at++ {
		out := &c.Outputs[at]
		fits := out.Tool == s.tool && out.MeasuredOn == s.day && (s.repeats || out.ToolVersion == s.version) &&
			len(out.Tests) < maxTests
		if fits && out.put(m.test, s.repeats) {
			break
		}
	}
	if at == len(c.Outputs) {
		if at == maxOutputs {
			c.leave(s.from, s.to, fmt.Sprintf("%s: this text holds more than %d results", s.tool, maxOutputs))
			return
		}
		c.Outputs = append(c.Outputs, Output{Imported: result.Imported{Tool: s.tool, MeasuredOn: s.day}})
		c.Outputs[at].put(m.test, s.repeats)
	}
	out := &c.Outputs[at]
	out.ToolVersion, out.Options = s.version, joinOptions(out.Options, m.options)
	out.Checked = s.checked
	for _, fact := range s.used {
		if !slices.Contains(out.Told, fact) {
			out.Told = append(out.Told, fact)
		}
	}
}

// put adds a test, or another run of a test that is already there. It reports whether the output had room for it.
func (out *Output) put(t result.Test, repeats bool) bool {
	i := slices.IndexFunc(out.Tests, func(o result.Test) bool { return o.Name == t.Name && o.BlockBytes == t.BlockBytes })
	if i < 0 {
		out.Tests = append(out.Tests, t)
		return true
	}
	o := &out.Tests[i]
	same := o.Direct == t.Direct && o.Sync == t.Sync && o.QueueDepth == t.QueueDepth && o.Engine == t.Engine &&
		o.EngineVersion == t.EngineVersion
	if !repeats || !same || len(o.Intervals)+len(t.Intervals) > maxIntervals || o.Ops+t.Ops > maxOps {
		return false
	}
	o.Ops, o.Bytes, o.DurationNS = o.Ops+t.Ops, o.Bytes+t.Bytes, o.DurationNS+t.DurationNS
	o.AreaBytes, o.Intervals = max(o.AreaBytes, t.AreaBytes), append(slices.Clip(o.Intervals), t.Intervals...)
	if t.Ended == result.TimeLimit {
		o.Ended = t.Ended
	}
	return true
}

// transcript returns everything, or the reason why there is nothing.
func (c *collected) transcript(beside []Transcript) (Transcript, error) {
	elsewhere := c.attach(beside)
	none := Transcript{places: c.places, named: c.named}
	for _, fact := range slices.Sorted(maps.Keys(c.against)) {
		if !c.open[fact] {
			return none, c.against[fact]
		}
	}
	switch {
	case len(c.missing) > 0:
		return none, &MissingError{c.missing}
	case len(c.Outputs) > 0 || elsewhere:
		return c.Transcript, nil
	case len(c.LeftOut) > 0:
		none.found = c.found
		return none, errors.New("it contains no test that can be imported: " + strings.Join(c.LeftOut, "; "))
	}
	return none, errors.New("it is none of the outputs that can be imported, such as those of iozone, fio, dd, hdparm, " +
		"CrystalDiskMark, KDiskMark, H2testw and F3")
}

// facts are the facts that the user gave, and the facts that a section needed.
type facts struct {
	given         map[string]string
	used, missing []string
	unknown       []string         // needed, but the user doesn't know them
	against       map[string]error // the given facts that the output contradicts
}

// know returns a fact as the output shows it. If the output doesn't show it, know returns the user's answer.
func (f *facts) know(fact, shown string) string {
	given := f.given[fact]
	switch {
	case shown != "":
		if given != "" && given != Unknown && given != shown {
			f.against[fact] = fmt.Errorf("--%s %s was given, but the output says %s", fact, given, shown)
		}
		return shown
	case given == Unknown:
		if !slices.Contains(f.unknown, fact) {
			f.unknown = append(f.unknown, fact)
		}
		return ""
	case given == "" && !slices.Contains(f.missing, fact):
		f.missing = append(f.missing, fact)
	case given != "" && !slices.Contains(f.used, fact):
		f.used = append(f.used, fact)
	}
	return given
}

func writes(test string) bool {
	return test == result.SeqWrite || test == result.SeqRewrite || test == result.RandWrite
}
