package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// ddRun is one dd in a transcript.
type ddRun struct {
	operands      map[string]string // of the command; nil: the transcript doesn't show it
	in, out       records
	bytes         int64
	seconds       float64
	failed, made  string // the message of an error; whose dd it is
	lines, atLine int    // how many of the lines with records were seen
}

// records are whole blocks and others.
type records struct{ whole, partial int64 }

// recordsIn finds what dd prints of its blocks in any language: "64+0 records in".
func recordsIn(line string) (r records, ok bool) {
	if _, isCommand := ddCommand(line); isCommand || len(line) > 200 {
		return r, false
	}
	for _, word := range strings.Fields(line) {
		whole, partial, found := strings.Cut(word, "+")
		var okWhole, okPartial bool
		r.whole, okWhole = count(whole)
		if r.partial, okPartial = count(partial); found && okWhole && okPartial {
			return r, true
		}
	}
	return r, false
}

// ddCommand finds a command line of dd and its operands.
func ddCommand(line string) (operands map[string]string, ok bool) {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return word == "dd" || strings.HasSuffix(word, "/dd") })
	if at < 0 {
		return nil, false
	}
	operands = map[string]string{}
	for _, word := range words[at+1:] {
		key, value, found := strings.Cut(strings.TrimRight(word, ";)"), "=")
		if !found || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {
			if len(operands) > 0 { // what comes behind them is another command
				break
			}
			continue
		}
		operands[key] = value
	}
	return operands, len(operands) > 0
}

// ddTotal reads dd's last line in any language: first the bytes, then, besides what is in parentheses, the seconds. A comma may be
// the decimal point.
func ddTotal(line string) (bytes int64, seconds float64, ok bool) {
	var outside strings.Builder
	depth := 0
	for _, c := range strings.TrimSpace(line) {
		switch {
		case c == '(' || c == '（':
			depth++
		case c == ')' || c == '）':
			depth--
		case depth == 0:
			outside.WriteRune(c)
		}
	}
	text := outside.String()
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 1 {
		return 0, 0, false
	}
	if bytes, ok = count(text[:end]); !ok {
		return 0, 0, false
	}
	rest := text[end:]
	start := strings.IndexAny(rest, "0123456789")
	if start < 0 {
		return 0, 0, false
	}
	rest = rest[start:]
	if end = strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789.,e+-", r) }); end < 1 {
		return 0, 0, false
	}
	number := strings.Replace(strings.TrimRight(rest[:end], ".,"), ",", ".", 1)
	seconds, err := strconv.ParseFloat(number, 64)
	return bytes, seconds, err == nil && seconds > 0 && seconds < maxNS/1e9
}

// dd reads transcripts of GNU's, BusyBox's and BSD's dd.
func dd(text string, f *facts) (Output, error) {
	var out Output
	runs, err := ddRuns(text)
	if err != nil {
		return out, err
	}
	bare := 0
	for i := range runs {
		r := &runs[i]
		if r.operands == nil {
			bare++
		}
		if bare > 1 || bare == 1 && len(runs) > 1 {
			return out, errors.New("it holds several dd without their commands, so that nobody knows which did what; put each into a file of its own")
		}
		if r.failed != "" {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("the dd that ends in line %d, which failed", r.atLine))
			continue
		}
		t, err := r.test(f)
		if err != nil {
			return out, fmt.Errorf("the dd that ends in line %d: %w", r.atLine, err)
		}
		out.ToolVersion = r.made
		if err := out.add(t); err != nil {
			return out, err
		}
	}
	out.Options = ddOptions(runs)
	return out, f.err
}

// ddRuns finds every dd of a transcript with its sums.
func ddRuns(text string) (runs []ddRun, err error) {
	var r ddRun
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		line = line[strings.LastIndexByte(line, '\r')+1:] // what a progress line was overwritten by
		if operands, ok := ddCommand(line); ok {
			if r.lines > 0 {
				return nil, r.timeless(number)
			}
			r = ddRun{operands: operands}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "dd: ") && r.lines == 0 {
			r.failed = line
			continue
		}
		if found, ok := recordsIn(line); ok {
			switch r.lines++; r.lines {
			case 1:
				r.in = found
			case 2:
				r.out = found
			default:
				return nil, r.timeless(number)
			}
			continue
		}
		if r.lines < 2 {
			continue
		}
		if bytes, seconds, ok := ddTotal(line); ok {
			r.bytes, r.seconds, r.atLine, r.made = bytes, seconds, number, ddMaker(line)
			runs = append(runs, r)
			r = ddRun{}
		}
	}
	if r.lines > 0 {
		return nil, r.timeless(number)
	}
	return runs, nil
}

