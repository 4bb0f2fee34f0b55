package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// profiled is an invented module, measured by the methods that are never ranked. The module works in units: an
// operation on a part of a unit costs as much as one on the whole unit, times the cliff.
type profiled struct {
	slug  string
	hosts []string // keys of computers: each of another person, who did all profiles there

	unitBytes               int64
	cliff                   float64 // how many times as long as a whole unit a write of less than a unit takes
	writeMS, readMS         float64 // how long an operation takes, without the transfer
	flushMS                 float64 // the part of it in a linear write
	writeMBPerS, readMBPerS float64
	cacheMB, fallsTo        float64  // after so many 10^6 bytes a linear write goes on at this share; 0: it does not fall
	openUnits, eraseBytes   int64    // of structure; 0: it has no units
	queueGain               float64  // gain of 32 reads at once; 0: it has no queue
	passes, firstError      int      // of its life, and the first with errors; 0: none
	configurations          []string // of Java
	startSeconds, programMB float64
}

var profiledSpecimens = []profiled{
	{slug: "raspberry-pi-sd-card-a2-64gb-microsd", hosts: []string{"pi-5", "pi-5", "pi-4"}, unitBytes: 4 << 10,
		cliff: 1.3, writeMS: 0.55, readMS: 0.22, flushMS: 0.16, writeMBPerS: 41, readMBPerS: 92,
		queueGain: 2.4, passes: 60, cacheMB: 3900, fallsTo: 0.55, configurations: []string{"jre", "jre-with-cds"}, startSeconds: 3.1, programMB: 41},
	{slug: "toshiba-class-10-uhs-i-8gb-microsd", hosts: []string{"pi-5"}, unitBytes: 16 << 10, cliff: 9, writeMS: 9.5,
		readMS: 0.6, flushMS: 0.9, writeMBPerS: 9.5, readMBPerS: 21, openUnits: 5, eraseBytes: 4 << 20,
		passes: 130, firstError: 95,
		configurations: []string{"jre"}, startSeconds: 11.9, programMB: 39},
	{slug: "kingston-class-10-16gb-microsd", hosts: []string{"pi-4", "banana-pi"}, unitBytes: 16 << 10, cliff: 14,
		writeMS: 17, readMS: 1.1, flushMS: 1.2, writeMBPerS: 10.5, readMBPerS: 19,
		cacheMB: 410, fallsTo: 0.4, openUnits: 1, eraseBytes: 8 << 20, passes: 90, firstError: 71,
		configurations: []string{"jre"}, startSeconds: 6.2, programMB: 40},
}

// uploads returns all uploads of all people, newest first. number tells the specimens apart.
func (sp profiled) uploads(t testing.TB, m catalogue.Module, number int) (all []upload) {
	t.Helper()
	for i := range sp.hosts {
		for _, d := range sp.documents(m, number, i) {
			all = append(all, uploaded(t, d, m.Slug, 50+i))
		}
	}
	slices.SortStableFunc(all, func(a, b upload) int { return b.ReceivedAt.Compare(a.ReceivedAt) })
	return all
}

