package transcript

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// diskMarks are the programs that print like CrystalDiskMark. Each one's text begins with a line with its name and
// sign.
var diskMarks = []struct {
	tool, engine, name, sign string
	mbBytes                  float64
	direct, sync             string // "": the text alone doesn't show it
}{
	// A setting says whether KDiskMark goes past the page cache. From 1.6.1 on it gives fio end_fsync=1.
	{result.ToolKDiskMark, result.ToolFio, "KDiskMark", "github.com/JonMagon/KDiskMark", 1_024_000, "", ""},
	// AmorphousDiskMark sets F_NOCACHE, and calls fsync before it stops the clock (DiskMark.m).
	{result.ToolAmorphousDiskMark, result.ToolAmorphousDiskMark, "AmorphousDiskMark", "Katsura Shareware", 1e6, "yes",
		"fsync"},
	{result.ToolCrystalDiskMark, result.ToolCrystalDiskMark, "CrystalDiskMark", "hiyohiyo", 1e6, "yes", "none"},
}

const isKDiskMark, isAmorphousDiskMark, isCrystalDiskMark = 0, 1, 2

// diskMarkUnit begins a line that all of them print. People leave it when they cut off the first lines.
const diskMarkUnit = "* MB/s = 1,000,000 byte"

func diskMarkBegins(t *text) bool {
	line := strings.TrimSpace(t.line())
	return strings.HasPrefix(line, diskMarkUnit) || diskMarkOf(line) >= 0 || isDiskMarkRate(line) ||
		strings.HasPrefix(line, "[") && isDiskMarkRate(t.ahead(1))
}

// diskMarkOf returns the program that a first line belongs to, or -1.
func diskMarkOf(line string) int {
	for i, mark := range diskMarks {
		if strings.HasPrefix(line, mark.name) && strings.Contains(line, mark.sign) {
			return i
		}
	}
	return -1
}

// isDiskMarkRate reports whether a line shows a rate after the number of operations in flight.
func isDiskMarkRate(line string) bool {
	label, _, found := strings.Cut(line, " MB/s")
	return found && (strings.Contains(label, "(Q") || strings.Contains(label, "(T="))
}

// diskMarkRate is a line of figures.
type diskMarkRate struct {
	label     string // in lower case
	mb, iops  float64
	iopsShown bool
	timed     bool // the latency follows
}

// diskMark reads the text that CrystalDiskMark, KDiskMark and AmorphousDiskMark copy and save.
func diskMark(s *section) error {
	found := -1
	side := "" // read or write, for lines that don't say it
	var rates []diskMarkRate
	var area int64
	var shown []string
	s.tool = diskMarks[isCrystalDiskMark].tool
lines:
	for ; s.at < len(s.lines); s.at++ {
		line := strings.TrimSpace(s.line())
		head := diskMarkOf(line)
		if (head >= 0 || strings.HasPrefix(line, diskMarkUnit)) && len(rates) > 0 {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case head >= 0:
			found = head
			s.tool, s.version = diskMarks[head].tool, diskMarkVersion(line)
		case strings.HasPrefix(line, "*") || line == "" || strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "["):
			side, _, _ = strings.Cut(strings.ToLower(line[1:]), "]")
		case key == "test":
			size, _, _ := strings.Cut(strings.TrimSpace(value), "(")
			size, _, _ = strings.Cut(size, "[")
			if n, ok := Size(strings.ReplaceAll(size, " ", "")); ok {
				area = n
				shown = append(shown, "size="+strings.ReplaceAll(size, " ", ""))
			}
			if passes, ok := between(value, "(x", ")"); ok {
				shown = append(shown, "passes="+passes)
			}
		case key == "date":
			s.day = day(value, "2006/01/02 15:04:05", "2006/01/02 3:04:05", "2006-01-02 15:04:05", time.RFC3339)
		case slices.Contains(diskMarkFooter, key):
		case strings.Contains(line, " MB/s") && namesDiskMarkTest(key):
			rate, err := diskMarkLine(line, side)
			if err != nil {
				return fmt.Errorf("line %d: %w", s.at+1, err)
			}
			rates = append(rates, rate)
			continue
		case s.at > s.from && len(rates) > 0:
			break lines
		}
		if (key == "test" || key == "mode") && strings.Contains(value, "0Fill") {
			shown = append(shown, result.OptionZeros)
		}
	}
	headed := found >= 0
	if !headed && len(rates) > 0 {
		first := rates[0].label
		if !rates[0].timed && (strings.HasPrefix(first, "seq ") || strings.HasPrefix(first, "rnd ")) {
			return errors.New("figures as CrystalDiskMark prints them, but without the times behind them; if they are its " +
				"own, copy its first lines, too")
		}
		found = diskMarkByForm(first)
		s.tool = diskMarks[found].tool
	}
	return s.diskMarkTests(max(found, 0), headed, area, options(shown), rates)
}

