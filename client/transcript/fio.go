package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// fioOutput holds the fields of fio's JSON that we read, in the units of fio 3.
type fioOutput struct {
	Version   string            `json:"fio version"`
	Timestamp int64             `json:"timestamp"` // seconds since 1970
	Global    map[string]string `json:"global options"`
	Jobs      []fioJob          `json:"jobs"`
}

// fioJob is a job in fio's JSON, or in its text.
type fioJob struct {
	Name    string            `json:"jobname"`
	Group   int               `json:"groupid"`
	Error   int               `json:"error"`
	Options map[string]string `json:"job options"`
	Read    fioSide           `json:"read"`
	Write   fioSide           `json:"write"`

	shown bool // Options holds every option that defines the job
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
		Bins       map[string]int64   `json:"bins"` // of json+: operations by latency in ns
	} `json:"clat_ns"`

	printedBytes float64 // of the text, which rounds them
}

// fioTests maps the values of fio's option rw to tests.
var fioTests = map[string]string{
	"read": result.SeqRead, "write": result.SeqWrite, "randread": result.RandRead, "randwrite": result.RandWrite,
}

// fioEngines says which of fio's engines for disks keep iodepth operations in flight.
var fioEngines = map[string]bool{
	"libaio": true, "io_uring": true, "posixaio": true, "windowsaio": true, "solarisaio": true,
	"psync": false, "sync": false, "vsync": false, "pvsync": false, "pvsync2": false, "mmap": false,
}

// fioBends lists options that turn a job into another test: a limit of the rate, pauses, and reads or writes that
// aren't spread evenly.
var fioBends = []string{"rate", "rate_iops", "thinktime", "percentage_random", "random_distribution"}

// fioShown lists the options that say what a job measured.
const fioShown = "rw readwrite bs blocksize size ioengine iodepth numjobs direct buffered " +
	"sync fsync fdatasync end_fsync runtime time_based ramp_time"

// fioJSON reads fio's JSON.
func fioJSON(s *section, data []byte) error {
	var read fioOutput
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("fio's JSON is damaged: %w", err)
	}
	if at := time.Unix(read.Timestamp, 0).UTC(); at.Year() > 1980 && at.Year() < 2100 {
		s.day = at.Format(time.DateOnly)
	}
	for i := range read.Jobs {
		job := &read.Jobs[i]
		set := map[string]string{}
		maps.Copy(set, read.Global)
		maps.Copy(set, job.Options)
		job.Options, job.shown = set, len(set) > 0 // fio prints the options from 3.0 on, but not in every build
	}
	return s.fioJobs(read.Version, read.Jobs)
}

// maxFioJobs is the most jobs of one fio.
const maxFioJobs = 1000

// fioJobs adds a test for each job that ran alone and measured one thing.
func (s *section) fioJobs(printed string, jobs []fioJob) error {
	number := strings.TrimPrefix(printed, "fio-")
	major, _, _ := strings.Cut(number, ".")
	if n, ok := count(major); !ok || n < 3 {
		return fmt.Errorf("version %q can't be read: fio uses these units from version 3 on", shorten(printed))
	}
	s.version = version(number)
	if len(jobs) > maxFioJobs {
		return fmt.Errorf("%d jobs in one output; at most %d are read", len(jobs), maxFioJobs)
	}
	for i := range jobs {
		job := &jobs[i]
		name := fmt.Sprintf("job %d (%s)", i+1, shorten(job.Name))
		other := slices.IndexFunc(jobs, func(o fioJob) bool { return o.Group == job.Group })
		if other == i {
			other = i + 1 + slices.IndexFunc(jobs[i+1:], func(o fioJob) bool { return o.Group == job.Group })
		}
		if other != i {
			s.leave("%s ran at the same time as %q, so neither figure is the module's; measure with stonewall between "+
				"them, or with group_reporting", name, shorten(jobs[other].Name))
			continue
		}
		t, why, err := job.test(&s.facts)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if why != "" {
			s.leave("%s: %s", name, why)
			continue
		}
		if bins := len(job.side().Completion.Bins); bins > 0 && t.IsRandom() && t.Latency == nil {
			s.leave("%s: its histogram, which doesn't count all its %d operations; its percentiles are read", name, t.Ops)
		}
		t.EngineVersion = s.version
		for file := range strings.SplitSeq(job.Options["filename"], ":") {
			s.on(file)
		}
		s.on(job.Options["directory"] + "/file")
		s.add(t, optionsOf(fioShown, job.Options))
	}
	return nil
}

// side returns the figures of the job's writes, or else of its reads.
func (job *fioJob) side() *fioSide {
	if job.Write.TotalIOs > 0 {
		return &job.Write
	}
	return &job.Read
}

// unfit says why a job with this way, engine and block sizes is no test. It returns "" if it is one.
func (job *fioJob) unfit(way, engine string, sizes []string) string {
	set := job.Options
	bend := slices.IndexFunc(fioBends, func(option string) bool {
		return set[option] != "" && set[option] != "0" && set[option] != "random"
	})
	_, forDisks := fioEngines[engine]
	_, isSize := Size(sizes[0])
	switch {
	case job.Error != 0:
		return fmt.Sprintf("it failed with error %d", job.Error)
	case job.Read.TotalIOs > 0 && job.Write.TotalIOs > 0:
		return "it reads and writes at the same time, which tells neither"
	case bend >= 0:
		return "with " + fioBends[bend] + " it measures that option rather than the module"
	case fioTests[way] == "" && way != "":
		return "rw=" + shorten(way) + " is no test that Flashdex knows"
	case !forDisks:
		return "the engine " + shorten(engine) + " is none for disks"
	case len(sizes) > 1 || set["bsrange"]+set["blocksize_range"]+set["bssplit"] != "":
		return "its operations are not all of one size"
	case !isSize:
		return "bs=" + shorten(sizes[0]) + " is no size"
	}
	return ""
}