// documents returns what one of them measured: each profile once, and each configuration.
func (sp profiled) documents(m catalogue.Module, number, who int) (all []*result.Document) {
	host := computers[sp.hosts[who]]
	r := rand.New(rand.NewPCG(uint64(500+number), uint64(who)))
	slower := 1 + 0.07*float64(who)
	begin := func(method, profile string) *result.Document {
		d := specimen{}.document(m, host, 200+number, who, len(all))
		d.Method, d.Profile = method, profile
		d.StartedAt = time.Date(2026, 11, 20, 9, 10*len(all), who, 0, time.UTC).AddDate(0, 0, -9*who).Format(time.RFC3339)
		d.Tests = nil
		all = append(all, d)
		return d
	}
	d := begin(result.MethodSustained1, result.ProfileSustained)
	d.Tests = []result.Test{
		lasting(result.SeqWrite, "fsync", min(sp.writeMBPerS, host.mbPerS)/slower, sp.cacheMB, sp.fallsTo, 300, r),
		lasting(result.SeqRead, "none", min(sp.readMBPerS, host.mbPerS)/slower, 0, 0, 120, r),
	}
	d = begin(result.MethodSweep1, result.ProfileSweep)
	for bytes := int64(512); bytes <= 16<<20; bytes *= 2 {
		for _, test := range []string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead} {
			sync := map[string]string{result.SeqWrite: "fsync", result.RandWrite: "dsync"}[test]
			d.Tests = append(d.Tests, sp.timed(test, sync, bytes, result.StandardAreaBytes, 2, slower, host, r))
		}
	}
	d = begin(result.MethodIozone50M, result.ProfileIozone)
	for _, bytes := range []int64{4 << 10, 512 << 10} {
		for _, test := range []string{result.SeqWrite, result.SeqRewrite, result.SeqRead, result.SeqReread, result.RandRead,
			result.RandWrite} {
			sync := map[string]string{result.SeqWrite: "fsync", result.SeqRewrite: "fsync", result.RandWrite: "fsync"}[test]
			d.Tests = append(d.Tests, sp.timed(test, sync, bytes, result.IozoneAreaBytes, 240, slower, host, r))
		}
	}
	d = begin(result.MethodFiles1, result.ProfileFiles)
	for record := int64(512); record <= 128<<10; record *= 2 {
		for _, name := range []string{result.BufferedWrite, result.BufferedRead, result.SeqWrite, result.SeqRead} {
			d.Tests = append(d.Tests, sp.files(name, record, slower, host, r))
		}
	}
	for i, configuration := range sp.configurations {
		d = begin(result.MethodStartup1, result.ProfileStartup)
		d.Target.Program, d.Target.ProgramSum = "java", "5e2b6f0c8f3d4a1796c0d8e7b4a35f21"
		d.Target.Configuration, d.Target.ProgramBytes = configuration, 47_300_000+int64(i)*13_600_000
		d.Tests = []result.Test{started(sp.startSeconds*slower/(1+0.3*float64(i)), sp.programMB, r)}
	}
	d = begin(result.MethodRecording1, result.ProfileRecording)
	for _, recording := range result.Recordings {
		d.Tests = append(d.Tests, recorded(recording.Test, min(sp.writeMBPerS, host.mbPerS)/slower, r))
	}
	d = begin(result.MethodRecorder1, result.ProfileRecorder)
	for _, blockBytes := range []int64{1 << 20, 4 << 10} {
		d.Tests = append(d.Tests, streamed(10e6, blockBytes, min(sp.writeMBPerS, host.mbPerS)/slower, r))
	}
	d = begin(result.MethodStructure1, result.ProfileStructure)
	d.Target = result.Target{Kind: "device"}
	d.Tests = append(d.Tests, lasting(result.SeqWrite, "fsync", min(sp.writeMBPerS, host.mbPerS)/slower, 0, 0, 150, r))
	d.Tests = append(d.Tests, sp.structure(slower, r)...)
	d = begin(result.MethodQueue1, result.ProfileQueue)
	if d.Host.CommandQueue = result.QueueOff; sp.queueGain > 0 {
		d.Host.CommandQueue, d.Target.WriteCache = result.QueueOn, "write back"
	}
	d.Tests = append(d.Tests, sp.timed(result.SeqWrite, "fsync", 1<<20, result.StandardAreaBytes, 120, slower, host, r))
	d.Tests = append(d.Tests, sp.queue(slower, r)...)
	d = begin(result.MethodSaturate1, result.ProfileSaturate)
	d.Target = result.Target{Kind: "device"}
	d.Tests = append(d.Tests, sp.timed(result.SeqWrite, "fsync", 1<<20, result.StandardAreaBytes, 120, slower, host, r),
		sp.timed(result.RandWrite, "dsync", 4096, result.StandardAreaBytes, 60, slower, host, r))
	fresh := d.Tests[1]
	d.Tests = append(d.Tests,
		sp.saturation(d.Identity.SizeBytes, float64(fresh.DurationNS)/1e6/float64(fresh.Ops), slower, host, r)...)
	d.Tests = append(d.Tests, sp.timed(result.FullWrite, "dsync", 4096, result.StandardAreaBytes, 60, 2.4*slower, host,
		rand.New(rand.NewPCG(uint64(700+number), uint64(who)))))
	d = begin(result.MethodMixed1, result.ProfileMixed)
	d.Tests = append(d.Tests, sp.timed(result.SeqWrite, "fsync", 1<<20, result.StandardAreaBytes, 120, slower, host, r))
	d.Tests = append(d.Tests, sp.mixed(slower, r)...)
	d = begin(result.MethodEndure1, result.ProfileEndure)
	d.Target = result.Target{Kind: "device"}
	d.Tests = sp.life(d.Identity.SizeBytes, slower, who, host, r)
	d = begin(result.MethodVerify1, result.ProfileVerify)
	d.Tests = []result.Test{}
	if number == 1 {
		d.Target = result.Target{Kind: "device"}
		d.Identity.Verified = &result.Verified{ClaimedBytes: d.Identity.SizeBytes, FoundBytes: d.Identity.SizeBytes,
			On: d.StartedAt[:10]}
		return all
	}
	d.Target.Filesystem = "vfat"
	free := d.Identity.SizeBytes * 99 / 100 >> 20 << 20
	d.Identity.Checked = &result.Checked{Bytes: free, OKBytes: free, OfBytes: d.Identity.SizeBytes}
	return all
}

