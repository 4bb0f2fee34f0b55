package publish

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/client/measure"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

// referenceSpecimens are modules that somebody measured like the Flash Module Benchmark Collection.
var referenceSpecimens = []string{"raspberry-pi-sd-card-a2-64gb-microsd", "transcend-133x-32gb-cf",
	"kingston-class-10-16gb-microsd", "sandisk-ultra-fit-32gb-usb"}

// referenceUpload returns such a run on the raw device, with the tests of client/measure in their order. The linear
// rates with pieces of 512 B and 4 KiB are made up from the module's random rates.
func referenceUpload(t testing.TB, m catalogue.Module, number int) upload {
	t.Helper()
	sp := specimens[slices.IndexFunc(specimens, func(sp specimen) bool { return sp.slug == m.Slug })]
	host := computers[sp.hosts[0]]
	r := rand.New(rand.NewPCG(900, uint64(number)))
	d := sp.document(m, host, 300+number, 70, 0)
	d.Method, d.Profile, d.Target = result.MethodAltechnative2012, result.ProfileReference, result.Target{Kind: "device"}
	rule := result.ReferenceRule(result.ReferenceAreaBytes / 4096)
	zeros := inPieces(result.SeqWrite, "fsync", "dd", 512, 1.2*sp.writeIOPS, 4*time.Minute, r)
	ofZeros := linear(result.SeqWrite, "fsync", result.ReferenceAreaBytes, min(sp.writeMBPerS, host.mbPerS), 0, 0, r)
	ofZeros.Name, zeros.Data, ofZeros.Data = result.SeqRewrite, result.Zeros, result.Zeros
	d.Tests = []result.Test{
		linear(result.SeqWrite, "fsync", result.ReferenceAreaBytes, min(sp.writeMBPerS, host.mbPerS), 0, 0, r),
		linear(result.SeqRead, "none", result.ReferenceAreaBytes, min(sp.readMBPerS, host.mbPerS), 0, 0, r),
		inPieces(result.SeqRead, "none", "dd", 512, 1.5*sp.readIOPS, 2*time.Minute, r),
		ofZeros,
		zeros,
		inPieces(result.SeqWrite, "sync", "flashdex", 4096, 1.4*sp.writeIOPS, 0, r),
		inPieces(result.SeqRewrite, "sync", "flashdex", 4096, 1.5*sp.writeIOPS, 0, r),
		atRandom(result.RandRead, "none", rule, sp.readIOPS, 0, r),
		atRandom(result.RandWrite, "sync", rule, 0.9*sp.writeIOPS, sp.pauseMS, r),
	}
	for i := range d.Tests {
		d.Tests[i].AreaBytes = result.ReferenceAreaBytes
		if d.Tests[i].IsRandom() {
			d.Tests[i].TimeLimitNS = 0
		}
	}
	return uploaded(t, d, m.Slug, 70)
}

// inPieces returns a linear test of the reference profile in small pieces, second by second. limit 0: the whole area.
func inPieces(name, sync, engine string, blockBytes int64, iops float64, limit time.Duration, r *rand.Rand) result.Test {
	t := result.Test{Name: name, BlockBytes: blockBytes, QueueDepth: 1, Sync: sync, Direct: true, Engine: engine,
		Ended: result.Complete, TimeLimitNS: limit.Nanoseconds(), OverheadNS: 1_000_000}
	var series result.Series
	for t.Bytes < result.ReferenceAreaBytes && t.Ended == result.Complete {
		ops := min(int64(math.Ceil(iops)), (result.ReferenceAreaBytes-t.Bytes)/blockBytes)
		ns := float64(ops) * 1e9 / iops * (0.9 + 0.2*r.Float64())
		i := result.Interval{Ops: ops, Bytes: ops * blockBytes, NS: int64(ns)}
		if engine == "flashdex" {
			i.MaxNS = int64(4e9 / iops)
		}
		series.Add(i)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+ops, t.Bytes+i.Bytes, t.DurationNS+i.NS
		if limit > 0 && t.DurationNS >= limit.Nanoseconds() {
			t.Ended = result.TimeLimit
		}
	}
	t.Intervals, t.DeviceBytes = series.Intervals, t.Bytes
	return t
}

// The fixture shows everything that today's client measures, in its order.
func TestReferenceUploadHasTheTestsOfTheClient(t *testing.T) {
	t.Parallel()
	_, results := fixture(t)
	plan := measure.Reference(1 << 30)
	for _, slug := range referenceSpecimens {
		at := slices.IndexFunc(results[slug], func(up upload) bool { return up.Method == plan.Method })
		if at < 0 {
			t.Errorf("%s has no upload by %s", slug, plan.Method)
			continue
		}
		var want, got []string
		for _, step := range plan.Tests {
			blockBytes := step.BlockBytes
			switch {
			case blockBytes == 0 && (step.Test == result.RandRead || step.Test == result.RandWrite):
				blockBytes = 4096
			case blockBytes == 0:
				blockBytes = 1 << 20
			}
			data := ""
			if step.Zeros {
				data = result.Zeros
			}
			want = append(want, fmt.Sprint(step.Test, " ", blockBytes, " ", data, " ", step.Limit.Nanoseconds()))
		}
		for _, test := range results[slug][at].document.Tests {
			got = append(got, fmt.Sprint(test.Name, " ", test.BlockBytes, " ", test.Data, " ", test.TimeLimitNS))
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", slug, diff)
		}
	}
}
