package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// table holds iozone's output.
type table struct {
	unit, direct, sync string      // as the output shows them
	options            string      // of the command line
	columns            []iozoneFor // of all rows, as the command line says; nil: it doesn't show the tests
	banner, complete   bool        // what iozone prints before and after its table
	mac                bool        // on macOS, -I doesn't go past the page cache
	noRetest           string      // another reason for a 0; empty: the command line shows that there is none
	head               *iozoneHead
	rows               []iozoneRow
	rowAt              int // the line of the last row
}

func iozoneBegins(t *text) bool {
	line := t.line()
	return strings.Contains(line, "Iozone: Performance Test") || isTableHead(line) || len(iozoneCommand(line)) > 0
}

// iozoneCommand returns the arguments of a command line of iozone, or nil.
func iozoneCommand(line string) []string {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return word == "iozone" || strings.HasSuffix(word, "/iozone") })
	if at < 0 || at+1 >= len(words) || !strings.HasPrefix(words[at+1], "-") {
		return nil
	}
	return words[at+1:]
}

// iozoneRefused lists lines, in lower case, of modes that can't be imported, and the reasons.
var iozoneRefused = [][2]string{
	{"microseconds/op mode.", "times of single operations (iozone -N) can't be read; measure without -N"},
	{"throughput test with", "several processes at once (iozone -t) can't be read; measure without -t"},
	{"children see throughput", "several processes at once (iozone -t) can't be read; measure without -t"},
	{"async i/o", "asynchronous I/O (iozone -H, -k) can't be read; measure without it"},
}

// iozoneRefusing maps these modes' options to their places in iozoneRefused.
var iozoneRefusing = map[string]int{"N": 0, "t": 1, "l": 1, "u": 1, "H": 3, "k": 3}

// iozone reads a table of iozone -a or of single sizes, in kB (1,024 bytes) or operations a second. The other lines
// that iozone prints around the table may be missing.
func iozone(s *section) error {
	s.tool = result.ToolIozone
	t := table{noRetest: ", and for what -+n leaves out"}
	var refused error
	broken, commandAt := 0, -1 // broken: the number of a row that ends early, for which the table is refused
	for ; s.at < len(s.lines) && !t.complete; s.at++ {
		line := s.line()
		text := strings.TrimSpace(cells(line))
		begun := s.at > s.from && strings.Contains(line, "Iozone: Performance Test")
		if begun && (t.banner || len(t.rows) > 0) || s.at > s.from && t.head != nil && isTableHead(line) {
			break
		}
		isRow := t.head != nil && text != "" && strings.Contains(digits, text[:1])
		if s.at > s.from && !isRow && !iozoneBegins(s.text) && s.beginsAny() {
			break
		}
		if arguments := iozoneCommand(line); arguments != nil {
			if commandAt >= 0 && (t.head != nil || !strings.Contains(line, "Command line used")) {
				break
			}
			commandAt = s.at
			if mode := t.command(s, arguments); mode >= 0 && refused == nil {
				refused = errors.New(iozoneRefused[mode][1])
			}
		}
		if len(t.rows) > 0 && !t.banner && text != "" && !isRow && !strings.HasPrefix(text, "iozone test complete") {
			break
		}
		for _, mode := range iozoneRefused {
			if refused == nil && strings.Contains(strings.ToLower(text), mode[0]) {
				refused = errors.New(mode[1])
			}
		}
		if err := t.line(s, line, text, isRow); err != nil && refused == nil {
			refused = fmt.Errorf("line %d: %w", s.at+1, err)
			if isRow && len(wordsOf(line)) < len(t.rows[0]) {
				broken = len(t.rows)
			}
		}
	}
	last := len(t.rows)
	if last > 0 && !t.complete { // the last row may be cut
		why := refused
		if t.rowAt == len(s.lines)-1 && (why == nil || broken == last) {
			why = fmt.Errorf("line %d: the text ends with this row and without the end of its line, so its last number may be "+
				"cut off; copy the line after it, too", t.rowAt+1)
			broken = last
		}
		if broken == last {
			if refused = nil; last == 1 {
				return why
			}
			t.rows = t.rows[:last-1]
			s.leave("%v", why)
		}
	}
	switch {
	case refused != nil:
		return refused
	case last == 0:
		return errors.New("iozone without the rows of its table")
	}
	if commandAt >= 0 || t.banner { // then it shows all options
		t.direct, t.sync = cmp.Or(t.direct, "no"), cmp.Or(t.sync, "none")
	}
	if t.mac {
		t.direct = "no"
	}
	if t.banner && !t.complete {
		s.leave("iozone's last line, \"iozone test complete.\", is missing; its whole rows were read")
	}
	t.tests(s)
	return nil
}

