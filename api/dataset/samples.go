package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"flashdex/result"
)

// Sample is a row of Samples.
type Sample struct {
	Result        string          `json:"-"`
	Test          string          `json:"name"`
	Engine        string          `json:"engine"`
	Direct        bool            `json:"direct"`
	AreaBytes     int64           `json:"area_bytes"`
	Ops           int64           `json:"ops"`
	Bytes         int64           `json:"bytes"`
	DurationNS    int64           `json:"duration_ns"`
	WarmupOps     int64           `json:"warmup_ops"`
	WarmupNS      int64           `json:"warmup_ns"`
	OverheadNS    int64           `json:"overhead_ns"`
	DeviceBytes   int64           `json:"device_bytes"`
	Intervals     json.RawMessage `json:"intervals"`
	Batches       json.RawMessage `json:"batches"`
	LatencyCounts json.RawMessage `json:"latency"`
}

// Samples are what every figure is derived from.
var Samples = table(Table{
	Name: "samples", Description: "One row for each test of each uploaded run: what was counted and timed, in order. Every figure of the table results is derived from these.", Key: []string{"result", "test"},
	References: []Reference{{"result", "results", "result"}},
}, []Column[Sample]{
	{Field{"result", Key, "", "Id of the run", required}, func(s *Sample) Value { return word(s.Result) }},
	{Field{"test", Key, "", "What was done", with(required, kindsOfTests)}, func(s *Sample) Value { return word(s.Test) }},
	{Field{"engine", Key, "", "dd, or the client itself", none}, func(s *Sample) Value { return word(s.Engine) }},
	{Field{"direct", Boolean, "", "Past the page cache", required}, func(s *Sample) Value { return truth(s.Direct) }},
	{Field{"area_bytes", Integer, "B", "Size of the test area", notNegative}, func(s *Sample) Value { return count(s.AreaBytes) }},
	{Field{"ops", Integer, "", "Operations that count", notNegative}, func(s *Sample) Value { return whole(s.Ops) }},
	{Field{"bytes", Integer, "B", "Bytes that count", notNegative}, func(s *Sample) Value { return whole(s.Bytes) }},
	{Field{"duration_ns", Integer, "ns", "Time that counts; of a random test the sum of the latencies", notNegative}, func(s *Sample) Value { return whole(s.DurationNS) }},
	{Field{"warmup_ops", Integer, "", "Operations before those that count", notNegative}, func(s *Sample) Value { return whole(s.WarmupOps) }},
	{Field{"warmup_ns", Integer, "ns", "Their time", notNegative}, func(s *Sample) Value { return whole(s.WarmupNS) }},
	{Field{"overhead_ns", Integer, "ns", "What the client itself took between operations, not in duration_ns", notNegative}, func(s *Sample) Value { return whole(s.OverheadNS) }},
	{Field{"device_bytes", Integer, "B", "What the kernel counted at the device, warm-up included", notNegative}, func(s *Sample) Value { return whole(s.DeviceBytes) }},
	{Field{"intervals", JSON, "", "Stretches of the test in order, warm-up included, as objects: ops, bytes, ns, and max_ns, the slowest operation", none}, func(s *Sample) Value { return word(string(s.Intervals)) }},
	{Field{"batches", JSON, "", "Random tests: the counted operations in batches, as objects: ops, ns", none}, func(s *Sample) Value { return word(string(s.Batches)) }},
	{Field{"latency", JSON, "", "Random tests: histogram of the latencies to within 1 %, as pairs: nanoseconds, operations", none}, func(s *Sample) Value { return word(string(s.LatencyCounts)) }},
})

// EachSample gives do the tests of a document by name.
func EachSample(id string, document []byte, do func(*Sample) error) error {
	var d struct{ Tests []Sample }
	if err := json.Unmarshal(document, &d); err != nil {
		return fmt.Errorf("dataset: the document of %s: %w", id, err)
	}
	for _, name := range kindsOfTests.Enum {
		for i := range d.Tests {
			if s := &d.Tests[i]; s.Test == name {
				s.Result, s.Intervals, s.Batches, s.LatencyCounts = id, compact(s.Intervals), compact(s.Batches), compact(s.LatencyCounts)
				if err := do(s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compact takes the spaces out of valid JSON that holds no strings.
func compact(text json.RawMessage) json.RawMessage {
	if bytes.ContainsAny(text, " \t\r\n") {
		var small bytes.Buffer
		if json.Compact(&small, text) == nil { // it was decoded before
			return small.Bytes()
		}
	}
	return text
}

// reStarted is the member that tells when a document was started. It stands in no object but the outermost, and in no string, where
// a quotation mark would have a backslash before it.
var reStarted = regexp.MustCompile(`([{,]\s*)"started_at"\s*:\s*"[^"\\]*"\s*,`)

// AppendDocument appends a document, which was checked when it was uploaded, on one line, less when it was started: the day of
// receipt is published, not the time.
func AppendDocument(to []byte, id string, document []byte) ([]byte, error) {
	at := reStarted.FindAllSubmatchIndex(document, 2)
	if len(at) != 1 || bytes.ContainsAny(document, "\r\n") {
		return appendAnew(to, id, document)
	}
	to = append(append(to, document[:at[0][3]]...), document[at[0][1]:]...)
	return append(to, '\n'), nil
}

// appendAnew is AppendDocument for what our client doesn't send: a time at the end or with escapes in its name, lines.
func appendAnew(to []byte, id string, document []byte) ([]byte, error) {
	var d struct {
		result.Document
		StartedAt string            `json:"started_at,omitempty"`
		Tests     []json.RawMessage `json:"tests"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return to, fmt.Errorf("dataset: the document of %s: %w", id, err)
	}
	d.StartedAt = ""
	text, err := json.Marshal(&d)
	return append(append(to, text...), '\n'), err
}
