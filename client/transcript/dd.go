package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// ddRun is one run of dd in a transcript.
type ddRun struct {
	operands map[string]string // of the command; nil: the transcript doesn't show it
	in, out  *records
	bytes    int64
	seconds  float64
	failed   bool
	maker    string // GNU, BusyBox or BSD
}

// records counts whole and partial blocks.
type records struct{ whole, partial int64 }

// recordsIn reads dd's line with its blocks in any language: "64+0 records in". It returns nil for any other line.
func recordsIn(line string) *records {
	if len(line) > 200 || len(ddCommand(line)) > 0 {
		return nil
	}
	for word := range strings.FieldsSeq(line) {
		before, after, _ := strings.Cut(word, "+")
		whole, ok := count(before)
		if partial, too := count(after); ok && too {
			return &records{whole, partial}
		}
	}
	return nil
}

// ddCommand returns the operands of a dd command line. For any other line it returns none.
func ddCommand(line string) map[string]string {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return word == "dd" || strings.HasSuffix(word, "/dd") })
	if at < 0 {
		return nil
	}
	operands := map[string]string{}
	for _, word := range words[at+1:] {
		key, value, found := strings.Cut(strings.TrimRight(word, ";)"), "=")
		if found && strings.Trim(key, lower) == "" {
			operands[key] = value
		} else if len(operands) > 0 { // another command follows
			break
		}
	}
	return operands
}

// ddTotal reads dd's last line in any language: first bytes, then seconds with a point or a comma. It skips
// parentheses.
func ddTotal(line string) (bytes int64, seconds float64, ok bool) {
	depth := 0
	text := strings.Map(func(c rune) rune {
		switch {
		case c == '(' || c == '（':
			depth++
		case c == ')' || c == '）':
			depth--
		case depth == 0:
			return c
		}
		return -1
	}, strings.TrimSpace(line))
	rest := strings.TrimLeft(text, digits)
	if bytes, ok = count(text[:len(text)-len(rest)]); !ok {
		return 0, 0, false
	}
	rest = rest[max(strings.IndexAny(rest, digits), 0):]
	end := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune(digits+".,e+-", r) })
	if end < 1 {
		return 0, 0, false
	}
	number := strings.Replace(strings.TrimRight(rest[:end], ".,"), ",", ".", 1)
	seconds, err := strconv.ParseFloat(number, 64)
	return bytes, seconds, err == nil && seconds > 0 && seconds < maxNS/1e9
}

// ddAgrees reports whether the rate at the end of dd's last line agrees with its bytes and seconds. dd's MB have 10^6
// or 2^20 bytes, and its rate has at least two digits. A line without a readable rate agrees.
func ddAgrees(line string, bytes int64, seconds float64) bool {
	text, found := strings.CutSuffix(strings.TrimSpace(line), "B/s")
	number := strings.TrimRight(text, "kMGT")
	unit := 1.0
	for range strings.Index(" kMGT", cmp.Or(text[len(number):], " ")) {
		unit *= 1000
	}
	number = strings.TrimSpace(number)
	number = number[len(strings.TrimRight(number, digits+".,")):]
	n, ok := decimal(strings.TrimLeft(number, ".,"))
	rate := float64(bytes) / seconds
	return !found || !ok || math.Abs(n*unit-rate) <= 0.1*rate+0.06*unit
}

func ddBegins(t *text) bool {
	return len(ddCommand(t.line())) > 0 || recordsIn(t.line()) != nil && recordsIn(t.ahead(1)) != nil
}

// ddShown lists the operands that say what a dd measured. None of them holds a file's name.
const ddShown = "bs ibs obs count iflag oflag conv"

// dd reads the output of one dd of GNU, BusyBox or BSD.
func dd(s *section) error {
	s.tool, s.repeats = result.ToolDD, true
	r := ddRun{operands: ddCommand(s.line())}
	if len(r.operands) > 0 {
		s.at++
	} else {
		r.operands = nil
	}
	if err := r.read(s.text); err != nil {
		return err
	}
	s.version = r.maker
	if r.operands == nil {
		s.bare = true
	}
	t, err := r.test(&s.facts)
	if err != nil {
		return err
	}
	file := r.operands["if"]
	if writes(t.Name) {
		file = r.operands["of"]
	}
	s.on(file)
	t.Intervals = []result.Interval{{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}}
	s.add(t, optionsOf(ddShown, r.operands))
	return nil
}

var errDDEndsEarly = errors.New("a dd ends without its last line, which contains bytes and seconds: the transcript " +
	"is not whole, or this dd prints none, as Debian's BusyBox")

