package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"flashdex/result"
)

// imagerExport holds the fields that we read of a performance export of Raspberry Pi Imager, version 3
// (PerformanceStats in github.com/raspberrypi/rpi-imager). We don't read the names of image, device and path, the
// hashes, or the platform.
type imagerExport struct {
	Version    int    `json:"version"`
	ExportTime string `json:"exportTime"`
	Summary    struct {
		State   string `json:"sessionState"` // from 2.0.7 on; earlier exports have only success
		Success bool   `json:"success"`
		Phases  struct {
			Write  imagerPhase `json:"write"`
			Verify imagerPhase `json:"verify"`
		} `json:"phases"`
	} `json:"summary"`
	System struct {
		Imager struct {
			Version string `json:"version"`
		} `json:"imager"`
		Memory struct {
			Bytes int64 `json:"totalBytes"`
		} `json:"memory"`
		Config struct {
			Direct  *bool `json:"directIOEnabled"`
			Buffers struct {
				WriteBytes int64 `json:"writeBufferBytes"`
			} `json:"buffers"`
		} `json:"writeConfig"`
	} `json:"system"`
	Events     []imagerEvent `json:"events"`
	Histograms struct {
		Write  [][]int64 `json:"write"`
		Verify [][]int64 `json:"verify"`
	} `json:"histograms"`
	Schema struct {
		Unit     string `json:"throughputUnit"`
		WindowMS int64  `json:"histogramWindowMs"`
	} `json:"schema"`
}

// imagerPhase is writing or verifying. Bytes is how many bytes Imager expected to move. DurationMS lasts from the first
// sample to the last.
type imagerPhase struct {
	Samples    int64 `json:"sampleCount"`
	Bytes      int64 `json:"bytesTotal"`
	DurationMS int64 `json:"durationMs"`
}

type imagerEvent struct {
	Type     string `json:"type"`
	Metadata string `json:"metadata"` // "minKB: 64; maxKB: 64; ..."
}

// number returns a number of the metadata, or 0.
func (e *imagerEvent) number(name string) int64 {
	text, _ := between("; "+e.Metadata+";", "; "+name+": ", ";")
	n, _ := count(text)
	return n
}

// imagerWrites is Imager's own count of its writes, from 2.0.3 on: the size of the largest, their bytes, and their
// number. It leaves out the first block of an image, since Imager writes that last. 0: not counted.
type imagerWrites struct{ blockBytes, bytes, ops int64 }

const (
	imagerBlockBytes = 8 << 20 // the most that Imager writes at once
	imagerSamples    = 6000    // of a phase; after that many, Imager records no more

	imagerStepMS = 110 // from one sample to the next, if nothing is slow: at least 100 ms, and a write

	// imagerTolerance is how far the bytes of the seconds may be from the total. The export doesn't show how long each
	// step lasted.
	imagerTolerance = 0.2
)

