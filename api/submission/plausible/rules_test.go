package plausible_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

const (
	seqWrite = iota
	randWrite
	seqRead
	randRead
)

// faster divides all times of a linear test.
func faster(t *result.Test, times float64) {
	t.DurationNS = 0
	for i := range t.Intervals {
		t.Intervals[i].NS = int64(float64(t.Intervals[i].NS) / times)
		t.DurationNS += t.Intervals[i].NS
	}
}

func slow(r *rand.Rand) int64 { return 5_000_000 + r.Int64N(1_000_000) }

// on returns a run of card on another bus, with reads at mbPerS.
func on(bus, mode string, clockHz int64, usbMbit int, mbPerS float64) func() *result.Document {
	return func() *result.Document {
		m := card()
		m.bus, m.mode, m.clockHz, m.usbMbit, m.writeMBPS, m.readMBPS = bus, mode, clockHz, usbMbit, min(mbPerS/2, 20), mbPerS
		if mbPerS < 5 {
			m.readNS, m.writeNS = slow, slow
		}
		return measured(m, 1)
	}
}

// latencies returns a run of card whose random reads take between ns and 1.1 times as long.
func latencies(bus string, ns int64) func() *result.Document {
	return func() *result.Document {
		m := card()
		m.bus, m.readNS = bus, func(r *rand.Rand) int64 { return ns + r.Int64N(max(ns/10, 1)) }
		return measured(m, 1)
	}
}

// changed returns a run of card with a change.
func changed(change func(d *result.Document)) func() *result.Document {
	return func() *result.Document {
		d := measured(card(), 1)
		change(d)
		return d
	}
}

// stackOf returns a run of a stack of two sticks, with the size of times sticks and reads at mbPerS.
func stackOf(times int64, usbMbit int, mbPerS float64) func() *result.Document {
	return func() *result.Document {
		d := on("usb", "", 0, usbMbit, mbPerS)()
		d.Method, d.Stack = result.MethodStack1, &result.Stack{Kind: "raid0",
			Members: []result.Identity{d.Identity, d.Identity}}
		d.Identity = result.Identity{Bus: "stack", SizeBytes: times * d.Identity.SizeBytes}
		return d
	}
}

func sdCard(cid, manfid, oemid, name, date string) func() *result.Document {
	return changed(func(d *result.Document) {
		d.Identity.SD = &result.Register{CID: cid, Manfid: manfid, OEMID: oemid, Name: name, Date: date}
	})
}

// queued returns a run with a card's command queue on.
func queued(scr string) func() *result.Document {
	return changed(func(d *result.Document) {
		d.Identity.SD, d.Host.CommandQueue = &result.Register{SCR: scr}, result.QueueOn
	})
}

func eMMC(cid, manfid, name, date string) func() *result.Document {
	return func() *result.Document {
		d := on("mmc", "mmc HS200", 200_000_000, 0, 150)()
		d.Identity.MMC = &result.Register{CID: cid, Manfid: manfid, OEMID: "0x0100", Name: name, Date: date}
		return d
	}
}