// iozoneOption is an option of a command line: a letter, and the value after it, or "".
type iozoneOption struct{ letter, value string }

// iozoneTakes lists iozone's options that take a value (getopt's string in iozone.c).
const iozoneTakes = "JjkVrtsfFdluUSLH+PibXYgnyq"

// iozoneOptions reads options up to the end of the command. One word may hold several: -RaeI.
func iozoneOptions(words []string) (all []iozoneOption) {
	for i := 0; i < len(words) && !strings.ContainsAny(words[i], "|;&<>"); i++ {
		rest, ok := strings.CutPrefix(words[i], "-")
		for ok && rest != "" {
			o := iozoneOption{letter: rest[:1]}
			if rest = rest[1:]; strings.Contains(iozoneTakes, o.letter) {
				if o.value, rest = rest, ""; o.value == "" && i+1 < len(words) {
					i++
					o.value = words[i]
				}
			}
			all = append(all, o)
		}
	}
	return all
}

// command takes facts from a command line. iozone prints the same facts in words, but people cut those lines off.
// command returns the place in iozoneRefused of a mode that can't be read, or -1.
func (t *table) command(s *section, arguments []string) (refused int) {
	var tests, shown []string
	all := false
	refused = -1
	t.noRetest = ""
	for _, o := range iozoneOptions(arguments) {
		switch option := o.letter + o.value; {
		case o.letter == "I":
			t.direct = "yes"
		case o.letter == "o" || option == "+r":
			t.sync = "sync"
		case option == "+n":
			t.noRetest = ", and for what -+n leaves out"
		case option == "+D" && t.sync != "sync":
			t.sync = "dsync"
		case o.letter == "e":
			t.sync = cmp.Or(t.sync, "fsync")
		case o.letter == "O":
			t.unit = "ops"
		case o.letter == "a" || o.letter == "A":
			all = true
		case o.letter == "i":
			tests = append(tests, o.value)
		case o.letter == "f":
			s.on(o.value)
			t.mac = t.mac || strings.HasPrefix(o.value, "/Volumes/") || strings.HasPrefix(o.value, "/Users/")
		}
		if mode, ok := iozoneRefusing[o.letter]; ok {
			refused = mode
		}
		if _, isSize := Size(o.value); o.letter == "+" && len(o.value) == 1 {
			shown = append(shown, "-+"+o.value)
		} else if (isSize || o.value == "") && !strings.Contains("fFbUX", o.letter) { // these name files
			shown = append(shown, strings.TrimSpace("-"+o.letter+" "+o.value))
		}
	}
	if slices.Contains(arguments, "+D") { // as the article of 2012 prints it
		t.sync = cmp.Or(t.sync, "dsync")
	}
	t.unit, t.options = cmp.Or(t.unit, "kb"), options(shown)
	if len(tests) > 0 || all {
		t.columns = columnsOf(tests)
	}
	return refused
}

