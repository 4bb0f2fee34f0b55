package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"flashdex/client/measure"
	"flashdex/result"
)

// progress shows how far the tests are: on a terminal in one line that changes, elsewhere in a line every ten seconds.
type progress struct {
	out     io.Writer
	columns int  // of the terminal; 0 if there is none
	open    bool // a line that changes stands on the terminal
	next    time.Time
	test    string
	before  measure.Progress

	foretold bool // how long it takes without a limit
}

func newProgress(out *os.File) *progress {
	p := &progress{out: out, columns: terminalColumns(out)}
	if os.Getenv("TERM") == "dumb" {
		p.columns = 0 // a line that changes needs more of a terminal
	}
	return p
}

// terminalColumns is the width of the terminal that file is, or 0 if it is none.
func terminalColumns(file *os.File) int {
	var size [4]uint16 // rows, columns, and twice pixels
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0
	}
	if size[1] == 0 { // a serial console doesn't know
		if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
			return columns
		}
		return 80
	}
	return int(size[1])
}

// Without a terminal there is a line every quietTime; of a test that takes hours they are fewer.
const (
	quietTime    = 10 * time.Second
	longestQuiet = 10 * time.Minute
)

func (p *progress) show(now measure.Progress) {
	if now.Test != p.test {
		p.test, p.before = now.Test, measure.Progress{}
	}
	left := fmt.Sprintf("(the rest takes at most %s)", now.Left.Round(time.Second))
	if now.Guessed {
		left = fmt.Sprintf("(about %s left at its rate so far)", roughly(now.Left))
		p.foretell(now)
	}
	written := ""
	if now.KiBPerOp > 0 {
		written = fmt.Sprintf("  %.2f KiB written per operation", now.KiBPerOp)
	}
	columns := len("rand-write")
	if strings.Contains(now.Test, " ") {
		columns = len("seq-rewrite 512 KiB")
	}
	line := fmt.Sprintf("%-*s  %5.1f s  %3.0f %%  %s  %s", columns, now.Test, now.Elapsed.Seconds(), 100*now.Share, rate(now, p.before), left)
	if now.Done {
		line = fmt.Sprintf("%-*s  %5.1f s  %s%s", columns, now.Test, now.Elapsed.Seconds(), rate(now, measure.Progress{}), written)
	}
	p.before = now
	p.print(line, now.Done)
	if now.Done && now.Test == measure.Trial {
		p.print(fmt.Sprintf("%-10s  will take about %s at that rate; before it come the tests in a line", result.RandWrite, roughly(time.Duration(float64(now.Elapsed)/now.Share))), true)
	}
}

// foretellAfter is how long random writes must have run before their rate is taken for the module's.
const foretellAfter = 10 * time.Second

// foretell says once how long random writes that have no limit will take, as soon as that can be guessed.
func (p *progress) foretell(now measure.Progress) {
	if now.Test != result.RandWrite || now.Elapsed < foretellAfter || p.foretold {
		return
	}
	p.foretold = true
	p.print(fmt.Sprintf("%-10s  takes about %s at this module's rate so far; Ctrl-C stops it", now.Test, roughly(now.Elapsed+now.Left)), true)
}

// print shows a line in place of the one before; what is done stays.
func (p *progress) print(line string, done bool) {
	if p.columns > 0 {
		line = line[:min(len(line), p.columns-1)] // a line that wraps can't be replaced
		end := ""
		if done {
			end = "\n"
		}
		const clearLine = "\r\x1b[K"
		fmt.Fprint(p.out, clearLine, line, end)
		p.open = !done
	} else if done || time.Now().After(p.next) {
		fmt.Fprintln(p.out, line)
		p.next = time.Now().Add(min(max(quietTime, p.before.Elapsed/20), longestQuiet))
	}
}

// end leaves the line.
func (p *progress) end() {
	if p.open {
		fmt.Fprintln(p.out)
	}
}

// rate is what was done since before: IOPS of a random test, MB/s of a linear one, seconds for each start of a program.
func rate(now, before measure.Progress) string {
	seconds := (now.Elapsed - before.Elapsed).Seconds()
	if seconds <= 0 {
		return "-"
	}
	if now.Starts > 0 {
		return fmt.Sprintf("%.2f s a start", seconds/float64(now.Starts-before.Starts))
	}
	if now.Ops > 0 {
		return fmt.Sprintf("%.*f IOPS", places(float64(now.Ops-before.Ops)/seconds), float64(now.Ops-before.Ops)/seconds)
	}
	mb := float64(now.Bytes-before.Bytes) / 1e6 / seconds
	return fmt.Sprintf("%.*f MB/s", places(mb), mb)
}

// places is the number of decimals that leaves about three digits.
func places(v float64) int {
	switch {
	case v >= 100:
		return 0
	case v >= 10:
		return 1
	case v >= 1 || v == 0:
		return 2
	case v >= 0.1:
		return 3
	}
	return 4
}
