package plausible

import (
	"math"
	"slices"

	"flashdex/result"
)

// bus is what a module is connected by, and the most that it can carry.
type bus struct {
	name   string
	mbPerS float64 // 10^6 bytes per second; 0 if nothing is known that bounds it
}

// timing is one of the timings that the kernel's mmc layer prints in its "ios" file, at the clock that the standard
// gives it.
type timing struct {
	clockHz int64
	sd, mmc float64 // MB/s at that clock on the 4 data lines of an SD card, and on the 8 of an eMMC; 0: not a timing of its
}

// timings holds the SD bus speed modes (SD Physical Layer Simplified Specification, bus speed modes) and those of eMMC
// (JESD84-B51, bus speed modes): data lines times clock, twice that at double data rate, over 8 bits. The older names are those
// of kernels before 3.16, which called an eMMC's DDR52 by the name of the SD card's DDR50.
var timings = map[string]timing{
	"legacy":                    {26_000_000, 13, 26},
	"sd high-speed":             {50_000_000, 25, 52},
	"mmc high-speed":            {52_000_000, 26, 52},
	"sd uhs SDR12":              {25_000_000, 12.5, 0},
	"sd uhs SDR25":              {50_000_000, 25, 0},
	"sd uhs SDR50":              {100_000_000, 50, 0},
	"sd uhs SDR104":             {208_000_000, 104, 0},
	"sd uhs DDR50":              {50_000_000, 50, 104},
	"mmc DDR52":                 {52_000_000, 52, 104},
	"mmc HS200":                 {200_000_000, 100, 200},
	"mmc high-speed SDR200":     {200_000_000, 100, 200},
	"mmc HS400":                 {200_000_000, 200, 400},
	"mmc high-speed HS400":      {200_000_000, 200, 400},
	"mmc HS400 enhanced strobe": {200_000_000, 200, 400},
}

// The fastest of each kind, where the mode isn't known.
var (
	anySD   = bus{"an SD slot at its fastest, UHS-III", 624}
	anyMMC  = bus{"an eMMC at its fastest, HS400", 400}
	anyATA  = bus{"ATA at its fastest, 6 Gbit/s", 600}
	unbound = bus{}
)

// busOf finds the narrowest bus that the document shows. Where the bus changed its speed during the run, only the fastest
// of its kind is sure.
func busOf(d *result.Document) bus {
	if d.Imported != nil {
		return busOfForm(d.Module.Form)
	}
	if d.Stack != nil {
		return busesOf(d)
	}
	return busOfDevice(d, &d.Identity)
}

// busesOf is what the buses of a stack's members carry together: more, where they share one, than can be.
func busesOf(d *result.Document) bus {
	all := bus{name: "the buses of all members"}
	for _, device := range d.Devices() {
		one := busOfDevice(d, device)
		if one.mbPerS == 0 {
			return unbound
		}
		all.mbPerS += one.mbPerS
	}
	return all
}

func busOfDevice(d *result.Document, device *result.Identity) bus {
	changed := slices.Contains(d.Spoilers, result.BusChanged)
	found := unbound
	switch device.Bus {
	case "sd":
		found = anySD
		if t, ok := timings[d.Host.BusMode]; ok && t.sd > 0 && !changed {
			found = bus{"the SD bus in the mode " + d.Host.BusMode, t.sd * overclock(d, t)}
		}
	case "mmc":
		found = anyMMC
		if t, ok := timings[d.Host.BusMode]; ok && t.mmc > 0 && !changed {
			found = bus{"the eMMC bus in the mode " + d.Host.BusMode, t.mmc * overclock(d, t)}
		}
	case "ata":
		found = anyATA
	case "usb":
	default: // a loop device, a virtual disk or a RAID controller is as fast as what is behind it
		return unbound
	}
	// A USB card reader may hand the card to the mmc layer; then both buses are on the way.
	if usb := device.USB; usb != nil && usb.SpeedMbitPerS > 0 && !changed {
		if link := usbLink(usb.SpeedMbitPerS); found.mbPerS == 0 || link.mbPerS < found.mbPerS {
			found = link
		}
	}
	return found
}