// line reads one line.
func (t *table) line(s *section, line, text string, isRow bool) error {
	switch start, rest, _ := strings.Cut(text, ":"); start {
	case "Version $Revision":
		s.version = version(strings.Trim(rest, " $"))
	case "Run began":
		s.day = day(rest, ctime)
	}
	switch lowered := strings.ToLower(text); {
	case strings.Contains(line, "Iozone: Performance Test"):
		t.banner = true
	case strings.Contains(text, "O_DIRECT feature enabled"):
		t.direct = "yes"
	case strings.Contains(text, "F_NOCACHE=1"):
		t.mac = true
	case strings.HasPrefix(text, "SYNC Mode") || strings.Contains(text, "Read & Write sync mode active"):
		t.sync = "sync"
	case strings.Contains(text, "O_DSYNC mode enabled") && t.sync != "sync":
		t.sync = "dsync"
	case strings.HasPrefix(text, "Include fsync in write timing") && t.sync == "":
		t.sync = "fsync"
	case strings.HasPrefix(lowered, "output is in kbytes/sec"):
		t.unit = "kb"
	case strings.HasPrefix(text, "OPS Mode."):
		t.unit = "ops"
	case strings.HasPrefix(text, "iozone test complete"):
		t.complete = true
	case isTableHead(line):
		above := ""
		if s.at > 0 {
			above = s.lines[s.at-1]
		}
		var err error
		t.head, err = headOf(above, line)
		return err
	case isRow:
		var first iozoneRow
		if len(t.rows) > 0 {
			first = t.rows[0]
		}
		row, err := t.head.row(line, t.columns, first)
		t.rows, t.rowAt = append(t.rows, row), s.at
		return err
	}
	return nil
}

// tests makes tests from the rows. For each record size it takes the largest file, since that fits least into caches.
func (t *table) tests(s *section) {
	unit, direct := s.know(FactUnit, t.unit), s.know(FactDirect, t.direct)
	largest := map[int64]int64{} // KiB, by the record's size
	others := false
	for _, r := range t.rows {
		largest[r[iozoneRecordKiB]] = max(largest[r[iozoneRecordKiB]], r[iozoneFileKiB])
		for column := range r {
			others = others || iozoneNames[column].test == "" && column != iozoneFileKiB && column != iozoneRecordKiB
		}
	}
	slices.SortStableFunc(t.rows, func(a, b iozoneRow) int { return cmp.Compare(a[iozoneRecordKiB], b[iozoneRecordKiB]) })
	var zeros []string
	smaller := 0
	for _, r := range t.rows {
		size := r[iozoneRecordKiB]
		if r[iozoneFileKiB] < largest[size] {
			smaller++
			continue
		}
		for column, name := range iozoneNames {
			n, ok := r[iozoneFor(column)]
			switch {
			case !ok || name.test == "":
				continue
			case n == 0:
				zeros = append(zeros, fmt.Sprintf("%s with %d KiB", name.test, size))
				continue
			}
			made := result.Test{
				Name: name.test, BlockBytes: size << 10, QueueDepth: 1, Sync: "none", Direct: direct == "yes",
				Engine: result.ToolIozone, EngineVersion: s.version,
				AreaBytes: r[iozoneFileKiB] << 10, Ops: r[iozoneFileKiB] / size, Ended: result.Complete,
			}
			if writes(name.test) {
				made.Sync = s.know(FactSync, t.sync)
			}
			made.Bytes = made.Ops * made.BlockBytes
			unitBytes := map[string]int64{"kb": 1024, "ops": made.BlockBytes}[unit]
			made.DurationNS = nsOf(made.Bytes, float64(n)*float64(unitBytes))
			s.add(made, t.options)
		}
	}
	if len(zeros) > 0 {
		s.leave("%s: iozone prints 0 for less than 1 a second%s", strings.Join(zeros, ", "), t.noRetest)
	}
	if smaller > 0 {
		s.leave("%d rows of smaller files than the largest of their record size", smaller)
	}
	if others {
		s.leave("backward and strided reads, rewrites of one record, and tests through the C library")
	}
}