// recorded returns a recording of two minutes on a module that writes at mbPerS and stalls for a second in one of 500
// blocks.
func recorded(name string, mbPerS float64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 1 << 20, QueueDepth: 1, Sync: "fsync", Direct: true, Engine: "flashdex",
		TimeLimitNS: 150_000_000_000,
	}
	comes := result.RecordedMBPerS(name)
	var series result.Series
	var now int64
	for t.Ended == "" {
		t.Ops++
		t.Bytes += t.BlockBytes
		complete := t.Bytes * 1000 / comes
		ns := int64(float64(t.BlockBytes) * 1e3 / mbPerS * (0.95 + 0.1*r.Float64()))
		if r.Float64() < 0.002 {
			ns += 1_000_000_000
		}
		now = max(now, complete) + ns
		series.Add(result.Interval{Ops: 1, Bytes: t.BlockBytes, NS: ns, MaxNS: ns, BehindNS: now - complete})
		t.DurationNS += ns
		switch {
		case t.Bytes >= comes*1e6*120:
			t.Ended = result.Complete
		case now >= t.TimeLimitNS:
			t.Ended = result.TimeLimit
		}
	}
	t.Intervals, t.OverheadNS, t.AreaBytes, t.DeviceBytes = series.Intervals, now-t.DurationNS, t.Bytes, t.Bytes
	return t
}

// streamed returns a stream of four minutes at a rate, to a module that writes at mbPerS and stalls for 0.6 s in one of
// 100 MB.
func streamed(bytesPerS, blockBytes int64, mbPerS float64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: result.StreamWrite, BlockBytes: blockBytes, QueueDepth: 1, Sync: "fsync", Direct: true, Engine: "flashdex",
		TimeLimitNS: 270_000_000_000, RateBytesPerS: bytesPerS, AreaBytes: 568 << 20,
	}
	histogram := result.NewHistogram()
	var series result.Series
	var now int64
	for t.Ended == "" {
		t.Ops++
		t.Bytes += blockBytes
		complete := int64(float64(t.Bytes) / float64(bytesPerS) * 1e9)
		ns := int64(float64(blockBytes) * 1e3 / mbPerS * (0.95 + 0.1*r.Float64()))
		if r.Float64() < float64(blockBytes)/100e6 {
			ns += 600_000_000
		}
		now = max(now, complete) + ns
		histogram.Add(ns)
		series.Add(result.Interval{Ops: 1, Bytes: blockBytes, NS: ns, MaxNS: ns, BehindNS: now - complete})
		t.DurationNS += ns
		switch {
		case t.Bytes >= bytesPerS*240/blockBytes*blockBytes:
			t.Ended = result.Complete
		case now >= t.TimeLimitNS:
			t.Ended = result.TimeLimit
		}
	}
	t.Intervals, t.OverheadNS, t.DeviceBytes = series.Intervals, now-t.DurationNS, t.Bytes
	t.Latency = histogram.Buckets()
	return t
}

// lasting returns a linear test, second by second.
func lasting(name, sync string, mbPerS, cacheMB, fallsTo float64, seconds int, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 1 << 20, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex", AreaBytes: 2 << 30,
		Ended:       result.TimeLimit,
		TimeLimitNS: int64(seconds) * 1_000_000_000, OverheadNS: int64(seconds) * 2_000_000,
	}
	for t.DurationNS < t.TimeLimitNS {
		rate := mbPerS * (0.93 + 0.1*r.Float64())
		if cacheMB > 0 && float64(t.Bytes)/1e6 > cacheMB {
			rate *= fallsTo * (0.85 + 0.3*r.Float64())
		}
		if r.Float64() < 0.01 {
			rate /= 2
		}
		ops := int64(math.Ceil(rate * 1e6 / (1 << 20)))
		i := result.Interval{Ops: ops, Bytes: ops << 20, NS: int64(float64(ops<<20) * 1e3 / rate), MaxNS: int64(2e9 / rate)}
		t.Intervals = append(t.Intervals, i)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+i.Ops, t.Bytes+i.Bytes, t.DurationNS+i.NS
	}
	t.DeviceBytes = t.Bytes
	return t
}

