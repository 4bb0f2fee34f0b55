package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// fioOutput is what of fio's JSON is read. Units are fio 3's: runtime in ms, io_bytes in bytes, latencies in ns.
type fioOutput struct {
	Version   string            `json:"fio version"`
	Timestamp int64             `json:"timestamp"` // seconds since 1970
	Global    map[string]string `json:"global options"`
	Jobs      []fioJob          `json:"jobs"`
}

type fioJob struct {
	Name    string            `json:"jobname"`
	Group   int               `json:"groupid"`
	Error   int               `json:"error"`
	Options map[string]string `json:"job options"`
	Read    fioSide           `json:"read"`
	Write   fioSide           `json:"write"`
}

type fioSide struct {
	IOBytes    int64   `json:"io_bytes"`
	BWBytes    float64 `json:"bw_bytes"`
	RuntimeMS  int64   `json:"runtime"`
	IOPS       float64 `json:"iops"`
	TotalIOs   int64   `json:"total_ios"`
	Completion struct {
		MaxNS      float64            `json:"max"`
		Percentile map[string]float64 `json:"percentile"`
	} `json:"clat_ns"`
}

// fioTests are the values of fio's option rw that a result knows.
var fioTests = map[string]string{"read": result.SeqRead, "write": result.SeqWrite, "randread": result.RandRead, "randwrite": result.RandWrite}

// Engines of fio, by whether they keep iodepth operations in flight. Those that do without a disk are in neither.
var (
	fioAsync = []string{"libaio", "io_uring", "posixaio", "windowsaio", "solarisaio"}
	fioSync  = []string{"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"}
)

// fioShown are the options that say what a job measured.
var fioShown = []string{"rw", "readwrite", "bs", "blocksize", "size", "ioengine", "iodepth", "numjobs", "direct", "buffered", "sync", "fsync", "fdatasync", "end_fsync", "runtime", "time_based", "ramp_time"}

func fio(text string, f *facts) (out Output, err error) {
	start := strings.Index("\n"+text, "\n{") // below what fio warned of
	if start < 0 {
		return out, errors.New("fio's JSON begins with a line {, and there is none")
	}
	var read fioOutput
	if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&read); err != nil {
		return out, fmt.Errorf("fio's JSON is damaged or not whole: %w", err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(read.Version, "fio-"), ".")
	if n, ok := count(major); !ok || n < 3 {
		return out, fmt.Errorf("the version %q is not read: fio counts in these units from version 3 on", read.Version)
	}
	out.ToolVersion = version(strings.TrimPrefix(read.Version, "fio-"))
	if at := time.Unix(read.Timestamp, 0).UTC(); at.Year() > 1980 && at.Year() < 2100 {
		out.MeasuredOn = at.Format(time.DateOnly)
	}
	var shown []string
	for i, job := range read.Jobs {
		name := fmt.Sprintf("job %d (%s)", i+1, job.Name)
		for _, other := range read.Jobs[:i] {
			if other.Group == job.Group {
				return out, fmt.Errorf("%s ran at the same time as %q, so that neither figure is the module's; measure with stonewall between them, or with group_reporting", name, other.Name)
			}
		}
		if job.Error != 0 {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s failed with error %d", name, job.Error))
			continue
		}
		set := map[string]string{}
		for _, options := range []map[string]string{read.Global, job.Options} {
			for key, value := range options {
				set[key] = value
			}
		}
		t, why, err := job.test(set, f)
		switch {
		case err != nil:
			return out, fmt.Errorf("%s: %w", name, err)
		case why != "":
			out.LeftOut = append(out.LeftOut, name+": "+why)
			continue
		}
		t.EngineVersion = out.ToolVersion
		out.Tests = append(out.Tests, t)
		if len(shown) > 0 {
			shown[len(shown)-1] += ";"
		}
		for _, key := range fioShown {
			if value, ok := set[key]; ok {
				shown = append(shown, key+"="+value)
			}
		}
	}
	out.Options = options(shown)
	return out, f.err
}

