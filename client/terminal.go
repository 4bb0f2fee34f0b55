package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
	"unsafe"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/result"
)

// typed prints a question on the terminal and returns the typed line. It doesn't use stdin, since that may be the
// script that started the client. Its error is noTerminal, or the context's cause with outcome, such as "nothing was
// written".
func typed(ctx context.Context, question, outcome string, noTerminal error) (string, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		defer terminal.Close()
		_, err = fmt.Fprint(wrapped{terminal}, question)
	}
	if err != nil {
		return "", noTerminal
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(terminal).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(terminal)
		return "", fmt.Errorf("%w: %s", context.Cause(ctx), outcome)
	case line := <-answer:
		return strings.TrimSpace(line), nil
	}
}

// ask asks a question whose answer is yes or no.
func ask(ctx context.Context, question, outcome string, noTerminal error) (yes bool, err error) {
	line, err := typed(ctx, question, outcome, noTerminal)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}

// confirm asks a question, unless --yes was given, and returns an error unless the user types want.
func (o options) confirm(ctx context.Context, question, want, outcome string, noTerminal error) error {
	if o.yes {
		return nil
	}
	line, err := typed(ctx, question, outcome, noTerminal)
	if err == nil && line != want {
		err = usagef("%q is not %q; %s", line, want, outcome)
	}
	return err
}

// confirmErase makes the user type the device's name before anything is written to the device. The card that it showed
// must still be there afterwards.
func confirmErase(ctx context.Context, o options, target device.Target) error {
	name := target.Disk.Name
	if target.HidesChanges() {
		fmt.Fprintln(stderr, "Leave   the card in until the end: this reader doesn't tell of a changed card, and the "+
			"next one would be erased as well")
	}
	err := o.confirm(ctx, fmt.Sprintf("Type %s to erase it, anything else to stop: ", name), name, "nothing was written",
		usagef("there is no terminal to type the device's name on; nothing was written. Run it on a terminal, or with "+
			"--yes if you are sure that %s is the right device", o.device))
	if err != nil {
		return err
	}
	if err := target.Untouched(); err != nil {
		return usagef("%w. Nothing was written", err)
	}
	return nil
}

// confirmHours makes the user agree to hours of writing, which wear a module by a whole write and more, or destroy it.
func confirmHours(ctx context.Context, o options, plan measure.Plan) error {
	ask := fmt.Sprintf("This writes %.1f GB and more, for hours. Type %s to begin, anything else to stop: ",
		float64(plan.WriteBytes())/1e9, plan.Profile)
	if plan.Profile == result.ProfileEndure {
		ask = fmt.Sprintf("This wears the module out: it writes for days or months, until nothing can be stored on it. Type "+
			"%s to begin, anything else to stop: ", plan.Profile)
	}
	return o.confirm(ctx, ask, plan.Profile, "nothing was written",
		usagef("there is no terminal to type %s on; nothing was written. Run it on a terminal, or with --yes if you "+
			"mean it", plan.Profile))
}

// wrapped is a file. On a terminal it wraps the lines that are written to it.
type wrapped struct{ file *os.File }

var stdout, stderr = wrapped{os.Stdout}, wrapped{os.Stderr}

func (w wrapped) Write(text []byte) (int, error) {
	shown := string(text)
	if columns := terminalColumns(w.file); columns > 0 {
		shown = fitted(shown, min(columns, textColumns))
	}
	_, err := io.WriteString(w.file, shown)
	return len(text), err
}

