//go:build unix

package transcript_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/transcript"
)

// cpu is the processor time that this process has used.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// A text as large as the form on the site takes costs no more time than its size asks for. The bound is some six times
// what the slowest of them takes, so only a cost that grows with the square of the size exceeds it.
func TestALargeTextTakesNoLongerThanItsSizeAsks(t *testing.T) {
	const size = 1 << 20
	texts := map[string]string{
		"a head of many words":    "KB reclen " + strings.Repeat("a\tb ", size/4),
		"a row of many numbers":   "KB reclen write\n1 " + strings.Repeat("1\t", size/2) + "\n\n",
		"many jobs in one group":  `{"fio version":"fio-3.1","jobs":[` + strings.Repeat(`{},`, size/3) + "{}]}",
		"many JSON documents":     strings.Repeat("{\n", size/2) + `"fio version"`,
		"many dd":                 strings.Repeat("dd a=b\n", size/7),
		"many fio":                strings.Repeat("fio -a\n", size/7),
		"one fio of many lines":   strings.Repeat("fio -a \\\n", size/9),
		"many iozone":             strings.Repeat("iozone -a\n", size/10),
		"many heads of iozone":    strings.Repeat("KB reclen write\n", size/16),
		"many banners of iozone":  strings.Repeat("Iozone: Performance Test\n\n", size/26),
		"many quotes":             strings.Repeat(">", size),
		"many carriage returns":   strings.Repeat("\r", size),
		"many tables":             strings.Repeat("Category Test Result\n", size/21),
		"many passes of one test": strings.Repeat(text(t, "sdfat-due.txt"), size/201),
	}
	for name, content := range texts {
		for _, facts := range []map[string]string{nil, allTold} {
			before := cpu(t)
			_, _ = transcript.Read(content, facts)
			if took := cpu(t) - before; took > 2*time.Second {
				t.Errorf("%s: %v", name, took)
			}
		}
	}
}

// More results than anybody measured in one session are named, and no more than that.
func TestATextOfTooManyResults(t *testing.T) {
	t.Parallel()
	read, err := transcript.Read(strings.Repeat(text(t, "sdfat-pico-sdio.txt"), 1100), nil)
	if err != nil || len(read.Outputs) != 1000 ||
		!strings.Contains(strings.Join(read.LeftOut, ""), "more than 1000 results") {
		t.Errorf("%v: %d results, %d left out", err, len(read.Outputs), len(read.LeftOut))
	}
}