// imager reads what Raspberry Pi Imager measured, second by second, while it wrote an image and verified it. Imager has
// many writes in flight, and counts each when it is done. The export shows how many it may have in flight, but not how
// many it had. It reads one block after the other, through the same descriptor. The sync at the end comes after the
// last second.
func imager(s *section, data []byte) error {
	var e imagerExport
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("the export is damaged: %w", err)
	}
	var wrote imagerWrites
	cycles, most, synced := 0, "", ""
	for i := range e.Events {
		switch event := &e.Events[i]; event.Type {
		case "cycleStart":
			cycles++
		case "writeSizeDistribution":
			wrote = imagerWrites{event.number("maxKB") << 10, event.number("totalBytes"), event.number("count")}
		case "asyncIOConfig":
			if n := event.number("queueDepth"); n > 0 {
				most = fmt.Sprintf("queueDepth=%d", n)
			}
		case "periodicSync":
			synced = "sync=periodic"
		}
	}
	state := e.Summary.State
	if state == "" && e.Summary.Success {
		state = "succeeded"
	}
	switch {
	case e.Version != 3:
		return fmt.Errorf("an export of version %d; only version 3 can be read", e.Version)
	case e.Schema.Unit != "KB/s":
		return fmt.Errorf("rates in %q, not in KB/s", shorten(e.Schema.Unit))
	case e.Schema.WindowMS < 1 || e.Schema.WindowMS > maxNS/1e6:
		return errors.New("it doesn't say how long its seconds last")
	case cycles > 1:
		return fmt.Errorf("the export holds %d cycles, whose times are mixed and of which the last alone has its total; "+
			"start Imager anew, and export after one cycle", cycles)
	case state != "succeeded":
		return fmt.Errorf("the session did not succeed (%s), and the export tells what was to be written, not what was",
			cmp.Or(shorten(state), "state not shown"))
	}
	s.version = version(strings.TrimPrefix(e.System.Imager.Version, "v"))
	s.day = day(e.ExportTime, "2006-01-02T15:04:05", time.RFC3339)
	direct := ""
	if e.System.Config.Direct != nil {
		direct = map[bool]string{true: "yes", false: "no"}[*e.System.Config.Direct]
	}
	t := result.Test{Sync: "none", Direct: s.know(FactDirect, direct) == "yes", Engine: result.ToolImager,
		EngineVersion: s.version, Ended: result.Complete}
	t.Name, t.BlockBytes = result.SeqWrite, cmp.Or(wrote.blockBytes, e.System.Config.Buffers.WriteBytes, imagerBlockBytes)
	largest := ""
	if wrote.ops == 0 {
		largest = "block=largest"
	}
	if imagerQueued(s.version) {
		s.leave("%s: this build counted what it had queued, not what was written", t.Name)
	} else {
		s.imagerPhase(t, e.Summary.Phases.Write, e.Histograms.Write, wrote, e.Schema.WindowMS,
			options([]string{most, largest, synced}))
	}
	t.Name, t.BlockBytes = result.SeqRead, imagerReads(e.Summary.Phases.Verify.Bytes, e.System.Memory.Bytes)
	t.QueueDepth = 1
	s.imagerPhase(t, e.Summary.Phases.Verify, e.Histograms.Verify, imagerWrites{}, e.Schema.WindowMS, "")
	if len(s.made)+len(s.left) == 0 {
		return errors.New("the export holds neither writing nor verifying")
	}
	return nil
}

// imagerQueued reports whether a build counts a write when it is queued. Builds between the commits cc5acda and a733f0c
// do. No release is among them: 2.0.2 writes one block after the other.
func imagerQueued(version string) bool {
	text, later := strings.CutPrefix(version, "2.0.2-")
	text, _, _ = strings.Cut(text, "-g")
	commits, _ := count(text)
	return later && commits >= 9 && commits < 46
}

// imagerReads returns how much Imager reads at once when it verifies so many bytes with so much memory. It is the same
// in all versions (SystemMemoryManager::getAdaptiveVerifyBufferSize). 0: the export doesn't tell the memory.
func imagerReads(bytes, memoryBytes int64) int64 {
	block := int64(8 << 20)
	switch {
	case bytes < 100<<20:
		block = 256 << 10
	case bytes < 1<<30:
		block = 2 << 20
	case bytes < 4<<30:
		block = 4 << 20
	}
	switch {
	case memoryBytes <= 0:
		return 0
	case memoryBytes < 1<<30:
		return block / 2
	case memoryBytes < 2<<30:
		return block * 3 / 4
	case memoryBytes > 8<<30:
		return block * 3 / 2
	}
	return block
}