// test makes a test of a job with all its options, or says why there is none in it.
func (job *fioJob) test(set map[string]string, f *facts) (t result.Test, why string, err error) {
	way, _, _ := strings.Cut(set["rw"]+set["readwrite"], ":")
	if way == "" && len(set) > 0 {
		way = "read" // fio's own default
	}
	side := &job.Read
	switch {
	case job.Read.TotalIOs > 0 && job.Write.TotalIOs > 0:
		return t, "it reads and writes at the same time, which tells neither", nil
	case job.Write.TotalIOs > 0:
		side = &job.Write
	}
	if t.Name = fioTests[way]; t.Name == "" && way != "" {
		return t, "rw=" + way + " is no test that Flashdex knows", nil
	}
	t.Name = f.know(FactTest, t.Name)
	if writes := t.Name == result.SeqWrite || t.Name == result.RandWrite; t.Name != "" && writes != (side == &job.Write) {
		return t, "", errors.New("its figures are not of what its options say")
	}
	engine := orElse(set["ioengine"], "psync")
	depth, jobs := int64(1), int64(1)
	for option, n := range map[string]*int64{"iodepth": &depth, "numjobs": &jobs} {
		if text := set[option]; text != "" {
			var ok bool
			if *n, ok = count(text); !ok || *n < 1 || *n > 1024 {
				return t, "", fmt.Errorf("%s=%s is no number of these", option, text)
			}
		}
	}
	switch {
	case slices.Contains(fioSync, engine):
		depth = 1
	case !slices.Contains(fioAsync, engine):
		return t, "the engine " + engine + " is none for disks", nil
	}
	t.Engine, t.QueueDepth, t.Sync = result.ToolFio, int(depth*jobs), "none"
	if t.BlockBytes, why = fioBlock(set); why != "" {
		return t, why, nil
	}
	direct := set["direct"] == "1" || set["buffered"] == "0"
	t.Direct = direct
	if len(set) == 0 { // fio shows them from 3.0 on, but not in every build
		t.Direct = f.know(FactDirect, "") == "yes"
	}
	if side == &job.Write {
		t.Sync = fioSyncOf(set)
		if len(set) == 0 {
			t.Sync = f.know(FactSync, "")
		}
	}
	t.Ops, t.Bytes, t.DurationNS = side.TotalIOs, side.IOBytes, side.RuntimeMS*1e6
	if side.RuntimeMS < 1 || side.RuntimeMS > maxNS/1e6 || t.Bytes < 1 || t.Ops < 1 {
		return t, "", errors.New("it did nothing, or in no time that fio could tell")
	}
	// The rates say the same once more, to within the millisecond of the runtime.
	seconds := float64(side.RuntimeMS) / 1e3
	for _, rate := range []struct{ told, follows float64 }{{side.BWBytes, float64(t.Bytes) / seconds}, {side.IOPS, float64(t.Ops) / seconds}} {
		if math.Abs(rate.told-rate.follows) > 1+rate.follows*(0.01+1e-3/seconds) {
			return t, "", fmt.Errorf("its rate of %.0f is not what its count and its time make, %.0f", rate.told, rate.follows)
		}
	}
	t.AreaBytes, _ = Size(set["size"])
	t.Ended = result.Complete
	if set["time_based"] != "" && set["time_based"] != "0" || set["runtime"] != "" && t.Bytes < t.AreaBytes*jobs || t.Bytes < t.AreaBytes {
		t.Ended = result.TimeLimit
	}
	if t.Name == result.RandWrite || t.Name == result.RandRead {
		t.Percentiles = side.percentiles()
	}
	return t, "", nil
}

// fioBlock is the size of all of a job's operations, or why they have none.
func fioBlock(set map[string]string) (bytes int64, why string) {
	for _, option := range []string{"bsrange", "blocksize_range", "bssplit"} {
		if set[option] != "" {
			return 0, "its operations are not all of one size"
		}
	}
	sizes := strings.Split(orElse(set["bs"]+set["blocksize"], "4k"), ",") // fio's own default
	for _, other := range sizes[1:] {
		if other != sizes[0] {
			return 0, "its operations are not all of one size"
		}
	}
	bytes, ok := Size(sizes[0])
	if !ok {
		return 0, "bs=" + sizes[0] + " is no size"
	}
	return bytes, ""
}

// fioSyncOf says how it was made sure that a write is on the module. fsync=1 after each write is as good as O_SYNC.
func fioSyncOf(set map[string]string) string {
	switch {
	case set["sync"] == "dsync":
		return "dsync"
	case set["sync"] == "1" || set["sync"] == "sync" || set["fsync"] == "1" || set["fdatasync"] == "1":
		return "sync"
	case set["end_fsync"] == "1":
		return "fsync"
	}
	return "none"
}

// percentiles are those of the completion latencies. fio's are the middles of its histogram's bins and may lie above the slowest.
func (side *fioSide) percentiles() *result.Percentiles {
	c := &side.Completion
	if !(c.MaxNS >= 1) || c.MaxNS > maxNS {
		return nil
	}
	at := func(key string) int64 { return int64(max(min(c.Percentile[key], c.MaxNS), 0)) }
	return &result.Percentiles{P50NS: at("50.000000"), P99NS: at("99.000000"), P999NS: at("99.900000"), MaxNS: int64(c.MaxNS)}
}
