package plausible_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"flashdex/api/submission/plausible"

	"pgregory.net/rapid"
)

// buses lists buses with the MB/s that their standards allow.
var buses = []struct {
	module
	mbPerS float64
}{
	{module{bus: "sd", mode: "legacy", clockHz: 25_000_000}, 12.5},
	{module{bus: "sd", mode: "sd high-speed", clockHz: 50_000_000}, 25},
	{module{bus: "sd", mode: "sd high-speed", clockHz: 100_000_000}, 50},
	{module{bus: "sd", mode: "sd uhs SDR12"}, 12.5},
	{module{bus: "sd", mode: "sd uhs SDR25"}, 25},
	{module{bus: "sd", mode: "sd uhs SDR50", clockHz: 100_000_000}, 50},
	{module{bus: "sd", mode: "sd uhs DDR50", clockHz: 50_000_000}, 50},
	{module{bus: "sd", mode: "sd uhs SDR104", clockHz: 208_000_000}, 104},
	{module{bus: "sd", mode: "what no kernel says yet"}, 312},
	{module{bus: "sd"}, 312},
	{module{bus: "sd", mode: "sd uhs SDR104", usbMbit: 480}, 53},
	{module{bus: "mmc", mode: "legacy", clockHz: 26_000_000}, 26},
	{module{bus: "mmc", mode: "mmc high-speed", clockHz: 52_000_000}, 52},
	{module{bus: "mmc", mode: "mmc DDR52", clockHz: 52_000_000}, 104},
	{module{bus: "mmc", mode: "mmc HS200", clockHz: 200_000_000}, 200},
	{module{bus: "mmc", mode: "mmc HS400 enhanced strobe", clockHz: 200_000_000}, 400},
	{module{bus: "mmc"}, 400},
	{module{bus: "usb", usbMbit: 12}, 1.2},
	{module{bus: "usb", usbMbit: 480}, 53},
	{module{bus: "usb", usbMbit: 5000}, 500},
	{module{bus: "usb", usbMbit: 10000}, 1200},
	{module{bus: "usb", usbMbit: 20000}, 2400},
	{module{bus: "usb"}, 1200},
	{module{bus: "ata"}, 600},
	{module{bus: "scsi"}, 5000},
	{module{bus: "nvme"}, 14000},
	{module{bus: "virtio"}, 20000},
	{module{bus: "loop"}, 20000},
	{module{bus: "other"}, 20000},
}

// A module may be as fast as its bus and controller allow, or as slow as one write a second, steady or with stalls. The
// rules accept the document that the client makes.
func TestHonestModulesPass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bus := rapid.SampledFrom(buses).Draw(t, "bus")
		m := bus.module
		m.writeMBPS = bus.mbPerS * rapid.Float64Range(0.001, 1).Draw(t, "writes, of the bus")
		m.readMBPS = bus.mbPerS * rapid.Float64Range(0.01, 1).Draw(t, "reads, of the bus")
		least := 25_000 + 4096e3/bus.mbPerS
		m.writeNS = distribution(t, "random write", least)
		m.readNS = distribution(t, "random read", least)
		d := measured(m, rapid.Uint64().Draw(t, "seed"))
		d.Module.CapacityGB = rapid.SampledFrom([]float64{0, 30, 32, 32.5, 34.3}).Draw(t, "capacity_gb")
		for _, test := range d.Tests {
			if test.Ops == 0 {
				t.Skip("so slow that nothing is left after the warm-up; the client then has no result")
			}
		}
		accepted(t, d)
		if found := plausible.Check(d); found != nil {
			t.Fatalf("%+v", found)
		}
	})
}

// distribution draws latencies above least, with a random median, a spread from almost nothing to a hundredfold, and
// stalls.
func distribution(t *rapid.T, of string, least float64) func(*rand.Rand) int64 {
	median := min(least*math.Pow(10, rapid.Float64Range(0, 5).Draw(t, of+", decades above the least")), 1e9)
	spread := rapid.Float64Range(0.01, 1).Draw(t, of+", spread")
	stalls := rapid.Float64Range(0, 0.02).Draw(t, of+", share of stalls")
	stallNS := rapid.Float64Range(1e6, 2e9).Draw(t, of+", stall")
	return func(r *rand.Rand) int64 {
		ns := max(median*math.Exp(spread*r.NormFloat64()), least)
		if r.Float64() < stalls {
			ns += stallNS * r.Float64()
		}
		return int64(ns)
	}
}