// timeless is the error of a dd whose last line is missing at the line with that number.
func (r *ddRun) timeless(line int) error {
	return fmt.Errorf("line %d: a dd ends there without its last line, which tells bytes and seconds: the transcript is not whole, or this dd prints none, as Debian's BusyBox", line)
}

// ddMaker tells by the last line whose dd printed it.
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
	source := from == "/dev/zero" || from == "/dev/urandom" || from == "/dev/random"
	switch {
	case source && to == "/dev/null":
		return t, errors.New("it goes from " + from + " to /dev/null, and touches no module")
	case source && to != "":
		shown = result.SeqWrite
	case to == "/dev/null" && from != "":
		shown = result.SeqRead
	}
	t.Name = f.know(FactTest, shown)
	writes := t.Name == result.SeqWrite
	if t.Name != "" && !writes && t.Name != result.SeqRead {
		return t, fmt.Errorf("dd goes in a line: --%s is %s or %s", FactTest, result.SeqWrite, result.SeqRead)
	}
	flags, done := "iflag", r.in
	if writes {
		flags, done = "oflag", r.out
	}
	has := func(operand, word string) bool { return slices.Contains(strings.Split(r.operands[operand], ","), word) }
	direct, sync := "", ""
	if r.operands != nil {
		direct, sync = "no", "none"
		if has(flags, "direct") {
			direct = "yes"
		}
		switch {
		case has("oflag", "sync"):
			sync = "sync"
		case has("oflag", "dsync"):
			sync = "dsync"
		case has("conv", "fsync") || has("conv", "fdatasync"):
			sync = "fsync"
		}
	}
	t.QueueDepth, t.Engine, t.EngineVersion, t.Sync, t.Ended = 1, result.ToolDD, r.made, "none", result.Complete
	t.Direct = f.know(FactDirect, direct) == "yes"
	if writes {
		t.Sync = f.know(FactSync, sync)
	}
	if t.Ops = done.whole + done.partial; t.Ops < 1 || done.partial > 1 {
		return t, fmt.Errorf("%d of %d blocks were not whole, as from a pipe", done.partial, t.Ops)
	}
	block := ""
	switch {
	case done.partial == 0 && r.bytes%t.Ops == 0:
		block = strconv.FormatInt(r.bytes/t.Ops, 10)
	case r.operands["bs"] != "":
		if n, ok := Size(r.operands["bs"]); ok {
			block = strconv.FormatInt(n, 10)
		}
	}
	t.BlockBytes, _ = count(f.know(FactBlockSize, block))
	t.Bytes, t.AreaBytes, t.DurationNS = r.bytes, r.bytes, int64(r.seconds*1e9+0.5)
	t.Intervals = []result.Interval{{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}}
	return t, f.err
}

// add adds a test, or one more run of it.
func (out *Output) add(t result.Test) error {
	for i := range out.Tests {
		o := &out.Tests[i]
		if o.Name != t.Name || o.BlockBytes != t.BlockBytes {
			continue
		}
		if o.Direct != t.Direct || o.Sync != t.Sync {
			return fmt.Errorf("%s with blocks of %d bytes is there in two ways, with other flags; put each into a file of its own", t.Name, t.BlockBytes)
		}
		o.Ops, o.Bytes, o.DurationNS = o.Ops+t.Ops, o.Bytes+t.Bytes, o.DurationNS+t.DurationNS
		o.AreaBytes = max(o.AreaBytes, t.AreaBytes)
		if t.Ended == result.TimeLimit {
			o.Ended = t.Ended
		}
		o.Intervals = append(o.Intervals, t.Intervals...)
		return nil
	}
	out.Tests = append(out.Tests, t)
	return nil
}

// ddOptions are the operands that say what was measured: none of them names a file.
func ddOptions(runs []ddRun) string {
	var kept []string
	for i, r := range runs {
		if i > 0 && len(kept) > 0 {
			kept[len(kept)-1] += ";"
		}
		for _, key := range []string{"bs", "ibs", "obs", "count", "iflag", "oflag", "conv"} {
			if value := r.operands[key]; value != "" {
				kept = append(kept, key+"="+value)
			}
		}
	}
	return options(kept)
}
