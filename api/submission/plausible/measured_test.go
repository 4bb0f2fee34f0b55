package plausible_test

import (
	"encoding/json"
	"math/rand/v2"

	"flashdex/result"
	"flashdex/result/schema"
)

// module simulates a module and its bus.
type module struct {
	bus, mode string
	clockHz   int64
	usbMbit   int
	writeMBPS float64                // at most, in a line
	readMBPS  float64                // at most, in a line
	writeNS   func(*rand.Rand) int64 // of one random write
	readNS    func(*rand.Rand) int64
}

// card returns an SD card with about 500 random writes and 1,800 random reads a second.
func card() module {
	return module{
		bus: "sd", mode: "sd uhs SDR104", clockHz: 208_000_000, writeMBPS: 30, readMBPS: 90,
		writeNS: func(r *rand.Rand) int64 { return 1_500_000 + r.Int64N(1_000_000) },
		readNS:  func(r *rand.Rand) int64 { return 500_000 + r.Int64N(100_000) },
	}
}

// measured returns the document of a run of the standard profile on m, as the client makes it.
func measured(m module, seed uint64) *result.Document {
	r := rand.New(rand.NewPCG(seed, 0))
	d := &result.Document{
		SchemaVersion: 1, ID: result.NewID(), Client: result.Client{Name: "flashdex", Version: "0.1.0",
			Platform: "linux/arm64"},
		Method: result.MethodFlashdex1, Profile: result.ProfileStandard, StartedAt: "2026-11-21T09:30:00Z",
		Module:   result.Module{CapacityGB: 32},
		Identity: result.Identity{Bus: m.bus, SizeBytes: 31_914_983_424},
		Host: result.Host{Arch: "aarch64", Kernel: "6.1.0", CPUs: 4, MemoryBytes: 4 << 30, BusMode: m.mode,
			BusClockHz: m.clockHz},
		Target:   result.Target{Kind: "directory", Filesystem: "ext4"},
		Spoilers: []string{},
	}
	if m.usbMbit > 0 {
		d.Identity.USB = &result.USB{VendorID: "0781", ProductID: "5583", SpeedMbitPerS: m.usbMbit}
	}
	const blocks = result.StandardAreaBytes / 4096
	reads := result.StandardRule(blocks)
	reads.MinNS, reads.MaxNS, reads.WarmupNS, reads.Consecutive = 30_000_000_000, 30_000_000_000, 1_000_000_000, 1
	d.Tests = []result.Test{
		line(result.SeqWrite, "fsync", m.writeMBPS, r),
		atRandom(result.RandWrite, "dsync", result.StandardRule(blocks), m.writeNS, r),
		line(result.SeqRead, "none", m.readMBPS, r),
		atRandom(result.RandRead, "none", reads, m.readNS, r),
	}
	return d
}

func line(name, sync string, mbPerS float64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 1 << 20, QueueDepth: 1, Sync: sync, Direct: true, Engine: "dd",
		AreaBytes: result.StandardAreaBytes, DeviceBytes: result.StandardAreaBytes, Ended: result.Complete,
	}
	for t.Bytes < t.AreaBytes {
		chunk := min(32<<20, t.AreaBytes-t.Bytes)
		if t.Bytes == 0 {
			chunk = 8 << 20
		}
		ns := int64(float64(chunk)*1e3/mbPerS*(1+0.05*r.Float64())) + 1
		t.Intervals = append(t.Intervals, result.Interval{Ops: chunk >> 20, Bytes: chunk, NS: ns})
		t.Bytes += chunk
		t.DurationNS += ns
	}
	t.Ops = t.Bytes >> 20
	return t
}

func atRandom(name, sync string, rule result.Rule, latency func(*rand.Rand) int64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 4096, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex",
		AreaBytes: result.StandardAreaBytes, TimeLimitNS: rule.MaxNS,
	}
	sampler, histogram := result.NewSampler(rule), result.NewHistogram()
	var second result.Interval
	for t.Ended == "" {
		ns := latency(r)
		if sampler.Warm() {
			histogram.Add(ns)
		}
		t.Ended = sampler.Add(ns)
		second.Ops++
		second.Bytes += 4096
		overhead := 1_000 + r.Int64N(2_000)
		second.NS += ns + overhead
		second.MaxNS = max(second.MaxNS, ns)
		t.OverheadNS += overhead
		if second.NS >= 1_000_000_000 || t.Ended != "" {
			t.Intervals = append(t.Intervals, second)
			second = result.Interval{}
		}
	}
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops, t.Batches, t.Latency = sampler.Ops(), sampler.Batches(), histogram.Buckets()
	t.Bytes = t.Ops * 4096
	t.DurationNS = sampler.ElapsedNS() - t.WarmupNS
	t.DeviceBytes = (t.Ops + t.WarmupOps) * 4096
	return t
}

// accepted fails the test unless the schema and result.Document.Check accept the document.
func accepted(t interface {
	Helper()
	Fatal(args ...any)
}, d *result.Document) {
	t.Helper()
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Read(data); err != nil {
		t.Fatal(err)
	}
}
