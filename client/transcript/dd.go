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
	failed, maker string // the error message; GNU, BusyBox or BSD
	lines, atLine int    // lines with records so far; the line where it ends
}

// records counts whole blocks and others.
type records struct{ whole, partial int64 }

// recordsIn reads dd's line with its blocks in any language: "64+0 records in".
func recordsIn(line string) (r records, ok bool) {
	if _, isCommand := ddCommand(line); isCommand || len(line) > 200 {
		return r, false
	}
	for word := range strings.FieldsSeq(line) {
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
		if found && strings.Trim(key, lower) == "" {
			operands[key] = value
		} else if len(operands) > 0 { // another command follows
			break
		}
	}
	return operands, len(operands) > 0
}

// ddTotal reads dd's last line in any language: first the bytes, then, outside of parentheses, the seconds. The decimal
// point may be a comma.
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

// dd reads transcripts of GNU's, BusyBox's and BSD's dd.
func dd(text string, f *facts) (out Output, err error) {
	runs, err := ddRuns(text)
	if err != nil {
		return out, err
	}
	if len(runs) > 1 && slices.ContainsFunc(runs, func(r ddRun) bool { return r.operands == nil }) {
		return out, errors.New("it holds several dd without their commands, so nobody knows which did what; put each into " +
			"a file of its own")
	}
	var operands []string
	for i := range runs {
		r := &runs[i]
		if i > 0 && len(operands) > 0 {
			operands[len(operands)-1] += ";"
		}
		for _, key := range []string{"bs", "ibs", "obs", "count", "iflag", "oflag", "conv"} { // none names a file
			if value := r.operands[key]; value != "" {
				operands = append(operands, key+"="+value)
			}
		}
		if r.failed != "" {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("the dd that ends in line %d, which failed", r.atLine))
			continue
		}
		t, err := r.test(f)
		if err == nil {
			err = out.add(t)
		} else {
			err = fmt.Errorf("the dd that ends in line %d: %w", r.atLine, err)
		}
		if err != nil {
			return out, err
		}
		out.ToolVersion = r.maker
	}
	out.Options = options(operands)
	return out, f.err
}

// ddRuns finds every dd of a transcript with its totals.
func ddRuns(text string) (runs []ddRun, err error) {
	var r ddRun
	number := 0
	endsEarly := func() error {
		return fmt.Errorf("line %d: a dd ends there without its last line, which contains bytes and seconds: the "+
			"transcript is not whole, or this dd prints none, as Debian's BusyBox", number)
	}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		line = line[strings.LastIndexByte(line, '\r')+1:] // drop a progress line that this one overwrote
		operands, isCommand := ddCommand(line)
		blocks, isRecords := recordsIn(line)
		switch {
		case (isCommand && r.lines > 0) || (isRecords && r.lines > 1):
			return nil, endsEarly()
		case isCommand:
			r = ddRun{operands: operands}
		case strings.HasPrefix(strings.TrimSpace(line), "dd: ") && r.lines == 0:
			r.failed = line
		case isRecords && r.lines == 0:
			r.in, r.lines = blocks, 1
		case isRecords:
			r.out, r.lines = blocks, 2
		case r.lines == 2:
			if bytes, seconds, ok := ddTotal(line); ok {
				r.bytes, r.seconds, r.atLine, r.maker = bytes, seconds, number, ddMaker(line)
				runs = append(runs, r)
				r = ddRun{}
			}
		}
	}
	if r.lines > 0 {
		return nil, endsEarly()
	}
	return runs, nil
}

// ddMaker tells whose dd printed the last line.
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
	if random(t.Name) {
		return t, fmt.Errorf("dd is linear: --%s is %s or %s", FactTest, result.SeqWrite, result.SeqRead)
	}
	flags, done := "iflag", r.in
	if writes(t.Name) {
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
	} else if n, ok := Size(r.operands["bs"]); ok {
		block = strconv.FormatInt(n, 10)
	}
	t.BlockBytes, _ = count(f.know(FactBlockSize, block))
	t.Bytes, t.AreaBytes, t.DurationNS = r.bytes, r.bytes, int64(r.seconds*1e9+0.5)
	t.Intervals = []result.Interval{{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}}
	return t, f.err
}

// add adds a test, or one more run of a test that is already there.
func (out *Output) add(t result.Test) error {
	for i := range out.Tests {
		o := &out.Tests[i]
		if o.Name != t.Name || o.BlockBytes != t.BlockBytes {
			continue
		}
		if o.Direct != t.Direct || o.Sync != t.Sync {
			return fmt.Errorf("%s with blocks of %d bytes was done in two ways, with other flags; put each into a file of its "+
				"own",
				t.Name, t.BlockBytes)
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
