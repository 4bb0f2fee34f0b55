package dataset

import "flashdex/api/figure"

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
	Description: "One row for each test of each uploaded run: what was counted and timed, in order. Every figure of the " +
		"table results is derived from these.",
	Key:        []string{"result", "test", "block_bytes"},
	References: []string{"result"},
}, []Column[Sample]{
	{Field{"result", Key, "", "Id of the run", required}, func(s *Sample) any { return &s.Result }},
	{Field{"test", Key, "", "What was done", Rules{true, figure.TestNames, nil}}, func(s *Sample) any { return &s.Test }},
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
		"max_ns, the slowest operation", none}, func(s *Sample) any { return &s.Intervals }},
	{Field{"batches", JSON, "", "Random tests: the counted operations in batches, as objects: ops, ns", none},
		func(s *Sample) any { return &s.Batches }},
	{Field{"latency", JSON, "", "Random tests: histogram of the latencies to within 1 %, as pairs: nanoseconds, " +
		"operations", none}, func(s *Sample) any { return &s.LatencyCounts }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", counted},
		func(s *Sample) any { return &s.BlockBytes }},
})