// diskMarkByForm recognizes a program by the form of a label, if the text has lost its first lines.
func diskMarkByForm(label string) int {
	switch {
	case strings.Contains(label, "(qd="):
		return isAmorphousDiskMark
	case strings.Contains(label, " mib (") || strings.Contains(label, " kib ("):
		return isKDiskMark
	}
	return isCrystalDiskMark
}

// diskMarkFooter lists the beginnings of the lines after the figures. People write rates into the comment, too.
var diskMarkFooter = []string{"profile", "mode", "time", "os", "volume", "device", "cpu", "target", "mix ratio",
	"comment"}

// diskMarkVersion finds the version in a first line: "CrystalDiskMark 8.0.4 x64 (C)", "KDiskMark (3.2.0): https".
func diskMarkVersion(line string) string {
	for word := range strings.FieldsSeq(line) {
		word = strings.Trim(word, "():")
		if strings.Contains(word, ".") && strings.Trim(word, digits+".") == "" {
			return version(word)
		}
	}
	return ""
}

// diskMarkLine reads "  SEQ    1MiB (Q=  8, T= 1):  5024.997 MB/s [   4792.2 IOPS] <  1667.96 us>" and its forerunners.
func diskMarkLine(line, side string) (r diskMarkRate, err error) {
	before, after, _ := strings.Cut(line, " MB/s")
	at := strings.LastIndexByte(before, ':')
	switch {
	case at < 0:
		return r, errors.New("a rate without the test before it")
	case strings.Contains(after, " MB/s"):
		return r, errors.New("several rates in one line")
	}
	r.label, r.timed = strings.TrimSpace(strings.ToLower(before[:at])), strings.Contains(after, " us>")
	if !strings.Contains(r.label, "read") && !strings.Contains(r.label, "write") {
		r.label += " " + side
	}
	var ok bool
	if r.mb, ok = diskMarkNumber(before[at+1:]); !ok {
		return r, fmt.Errorf("%q is no rate", shorten(before[at+1:]))
	}
	if text, found := between(after, "[", " IOPS"); found {
		if r.iops, r.iopsShown = diskMarkNumber(text); !r.iopsShown {
			return r, fmt.Errorf("%q is no number of operations", shorten(text))
		}
	}
	return r, nil
}

// diskMarkNumber reads a number with a fraction of fixed length after a point or a comma.
func diskMarkNumber(text string) (float64, bool) {
	return decimal(strings.Replace(strings.TrimSpace(text), ",", ".", 1))
}

