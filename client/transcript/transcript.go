// Package transcript reads the output of other tools: iozone, fio, dd, and the SD Card Speed Test of Raspberry Pi
// Diagnostics. It never guesses: the user must give the facts that an output leaves open.
package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

// Values are the allowed values of a fact, or nil for a size.
var Values = map[string][]string{
	FactTest:   {result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead},
	FactDirect: {"yes", "no"},
	FactSync:   {"none", "fsync", "dsync", "sync"},
	FactUnit:   {"kb", "ops"},
}

// Output is the content of a transcript.
type Output struct {
	result.Imported
	Tests   []result.Test
	LeftOut []string // the parts that are not in Tests, and why
}

// MissingError lists the facts that the output leaves open and the user didn't give.
type MissingError struct{ Facts []string }

func (e *MissingError) Error() string {
	return "the output doesn't contain everything: " + strings.Join(e.Facts, ", ")
}

// readers recognise a tool by a line that it prints.
var readers = []struct {
	tool   string
	prints func(line string) bool
	read   func(text string, f *facts) (Output, error)
}{
	{result.ToolFio, func(line string) bool { return strings.Contains(line, `"fio version"`) }, fio},
	{result.ToolAgnostics, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "prepare-file;")
	}, agnostics},
	{result.ToolIozone, func(line string) bool { return strings.Contains(line, "Iozone:") || isTableHead(line) }, iozone},
	{result.ToolDD, func(line string) bool { return recordsIn(line) != nil }, dd},
}

// Read reads a transcript, with the user's facts. Its error is *MissingError if more are needed, or names the fault.
func Read(text string, given map[string]string) (Output, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	lines := strings.Split(text, "\n")
	for _, reader := range readers {
		if !slices.ContainsFunc(lines, reader.prints) {
			continue
		}
		f := facts{given: given}
		out, err := reader.read(text, &f)
		switch {
		case err != nil:
			return Output{}, err
		case len(f.missing) > 0:
			return Output{}, &MissingError{f.missing}
		case len(out.Tests) == 0:
			why := "it contains no test that can be imported: " + strings.Join(out.LeftOut, "; ")
			return Output{}, errors.New(strings.TrimSuffix(why, ": "))
		}
		out.Tool, out.Told = reader.tool, f.used
		return out, check(&out)
	}
	return Output{}, errors.New("it is none of the outputs that can be imported: iozone's table, the JSON of fio " +
		"--output-format=json, the lines that dd prints at its end, the log of Raspberry Pi Diagnostics")
}

// facts are the facts that the user gave, and the ones that the output needed.
type facts struct {
	given         map[string]string
	used, missing []string
	err           error // a given fact contradicts the output
}

// know returns a fact as the output shows it, or if that is "", as the user gave it.
func (f *facts) know(fact, shown string) string {
	given := f.given[fact]
	switch {
	case shown != "" && given != "" && given != shown && f.err == nil:
		f.err = fmt.Errorf("--%s %s was given, but the output says %s", fact, given, shown)
	case shown != "":
		return shown
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

// Limits of a result document (result/schema/result-v1.json).
const (
	maxTests   = 96
	maxOps     = 1e9
	maxBytes   = 1e15
	maxNS      = 9e15
	maxBlock   = 1 << 30
	minBlock   = 512
	maxOptions = 400
)

// check compares the tests with the limits of a document.
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
			return fmt.Errorf("blocks of %d bytes: a result allows 512 bytes to 1 GiB", t.BlockBytes)
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

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	plain  = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits + " .+_-"
)

// appendOptions adds the options of another run by these names. A semicolon parts them from the run before.
func appendOptions(list []string, names []string, of map[string]string) []string {
	if len(list) > 0 {
		list[len(list)-1] += ";"
	}
	for _, name := range names {
		if value, ok := of[name]; ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// options joins as many options as a document holds. It drops those that could be the name of a file.
func options(list []string) string {
	text := ""
	for _, option := range list {
		if option == "" || strings.Trim(option, plain+",:;=") != "" {
			continue
		}
		if len(text)+len(option) > maxOptions {
			break
		}
		text += " " + option
	}
	return strings.TrimSpace(text)
}

// version returns a version as a document may hold it, or "".
func version(text string) string {
	if len(text) > 60 || strings.Trim(text, plain+"()") != "" {
		return ""
	}
	return text
}

// day returns the day of a time as ctime(3) prints it, or "".
func day(text string) string {
	at, err := time.Parse("Mon Jan _2 15:04:05 2006", strings.TrimSpace(text))
	if err != nil || at.Year() < 1980 || at.Year() > 2099 {
		return ""
	}
	return at.Format(time.DateOnly)
}

// Size reads a number of bytes as these tools do: digits and a suffix for a power of 1,024.
func Size(text string) (bytes int64, ok bool) {
	text = strings.ToLower(text)
	number := strings.TrimRight(text, lower)
	scale, known := map[string]int64{
		"": 1, "b": 1, "c": 1, "k": 1 << 10, "kb": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "mib": 1 << 20,
		"g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30,
	}[text[len(number):]]
	n, whole := count(number)
	if !known || !whole || n > maxBytes/scale {
		return 0, false
	}
	return n * scale, true
}

// count reads a number of at most 15 digits.
func count(text string) (n int64, ok bool) {
	if text == "" || len(text) > 15 || strings.Trim(text, digits) != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// nsOf is the time that bytes take at a rate.
func nsOf(bytes int64, bytesPerS float64) int64 { return int64(float64(bytes)/bytesPerS*1e9 + 0.5) }
