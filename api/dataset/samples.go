package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// Sample is a row of Samples. It is read from a test of a document.
type Sample struct {
	Result        string  `json:"-"`
	Test          string  `json:"name"`
	Engine        string  `json:"engine"`
	Direct        bool    `json:"direct"`
	BlockBytes    int64   `json:"block_bytes"`
	AreaBytes     int64   `json:"area_bytes"`
	Ops           int64   `json:"ops"`
	Bytes         int64   `json:"bytes"`
	DurationNS    int64   `json:"duration_ns"`
	WarmupOps     int64   `json:"warmup_ops"`
	WarmupNS      int64   `json:"warmup_ns"`
	OverheadNS    int64   `json:"overhead_ns"`
	DeviceBytes   int64   `json:"device_bytes"`
	Intervals     RawJSON `json:"intervals"`
	Batches       RawJSON `json:"batches"`
	LatencyCounts RawJSON `json:"latency"`
	Data          string  `json:"data"`
	RateBytesPerS int64   `json:"rate_bytes_per_s"`
	DiscardOps    int64   `json:"discard_ops"`
	RightAloneOps int64   `json:"right_alone_ops"`

	Target       result.Target `json:"-"`
	CommandQueue string        `json:"-"`
	CardMade     string        `json:"-"`
	Spoilers     string        `json:"-"`
}

// RawJSON is JSON that is published as it is. Unlike json.RawMessage, it shares no memory with other values.
type RawJSON string

func (r *RawJSON) UnmarshalJSON(text []byte) error {
	*r = RawJSON(text)
	return nil
}

