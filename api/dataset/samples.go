package dataset

// Sample is a row of Samples.
type Sample struct {
	Result        string
	Test          string
	Engine        string
	Direct        bool
	BlockBytes    int64
	AreaBytes     int64
	Ops           int64
	Bytes         int64
	DurationNS    int64
	WarmupOps     int64
	WarmupNS      int64
	OverheadNS    int64
	DeviceBytes   int64
	Intervals     string // JSON, as are the next two
	Batches       string
	LatencyCounts string
}

// Samples are what every figure is derived from.
var Samples = table(Table{
	Name: "samples", Description: "One row for each test of each uploaded run: what was counted and timed, in order. Every figure of the table results is derived from these.", Key: []string{"result", "test", "block_bytes"},
	References: []Reference{{"result", "results", "result"}},
}, []Column[Sample]{
	{Field{"result", Key, "", "Id of the run", required}, func(s *Sample) Value { return word(s.Result) }},
	{Field{"test", Key, "", "What was done", with(required, kindsOfTests)}, func(s *Sample) Value { return word(s.Test) }},
	{Field{"engine", Key, "", "dd, or the client itself; of an imported result the tool that measured", none}, func(s *Sample) Value { return word(s.Engine) }},
	{Field{"direct", Boolean, "", "Past the page cache", required}, func(s *Sample) Value { return truth(s.Direct) }},
	{Field{"area_bytes", Integer, "B", "Size of the test area", notNegative}, func(s *Sample) Value { return count(s.AreaBytes) }},
	{Field{"ops", Integer, "", "Operations that count", notNegative}, func(s *Sample) Value { return whole(s.Ops) }},
	{Field{"bytes", Integer, "B", "Bytes that count", notNegative}, func(s *Sample) Value { return whole(s.Bytes) }},
	{Field{"duration_ns", Integer, "ns", "Time that counts; of a random test the sum of the latencies", notNegative}, func(s *Sample) Value { return whole(s.DurationNS) }},
	{Field{"warmup_ops", Integer, "", "Operations before those that count", notNegative}, func(s *Sample) Value { return whole(s.WarmupOps) }},
	{Field{"warmup_ns", Integer, "ns", "Their time", notNegative}, func(s *Sample) Value { return whole(s.WarmupNS) }},
	{Field{"overhead_ns", Integer, "ns", "What the client itself took between operations, not in duration_ns; 0 of an imported result, where it is not known", notNegative}, func(s *Sample) Value { return whole(s.OverheadNS) }},
	{Field{"device_bytes", Integer, "B", "What the kernel counted at the device, warm-up included; 0 of an imported result, where nobody counted", notNegative}, func(s *Sample) Value { return whole(s.DeviceBytes) }},
	{Field{"intervals", JSON, "", "Stretches of the test in order, warm-up included, as objects: ops, bytes, ns, and max_ns, the slowest operation", none}, func(s *Sample) Value { return word(s.Intervals) }},
	{Field{"batches", JSON, "", "Random tests: the counted operations in batches, as objects: ops, ns", none}, func(s *Sample) Value { return word(s.Batches) }},
	{Field{"latency", JSON, "", "Random tests: histogram of the latencies to within 1 %, as pairs: nanoseconds, operations", none}, func(s *Sample) Value { return word(s.LatencyCounts) }},
	{Field{"block_bytes", Integer, "B", "Bytes of one transfer", with(required, notNegative)}, func(s *Sample) Value { return whole(s.BlockBytes) }},
})