// BusMBPerS is what the bus carries at most, 10^6 bytes per second, in the mode that the host shows; 0 where it shows none.
func BusMBPerS(d *result.Document) float64 {
	if d.Imported != nil || d.Stack != nil {
		return 0
	}
	switch b := busOf(d); b {
	case anySD, anyMMC, anyATA:
		return 0
	default:
		return b.mbPerS
	}
}

// overclock is how many times faster than the standard's the clock is that the kernel reported: a Raspberry Pi's slot can
// be overclocked to 100 MHz. A slower one narrows nothing, since not every driver knows its actual clock.
func overclock(d *result.Document, t timing) float64 {
	return max(float64(d.Host.BusClockHz)/float64(t.clockHz), 1)
}

// usbLink is what a USB link of so many Mbit/s can carry in bulk transfers: 19 packets of 64 bytes in a frame of 1 ms at
// full speed, 13 of 512 in a microframe of 125 µs at high speed (USB 2.0, tables 5-9 and 5-10); above, the symbol rate
// less the line code, 8b/10b at 5 Gbit/s and 128b/132b from 10 on (USB 3.2).
func usbLink(mbitPerS int) bus {
	switch {
	case mbitPerS <= 12:
		return bus{"USB at full speed", 1.216}
	case mbitPerS <= 480:
		return bus{"USB 2.0 at high speed", 53.248}
	case mbitPerS <= 5000:
		return bus{"USB at 5 Gbit/s", 500}
	case mbitPerS <= 10000:
		return bus{"USB at 10 Gbit/s", 1212.1}
	case mbitPerS <= 20000:
		return bus{"USB at 20 Gbit/s", 2424.2}
	}
	return bus{"USB4", float64(mbitPerS) / 8}
}

const (
	// busMargin is what a rate may be above the bus before it is a finding: for what the clocks of bus and computer are apart.
	busMargin = 1.05
	// impossibleTimes the rate of the observed bus can't be had by any overclocking.
	impossibleTimes = 4
	// tickNS is the coarsest clock met: /proc/uptime, which flashdex.sh reads, and kernels without a better one at 100 Hz.
	tickNS = 10_000_000
)

func busCeiling(d *result.Document, add func(string, ...any)) {
	overBus(d, busMargin, impossibleTimes, add)
}

func busImpossible(d *result.Document, add func(string, ...any)) {
	overBus(d, impossibleTimes, math.Inf(1), add)
}

// overBus reports each test whose rate, in the whole or in one interval, is more than from times what the bus carries, and
// at most to times. A cache in the module lies behind the bus, so that no interval may be faster, the first included.
func overBus(d *result.Document, from, to float64, add func(string, ...any)) {
	b := busOf(d)
	if b.mbPerS == 0 {
		return
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		ticks := 1
		if d.Method == result.MethodDD1 { // each interval was timed by itself
			ticks = len(t.Intervals)
		}
		rate, when := mbPerS(t.Bytes, t.DurationNS, ticks), ""
		if rate <= b.mbPerS*from && t.Direct { // else the page cache may have answered at first, until the flush
			for _, v := range t.Intervals {
				if r := mbPerS(v.Bytes, v.NS, 1); r > rate {
					rate, when = r, " at one time"
				}
			}
		}
		if rate > b.mbPerS*from && rate <= b.mbPerS*to {
			add("%s ran at %.1f MB/s%s, but the computer reached the module by %s, which carries at most %.1f MB/s.",
				testNames[t.Name], rate, when, b.name, b.mbPerS)
		}
	}
}

// mbPerS is the least rate that bytes in ns can mean when the clock ticked at both ends of each of so many measurements.
func mbPerS(bytes, ns int64, measurements int) float64 {
	return float64(bytes) * 1e3 / float64(ns+tickNS*int64(measurements))
}