// Samples lists the counts and times from which every figure is derived.
var Samples = table(Table{
	Name: "samples",
	Description: "One row for each test of each result: what was counted and timed, in order. Every figure of the " +
		"table results is derived from these.",
	Key:        []string{"result", "test", "block_bytes"},
	References: []string{"result"},
}, []Column[Sample]{
	{Field{"result", Key, "", "Id of the result", required}, func(s *Sample) any { return &s.Result }},
	{Field{"test", Key, "", "What was done", Rules{true, result.TestNames, nil}}, func(s *Sample) any { return &s.Test }},
	{Field{"engine", Key, "", "dd, or the client itself; of an imported result the tool that measured", none},
		func(s *Sample) any { return &s.Engine }},
	{Field{"direct", Boolean, "", "Past the page cache", required}, func(s *Sample) any { return &s.Direct }},
	{Field{"area_bytes", Integer, "B", "Size of the test area", notNegative},
		func(s *Sample) any { return given(&s.AreaBytes) }},
	{Field{"ops", Integer, "", "Operations that count", notNegative}, func(s *Sample) any { return &s.Ops }},
	{Field{"bytes", Integer, "B", "Bytes that count", notNegative}, func(s *Sample) any { return &s.Bytes }},
	{Field{"duration_ns", Integer, "ns", "Time that counts; of a random test the sum of the latencies", notNegative},
		func(s *Sample) any { return &s.DurationNS }},
	{Field{"warmup_ops", Integer, "", "Operations before those that count", notNegative},
		func(s *Sample) any { return &s.WarmupOps }},
	{Field{"warmup_ns", Integer, "ns", "Their time", notNegative}, func(s *Sample) any { return &s.WarmupNS }},
	{Field{"overhead_ns", Integer, "ns", "What the client itself took between operations, not in duration_ns; 0 of an " +
		"imported result, where it is not known", notNegative}, func(s *Sample) any { return &s.OverheadNS }},
	{Field{"device_bytes", Integer, "B", "What the kernel counted at the device, warm-up included; 0 of an imported " +
		"result, where nobody counted", notNegative}, func(s *Sample) any { return &s.DeviceBytes }},
	{Field{"intervals", JSON, "", "Stretches of the test in order, warm-up included, as objects: ops, bytes, ns, and " +
		"max_ns, the slowest operation; of a start user_ns and system_ns, its processor time; of small files " +
		"file_bytes, the size of one; of a recording or stream behind_ns, the longest time from when a block was " +
		"complete until it was written, and of a stream least_behind_ns, the shortest; of structure-1 places, gap_bytes, " +
		"at_bytes and across_bytes, the kind of its " +
		"writes; of queue-1 depth, the number of operations under way, and under_way_ns, the sum of the times for " +
		"which the kernel had each of them under way; of mixed reads, the number of reads among ops; of rested-write " +
		"rest_ns, the rest before it; aside_ops, the same as ops, where operations only prepare others that count; of " +
		"endure-1 wrong_ops and failed_ops, the operations whose data are not what was written, and those that failed", none},
		func(s *Sample) any { return &s.Intervals }},
	{Field{"batches", JSON, "", "Random tests: the counted operations in batches, as objects: ops, ns", none},
		func(s *Sample) any { return &s.Batches }},
	{Field{"latency", JSON, "", "Random tests and stream-write: histogram of the latencies to within 1 %, as pairs: " +
		"nanoseconds, operations", none}, func(s *Sample) any { return &s.LatencyCounts }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", counted},
		func(s *Sample) any { return &s.BlockBytes }},
	{Field{"data", Key, "", "What a linear test wrote; empty: random data, nothing, or not known",
		Rules{false, []string{result.Zeros}, nil}}, func(s *Sample) any { return &s.Data }},
	{Field{"program", Text, "", "Of startup: the name of the started program’s file", none},
		func(s *Sample) any { return &s.Target.Program }},
	{Field{"program_sum", Key, "", "SHA-256 of that file, cut to 128 bits; empty: not known", none},
		func(s *Sample) any { return &s.Target.ProgramSum }},
	{Field{"configuration", Text, "", "How the program is set up, as its contributor says", none},
		func(s *Sample) any { return &s.Target.Configuration }},
	{Field{"program_bytes", Integer, "B", "Size of the files on the module that a start uses", notNegative},
		func(s *Sample) any { return given(&s.Target.ProgramBytes) }},
	{Field{"used_percent", Integer, "%", "How full the file system was before the run, rounded up; empty: not known",
		notNegative}, func(s *Sample) any { return given(&s.Target.UsedPercent) }},
	{Field{"discards", Key, "", "Whether free blocks are discarded (trim): the device takes no discards, " +
		"takes them when asked, or the file system discards what it frees; empty: not known",
		Rules{false, []string{result.DiscardsNone, result.DiscardsPossible, result.DiscardsOn}, nil}},
		func(s *Sample) any { return &s.Target.Discards }},
	{Field{"discarded_bytes", Integer, "B", "Discarded before the run since the kernel knew the device; empty: none, " +
		"or not known", notNegative}, func(s *Sample) any { return given(&s.Target.DiscardedBytes) }},
	{Field{"rate_bytes_per_s", Integer, "B/s", "Of stream-write: the rate at which the data came; empty: all at once",
		notNegative}, func(s *Sample) any { return given(&s.RateBytesPerS) }},
	{Field{"discard_ops", Integer, "", "Of checked-read: discards that the device did before it; empty: none",
		notNegative}, func(s *Sample) any { return given(&s.DiscardOps) }},
	{Field{"command_queue", Key, "", "Whether the host used the card’s command queue; empty: its kernel doesn’t say",
		Rules{false, []string{result.QueueOff, result.QueueOn}, nil}}, func(s *Sample) any { return &s.CommandQueue }},
	{Field{"write_cache", Key, "", "The device’s volatile cache, in the kernel’s words; empty: not known",
		Rules{false, []string{"write back", "write through"}, nil}},
		func(s *Sample) any { return &s.Target.WriteCache }},
	{Field{"card_made", Key, "", "Month and year when the card was made, by its registers, such as 06/2021; empty: not " +
		"known", none}, func(s *Sample) any { return &s.CardMade }},
	{Field{"spoilers", Text, "", "Codes of events during the run, with spaces between them. Some spoil figures; of " +
		"queue-1, queue-recovery and kernel-errors are answers; empty: none was seen", none},
		func(s *Sample) any { return &s.Spoilers }},
	{Field{"right_alone_ops", Integer, "", "Of checked-read: of its wrong operations, those whose block was right when it " +
		"was read again alone; empty: none", notNegative}, func(s *Sample) any { return given(&s.RightAloneOps) }},
})

