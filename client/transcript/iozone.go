package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashdex/result"
)

// columnEnds are the columns where the numbers of iozone's table end (iozone 3.489): kB, reclen, and the tests.
var columnEnds = []int{16, 24, 33, 42, 51, 60, 69, 78, 87, 97, 107, 116, 125, 134, 143}

// columnTests are the tests in columnEnds from the third on. Flashdex doesn't have the others.
var columnTests = []string{
	result.SeqWrite, result.SeqRewrite, result.SeqRead, result.SeqReread, result.RandRead, result.RandWrite,
}

// isTableHead finds the second line of the head of iozone's table. Older versions print KB.
func isTableHead(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 2 && strings.EqualFold(fields[0], "kb") && fields[1] == "reclen"
}

// table is iozone's output.
type table struct {
	out                Output
	unit, direct, sync string // as the output shows them
	complete, head     bool
	commands           int
	rows               []tableRow
}

// tableRow holds the numbers of a row by their columns.
type tableRow map[int]int64

const fileKiB, recordKiB = 0, 1 // columns

// iozone reads a table of iozone -a or of single sizes, in kB (1,024 bytes) or operations a second.
func iozone(text string, f *facts) (Output, error) {
	var t table
	if strings.Contains(text, "Command line used:") && !strings.Contains(text, "\niozone test complete") {
		return t.out, errors.New("the output ends early: iozone's last line, \"iozone test complete.\", is missing")
	}
	for i, line := range strings.Split(text, "\n") {
		if err := t.line(strings.TrimRight(line, "\r")); err != nil {
			return t.out, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	switch {
	case t.commands > 1:
		return t.out, fmt.Errorf("it holds %d runs of iozone; put each into a file of its own", t.commands)
	case len(t.rows) == 0:
		return t.out, errors.New("iozone's table has no rows")
	}
	if t.commands == 1 { // then the head shows all options
		t.direct, t.sync = cmp.Or(t.direct, "no"), cmp.Or(t.sync, "none")
	}
	err := t.tests(f)
	return t.out, err
}

// iozoneRefused are the lines of modes that can't be imported, in lower case, and the reasons.
var iozoneRefused = [][2]string{
	{"microseconds/op mode.", "times of single operations (iozone -N) can't be read; measure without -N"},
	{"throughput test with", "several processes at once (iozone -t) can't be read; measure without -t"},
	{"children see throughput", "several processes at once (iozone -t) can't be read; measure without -t"},
	{"async i/o", "asynchronous I/O (iozone -H, -k) can't be read; measure without it"},
}

// line reads one line.
func (t *table) line(line string) error {
	text := strings.TrimSpace(line)
	lower := strings.ToLower(text)
	for _, refused := range iozoneRefused {
		if strings.Contains(lower, refused[0]) {
			return errors.New(refused[1])
		}
	}
	switch start, rest, _ := strings.Cut(text, ":"); start {
	case "Version $Revision":
		t.out.ToolVersion = version(strings.Trim(rest, " $"))
	case "Run began":
		t.out.MeasuredOn = day(rest)
	case "Command line used":
		t.commands++
		t.out.Options = iozoneOptions(strings.Fields(rest))
	}
	switch {
	case strings.Contains(text, "O_DIRECT feature enabled"):
		t.direct = "yes"
	case strings.HasPrefix(text, "SYNC Mode"):
		t.sync = "sync"
	case strings.Contains(text, "O_DSYNC mode enabled") && t.sync != "sync":
		t.sync = "dsync"
	case strings.HasPrefix(text, "Include fsync in write timing") && t.sync == "":
		t.sync = "fsync"
	case strings.HasPrefix(lower, "output is in kbytes/sec"):
		t.unit = "kb"
	case strings.HasPrefix(text, "OPS Mode."):
		t.unit = "ops"
	case strings.HasPrefix(text, "iozone test complete"):
		t.complete = true
	case isTableHead(text):
		t.head = true
	case t.head && !t.complete && text != "" && strings.Contains(digits, text[:1]):
		return t.row(line)
	}
	return nil
}

// row reads a row by the columns where its numbers end, since a test that did not run leaves its column empty.
func (t *table) row(line string) error {
	r := tableRow{}
	shift, at := 0, 0
	for i, word := range strings.Fields(line) {
		at += strings.Index(line[at:], word) + len(word)
		if i == 0 {
			shift = columnEnds[0] - at // a copied table loses the blanks before it
		}
		column := slices.Index(columnEnds, at+shift)
		n, ok := count(word)
		switch {
		case column < 0 || i < 2 && column != i:
			return errors.New("the numbers don't stand below each other as iozone prints them; keep the blanks between them " +
				"when you copy the table")
		case !ok || n == 0:
			return fmt.Errorf("%q is no figure of iozone's", word)
		}
		r[column] = n
	}
	switch {
	case len(r) < 3 || r[recordKiB] > r[fileKiB]:
		return errors.New("this is no row of iozone's table")
	case len(t.rows) > 0 && len(t.rows[0]) != len(r):
		return errors.New("this row has not as many figures as the first; the output is not whole")
	}
	t.rows = append(t.rows, r)
	return nil
}

// tests makes tests of the rows. For each record size it takes the largest file, which fits least into caches.
func (t *table) tests(f *facts) error {
	unit, direct := f.know(FactUnit, t.unit), f.know(FactDirect, t.direct)
	best := map[int64]tableRow{}
	others := false
	for _, r := range t.rows {
		if best[r[recordKiB]][fileKiB] >= r[fileKiB] {
			continue
		}
		best[r[recordKiB]] = r
		for column := range r {
			others = others || column-2 >= len(columnTests)
		}
	}
	for _, size := range slices.Sorted(maps.Keys(best)) {
		r := best[size]
		for i, name := range columnTests {
			n, ok := r[i+2]
			if !ok {
				continue
			}
			made := result.Test{
				Name: name, BlockBytes: r[recordKiB] << 10, QueueDepth: 1, Sync: "none", Direct: direct == "yes",
				Engine: result.ToolIozone, EngineVersion: t.out.ToolVersion,
				AreaBytes: r[fileKiB] << 10, Ops: r[fileKiB] / r[recordKiB], Ended: result.Complete,
			}
			if writes(name) {
				made.Sync = f.know(FactSync, t.sync)
			}
			made.Bytes = made.Ops * made.BlockBytes
			unitBytes := map[string]int64{"kb": 1024, "ops": made.BlockBytes}[unit]
			made.DurationNS = nsOf(made.Bytes, float64(n)*float64(unitBytes))
			t.out.Tests = append(t.out.Tests, made)
		}
	}
	if left := len(t.rows) - len(best); left > 0 {
		t.out.LeftOut = append(t.out.LeftOut,
			fmt.Sprintf("%d rows of smaller files than the largest of their record size", left))
	}
	if others {
		t.out.LeftOut = append(t.out.LeftOut,
			"backward and strided reads, rewrites of one record, and tests through the C library")
	}
	return f.err
}

// iozoneOptions keeps single letters, sizes and numbers, and so drops everything that could be the name of a file.
func iozoneOptions(words []string) string {
	var kept []string
	for i, word := range words {
		letter, value := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "+"), ""
		if strings.HasPrefix(word, "-") && letter != "" {
			letter, value = letter[:1], letter[1:]
		}
		_, isSize := Size(value)
		_, wordIsSize := Size(word)
		takesName := i > 0 && slices.Contains([]string{"-f", "-F", "-b", "-U", "-m"}, words[i-1])
		switch {
		case strings.HasPrefix(word, "-") && len(letter) == 1 && (value == "" || isSize):
			kept = append(kept, word)
		case wordIsSize && i > 0 && strings.HasPrefix(words[i-1], "-") && !takesName:
			kept = append(kept, word)
		}
	}
	return options(kept)
}