// diskMarkTests adds a test for each figure.
func (s *section) diskMarkTests(which int, headed bool, area int64, options string, rates []diskMarkRate) error {
	if len(rates) == 0 {
		return errors.New("no figures")
	}
	mark := diskMarks[which]
	direct, sync := mark.direct, mark.sync
	before16 := which == isKDiskMark && headed && s.version == "" // KDiskMark prints its version from 1.6 on
	if before16 {
		direct, sync = "yes", "none"
	} else if which == isKDiskMark && headed {
		sync = map[bool]string{true: "none", false: "fsync"}[s.version == "1.6.0"]
	}
	direct = s.know(FactDirect, direct)
	zeros, mixed := 0, 0
	for _, r := range rates {
		if strings.Contains(r.label, "mix") {
			mixed++
			continue
		}
		if r.mb == 0 {
			zeros++
			continue
		}
		t := result.Test{Name: diskMarkTest(r.label), Sync: "none", Direct: direct == "yes", Engine: mark.engine,
			AreaBytes: area, Ended: result.Complete}
		var threads int
		t.BlockBytes, t.QueueDepth, threads = diskMarkBlock(r.label)
		if t.Name == "" || t.BlockBytes == 0 || t.QueueDepth == 0 {
			s.leave("%q is no test that Flashdex knows", shorten(r.label))
			continue
		}
		if before16 && threads > 1 {
			s.leave("%q: before 1.6 KDiskMark printed one of several threads alone", shorten(r.label))
			continue
		}
		perS, ok := r.bytesPerS(t.BlockBytes, mark.mbBytes)
		if !ok {
			s.leave("%q: %g MB/s and %g IOPS don't fit together", shorten(r.label), r.mb, r.iops)
			continue
		}
		if which != isKDiskMark {
			t.EngineVersion = s.version
		}
		if writes(t.Name) {
			t.Sync = s.know(FactSync, sync)
		}
		rated(&t, perS)
		s.add(t, options)
	}
	if mixed > 0 {
		s.leave("%d figures of reads and writes mixed", mixed)
	}
	if zeros > 0 {
		s.leave("%d tests that did not run: 0 MB/s", zeros)
	}
	return nil
}

// bytesPerS returns the rate, if it agrees with the operations that are printed beside it. It tries the program's own
// MB and others, since some versions printed them.
func (r *diskMarkRate) bytesPerS(block int64, mbBytes float64) (float64, bool) {
	if !r.iopsShown {
		return r.mb * mbBytes, true
	}
	for _, mb := range []float64{mbBytes, 1e6, 1_024_000, 1 << 20} {
		byOps := r.iops * float64(block)
		rounding := 0.0006*mb + 0.06*float64(block)
		if math.Abs(r.mb*mb-byOps) <= rounding+0.003*byOps {
			return r.mb * mb, true
		}
	}
	return 0, false
}

func namesDiskMarkTest(label string) bool { return isLinearMark(label) || isRandomMark(label) }
func isLinearMark(label string) bool      { return strings.Contains(label, "seq") }
func isRandomMark(label string) bool {
	return strings.Contains(label, "rnd") || strings.Contains(label, "random")
}

func diskMarkTest(label string) string {
	linear, random := isLinearMark(label), isRandomMark(label)
	reads, writes := strings.Contains(label, "read"), strings.Contains(label, "write")
	switch {
	case linear == random || reads == writes:
		return ""
	case linear && reads:
		return result.SeqRead
	case linear:
		return result.SeqWrite
	case reads:
		return result.RandRead
	}
	return result.RandWrite
}

// diskMarkBlock reads the block size, the number in flight, and how many threads share it. A linear test's label may
// have no size. Then CrystalDiskMark 5 and 6 use 128 KiB with queues and 1 MiB without, and earlier versions 1 MiB
// (crystalmark.info).
func diskMarkBlock(label string) (block int64, depth, threads int) {
	name, way, hasWay := strings.Cut(label, "(")
	depth, threads = 1, 1
	queues := false
	way, _, _ = strings.Cut(way, ")")
	for part := range strings.SplitSeq(way, ",") {
		key, value, found := strings.Cut(part, "=")
		n, ok := count(strings.TrimSpace(value))
		if !found {
			continue
		}
		if !ok || n < 1 || n > 1024 {
			return 0, 0, 0
		}
		depth *= int(n)
		if queues = queues || strings.Contains(key, "q"); strings.Contains(key, "t") {
			threads = int(n)
		}
	}
	words := strings.Fields(name)
	for i, word := range words {
		if n, ok := Size(word); ok && strings.ContainsAny(word, "kmg") {
			return n, depth, threads
		} else if ok && i+1 < len(words) {
			n, ok = Size(word + words[i+1])
			if ok {
				return n, depth, threads
			}
		}
	}
	switch {
	case !isLinearMark(name):
		return 0, 0, 0
	case hasWay && queues:
		return 128 << 10, depth, threads
	}
	return 1 << 20, depth, threads
}