// Each case has a document at the limit of honest hardware, which the rule must accept, and one beyond. The schema and
// result.Document.Check accept both.
func TestRules(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name           string
		honest, beyond func() *result.Document
		rule           string
		severity       plausible.Severity
		reason         string // part of it
	}{
		{"SD default speed", on("sd", "legacy", 25_000_000, 0, 12.4), on("sd", "legacy", 25_000_000, 0, 15), "bus-ceiling",
			plausible.Quarantine, "at most 13.0 MB/s"},
		{"SD high speed", on("sd", "sd high-speed", 50_000_000, 0, 25), on("sd", "sd high-speed", 50_000_000, 0, 28),
			"bus-ceiling", plausible.Quarantine, "the SD bus in the mode sd high-speed, which carries at most 25.0 MB/s"},
		{"an overclocked slot", on("sd", "sd high-speed", 100_000_000, 0, 45), on("sd", "sd high-speed", 100_000_000, 0, 56),
			"bus-ceiling", plausible.Quarantine, "at most 50.0 MB/s"},
		{"SDR50", on("sd", "sd uhs SDR50", 100_000_000, 0, 50), on("sd", "sd uhs SDR50", 0, 0, 56), "bus-ceiling",
			plausible.Quarantine, "at most 50.0"},
		{"SDR104", on("sd", "sd uhs SDR104", 208_000_000, 0, 104), on("sd", "sd uhs SDR104", 208_000_000, 0, 120),
			"bus-ceiling", plausible.Quarantine, "at most 104.0"},
		{"a UHS-II slot, whose timing has no name yet", on("sd", "sd uhs2", 0, 0, 300), on("sd", "", 0, 0, 700),
			"bus-ceiling", plausible.Quarantine, "UHS-III"},
		{"eMMC DDR52 by its old name", on("mmc", "sd uhs DDR50", 52_000_000, 0, 100),
			on("mmc", "mmc high-speed", 52_000_000, 0, 60), "bus-ceiling", plausible.Quarantine, "at most 52.0"},
		{"eMMC HS400", on("mmc", "mmc HS400 enhanced strobe", 200_000_000, 0, 390), on("mmc", "", 0, 0, 450), "bus-ceiling",
			plausible.Quarantine, "HS400"},
		{"USB 1.1", on("usb", "", 0, 12, 1.2), on("usb", "", 0, 12, 1.5), "bus-ceiling", plausible.Quarantine,
			"USB at full speed"},
		{"USB 2.0", on("usb", "", 0, 480, 53), on("usb", "", 0, 480, 60), "bus-ceiling", plausible.Quarantine,
			"at most 53.2 MB/s"},
		{"USB 3.0", on("usb", "", 0, 5000, 480), on("usb", "", 0, 5000, 650), "bus-ceiling", plausible.Quarantine,
			"USB at 5 Gbit/s"},
		{"a card in a reader that hands it to the mmc layer", on("sd", "sd uhs SDR50", 0, 480, 40),
			on("sd", "sd uhs SDR104", 0, 480, 80), "bus-ceiling", plausible.Quarantine, "USB 2.0"},
		{"CFast", on("ata", "", 0, 0, 550), on("ata", "", 0, 0, 700), "bus-ceiling", plausible.Quarantine, "ATA"},
		{"a clock that no slot is overclocked to", on("sd", "sd high-speed", 100_000_000, 0, 45),
			on("sd", "sd high-speed", 100_000_000_000, 0, 20), "bus-clock", plausible.Quarantine,
			"was 1e+05 MHz, which is more than 2 times the 50 MHz of the mode sd high-speed"},
		{"USB faster than any kind", on("usb", "", 0, 20_000, 2400), on("usb", "", 0, 1_000_000, 3500), "bus-ceiling",
			plausible.Quarantine, "USB at 20 Gbit/s"},
		{"more than overclocking", on("loop", "sd high-speed", 0, 0, 3000), on("sd", "sd high-speed", 50_000_000, 0, 140),
			"bus-impossible", plausible.Reject, "at most 25.0 MB/s"},
		{"a bus that changed its speed", changed(func(d *result.Document) {
			d.Host.BusMode, d.Spoilers = "legacy", []string{result.BusChanged}
		}), on("usb", "", 0, 480, 300), "bus-impossible", plausible.Reject, "USB 2.0"},
		{"one fast interval", changed(func(d *result.Document) { // the 10 ms that a clock may be off
			d.Tests[seqRead].DurationNS -= 5_000_000
			d.Tests[seqRead].Intervals[0].NS -= 5_000_000
		}), changed(func(d *result.Document) {
			d.Tests[seqRead].DurationNS -= 150_000_000
			d.Tests[seqRead].Intervals[2].NS -= 150_000_000
		}), "bus-ceiling", plausible.Quarantine, "at one time"},

		{"the fastest eMMC published, 7,950 IOPS", latencies("mmc", 110_000), latencies("sd", 40_000), "latency-floor",
			plausible.Quarantine, "Random reading did 100 %"},
		{"a solid-state disk", latencies("ata", 28_000), latencies("ata", 12_000), "latency-floor", plausible.Quarantine,
			"its controller"},
		{"a loop device on memory", latencies("loop", 6_000), latencies("loop", 800), "latency-impossible", plausible.Reject,
			"less than 1 µs"},
		{"latencies that add up", changed(func(d *result.Document) {}), changed(func(d *result.Document) {
			b := d.Tests[randRead].Latency
			b[0][1], b[len(b)-1][1] = b[0].Count()+b[len(b)-1].Count()-1, 1
			for i := 1; i < len(b)-1; i++ {
				b[0][1], b[i][1] = b[0].Count()+b[i].Count()-1, 1
			}
		}), "latency-sum", plausible.Reject, "the latencies of its operations add up to"},
		{"a stack as large as its members", stackOf(2, 480, 90), stackOf(3, 480, 90), "stack-size", plausible.Reject,
			"its members together only"},
		{"a stack on two buses", stackOf(2, 480, 100), stackOf(2, 480, 130), "bus-ceiling", plausible.Quarantine,
			"the buses of all members, which carries at most 106.5 MB/s"},
		{"the slowest operation in the warm-up", changed(func(d *result.Document) {
			t := &d.Tests[randWrite]
			t.WarmupNS += 50_000_000
			t.Intervals[0].NS += 50_000_000
			t.Intervals[0].MaxNS = 52_000_000
		}), changed(func(d *result.Document) {
			for i := range d.Tests[randWrite].Intervals {
				d.Tests[randWrite].Intervals[i].MaxNS = 1_000_000
			}
		}), "slowest-operation", plausible.Reject, "slowest operation of random writing took 1.000 ms"},
		{"an operation within its interval", changed(func(d *result.Document) {}), changed(func(d *result.Document) {
			d.Tests[randWrite].Intervals[3].MaxNS = 2_000_000_000
		}), "slowest-operation", plausible.Reject, "an operation of 2000.000 ms"},
		{"no slowest operation at all", changed(func(d *result.Document) {
			for i := range d.Tests[randWrite].Intervals {
				d.Tests[randWrite].Intervals[i].MaxNS = 0
			}
		}), changed(func(d *result.Document) {
			t := &d.Tests[randRead]
			t.Intervals[0].MaxNS = t.WarmupNS + 1_000_000
			t.Intervals[0].NS += t.WarmupNS
			t.OverheadNS += t.WarmupNS
		}), "slowest-operation", plausible.Reject, "random reading"},
		{"intervals that last as long as their operations", changed(func(*result.Document) {}),
			changed(func(d *result.Document) { d.Tests[randRead].Intervals[0].NS -= 500_000_000 }), "interval-sum",
			plausible.Reject, "The intervals of random reading last"},
		{"all time accounted for", changed(func(d *result.Document) { d.Tests[randRead].OverheadNS -= 50_000_000 }),
			changed(func(d *result.Document) { d.Tests[randRead].Intervals[0].NS += 1_000_000_000 }), "interval-sum",
			plausible.Reject, "random reading"},
		{"what the kernel counted",
			changed(func(d *result.Document) { d.Tests[seqRead].DeviceBytes -= d.Tests[seqRead].Bytes / 20 }),
			changed(func(d *result.Document) { d.Tests[seqRead].DeviceBytes -= d.Tests[seqRead].Bytes/20 + 1 }), "device-bytes",
			plausible.Reject, "counted only 249036 KiB at the device"},
		{"a module as large as the area", changed(func(d *result.Document) {
			d.Identity.SizeBytes, d.Module.CapacityGB = result.StandardAreaBytes, 0.256
		}), changed(func(d *result.Document) {
			d.Identity.SizeBytes, d.Module.CapacityGB = result.StandardAreaBytes-512, 0.256
		}), "area", plausible.Reject, "the module only 268434944"},
		{"every block once", changed(func(d *result.Document) { d.Tests[seqRead].Ended = result.TimeLimit }),
			changed(func(d *result.Document) {
				d.Tests[randRead].AreaBytes = (d.Tests[randRead].Ops + d.Tests[randRead].WarmupOps - 1) * 4096
			}), "area", plausible.Reject, "each of which is used once"},
		{"every block, says the client", changed(func(d *result.Document) {
			d.Tests[randRead].AreaBytes = (d.Tests[randRead].Ops+d.Tests[randRead].WarmupOps)*4096 + 4095
			d.Tests[randRead].Ended = result.Complete
		}), changed(func(d *result.Document) { d.Tests[randWrite].Ended = result.Complete }), "area", plausible.Reject,
			"says that it did every block"},

		{"batches of equal size", changed(func(d *result.Document) {}), changed(func(d *result.Document) {
			b := d.Tests[randWrite].Batches
			b[4].Ops, b[5].Ops = b[4].Ops-1, b[5].Ops+1
		}), "method", plausible.Quarantine, "number 5 holds"},
		{"random operations by the client",
			changed(func(d *result.Document) { d.Method = "dd-1"; d.Tests[randRead].Engine = "dd" }),
			changed(func(d *result.Document) { d.Tests[randRead].Engine, d.Tests[randRead].Latency = "dd", nil }), "method",
			plausible.Quarantine, "was done by dd"},
		{"a module that settles", changed(func(d *result.Document) {}), func() *result.Document {
			m := card()
			ops := 0
			m.writeNS = func(r *rand.Rand) int64 { ops++; return 5_000_000 + int64(ops)*200 }
			d := measured(m, 1)
			d.Tests[randWrite].Ended = result.Converged
			return d
		}, "settled", plausible.Quarantine, "its mean is only known to within"},
		{"one that is bound by one operation", changed(func(d *result.Document) {}), changed(func(d *result.Document) {
			t := &d.Tests[randRead]
			t.Ended = result.Converged
			stall := t.DurationNS / 15
			t.DurationNS += stall
			t.Intervals[4].NS += stall
			t.Intervals[4].MaxNS = stall
			for i := range t.Batches {
				t.Batches[i].NS += stall / 20
			}
			t.DurationNS = 0
			for _, b := range t.Batches {
				t.DurationNS += b.NS
			}
			t.Latency[0][1]--
			t.Latency = append(t.Latency, result.Bucket{stall, 1})
		}), "settled", plausible.Quarantine, "one operation took 6 % of its time"},
		{"a clock of 1,000 Hz", func() *result.Document {
			m, tick := card(), int64(0)
			m.readNS = func(*rand.Rand) int64 { tick++; return tick % 2 * 1_000_000 }
			return measured(m, 1)
		}, func() *result.Document {
			m, tick := card(), 0
			m.readNS = func(*rand.Rand) int64 {
				if tick++; tick%20 == 0 {
					return 10_000_000
				}
				return 0
			}
			return measured(m, 1)
		}, "coarse-clock", plausible.Quarantine, "no time at all"},
		{"intervals alike by the clock of flashdex.sh",
			changed(func(d *result.Document) { alikeIntervals(d, 1_680_000_000) }),
			changed(func(d *result.Document) { alikeIntervals(d, 1_677_721_600) }), "too-regular", plausible.Quarantine,
			"7 intervals of linear writing took 1677721600 ns each"},
		{"batches alike by a coarse clock", changed(func(d *result.Document) { alikeBatches(d, 1_000_000) }),
			changed(func(d *result.Document) { alikeBatches(d, 1_000_123) }), "too-regular", plausible.Quarantine,
			"batches of random writing"},
		{"operations alike", latencies("sd", 400_000), func() *result.Document {
			m := card()
			m.readNS = func(r *rand.Rand) int64 { return 401_408 + r.Int64N(2_000) }
			return measured(m, 1)
		}, "too-regular", plausible.Quarantine, "took the same time"},

		{"a card of 32 GiB", changed(func(d *result.Document) { d.Identity.SizeBytes = 32 << 30 }),
			changed(func(d *result.Document) { d.Module.CapacityGB = 64 }), "capacity", plausible.Quarantine,
			"given as 64 GB, but the device has 31.91 GB (29.72 GiB)"},
		{"a small one of 32", changed(func(d *result.Document) { d.Identity.SizeBytes = 27_300_000_000 }),
			changed(func(d *result.Document) { d.Module.CapacityGB = 16 }), "capacity", plausible.Quarantine, "given as 16 GB"},
		{"a loop device sold as 32 GB", func() *result.Document {
			d := on("loop", "", 0, 0, 2000)()
			d.Identity.SizeBytes = 1 << 30
			return d
		}, changed(func(d *result.Document) { d.Identity.SizeBytes = 1 << 30 }), "capacity", plausible.Quarantine,
			"1.074 GB"},
		{"a check of its capacity", changed(func(d *result.Document) {
			d.Identity.Verified = &result.Verified{ClaimedBytes: d.Identity.SizeBytes, FoundBytes: 8e9,
				On: "2026-11-20"}
		}), changed(func(d *result.Document) {
			d.Identity.Verified = &result.Verified{ClaimedBytes: 2 * d.Identity.SizeBytes, FoundBytes: d.Identity.SizeBytes,
				On: "2026-11-20"}
		}), "capacity", plausible.Quarantine, "The check of its capacity was of a device of"},
		{"a card of 4 TB", changed(func(d *result.Document) {
			d.Identity.SizeBytes, d.Module.CapacityGB = 4_398_046_511_104, 4000
		}), changed(func(d *result.Document) { d.Identity.SizeBytes, d.Module.CapacityGB = 16_000_000_000_000, 0 }), "size",
			plausible.Quarantine, "16 TB"},

		{"SD registers", sdCard("03534453433332478000000000015a00", "0x000003", "0x5344", "SC32G", "10/2021"),
			sdCard("03534453433332478000000000015a00", "0x00001b", "0x534d", "SC32G", "10/2021"), "registers",
			plausible.Quarantine, "manufacturer's number"},
		{"a name with a space at its end, and reserved bits", sdCard(
			"9f545453504343200700000000f57700", "0x00009f", "0x5454", "SPCC", "07/2087"),
			sdCard("9f54545350434320070000000005a700", "0x00009f", "0x5454", "SPCC", "07/2026"), "registers",
			plausible.Quarantine, "date"},
		{"a name of unprintable bytes", sdCard("0353440190ff00008000000000015a00", "0x000003", "0x5344", "x", "10/2021"),
			sdCard("03534453433332478000000000015a00", "0x000003", "0x5344", "SC64G", "10/2021"), "registers",
			plausible.Quarantine, "contradicts its name"},
		{"eMMC registers", eMMC("150100414a5444345206000000008900", "0x000015", "AJTD4R", "08/2022"),
			eMMC("150100414a5444345206000000008900", "0x000015", "BJTD4R", "08/2022"), "registers", plausible.Quarantine,
			"name"},
		{"an MMC card of the first layout", eMMC("06000041424344454647000000008900", "0x060000", "ABCDEFG", "08/1998"),
			eMMC("150100414a5444345206000000008900", "0x000015", "AJTD4R", "09/2022"), "registers", plausible.Quarantine,
			"date"},
		{"a command queue", queued("0205848f00000000"), queued("0235844300000000"), "command-queue",
			plausible.Quarantine, "CMD49"},
		{"a command queue of a card that shows no register", queued(""), queued("0200000b00000000"), "command-queue",
			plausible.Quarantine, "CMD49"},
		{"registers on the SD bus", sdCard("", "0x000003", "", "", ""), func() *result.Document {
			d := on("usb", "", 0, 5000, 90)()
			d.Identity.SD = &result.Register{Manfid: "0x000003"}
			return d
		}, "registers", plausible.Quarantine, "the bus is one that shows none"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			honest, beyond := c.honest(), c.beyond()
			accepted(t, honest)
			accepted(t, beyond)
			if found := plausible.Check(honest); found != nil {
				t.Errorf("the honest document: %+v", found)
			}
			found := slices.DeleteFunc(plausible.Check(beyond), func(f plausible.Finding) bool {
				return slices.Contains(ofSamples, f.Rule) // a change by hand breaks these too
			})
			if len(found) != 1 || found[0].Rule != c.rule || found[0].Severity != c.severity ||
				!strings.Contains(found[0].Reason, c.reason) {
				t.Errorf("got %+v, want %s with severity %d and %q", found, c.rule, c.severity, c.reason)
			}
		})
	}
}