// read reads from the line after the command to dd's last line.
func (r *ddRun) read(t *text) error {
	for ; t.at < len(t.lines); t.at++ {
		line := t.line()
		blocks := recordsIn(line)
		another := len(ddCommand(line)) > 0 || blocks == nil && t.beginsAny()
		switch {
		case r.in != nil && another || blocks != nil && r.out != nil:
			return errDDEndsEarly
		case another:
			return errors.New("a command without its output")
		case strings.HasPrefix(strings.TrimSpace(line), "dd: ") && r.in == nil:
			r.failed = true
		case blocks != nil && r.in == nil:
			r.in = blocks
		case blocks != nil:
			r.out = blocks
		case r.out != nil:
			var ok bool
			if r.bytes, r.seconds, ok = ddTotal(line); !ok {
				continue
			}
			r.maker = ddMaker(line)
			t.at++
			switch {
			case r.failed:
				return errors.New("it failed")
			case !ddAgrees(line, r.bytes, r.seconds):
				return errors.New("its rate doesn't fit its bytes and seconds: " + shorten(line))
			}
			return nil
		}
	}
	if r.in == nil {
		return errors.New("a command without its output")
	}
	return errDDEndsEarly
}

// ddMaker tells whose dd printed the last line: GNU, BusyBox or BSD.
func ddMaker(line string) string {
	switch {
	case strings.Contains(line, " copied, ") && strings.Contains(line, " seconds, "):
		return "BusyBox"
	case strings.Contains(line, "transferred in"):
		return "BSD"
	}
	return "GNU"
}

// test makes a test of a dd.
func (r *ddRun) test(f *facts) (t result.Test, err error) {
	shown := ""
	from, to := r.operands["if"], r.operands["of"]
	source := slices.Contains([]string{"/dev/zero", "/dev/urandom", "/dev/random"}, from)
	switch {
	case source && to == "/dev/null":
		return t, errors.New("it goes from " + from + " to /dev/null, and touches no module")
	case source && to != "":
		shown = result.SeqWrite
	case to == "/dev/null" && from != "":
		shown = result.SeqRead
	}
	t.Name = f.know(FactTest, shown)
	if t.IsRandom() {
		return t, fmt.Errorf("dd is linear: --%s is %s or %s", FactTest, result.SeqWrite, result.SeqRead)
	}
	flags, done := "iflag", r.in
	if writes(t.Name) {
		flags, done = "oflag", r.out
	}
	has := func(operand, word string) bool { return slices.Contains(strings.Split(r.operands[operand], ","), word) }
	direct, sync := "no", "none"
	switch {
	case r.operands == nil:
		direct, sync = "", ""
	case has("oflag", "sync"):
		sync = "sync"
	case has("oflag", "dsync"):
		sync = "dsync"
	case has("conv", "fsync") || has("conv", "fdatasync"):
		sync = "fsync"
	}
	if has(flags, "direct") {
		direct = "yes"
	}
	t.QueueDepth, t.Engine, t.EngineVersion, t.Sync, t.Ended = 1, result.ToolDD, r.maker, "none", result.Complete
	t.Direct = f.know(FactDirect, direct) == "yes"
	if writes(t.Name) {
		t.Sync = f.know(FactSync, sync)
	}
	if t.Ops = done.whole + done.partial; t.Ops < 1 || done.partial > 1 {
		return t, fmt.Errorf("%d of %d blocks were not whole, as from a pipe", done.partial, t.Ops)
	}
	block := ""
	if done.partial == 0 && r.bytes%t.Ops == 0 {
		block = strconv.FormatInt(r.bytes/t.Ops, 10)
	} else if n := ddSize(r.operands["bs"]); n > 0 {
		block = strconv.FormatInt(n, 10)
	}
	t.BlockBytes, _ = count(f.know(FactBlockSize, block))
	t.Bytes, t.AreaBytes, t.DurationNS = r.bytes, r.bytes, int64(r.seconds*1e9+0.5)
	return t, nil
}

// ddSize reads a size as dd does: MB is 10^6 bytes, M and MiB are 2^20. 0: it is none.
func ddSize(text string) (bytes int64) {
	for i, unit := range []string{"kb", "mb", "gb"} {
		if number, found := strings.CutSuffix(strings.ToLower(text), unit); found {
			n, _ := count(number)
			return min(n, maxBlock) * []int64{1e3, 1e6, 1e9}[i]
		}
	}
	bytes, _ = Size(text)
	return bytes
}
