package transcript_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"flashdex/client/transcript"
	"flashdex/result"
)

// Windows, macOS and Linux name devices in their own ways. No name, path or hash passes.
func TestAnExportOfImagerGivesRatesSecondBySecondAndNamesNothing(t *testing.T) {
	t.Parallel()
	for _, device := range []string{`\\\\.\\PhysicalDrive2`, "/dev/rdisk4", "/dev/mmcblk0"} {
		read, err := transcript.Read(strings.ReplaceAll(text(t, "imager-stall.json"), "/dev/sda", device), nil)
		if err != nil || len(read.Outputs) != 1 || len(read.Outputs[0].Tests) != 2 {
			t.Fatalf("%v: %q", err, shown(read, err))
		}
		out := read.Outputs[0]
		write := &out.Tests[0]
		first, last := write.Intervals[0], write.Intervals[len(write.Intervals)-2]
		if write.Bytes != 384<<20 || !write.Direct || write.Name != result.SeqWrite || first.Bytes < last.Bytes*5/3 {
			t.Errorf("the first second %+v, the last %+v, of %+v", first, last, write)
		}
		data, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"alice", "PhysicalDrive", "rdisk", "mmcblk", "5da77e33"} {
			if strings.Contains(string(data), name) {
				t.Errorf("%q passed: %s", name, data)
			}
		}
		if out.ToolVersion != "2.0.11" || out.MeasuredOn != "2026-11-26" {
			t.Errorf("version %q, measured on %q", out.ToolVersion, out.MeasuredOn)
		}
	}
}