// ofSamples are the rules that find samples that nobody measured. TestForgeries breaks them.
var ofSamples = []string{"too-even", "repeated", "clock", "digits", "samples", "histogram"}

// alikeIntervals gives all intervals of 32 MiB of the linear writes the same time.
func alikeIntervals(d *result.Document, ns int64) {
	t := &d.Tests[seqWrite]
	t.DurationNS = 0
	for i := range t.Intervals {
		if t.Intervals[i].Bytes == 32<<20 {
			t.Intervals[i].NS = ns
		}
		t.DurationNS += t.Intervals[i].NS
	}
}

// alikeBatches gives all batches of the random writes except the first the same time, within the histogram's precision.
func alikeBatches(d *result.Document, unit int64) {
	t := &d.Tests[randWrite]
	t.Batches = append([]result.Batch(nil), t.Batches...)
	mean := t.DurationNS / int64(len(t.Batches)) / unit * unit
	before := t.DurationNS
	t.DurationNS = t.Batches[0].NS
	for i := range t.Batches[1:] {
		t.Batches[i+1].NS = mean
		t.DurationNS += mean
	}
	t.Batches[0].NS += before - t.DurationNS
	t.DurationNS = before
}

// Whatever clock a document states, its bus carries no more than that of a slot that people overclock.
func TestAStatedClockMakesNoBusFaster(t *testing.T) {
	t.Parallel()
	d := on("sd", "sd high-speed", 100_000_000_000, 0, 1000)()
	accepted(t, d)
	if rate := plausible.BusMBPerS(d); rate != 50 {
		t.Errorf("the bus carries %g MB/s", rate)
	}
	var got []string
	for _, f := range plausible.Check(d) {
		if !slices.Contains(ofSamples, f.Rule) {
			got = append(got, f.Rule)
		}
	}
	if diff := cmp.Diff([]string{"bus-impossible", "bus-clock"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFindingsAreSortedBySeverity(t *testing.T) {
	t.Parallel()
	d := measured(card(), 1)
	d.Module.CapacityGB = 64
	d.Tests[seqRead].DeviceBytes = 0
	faster(&d.Tests[seqRead], 2)
	var got []string
	for _, f := range plausible.Check(d) {
		got = append(got, fmt.Sprint(f.Severity == plausible.Reject, " ", f.Rule))
	}
	if diff := cmp.Diff([]string{"true device-bytes", "false bus-ceiling", "false capacity"}, got); diff != "" {
		t.Errorf("reject and rule (-want +got):\n%s", diff)
	}
}
