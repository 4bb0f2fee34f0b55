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
	operands map[string]string // of the command; nil: the transcript doesn't show it
	in, out  *records
	bytes    int64
	seconds  float64
	failed   bool
	maker    string // GNU, BusyBox or BSD
	atLine   int    // where it ends
}

// records counts whole blocks and others.
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

// ddCommand returns the operands of a command line of dd, none for any other line.
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

// ddTotal reads dd's last line in any language: bytes, then, outside of parentheses, seconds with point or comma.
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
	for _, r := range runs {
		// No name of a file
		operands = appendOptions(operands, []string{"bs", "ibs", "obs", "count", "iflag", "oflag", "conv"}, r.operands)
		if r.failed {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("the dd that ends in line %d, which failed", r.atLine))
			continue
		}
		t, err := r.test(f)
		if err != nil {
			return out, fmt.Errorf("the dd that ends in line %d: %w", r.atLine, err)
		}
		if err := out.add(t); err != nil {
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
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	endsEarly := func(number int) error {
		return fmt.Errorf("line %d: a dd ends there without its last line, which contains bytes and seconds: the "+
			"transcript is not whole, or this dd prints none, as Debian's BusyBox", number)
	}
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		line = line[strings.LastIndexByte(line, '\r')+1:] // drop a progress line that this one overwrote
		operands, blocks := ddCommand(line), recordsIn(line)
		switch {
		case len(operands) > 0 && r.in != nil || blocks != nil && r.out != nil:
			return nil, endsEarly(i + 1)
		case len(operands) > 0:
			r = ddRun{operands: operands}
		case strings.HasPrefix(strings.TrimSpace(line), "dd: ") && r.in == nil:
			r.failed = true
		case blocks != nil && r.in == nil:
			r.in = blocks
		case blocks != nil:
			r.out = blocks
		case r.out != nil:
			var ok bool
			if r.bytes, r.seconds, ok = ddTotal(line); ok {
				r.atLine, r.maker = i+1, ddMaker(line)
				runs = append(runs, r)
				r = ddRun{}
			}
		}
	}
	if r.in != nil {
		return nil, endsEarly(len(lines))
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
	} else if n, ok := Size(r.operands["bs"]); ok {
		block = strconv.FormatInt(n, 10)
	}
	t.BlockBytes, _ = count(f.know(FactBlockSize, block))
	t.Bytes, t.AreaBytes, t.DurationNS = r.bytes, r.bytes, int64(r.seconds*1e9+0.5)
	return t, f.err
}

// add adds a test, or one more run of a test that is already there.
func (out *Output) add(t result.Test) error {
	run := result.Interval{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}
	same := func(other result.Test) bool { return other.Name == t.Name && other.BlockBytes == t.BlockBytes }
	i := slices.IndexFunc(out.Tests, same)
	if i < 0 {
		t.Intervals = []result.Interval{run}
		out.Tests = append(out.Tests, t)
		return nil
	}
	o := &out.Tests[i]
	if o.Direct != t.Direct || o.Sync != t.Sync {
		return fmt.Errorf("%s with blocks of %d bytes was done in two ways, with other flags; put each into a file of its "+
			"own", t.Name, t.BlockBytes)
	}
	o.Ops, o.Bytes, o.DurationNS = o.Ops+t.Ops, o.Bytes+t.Bytes, o.DurationNS+t.DurationNS
	o.AreaBytes, o.Intervals = max(o.AreaBytes, t.AreaBytes), append(o.Intervals, run)
	if t.Ended == result.TimeLimit {
		o.Ended = t.Ended
	}
	return nil
}