// files returns a test of whole files with records of one size, for half a second each. Through the page cache, all
// records of a file go together.
func (sp profiled) files(name string, recordBytes int64, slower float64, host computer, r *rand.Rand) result.Test {
	writes := name == result.BufferedWrite || name == result.SeqWrite
	buffered := name == result.BufferedWrite || name == result.BufferedRead
	t := result.Test{Name: name, BlockBytes: recordBytes, QueueDepth: 1, Sync: "none", Direct: !buffered,
		Engine: "flashdex", AreaBytes: 500 << 10, Ended: result.Complete, TimeLimitNS: 1_500_000_000, OverheadNS: 40_000_000}
	ms, mbPerS, aside := sp.readMS, sp.readMBPerS, 0.7*sp.readMS
	if writes {
		t.Sync, ms, mbPerS, aside = "fsync", sp.writeMS, sp.writeMBPerS, sp.flushMS
	}
	for _, size := range []int64{100 << 10, 250 << 10, 500 << 10} {
		v := result.Interval{FileBytes: size}
		records := (size + recordBytes - 1) / recordBytes
		for n := 0; n == 0 || n < 100 && v.NS < 500_000_000; n++ {
			took := ms + float64(size)/1e3/min(mbPerS, host.mbPerS)
			if !buffered {
				took += aside * float64(records)
			}
			v.NS += int64(took * slower * 1e6 * (0.9 + 0.2*r.Float64()))
			v.Ops, v.Bytes = v.Ops+records, v.Bytes+size
		}
		t.Intervals = append(t.Intervals, v)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+v.Ops, t.Bytes+v.Bytes, t.DurationNS+v.NS
	}
	t.DeviceBytes = t.Bytes
	return t
}

// timed returns a test with records of one size that takes at most seconds.
func (sp profiled) timed(name, sync string, recordBytes, areaBytes int64, seconds, slower float64, host computer,
	r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: recordBytes, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex",
		AreaBytes: areaBytes, Ended: result.Complete, TimeLimitNS: int64(seconds * 1e9),
	}
	if sync == "" {
		t.Sync = "none"
	}
	random := name == result.RandWrite || name == result.RandRead || name == result.FullWrite
	writes := name == result.SeqWrite || name == result.SeqRewrite || name == result.RandWrite || name == result.FullWrite
	rate := sp.readMBPerS
	aside := sp.readMS * map[bool]float64{true: 1, false: 0.7}[random]
	if writes {
		rate, aside = sp.writeMBPerS, map[bool]float64{true: sp.writeMS, false: sp.flushMS}[random]
	}
	ms := slower * (aside + float64(max(recordBytes, 4096))/1e3/min(rate, host.mbPerS))
	if writes && random && recordBytes < sp.unitBytes {
		ms = slower * sp.cliff * (aside + float64(sp.unitBytes)/1e3/min(rate, host.mbPerS))
	}
	histogram := result.NewHistogram()
	var all []int64
	for t.Ops < areaBytes/recordBytes {
		if t.DurationNS >= t.TimeLimitNS {
			t.Ended = result.TimeLimit
			break
		}
		ns := int64(ms * 1e6 * (0.9 + 0.2*r.Float64()))
		all = append(all, ns)
		t.Ops, t.DurationNS = t.Ops+1, t.DurationNS+ns
		if random {
			histogram.Add(ns)
		}
	}
	var i result.Interval
	for k, ns := range all {
		i = result.Interval{Ops: i.Ops + 1, Bytes: i.Bytes + recordBytes, NS: i.NS + ns, MaxNS: max(i.MaxNS, ns)}
		if i.NS >= 1_000_000_000 || k == len(all)-1 {
			t.Intervals, i = append(t.Intervals, i), result.Interval{}
		}
	}
	t.Bytes = t.Ops * recordBytes
	t.DeviceBytes = t.Ops * max(recordBytes, 512)
	if !random {
		return t
	}
	t.Latency = histogram.Buckets()
	batches := min(result.BatchCount, len(all))
	for b := range batches {
		var sum result.Batch
		for _, ns := range all[b*len(all)/batches : (b+1)*len(all)/batches] {
			sum = result.Batch{Ops: sum.Ops + 1, NS: sum.NS + ns}
		}
		t.Batches = append(t.Batches, sum)
	}
	return t
}