// Imager leaves out the seconds without progress. They are time in which nothing was written.
func TestAStallOfImagerIsTimeWithoutBytes(t *testing.T) {
	t.Parallel()
	read, err := transcript.Read(text(t, "imager-stall.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	write := &read.Outputs[0].Tests[0]
	stalls := 0
	for _, second := range write.Intervals {
		if second.Bytes > 0 {
			if second.NS >= 2e9 {
				t.Errorf("%+v lasts longer than a second of Imager", second)
			}
			continue
		}
		if stalls++; second.Ops != 0 || second.NS < 4e9 || second.NS > 6e9 {
			t.Errorf("a stall of %+v, want one of some 5 s", second)
		}
	}
	sum := result.SumIntervals(write.Intervals)
	if stalls != 1 || sum.Bytes != write.Bytes || sum.NS != write.DurationNS || *write.Figures().WorstMBPerS != 0 {
		t.Errorf("%d stalls; the seconds make up %+v of %+v", stalls, sum, write)
	}
}

// The mean of a second's rates counts each step once. If steps last differently, it is a fifth too high, and wouldn't
// agree with a true total.
func TestAnUnevenWriteOfImagerHasItsTotal(t *testing.T) {
	t.Parallel()
	read, err := transcript.Read(text(t, "imager-uneven.json"), nil)
	if err != nil || len(read.Outputs) != 1 || len(read.Outputs[0].Tests) != 2 {
		t.Fatalf("%v: %q", err, shown(read, err))
	}
	if write := &read.Outputs[0].Tests[0]; write.Bytes != 1200<<20 || len(write.Intervals) != 15 {
		t.Errorf("%+v", write)
	}
}

// From 2.0.3 on, Imager has many writes in flight, and counts them. Without that count, we take the largest block that
// it may use. Verifying reads through the same descriptor, one block after the other.
func TestAnExportOfImagerTellsWhatItWrote(t *testing.T) {
	t.Parallel()
	async := text(t, "imager-async.json")
	for _, c := range []struct{ export, want string }{
		{async,
			"queueDepth=256 seq-write 65536 qd0 none direct 6143 402587648 seq-read 3145728 qd1 none direct 128 402653184"},
		{strings.Replace(async, `"directIOEnabled": true`, `"directIOEnabled": false`, 1),
			"queueDepth=256 seq-write 65536 qd0 none cached 6143 402587648 seq-read 3145728 qd1 none cached 128 402653184"},
		{strings.NewReplacer("writeSizeDistribution", "another", "asyncIOTiming", "periodicSync").Replace(async),
			"queueDepth=256 block=largest sync=periodic seq-write 8388608 qd0 none direct 48 402653184 " +
				"seq-read 3145728 qd1 none direct 128 402653184"},
	} {
		read, err := transcript.Read(c.export, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := read.Outputs[0].Options
		for _, test := range read.Outputs[0].Tests {
			got += fmt.Sprintf(" %s %d qd%d %s %s %d %d", test.Name, test.BlockBytes, test.QueueDepth, test.Sync,
				map[bool]string{true: "direct", false: "cached"}[test.Direct], test.Ops, test.Bytes)
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// An export's total is how many bytes Imager expected to move. There is no figure unless the session succeeded in one
// cycle and its seconds agree with that total.
func TestAnExportOfImagerThatCanNotBeTrustedIsRefused(t *testing.T) {
	t.Parallel()
	whole := text(t, "imager-stall.json")
	total := `"bytesTotal": 402653184`
	// Earlier exports of version 3 don't name the state.
	earlier := strings.Replace(whole, `"sessionState": "succeeded",`, "", 1)
	if read, err := transcript.Read(earlier, nil); err != nil || len(read.Outputs[0].Tests) != 2 {
		t.Errorf("an earlier one: %q", shown(read, err))
	}
	for _, c := range []struct {
		says, text string
		tests      int
	}{
		{"state not shown", strings.Replace(earlier, "\"success\": true\n", "\"success\": false\n", 1), 0},
		{"not whole", whole[:len(whole)/2], 0},
		{"version 2", strings.Replace(whole, `"version": 3`, `"version": 2`, 1), 0},
		{"not in KB/s", strings.Replace(whole, `"KB/s"`, `"MB/s"`, 1), 0},
		{"how long its seconds last", strings.Replace(whole, `"histogramWindowMs": 1000`, `"histogramWindowMs": 0`, 1), 0},
		{"without its bytes, its time or its seconds", strings.ReplaceAll(whole, total, `"bytesTotal": 0`), 0},
		{"did not succeed (cancelled)", text(t, "imager-cancelled.json"), 0},
		{"did not succeed (in_progress)", strings.Replace(whole, "succeeded", "in_progress", 1), 0},
		{"2 cycles", text(t, "imager-cycles.json"), 0},
		// This is the size of the compressed image. Imager shows it if it doesn't know the other size.
		{"seq-write: its seconds make up ", strings.ReplaceAll(whole, total, `"bytesTotal": 201326592`), 0},
		{"seq-read: its seconds make up ", strings.Replace(whole, total, `"bytesTotal": 604000000`, 1), 1},
		{"doesn't fit to its time", strings.Replace(whole, `"durationMs": 20100`, `"durationMs": 19000`, 1), 1},
		{"the beginning alone", strings.Replace(whole, `"sampleCount": 149`, `"sampleCount": 6000`, 1), 1},
		{"the computer's memory", strings.Replace(whole, `"totalBytes": 4294967296`, `"totalBytes": 0`, 1), 1},
		// Such a build counts a write when it is queued. 2.0.2 has none in flight.
		{"what it had queued", strings.Replace(whole, "v2.0.11", "v2.0.2-30-g536ec4ff", 1), 1},
		{"imager 2.0.2-8-g02daefd3", strings.Replace(whole, "v2.0.11", "v2.0.2-8-g02daefd3", 1), 2},
		{"imager 2.0.2-46-ga733f0c5", strings.Replace(whole, "v2.0.11", "v2.0.2-46-ga733f0c5", 1), 2},
		// This happens where Imager skips zeros.
		{"seq-write: Imager wrote 302 MB, and its total is 403 MB",
			strings.ReplaceAll(text(t, "imager-async.json"), "totalBytes: 402587648", "totalBytes: 301924352"), 1},
	} {
		read, err := transcript.Read(c.text, nil)
		got, tests := strings.Join(shown(read, err), "\n"), 0
		for _, out := range read.Outputs {
			tests += len(out.Tests)
		}
		if !strings.Contains(got, c.says) || tests != c.tests {
			t.Errorf("%d tests, want %d and %q in:\n%s", tests, c.tests, c.says, got)
		}
	}
}

// recordedByImager is an export of Imager. The module finished its blocks one after the other, however many were in
// flight. Imager samples when a block is done, at most every 100 ms. A window begins with the first sample a second or
// more after the last window's (buildHistogramForPhase).
func recordedByImager(blockBytes int64, took []time.Duration, events ...string) string {
	var at time.Duration
	var samples [][2]int64 // ms, bytes
	for i, t := range took {
		at += t
		if ms := at.Milliseconds(); len(samples) == 0 || ms-samples[len(samples)-1][0] >= 100 {
			samples = append(samples, [2]int64{ms, int64(i+1) * blockBytes})
		}
	}
	var rows [][]int64
	for i := 0; i < len(samples); {
		row := make([]int64, 16)
		row[0], row[1] = samples[i][0], math.MaxInt64
		n := int64(0)
		for i++; i < len(samples) && samples[i][0]-row[0] < 1000; i++ {
			rate := (samples[i][1] - samples[i-1][1]) * 1000 / ((samples[i][0] - samples[i-1][0]) * 1024)
			row[1], row[2], row[3], n = min(row[1], rate), max(row[2], rate), row[3]+rate, n+1
		}
		if n > 0 {
			row[3], row[4] = row[3]/n, n
			rows = append(rows, row)
		}
	}
	histogram, _ := json.Marshal(rows)
	return fmt.Sprintf(`{"version": 3, "exportTime": "2026-11-26T16:25:34",
		"summary": {"sessionState": "succeeded", "phases": {"write": {"sampleCount": %d, "bytesTotal": %d,
		"durationMs": %d}}}, "events": [%s], "histograms": {"write": %s},
		"system": {"imager": {"version": "v2.0.11"}, "writeConfig": {"directIOEnabled": true}},
		"schema": {"throughputUnit": "KB/s", "histogramWindowMs": 1000}}`,
		len(samples), int64(len(took))*blockBytes, samples[len(samples)-1][0]-samples[0][0], strings.Join(events, ","),
		histogram)
}

// Imager writes up to 8 MiB at once. However uneven they are, the seconds agree with a true total, and not with half of
// it.
func TestSecondsOfImagerBearOutTheirTotalWhateverTheBlocks(t *testing.T) {
	t.Parallel()
	for i := range 16 {
		mib, mbPerS := int64(1)<<(i%4), []float64{13, 15, 20, 40}[i/4]
		random := rand.New(rand.NewPCG(uint64(i), 1))
		var took []time.Duration
		for range 2400 / mib { // at this rate in the middle, and now and then at half or twice of it
			took = append(took, time.Duration(float64(mib<<20)/mbPerS*math.Exp(0.5*random.NormFloat64())*1e3))
		}
		export := recordedByImager(mib<<20, took)
		read, err := transcript.Read(export, nil)
		if err != nil || len(read.Outputs) != 1 || len(read.Outputs[0].Tests) != 1 {
			t.Errorf("%d MiB at %g MB/s: %q", mib, mbPerS, shown(read, err))
			continue
		}
		half := fmt.Sprintf(`"bytesTotal": %d`, int64(len(took))*mib<<20)
		wrong := strings.Replace(export, half, fmt.Sprintf(`"bytesTotal": %d`, int64(len(took))*mib<<19), 1)
		if read, err := transcript.Read(wrong, nil); err == nil {
			t.Errorf("%d MiB at %g MB/s: half the total is taken: %q", mib, mbPerS, shown(read, err))
		}
	}
}

// In blocks of 8 MiB, a slow card has seconds with fewer than two samples, and Imager leaves these out. Imager's own
// count of its writes agrees with the total, so the rate is shown without seconds.
func TestASlowCardInLargeBlocksIsRead(t *testing.T) {
	t.Parallel()
	took := make([]time.Duration, 100)
	for i := range took {
		took[i] = time.Duration(1200+400*(i%3)) * time.Millisecond // 5 MB/s
	}
	if read, err := transcript.Read(recordedByImager(8<<20, took), nil); err == nil {
		t.Errorf("without the count: %q", shown(read, err))
	}
	counted := fmt.Sprintf(`{"type": "writeSizeDistribution", "metadata": "minKB: 8192; maxKB: 8192; avgKB: 8192; `+
		`totalBytes: %d; count: 99"}`, 99*8<<20)
	read, err := transcript.Read(recordedByImager(8<<20, took, counted), nil)
	if err != nil || len(read.Outputs) != 1 || len(read.Outputs[0].Tests) != 1 {
		t.Fatalf("%v: %q", err, shown(read, err))
	}
	write := &read.Outputs[0].Tests[0]
	if rate := write.Figures().MBPerS; write.Ops != 99 || write.Intervals != nil || rate < 5 || rate > 5.5 {
		t.Errorf("%g MB/s of %+v", rate, write)
	}
}
