package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"flashdex/result"
)

// imagerExport holds the fields that are read of a performance export of Raspberry Pi Imager, version 3
// (PerformanceStats in github.com/raspberrypi/rpi-imager). The names of image, device and path, hashes and the platform
// are not among them.
type imagerExport struct {
	Version    int    `json:"version"`
	ExportTime string `json:"exportTime"`
	Summary    struct {
		State  string `json:"sessionState"`
		Phases struct {
			Write  imagerPhase `json:"write"`
			Verify imagerPhase `json:"verify"`
		} `json:"phases"`
	} `json:"summary"`
	System struct {
		Imager struct {
			Version string `json:"version"`
		} `json:"imager"`
		Config struct {
			Direct       *bool `json:"directIOEnabled"`
			PeriodicSync bool  `json:"periodicSyncEnabled"`
			Buffers      struct {
				WriteBytes int64 `json:"writeBufferBytes"`
			} `json:"buffers"`
		} `json:"writeConfig"`
	} `json:"system"`
	Histograms struct {
		Write  [][]int64 `json:"write"`
		Verify [][]int64 `json:"verify"`
	} `json:"histograms"`
	Schema struct {
		Unit string `json:"throughputUnit"`
	} `json:"schema"`
}

type imagerPhase struct {
	Bytes      int64 `json:"bytesTotal"`
	DurationMS int64 `json:"durationMs"`
}

// imagerBlockBytes is what Imager writes at once if the export doesn't say.
const imagerBlockBytes = 1 << 20

// imager reads what Raspberry Pi Imager measured while it wrote an image and verified it, second by second.
func imager(s *section, data []byte) error {
	var e imagerExport
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("the export is damaged: %w", err)
	}
	switch {
	case e.Version != 3:
		return fmt.Errorf("an export of version %d; only version 3 can be read", e.Version)
	case e.Schema.Unit != "KB/s":
		return fmt.Errorf("rates in %q, not in KB/s", shorten(e.Schema.Unit))
	}
	s.version, s.day = version(e.System.Imager.Version), day(e.ExportTime, "2006-01-02T15:04:05", time.RFC3339)
	direct := ""
	if e.System.Config.Direct != nil {
		direct = map[bool]string{true: "yes", false: "no"}[*e.System.Config.Direct]
	}
	write := result.Test{Name: result.SeqWrite, Sync: "fsync"}
	write.Direct = s.know(FactDirect, direct) == "yes"
	s.imagerPhase(write, e.Summary.Phases.Write, e.Histograms.Write, &e)
	s.imagerPhase(result.Test{Name: result.SeqRead, Sync: "none"}, e.Summary.Phases.Verify, e.Histograms.Verify, &e)
	if e.Summary.State != "succeeded" && len(s.made) > 0 {
		s.leave("the session did not succeed (%s): its figures are of what was done", shorten(e.Summary.State))
	}
	if len(s.made)+len(s.left) == 0 {
		return errors.New("the export holds neither writing nor verifying")
	}
	return nil
}

// imagerPhase adds a test of writing or verifying. Imager prints the mean of the rates within each second; the bytes of
// each second are these rates, scaled so that they make up what was moved in all.
func (s *section) imagerPhase(t result.Test, phase imagerPhase, slices [][]int64, e *imagerExport) {
	if phase == (imagerPhase{}) && len(slices) == 0 {
		return
	}
	ns := phase.DurationMS * 1e6
	if phase.Bytes < 1 || phase.Bytes > maxBytes || phase.DurationMS < 1 || phase.DurationMS > maxNS/1e6 {
		s.leave("%s without its bytes and its time", t.Name)
		return
	}
	t.Engine, t.EngineVersion, t.QueueDepth, t.Ended = result.ToolImager, s.version, 1, result.Complete
	t.BlockBytes = min(max(cmp.Or(e.System.Config.Buffers.WriteBytes, imagerBlockBytes), minBlock), maxBlock)
	t.Bytes, t.AreaBytes, t.DurationNS = phase.Bytes, phase.Bytes, ns
	t.Ops = (t.Bytes + t.BlockBytes - 1) / t.BlockBytes
	t.Intervals = secondsOf(&t, slices)
	if t.Intervals == nil {
		s.leave("%s second by second, which doesn't fit to its time", t.Name)
	}
	option := "sync=end"
	if e.System.Config.PeriodicSync && writes(t.Name) {
		option = "sync=periodic"
	}
	s.add(t, strings.TrimSpace(option))
}

// secondsOf makes intervals of [timestampMs, minKBps, maxKBps, avgKBps, ...], or returns nil if these contradict
// themselves. An interval lasts until the next one begins, the last one until the end.
func secondsOf(t *result.Test, slices [][]int64) []result.Interval {
	if len(slices) < 2 || len(slices) > maxIntervals {
		return nil
	}
	starts := make([]int64, len(slices)+1) // in ms
	starts[len(slices)] = t.DurationNS / 1e6
	for i, slice := range slices {
		if len(slice) < 4 || slice[3] < 0 || slice[3] > 1e9 {
			return nil
		}
		starts[i] = slice[0] - slices[0][0]
	}
	var sum float64
	for i, slice := range slices {
		if starts[i] < 0 || starts[i+1] <= starts[i] || starts[i+1] > starts[len(slices)] {
			return nil
		}
		sum += float64(slice[3] * (starts[i+1] - starts[i]))
	}
	if sum == 0 {
		return nil
	}
	intervals := make([]result.Interval, 0, len(slices))
	var before result.Interval
	part := 0.0
	for i, slice := range slices {
		part += float64(slice[3] * (starts[i+1] - starts[i]))
		ops := int64(part/sum*float64(t.Ops) + 0.5)
		bytes := min(ops*t.BlockBytes, t.Bytes)
		intervals = append(intervals, result.Interval{Ops: ops - before.Ops, Bytes: bytes - before.Bytes,
			NS: (starts[i+1] - starts[i]) * 1e6})
		before.Ops, before.Bytes = ops, bytes
	}
	return intervals
}
