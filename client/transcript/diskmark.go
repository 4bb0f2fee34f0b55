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

// diskMarks are the programs that print like CrystalDiskMark, by what their first line holds. KDiskMark calls 1,000 KiB
// a MB.
var diskMarks = []struct {
	tool, engine, first string
	mbBytes             float64
	direct              string // "": the text doesn't show it, and there is a setting for it
}{
	{result.ToolKDiskMark, result.ToolFio, "github.com/JonMagon/KDiskMark", 1_024_000, ""},
	{result.ToolAmorphousDiskMark, result.ToolAmorphousDiskMark, "Katsura Shareware", 1e6, ""},
	{result.ToolCrystalDiskMark, result.ToolCrystalDiskMark, "hiyohiyo", 1e6, "yes"},
}

// diskMarkUnit begins the line that all of them print, and that people leave when they cut off the first ones.
const diskMarkUnit = "* MB/s = 1,000,000 byte"

func diskMarkBegins(t *text) bool {
	line := t.line()
	return strings.HasPrefix(strings.TrimSpace(line), diskMarkUnit) || diskMarkOf(line) >= 0
}

func diskMarkOf(line string) int {
	for i, mark := range diskMarks {
		if strings.Contains(line, mark.first) && strings.ContainsAny(line, "(") {
			return i
		}
	}
	return -1
}

// diskMarkRate is a line of figures.
type diskMarkRate struct {
	label     string // in lower case
	mb, iops  float64
	iopsShown bool
}

// diskMark reads the text that CrystalDiskMark, KDiskMark and AmorphousDiskMark copy and save. Each figure is the
// fastest of several passes.
func diskMark(s *section) error {
	mark := diskMarks[len(diskMarks)-1]
	side := "" // of the lines that don't say it
	var rates []diskMarkRate
	var area int64
	var shown []string
	for s.tool = mark.tool; s.at < len(s.lines); s.at++ {
		line := strings.TrimSpace(s.line())
		if i := diskMarkOf(line); i >= 0 {
			if len(rates) > 0 {
				break
			}
			mark = diskMarks[i]
			s.tool, s.version = mark.tool, diskMarkVersion(line)
		}
		if strings.HasPrefix(line, diskMarkUnit) && len(rates) > 0 {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case strings.HasPrefix(line, "*") || line == "" || strings.HasPrefix(line, "---"):
			continue
		case strings.HasPrefix(line, "["):
			side = strings.ToLower(strings.Trim(strings.Fields(line + " ")[0], "[]"))
		case strings.Contains(line, " MB/s"):
			rate, err := diskMarkLine(line, side)
			if err != nil {
				return fmt.Errorf("line %d: %w", s.at+1, err)
			}
			rates = append(rates, rate)
		case key == "test":
			size, _, _ := strings.Cut(strings.TrimSpace(value)+" (", " [")
			size, _, _ = strings.Cut(size, " (")
			if n, ok := Size(strings.ReplaceAll(size, " ", "")); ok {
				area = n
				shown = append(shown, "size="+strings.ReplaceAll(size, " ", ""))
			}
			if _, behind, ok := strings.Cut(value, "(x"); ok {
				passes, _, _ := strings.Cut(behind, ")")
				shown = append(shown, "passes="+passes)
			}
			if strings.Contains(value, "0Fill") {
				shown = append(shown, "data=zeros")
			}
		case key == "date":
			s.day = day(value, "2006/01/02 15:04:05", "2006/01/02 3:04:05", "2006-01-02 15:04:05", time.RFC3339)
		case s.at > s.from && len(rates) > 0 && !slices.Contains(diskMarkFooter, key):
			return s.diskMarkTests(mark.engine, mark.direct, mark.mbBytes, area, options(shown), rates)
		}
	}
	return s.diskMarkTests(mark.engine, mark.direct, mark.mbBytes, area, options(shown), rates)
}

var diskMarkFooter = []string{"profile", "mode", "time", "os", "volume", "device", "cpu", "target", "mix ratio"}

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
	if at < 0 {
		return r, errors.New("a rate without the test before it")
	}
	r.label = strings.ToLower(before[:at])
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

// diskMarkNumber reads a number with a fraction of fixed length, before which a point or a comma stands.
func diskMarkNumber(text string) (float64, bool) {
	return decimal(strings.Replace(strings.TrimSpace(text), ",", ".", 1))
}

// diskMarkTests adds a test for each figure.
func (s *section) diskMarkTests(engine, direct string, mbBytes float64, area int64, options string,
	rates []diskMarkRate,
) error {
	if len(rates) == 0 {
		return errors.New("no figures")
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
		t := result.Test{Name: diskMarkTest(r.label), Sync: "none", Direct: direct == "yes", Engine: engine,
			AreaBytes: area, Ended: result.Complete}
		t.BlockBytes, t.QueueDepth = diskMarkBlock(r.label)
		if t.Name == "" || t.BlockBytes == 0 || t.QueueDepth == 0 {
			s.leave("%q is no test that Flashdex knows", shorten(r.label))
			continue
		}
		perS, ok := r.bytesPerS(t.BlockBytes, mbBytes)
		if !ok {
			s.leave("%q: %g MB/s and %g IOPS don't fit together", shorten(r.label), r.mb, r.iops)
			continue
		}
		if engine != result.ToolFio {
			t.EngineVersion = s.version
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

// bytesPerS returns the rate, if it fits to the operations that are printed beside it: in the MB of the program, or
// in another, which versions of it printed.
func (r *diskMarkRate) bytesPerS(block int64, mbBytes float64) (float64, bool) {
	if !r.iopsShown {
		return r.mb * mbBytes, true
	}
	for _, mb := range []float64{mbBytes, 1e6, 1_024_000} {
		byOps := r.iops * float64(block)
		rounding := 0.0006*mb + 0.06*float64(block)
		if math.Abs(r.mb*mb-byOps) <= rounding+0.003*byOps {
			return r.mb * mb, true
		}
	}
	return 0, false
}

func diskMarkTest(label string) string {
	linear := strings.Contains(label, "seq")
	random := strings.Contains(label, "rnd") || strings.Contains(label, "random")
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

// diskMarkBlock reads the block size and the number in flight. Where the label of a linear test has no size,
// CrystalDiskMark 5 and 6 use 128 KiB with queues and 1 MiB without, and earlier versions 1 MiB (crystalmark.info).
func diskMarkBlock(label string) (block int64, depth int) {
	name, way, hasWay := strings.Cut(label, "(")
	depth = 1
	queues := false
	way, _, _ = strings.Cut(way, ")")
	for part := range strings.SplitSeq(way, ",") {
		key, value, found := strings.Cut(part, "=")
		n, ok := count(strings.TrimSpace(value))
		if !found {
			continue
		}
		if !ok || n < 1 || n > 1024 {
			return 0, 0
		}
		depth *= int(n)
		queues = queues || strings.Contains(key, "q")
	}
	words := strings.Fields(name)
	for i, word := range words {
		if n, ok := Size(word); ok && strings.ContainsAny(word, "kmg") {
			return n, depth
		} else if ok && i+1 < len(words) {
			n, ok = Size(word + words[i+1])
			if ok {
				return n, depth
			}
		}
	}
	switch {
	case !strings.Contains(name, "seq"):
		return 0, 0
	case hasWay && queues:
		return 128 << 10, depth
	}
	return 1 << 20, depth
}