// MonthsForm is the version of the rules by which a month's files are made from documents. A snapshot takes over
// files of the snapshot before only if they have this version.
const MonthsForm = 6

// ReadDocument reads a document that was checked when it was uploaded. It returns it on one line, without the time at
// which it was started and the run token, which holds this time: only the day of receipt is published. samples has a
// row for each test, in the order of its key.
func ReadDocument(id string, text []byte) (line string, samples []Sample, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("dataset: the document of %s: %w", id, err)
		}
	}()
	if bytes.ContainsAny(text, "\n\r\t") || bytes.Contains(text, []byte(`": `)) { // our clients write no spaces
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			return "", nil, err
		}
		text = compact.Bytes()
	}
	line = without(without(string(text), "started_at"), "token")
	var arrays arrays
	var read struct {
		Start  json.RawMessage `json:"started_at"`
		Token  json.RawMessage `json:"token"`
		Tests  []Sample        `json:"tests"`
		Target result.Target   `json:"target"`
		Host   struct {
			CommandQueue string `json:"command_queue"`
		} `json:"host"`
		Identity struct {
			SD  struct{ Date string } `json:"sd"`
			MMC struct{ Date string } `json:"mmc"`
		} `json:"identity"`
		Spoilers []string `json:"spoilers"`
	}
	if err := json.Unmarshal([]byte(arrays.cutFrom(line)), &read); err != nil {
		return "", nil, err
	}
	for i := range read.Tests {
		s := &read.Tests[i]
		s.Result, s.Target, s.CommandQueue = id, read.Target, read.Host.CommandQueue
		s.CardMade, s.Spoilers = cmp.Or(read.Identity.SD.Date, read.Identity.MMC.Date), strings.Join(read.Spoilers, " ")
		arrays.putInto(s)
	}
	slices.SortFunc(read.Tests, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(a.BlockBytes, b.BlockBytes))
	})
	if read.Start == nil && read.Token == nil {
		return line, read.Tests, nil
	}
	// without didn't find one: there are spaces around its name, or escapes in it.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return "", nil, err
	}
	delete(members, "started_at")
	delete(members, "token")
	rest, err := json.Marshal(members)
	return string(rest), read.Tests, err
}

// without cuts a member out of a document. It is a string, and no other member has its name. No string can hold the
// pattern, since its quotes would be escaped.
func without(line, name string) string {
	before, rest, found := strings.Cut(line, `"`+name+`":"`)
	_, after, closed := strings.Cut(rest, `"`)
	switch {
	case !found || !closed:
		return line
	case strings.HasPrefix(after, ","):
		return before + after[1:]
	}
	return strings.TrimSuffix(before, ",") + after
}

// arrays holds the long arrays of a document: histograms, batches and intervals. They are nearly all of its bytes and
// are published as they are. Decoding them would take most of the time of an export.
type arrays []string

// cutFrom cuts the long arrays out of a document and puts their numbers in their places. It leaves an array that our
// clients would not write in this form. The arrays hold no strings and no other arrays.
func (a *arrays) cutFrom(line string) string {
	for _, of := range []struct{ name, first, last string }{
		{`"latency":`, "[[", "]]"}, {`"batches":`, "[{", "}]"}, {`"intervals":`, "[{", "}]"},
	} {
		var short strings.Builder
		for {
			before, rest, found := strings.Cut(line, of.name)
			short.WriteString(before)
			if !found {
				break
			}
			short.WriteString(of.name)
			end := strings.Index(rest, of.last) + len(of.last)
			if strings.HasPrefix(rest, of.first) && end >= len(of.last) && !strings.ContainsAny(rest[:end], " \t\r\n") {
				short.WriteString(strconv.Itoa(len(*a)))
				*a, rest = append(*a, rest[:end]), rest[end:]
			}
			line = rest
		}
		line = short.String()
	}
	return line
}

// putInto puts the arrays of a test back into their places.
func (a arrays) putInto(s *Sample) {
	for _, field := range []*RawJSON{&s.Intervals, &s.Batches, &s.LatencyCounts} {
		if n, err := strconv.Atoi(string(*field)); err == nil {
			*field = RawJSON(a[n])
		}
	}
}