// started returns ten starts of a program.
func started(seconds, programMB float64, r *rand.Rand) result.Test {
	t := result.Test{Name: result.Startup, BlockBytes: 512, QueueDepth: 1, Sync: "none", Engine: "flashdex",
		Ended: result.Complete, TimeLimitNS: 60_000_000_000, OverheadNS: 70_000_000}
	for range 10 {
		sectors := int64(programMB*1e6/512) + r.Int64N(300)
		i := result.Interval{Ops: sectors, Bytes: 512 * sectors, NS: int64(seconds * 1e9 * (0.98 + 0.05*r.Float64()))}
		i.UserNS, i.SystemNS = i.NS*57/100, i.NS*8/100
		t.Intervals = append(t.Intervals, i)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+i.Ops, t.Bytes+i.Bytes, t.DurationNS+i.NS
	}
	t.DeviceBytes = t.Bytes
	return t
}

func (u uploads) Profiled(_ context.Context, slugs []string, do func(string, []figure.ProfiledRun) error) error {
	for _, slug := range slugs {
		var runs []figure.ProfiledRun
		n := map[string]int{}
		of := map[string]int{} // runs of each unit by each method
		for before := 0; before < figure.MaxProfiledRuns; before++ {
			clear(of)
			for _, up := range u[slug] {
				unit := fmt.Sprint(up.Method, up.contributor)
				if of[unit]++; !figure.Profiled(up.Method) || of[unit] != before+1 || n[up.Method] == figure.MaxProfiledRuns {
					continue
				}
				n[up.Method]++
				runs = append(runs, figure.ProfiledRun{SampledRun: figure.SampledRun{ID: up.ID, ReceivedAt: up.ReceivedAt,
					Host: up.Host, Tests: up.document.Tests}, Method: up.Method, Target: up.document.Target,
					Unit: fmt.Sprint(up.contributor), Board: figure.BoardOf(result.Host{Board: up.Host}),
					BusMBPerS: up.run.BusMBPerS, Counts: len(up.NotRanked) == 1, Queue: figure.QueueEvidenceOf(up.document.Identity, up.document.Host,
						up.document.Spoilers)})
			}
		}
		if len(runs) == 0 {
			continue
		}
		if err := do(slug, runs); err != nil {
			return err
		}
	}
	return nil
}

func (u uploads) Lives(_ context.Context, slugs []string) (map[string][]figure.LivedRun, error) {
	lives := map[string][]figure.LivedRun{}
	for _, slug := range slugs {
		for _, up := range u[slug] {
			life, ok := result.LifeOf(up.document.Tests)
			if ok && len(up.NotRanked) == 1 {
				lives[slug] = append(lives[slug], figure.LivedRun{ID: up.ID, Unit: fmt.Sprint(up.contributor), Life: life})
			}
		}
		slices.SortStableFunc(lives[slug], func(a, b figure.LivedRun) int { return strings.Compare(a.Unit, b.Unit) })
	}
	return lives, nil
}

// The tests of the whole site upload the same documents.
func TestExamplesOfProfilesAreThoseOfTheFixture(t *testing.T) {
	t.Parallel()
	c := load(t)
	for i, sp := range profiledSpecimens[:2] {
		m, ok := c.Module(sp.slug)
		if !ok {
			t.Fatal(sp.slug)
		}
		all := sp.documents(m, i, 0)
		for _, d := range append(all[:5:5], all[4+len(sp.configurations):]...) { // one start of a program
			name := filepath.Join("../../result/testdata/valid", fmt.Sprintf("%s-%d.json", d.Profile, i+1))
			want, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, '\n')
			if *update {
				if err := os.WriteFile(name, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, got) {
				t.Errorf("%s is another: run go test ./api/publish -run 'FixtureHas|ExamplesOf' -update:\n%s", name,
					gocmp.Diff(string(want), string(got)))
			}
		}
	}
}
