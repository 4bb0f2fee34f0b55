// Package transcript reads what other tools printed of a module: iozone's tables, fio's JSON, the lines of dd, and the log of the SD
// Card Speed Test of Raspberry Pi Diagnostics. It never guesses: what an output doesn't say has to be told.
package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// Facts that an output may leave open, and which of their values there are. The size of a block is in bytes.
const (
	FactTest      = "test"       // a test's name: seq-write and so on
	FactBlockSize = "block-size" //
	FactDirect    = "direct"     // yes, no: past the page cache
	FactSync      = "sync"       // none, fsync, dsync, sync
	FactUnit      = "unit"       // kb, ops: what iozone's table is in
)

// Values are those that a fact may have; nil for a size.
var Values = map[string][]string{
	FactTest:   {result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead},
	FactDirect: {"yes", "no"},
	FactSync:   {"none", "fsync", "dsync", "sync"},
	FactUnit:   {"kb", "ops"},
}

// Output is what was read.
type Output struct {
	result.Imported
	Tests   []result.Test
	LeftOut []string // what of it is not in Tests, and why
}

// MissingError lists the facts that the output leaves open and nobody told.
type MissingError struct{ Facts []string }

func (e *MissingError) Error() string {
	return "the output doesn't say everything: " + strings.Join(e.Facts, ", ")
}

// errEmpty is of an output that holds nothing which could be imported.
var errEmpty = errors.New("there is no test in it that could be imported")

// Read reads a transcript, with the facts that were told. Its error is *MissingError if more have to be, and otherwise says what is wrong
// with the text.
func Read(text string, told map[string]string) (Output, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	reader, tool := readerOf(text)
	if reader == nil {
		return Output{}, errors.New("it is none of the outputs that can be imported: iozone's table, the JSON of fio --output-format=json, the lines that dd prints at its end, the log of Raspberry Pi Diagnostics")
	}
	f := facts{told: told}
	out, err := reader(text, &f)
	switch {
	case err != nil:
		return Output{}, err
	case len(f.missing) > 0:
		return Output{}, &MissingError{f.missing}
	case len(out.Tests) == 0 && len(out.LeftOut) > 0:
		return Output{}, fmt.Errorf("%w: %s", errEmpty, strings.Join(out.LeftOut, "; "))
	case len(out.Tests) == 0:
		return Output{}, errEmpty
	}
	out.Tool, out.Told = tool, f.used
	return out, check(&out)
}

// readerOf tells by what is in a text which tool printed it.
func readerOf(text string) (reader func(string, *facts) (Output, error), tool string) {
	switch {
	case strings.Contains(text, `"fio version"`):
		return fio, result.ToolFio
	case hasLine(text, func(line string) bool { return strings.HasPrefix(line, "prepare-file;") }):
		return agnostics, result.ToolAgnostics
	case strings.Contains(text, "Iozone:") || hasLine(text, isTableHead):
		return iozone, result.ToolIozone
	case hasLine(text, func(line string) bool { _, ok := recordsIn(line); return ok }):
		return dd, result.ToolDD
	}
	return nil, ""
}

func hasLine(text string, is func(string) bool) bool {
	for line := range strings.Lines(text) {
		if is(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// facts are what was told, what of that was needed, and what else is.
type facts struct {
	told          map[string]string
	used, missing []string
	err           error // what was told contradicts the output
}

// know is a fact as the output shows it, or as it was told where it shows "".
func (f *facts) know(fact, shown string) string {
	told := f.told[fact]
	switch {
	case shown != "" && told != "" && told != shown && f.err == nil:
		f.err = fmt.Errorf("--%s %s was given, but the output says %s", fact, told, shown)
	case shown != "":
		return shown
	case told == "" && !slices.Contains(f.missing, fact):
		f.missing = append(f.missing, fact)
	case told != "" && !slices.Contains(f.used, fact):
		f.used = append(f.used, fact)
	}
	return told
}

// Limits of a result document, result/schema/result-v1.json.
const (
	maxTests   = 96
	maxOps     = 1e9
	maxBytes   = 1e15
	maxNS      = 9e15
	maxBlock   = 1 << 30
	minBlock   = 512
	maxOptions = 400
)

// check holds what was read against what a document can hold.
func check(out *Output) error {
	doc := result.Document{
		Method: result.MethodOfImport(out.Tool), Profile: result.ProfileImported, Imported: &out.Imported, Tests: out.Tests,
	}
	if len(out.Tests) > maxTests {
		return fmt.Errorf("it holds %d tests, and one result at most %d", len(out.Tests), maxTests)
	}
	for _, t := range out.Tests {
		switch {
		case t.BlockBytes < minBlock || t.BlockBytes > maxBlock:
			return fmt.Errorf("blocks of %d bytes: a result holds those of 512 bytes to 1 GiB", t.BlockBytes)
		case t.Ops < 1 || t.Bytes < 1 || t.DurationNS < 1 || t.AreaBytes < 0 || t.QueueDepth < 1:
			return fmt.Errorf("%s did nothing, or in no time", t.Name)
		case t.Ops > maxOps || t.Bytes > maxBytes || t.AreaBytes > maxBytes || t.DurationNS > maxNS || t.QueueDepth > 1024:
			return fmt.Errorf("%s is larger than anything that could be measured", t.Name)
		}
	}
	if problems := doc.Check(); len(problems) > 0 {
		return fmt.Errorf("it contradicts itself: %s: %s", problems[0].Pointer, problems[0].Detail)
	}
	return nil
}

// options joins those that say what was measured, as many as a document holds. What could be the name of a file is none of them.
func options(list []string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;=+_-"
	text := ""
	for _, option := range list {
		if option == "" || strings.Trim(option, plain) != "" {
			continue
		}
		if text != "" {
			option = " " + option
		}
		if len(text)+len(option) > maxOptions {
			break
		}
		text += option
	}
	return strings.TrimSpace(text)
}

// version is a version as a document may hold it.
func version(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .()+_-"
	if len(text) > 60 || strings.Trim(text, plain) != "" {
		return ""
	}
	return text
}

// day is the day of a time as ctime(3) prints it, or "".
func day(text string) string {
	at, err := time.Parse("Mon Jan _2 15:04:05 2006", strings.TrimSpace(text))
	if err != nil || at.Year() < 1980 || at.Year() > 2099 {
		return ""
	}
	return at.Format(time.DateOnly)
}

// Size reads a number of bytes as these tools take them: digits and a suffix that stands for a power of 1,024.
func Size(text string) (bytes int64, ok bool) {
	text = strings.ToLower(text)
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	scale, known := map[string]int64{"": 1, "b": 1, "c": 1, "k": 1 << 10, "kb": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30}[text[len(digits):]]
	n, whole := count(digits)
	if !known || !whole || n > maxBytes/scale {
		return 0, false
	}
	return n * scale, true
}

// count reads a number of at most 15 digits.
func count(text string) (n int64, ok bool) {
	if text == "" || len(text) > 15 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// nsOf is the time that bytes take at a rate.
func nsOf(bytes int64, bytesPerS float64) int64 { return int64(float64(bytes)/bytesPerS*1e9 + 0.5) }