// imagerPhase adds a test of writing or verifying. Its seconds, or Imager's own count, must agree with its total. If
// only its seconds don't agree, the test is without them.
func (s *section) imagerPhase(t result.Test, phase imagerPhase, rows [][]int64, wrote imagerWrites, windowMS int64,
	option string) {
	if phase == (imagerPhase{}) && len(rows) == 0 {
		return
	}
	isTime := phase.DurationMS >= 1 && phase.DurationMS <= maxNS/1e6
	counted := wrote.ops > 0
	first := phase.Bytes - wrote.bytes // the first block; Imager fills up the last to 512 bytes
	switch {
	case phase.Bytes < 1 || phase.Bytes > maxBytes || !isTime || len(rows) == 0 && !counted:
		s.leave("%s without its bytes, its time or its seconds", t.Name)
		return
	case t.BlockBytes == 0:
		s.leave("%s without the computer's memory, by which Imager chooses its blocks", t.Name)
		return
	case phase.Samples >= imagerSamples:
		s.leave("%s of which Imager recorded the beginning alone: it stops after %d samples", t.Name, imagerSamples)
		return
	case counted && (first <= -512 || first > wrote.blockBytes):
		s.leave("%s: Imager wrote %s MB, and its total is %s MB", t.Name, result.Number(float64(wrote.bytes)/1e6),
			result.Number(float64(phase.Bytes)/1e6))
		return
	}
	seconds, ok := imagerSeconds(rows, phase.DurationMS, windowMS)
	if !ok && len(rows) > 0 {
		s.leave("%s second by second, which doesn't fit to its time", t.Name)
		return
	}
	moved := 0.0
	for _, second := range seconds {
		moved += second.bytes
	}
	t.AreaBytes, t.Bytes, t.DurationNS = phase.Bytes, phase.Bytes, phase.DurationMS*1e6
	t.Ops = (t.Bytes-1)/t.BlockBytes + 1
	if counted {
		t.AreaBytes, t.Bytes, t.Ops = wrote.bytes, wrote.bytes, wrote.ops
	}
	switch {
	case math.Abs(moved/float64(t.Bytes)-1) <= imagerTolerance:
		t.Intervals = intervalsOf(&t, seconds, moved)
	case !counted:
		s.leave("%s: its seconds make up %s MB, and its total is %s MB, which Imager expected to move and may not have",
			t.Name, result.Number(moved/1e6), result.Number(float64(phase.Bytes)/1e6))
		return
	}
	s.add(t, option)
}

// imagerSecond is a stretch of a phase with one rate.
type imagerSecond struct {
	ms    int64
	bytes float64
}

// imagerSeconds reads rows of [timestampMs, minKBps, maxKBps, avgKBps, ...], in KB of 1,024 bytes. After these comes
// how many steps between samples had a rate in each of 12 ranges. Imager samples when bytes have moved. A window begins
// with the first sample after the last window, so it may last up to twice its length.
//
// The mean of the rates counts each step once, however long it was. So we assume that the slowest step lasted for the
// time that the others leave of the second. One of the others is the step to the next second, which no row has. If the
// next row begins later than that, whole windows are missing: Imager leaves out windows with fewer than two samples, as
// in a pause. A module below some 10 MB/s takes so long for a block of 8 MiB that its seconds don't agree with the
// total.
func imagerSeconds(rows [][]int64, phaseMS, windowMS int64) (seconds []imagerSecond, ok bool) {
	at := int64(0) // ms since the first row
	for i, row := range rows {
		if len(row) < 4 || row[1] < 0 || row[1] > row[3] || row[3] > 1e9 || row[0] < 0 || row[0] > maxNS/1e6 {
			return nil, false
		}
		end := phaseMS
		if i+1 < len(rows) && len(rows[i+1]) > 0 {
			end = rows[i+1][0] - rows[0][0]
		}
		if end <= at || end > phaseMS {
			return nil, false
		}
		lasts := end - at
		if lasts >= 2*windowMS {
			lasts = windowMS
		}
		steps := 0.0
		for _, n := range row[4:] {
			steps += float64(min(max(n, 0), imagerSamples))
		}
		rest := max(float64(lasts)-imagerStepMS*(steps+1), 0)
		moved := float64(row[3])*(float64(lasts)-rest) + float64(row[1])*rest // KB/s and ms
		seconds = append(seconds, imagerSecond{lasts, moved * 1024 / 1e3})
		if at += lasts; at < end {
			seconds = append(seconds, imagerSecond{end - at, 0})
		}
		at = end
	}
	return seconds, len(seconds) > 0 && len(seconds) <= maxIntervals
}

// intervalsOf scales the bytes of seconds, moved in all, so that their sum is the test's, in whole blocks.
func intervalsOf(t *result.Test, seconds []imagerSecond, moved float64) []result.Interval {
	var before result.Interval
	var intervals []result.Interval
	part := 0.0
	for _, second := range seconds {
		part += second.bytes
		ops := int64(part/moved*float64(t.Ops) + 0.5)
		bytes := min(ops*t.BlockBytes, t.Bytes)
		intervals = append(intervals, result.Interval{Ops: ops - before.Ops, Bytes: bytes - before.Bytes,
			NS: second.ms * 1e6})
		before.Ops, before.Bytes = ops, bytes
	}
	return intervals
}
