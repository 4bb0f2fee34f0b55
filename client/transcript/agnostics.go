package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// speedTest is the fio job file of a version of Raspberry Pi Diagnostics (github.com/raspberrypi-ui/agnostics,
// data/sd_bench.fio): direct, libaio, end_fsync=1; random tests take at most randomLimitS. The log doesn't contain it.
type speedTest struct {
	queueDepth       int
	areaBytes        int64
	linearBlockBytes int64
}

// Logs of versions from July 2024 on contain a linear read; earlier logs don't.
var (
	speedTest2020 = speedTest{4, 64 << 20, 512 << 10}
	speedTest2024 = speedTest{32, 256 << 20, 4 << 20}
)

const randomLimitS = 10

func agnosticsBegins(t *text) bool {
	line := strings.TrimSpace(t.line())
	return strings.HasPrefix(line, "Raspberry Pi Diagnostics") || strings.HasPrefix(line, "prepare-file;")
}

// agnostics reads the log of Raspberry Pi Diagnostics or sdtest.sh, with any number of runs. It takes each job's KiB/s
// and IOPS of reads and of writes.
func agnostics(s *section) error {
	s.tool, s.repeats = result.ToolAgnostics, true
	var runs []agnosticsRun
	for ; s.at < len(s.lines); s.at++ {
		line := strings.TrimSpace(s.line())
		if rest, ok := strings.CutPrefix(line, "Raspberry Pi Diagnostics"); ok {
			if s.at > s.from {
				break
			}
			s.version, s.day = version(strings.TrimPrefix(rest, " - version ")), day(s.ahead(1), ctime)
		}
		fields := strings.Split(line, ";")
		isRow := len(fields) > 1 && slices.Contains(agnosticsRows, fields[0])
		if !isRow && !agnosticsBegins(s.text) && s.beginsAny() {
			break
		}
		if fields[0] == "prepare-file" {
			runs = append(runs, agnosticsRun{rows: map[string][4]int64{}})
		}
		if !isRow || len(runs) == 0 {
			continue
		}
		run := &runs[len(runs)-1]
		var row [4]int64
		ok := len(fields) == 5
		for j := 0; ok && j < 4; j++ {
			row[j], ok = count(fields[j+1])
		}
		if _, twice := run.rows[fields[0]]; (!ok || twice) && run.damaged == nil {
			run.damaged = fmt.Errorf("line %d: %q is no row of this log; it is damaged or not whole", s.at+1, shorten(line))
		}
		run.rows[fields[0]] = row
	}
	for i, run := range runs {
		if err := s.addRun(run); err != nil {
			s.leave("run %d: %v", i+1, err)
		}
	}
	if len(runs) == 0 {
		return errors.New("a log without an SD Card Speed Test")
	}
	s.leave("prepare-file, which only makes the file")
	return nil
}

var agnosticsRows = []string{"prepare-file", "seq-write", "rand-4k-write", "rand-4k-read", "seq-read"}

// agnosticsRun holds the rows of one run in a log, by name.
type agnosticsRun struct {
	rows    map[string][4]int64
	damaged error
}

// addRun adds the tests of one run.
func (s *section) addRun(run agnosticsRun) error {
	if run.damaged != nil {
		return run.damaged
	}
	job, rows := speedTest2020, agnosticsRows[1:4]
	if _, ok := run.rows["seq-read"]; ok {
		job, rows = speedTest2024, agnosticsRows[1:]
	}
	options := fmt.Sprintf("ioengine=libaio iodepth=%d size=%dm direct=1 end_fsync=1 bs=%dk,4k runtime=%d",
		job.queueDepth, job.areaBytes>>20, job.linearBlockBytes>>10, randomLimitS)
	var tests []result.Test
	for _, row := range rows {
		figures, ok := run.rows[row]
		if !ok {
			return fmt.Errorf("%s is missing; the log is not whole", row)
		}
		t := result.Test{
			Name: strings.Replace(row, "-4k", "", 1), BlockBytes: job.linearBlockBytes, QueueDepth: job.queueDepth, Sync: "none",
			Direct: true, Engine: result.ToolFio, AreaBytes: job.areaBytes, Bytes: job.areaBytes, Ended: result.Complete,
		}
		kibPerS, iops, none := figures[0], figures[1], figures[2]+figures[3]
		if writes(t.Name) {
			t.Sync, kibPerS, iops, none = "fsync", figures[2], figures[3], figures[0]+figures[1]
		}
		if t.IsRandom() {
			t.BlockBytes = 4096
			if ran := kibPerS << 10 * randomLimitS; ran < t.Bytes {
				t.Bytes, t.Ended = ran/t.BlockBytes*t.BlockBytes, result.TimeLimit
			}
		}
		perS := kibPerS << 10 / t.BlockBytes
		if kibPerS == 0 || kibPerS > maxBytes>>10 || none != 0 || iops < perS-1 || iops > perS+1 {
			return fmt.Errorf("%s: %d KiB/s in %d operations of %d KiB a second don't fit together", row, kibPerS, iops,
				t.BlockBytes>>10)
		}
		t.Ops, t.DurationNS = t.Bytes/t.BlockBytes, nsOf(t.Bytes, float64(kibPerS)*1024)
		t.Intervals = []result.Interval{{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}}
		tests = append(tests, t)
	}
	for _, t := range tests {
		s.add(t, options)
	}
	return nil
}