// test makes a test of a job with all its options, or says why it can't.
func (job *fioJob) test(f *facts) (t result.Test, why string, err error) {
	set := job.Options
	way := cmp.Or(set["readwrite"], set["rw"]) // "read:8k" leaves gaps, and "randread:8" reads eight in a line
	if way == "" && job.shown {
		way = "read" // fio's default
	}
	side := job.side()
	engine := cmp.Or(set["ioengine"], "psync")
	sizes := slices.Compact(strings.Split(cmp.Or(set["bs"], set["blocksize"], "4k"), ",")) // 4k is fio's default
	if why := job.unfit(way, engine, sizes); why != "" {
		return t, why, nil
	}
	t.BlockBytes, _ = Size(sizes[0])
	t.Name = fioTests[way]
	t.Name = f.know(FactTest, t.Name)
	if t.Name != "" && writes(t.Name) != (side == &job.Write) {
		return t, "", errors.New("its figures contradict its options")
	}
	depth, jobs := int64(1), int64(1)
	for option, n := range map[string]*int64{"iodepth": &depth, "numjobs": &jobs} {
		if text := set[option]; text != "" {
			var ok bool
			if *n, ok = count(text); !ok || *n < 1 || *n > 1024 {
				return t, "", fmt.Errorf("%s=%s is not a number from 1 to 1024", option, text)
			}
		}
	}
	if !fioEngines[engine] {
		depth = 1
	}
	t.Engine, t.QueueDepth, t.Sync = result.ToolFio, int(depth*jobs), "none"
	t.Direct = set["direct"] == "1" || set["buffered"] == "0"
	if !job.shown {
		t.Direct = f.know(FactDirect, "") == "yes"
	}
	if side == &job.Write {
		t.Sync = fioSyncOf(set)
		if !job.shown {
			t.Sync = f.know(FactSync, "")
		}
	}
	t.Ops, t.Bytes, t.DurationNS = side.TotalIOs, side.IOBytes, side.RuntimeMS*1e6
	if side.RuntimeMS < 1 || side.RuntimeMS > maxNS/1e6 || t.Bytes < 1 || t.Ops < 1 {
		return t, "", errors.New("it did nothing, or in less time than fio can measure")
	}
	// fio's rates must follow from its counts and its runtime. The runtime is rounded to 1 ms.
	seconds := float64(side.RuntimeMS) / 1e3
	for _, rate := range [][2]float64{{side.BWBytes, float64(t.Bytes) / seconds}, {side.IOPS, float64(t.Ops) / seconds}} {
		if math.Abs(rate[0]-rate[1]) > 1+rate[1]*(0.01+1e-3/seconds) {
			return t, "", fmt.Errorf("its rate of %.0f doesn't follow from its count and its time, which make %.0f", rate[0],
				rate[1])
		}
	}
	t.AreaBytes, _ = Size(set["size"])
	t.Ended = result.Complete
	timeBased := set["time_based"] != "" && set["time_based"] != "0"
	if timeBased || set["runtime"] != "" && t.Bytes < t.AreaBytes*jobs || t.Bytes < t.AreaBytes {
		t.Ended = result.TimeLimit
	}
	if t.IsRandom() {
		t.Percentiles, t.Latency = side.percentiles(), side.latency()
	}
	return t, "", nil
}

// fioSyncOf says how the job made sure that a write is on the module. fsync=1 after each write is as good as O_SYNC.
func fioSyncOf(set map[string]string) string {
	how := "none"
	if set["end_fsync"] == "1" {
		how = "fsync"
	}
	for _, option := range []string{"fdatasync", "fsync", "sync"} {
		switch set[option] {
		case "dsync":
			return "dsync"
		case "1", "sync":
			how = "sync"
		case "", "0", "none":
		default: // a number: after every so many writes
			if how == "none" {
				how = "fsync"
			}
		}
	}
	return how
}

// percentiles returns the completion latencies. fio prints the middle of each bin, which may exceed the maximum.
func (side *fioSide) percentiles() *result.Percentiles {
	c := &side.Completion
	if !(c.MaxNS >= 1) || c.MaxNS > maxNS {
		return nil
	}
	at := func(key string) int64 { return int64(max(min(c.Percentile[key], c.MaxNS), 0)) }
	return &result.Percentiles{P50NS: at("50.000000"), P99NS: at("99.000000"), P999NS: at("99.900000"),
		MaxNS: int64(c.MaxNS)}
}

// latency returns the completion latencies from json+'s histogram. It has 64 bins for each power of two, and names each
// by its middle. latency returns nil if there is no histogram, or if it doesn't count each operation.
func (side *fioSide) latency() []result.Bucket {
	histogram, left := result.NewHistogram(), side.TotalIOs
	for middle, ops := range side.Completion.Bins {
		ns, ok := count(middle)
		if !ok || ops < 1 || ops > left {
			return nil
		}
		histogram.AddAll(result.Bucket{ns, ops})
		left -= ops
	}
	if left > 0 {
		return nil
	}
	return histogram.Buckets()
}
