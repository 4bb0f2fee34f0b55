//go:build unix

package transcript_test

import (
	"fmt"
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

// A text that is sixteen times as large takes about sixteen times as long, and not 256 times.
func TestALargeTextTakesNoLongerThanItsSizeAsks(t *testing.T) {
	const size, larger = 1 << 14, 16
	for name, repeat := range map[string]func(size int) string{
		"a head of many words":  func(n int) string { return "KB reclen " + strings.Repeat("a\tb ", n/4) },
		"a row of many numbers": func(n int) string { return "KB reclen write\n1 " + strings.Repeat("1\t", n/2) + "\n\n" },
		"many jobs in one group": func(n int) string {
			return `{"fio version":"fio-3.1","jobs":[` + strings.Repeat(`{},`, n/3) + "{}]}"
		},
		"many JSON documents":    func(n int) string { return strings.Repeat("{\n", n/2) + `"fio version"` },
		"many dd":                repeated("dd a=b\n"),
		"many fio":               repeated("fio -a\n"),
		"one fio of many lines":  repeated("fio -a \\\n"),
		"many iozone":            repeated("iozone -a\n"),
		"many heads of iozone":   repeated("KB reclen write\n"),
		"many banners of iozone": repeated("Iozone: Performance Test\n\n"),
		"many quotes":            repeated(">"),
		"many escapes":           repeated("\x1b["),
		"many titles":            repeated("\x1b]"),
		"many carriage returns":  repeated("\r"),
		"many tables":            repeated("Category Test Result\n"),
		"many devices": func(n int) string {
			var all strings.Builder
			for i := range n / 80 {
				fmt.Fprintf(&all, "/dev/x%d:\n Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec\n", i)
			}
			return all.String()
		},
		"many probes":             repeated(text(t, "f3probe.txt")),
		"many lines about fio":    repeated("FIO results - 4k RandWrite: 5 IOPS - 4k RandRead: 5 IOPS\n"),
		"many passes of one test": repeated(text(t, "sdfat-due.txt")),
	} {
		for _, facts := range []map[string]string{nil, allTold} {
			took := func(size int) time.Duration {
				content := repeat(size)
				before := cpu(t)
				_, _ = transcript.Read(content, facts)
				return cpu(t) - before
			}
			small := max(took(size), took(size), 2*time.Millisecond) // the first call also pays for one-time work
			if large := took(larger * size); large > 8*larger*small {
				t.Errorf("%s: %v, and %v for %d times as much", name, small, large, larger)
			}
		}
	}
}

func repeated(part string) func(size int) string {
	return func(size int) string { return strings.Repeat(part, size/len(part)) }
}

// If a text holds more results than anybody measured in one session, the report says so, and names no more of them.
func TestATextOfTooManyResults(t *testing.T) {
	t.Parallel()
	read, err := transcript.Read(strings.Repeat(text(t, "sdfat-pico-sdio.txt"), 1100), nil)
	if err != nil || len(read.Outputs) != 1000 ||
		!strings.Contains(strings.Join(read.LeftOut, ""), "more than 1000 results") {
		t.Errorf("%v: %d results, %d left out", err, len(read.Outputs), len(read.LeftOut))
	}
}