// fitted wraps the lines of a text that are longer than width. Text beside a head, such as "Writes ", stays beside it.
// A command stays in one line: the terminal breaks it if it must, and then a copy of the command has no line break.
func fitted(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		said := strings.TrimRight(line, " \n")
		command := strings.TrimLeft(said, " ")
		whole := strings.HasPrefix(command, "curl ") || strings.HasPrefix(command, "flashdex ")
		if utf8.RuneCountInString(said) > width && !whole {
			const longestHead = 12
			beside := 0
			if at := strings.LastIndex(said[:min(len(said), longestHead)], "  "); at >= 0 && width > 2*longestHead {
				beside = at + len("  ")
			}
			lines := strings.TrimSuffix(wrap(said[beside:], width-beside, ""), "\n")
			line = said[:beside] + strings.ReplaceAll(lines, "\n", "\n"+strings.Repeat(" ", beside)) + line[len(said):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// progress shows how far the tests are: on a terminal in one line that changes, elsewhere in a line every ten seconds.
type progress struct {
	out     io.Writer
	columns int  // width of the terminal; 0 if there is none
	open    bool // the terminal shows a line that may still change
	next    time.Time
	before  measure.Progress

	explained bool // it has said how long random writes will take
}

func newProgress(out *os.File) *progress {
	p := &progress{out: out, columns: terminalColumns(out)}
	if os.Getenv("TERM") == "dumb" {
		p.columns = 0 // it can't change a line
	}
	return p
}

// terminalColumns returns the width of the terminal, or 0 if file is no terminal.
func terminalColumns(file *os.File) int {
	_, columns := terminalSize(file)
	return columns
}

// terminalSize also returns the terminal's lines, or 0 if it doesn't know them.
func terminalSize(file *os.File) (lines, columns int) {
	var size [4]uint16 // rows, columns, and twice pixels
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}
	if size[1] == 0 { // a serial console doesn't know
		if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
			return int(size[0]), columns
		}
		return int(size[0]), 80
	}
	return int(size[0]), int(size[1])
}

const (
	quietTime    = 10 * time.Second // between lines without a terminal
	longestQuiet = 10 * time.Minute // the same in a test that takes hours

	estimateAfter = 10 * time.Second // of random writes, when their rate is typical of the module
	explainAfter  = 15 * time.Second // of random writes with a limit, when a user may wonder why they go on
)

func (p *progress) show(now measure.Progress) {
	if now.Test != p.before.Test {
		p.before = measure.Progress{}
	}
	left := fmt.Sprintf("(the rest takes at most %s)", now.Left.Round(time.Second))
	if now.Guessed {
		left = fmt.Sprintf("(about %s left at its rate so far)", roughly(now.Left))
	}
	if now.Note != "" {
		left = now.Note
	}
	switch {
	case now.Test != result.RandWrite || now.Done || p.explained:
	case now.Guessed && now.Elapsed >= estimateAfter:
		p.explained = true
		p.print(fmt.Sprintf("%-10s  takes about %s at this module's rate so far; Ctrl-C stops it", now.Test,
			roughly(now.Elapsed+now.Left)), true)
	case now.Elapsed >= explainAfter && now.Limit > time.Minute: // a quick look is over by then
		p.explained = true
		p.print(fmt.Sprintf("%-10s  goes on until its figure is sure, at most %s in all", now.Test, inWords(now.Limit)), true)
	}
	name := fmt.Sprintf("%-10s", now.Test)
	if strings.Contains(now.Test, " ") { // with a block size, such as seq-rewrite 512 KiB
		name = fmt.Sprintf("%-19s", now.Test)
	}
	line := fmt.Sprintf("%s  %5.1f s  %3.0f %%  %s  %s", name, now.Elapsed.Seconds(), 100*now.Share, rate(now, p.before),
		left)
	if now.Done {
		line = fmt.Sprintf("%s  %5.1f s  %s", name, now.Elapsed.Seconds(), rate(now, measure.Progress{}))
		if now.KiBPerOp > 0 {
			line += "  " + result.Number(now.KiBPerOp) + " KiB written per operation"
		}
		if now.Note != "" {
			line += "  " + now.Note
		}
	}
	p.before = now
	p.print(line, now.Done)
	if now.Done && now.Test == measure.Trial {
		p.print(fmt.Sprintf("%-10s  will take about %s at that rate; the linear tests come first", result.RandWrite,
			roughly(time.Duration(float64(now.Elapsed)/now.Share))), true)
	}
}

// print replaces the line that may change. A line that is done stays.
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

// rate is the rate since before: IOPS of a random test, MB/s of a linear one, seconds for each start of a program.
func rate(now, before measure.Progress) string {
	seconds := (now.Elapsed - before.Elapsed).Seconds()
	switch {
	case seconds <= 0:
		return "-"
	case now.Starts > 0:
		return result.Number(seconds/float64(now.Starts-before.Starts)) + " s a start"
	case now.Ops > 0:
		return result.Number(float64(now.Ops-before.Ops)/seconds) + " IOPS"
	}
	return result.Number(float64(now.Bytes-before.Bytes)/1e6/seconds) + " MB/s"
}
