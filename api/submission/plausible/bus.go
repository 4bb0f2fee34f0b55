package plausible

import (
	"slices"

	"flashdex/result"
)

// bus is a connection between computer and module, and the most that it can carry.
type bus struct {
	name   string
	mbPerS float64 // 10^6 bytes per second; 0 if no limit is known
}

// mode is a bus mode as the kernel's mmc layer prints it in its file "ios", at the clock that the standard gives it.
type mode struct {
	clockHz int64
	sd, mmc float64 // MB/s on the 4 data lines of an SD card and the 8 of an eMMC; 0: the kind has no such mode
}

// modes holds the bus speed modes of SD (SD Physical Layer Simplified Specification) and eMMC (JESD84-B51): data lines
// times clock, twice that at double data rate, divided by 8 bits. Kernels before 3.16 used older names, and called the
// DDR52 of an eMMC by the name of the SD card's DDR50.
var modes = map[string]mode{
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

// fastest holds each kind of bus at its fastest, for devices whose mode is unknown.
var fastest = map[string]bus{
	"sd":  {"an SD slot at its fastest, UHS-III", 624},
	"mmc": {"an eMMC at its fastest, HS400", 400},
	"ata": {"ATA at its fastest, 6 Gbit/s", 600},
	"cf":  {"CompactFlash at its fastest, Ultra DMA 7", 167},
	"usb": {}, // usbLink knows
}

// busOf returns the narrowest bus that the document proves.
func busOf(d *result.Document) bus {
	switch form := d.Module.Form; {
	case d.Imported != nil && form == "usb": // another tool's output doesn't show the bus, but somebody stated the form
		return usbLink(20000)
	case d.Imported != nil:
		return fastest[busOfForm[form]]
	case d.Stack == nil:
		return busOfDevice(d, &d.Identity)
	}
	all := bus{name: "the buses of all members"} // an upper bound, because members may share a bus
	for _, device := range d.Devices() {
		one := busOfDevice(d, device)
		if one.mbPerS == 0 {
			return bus{}
		}
		all.mbPerS += one.mbPerS
	}
	return all
}

func busOfDevice(d *result.Document, device *result.Identity) bus {
	found, known := fastest[device.Bus]
	if !known { // a loop device, virtual disk or RAID controller is as fast as its backing store
		return bus{}
	}
	if slices.Contains(d.Spoilers, result.BusChanged) { // only the fastest mode of its kind is certain
		return found
	}
	switch m := modes[d.Host.BusMode]; {
	case device.Bus == "sd" && m.sd > 0:
		found = bus{"the SD bus in the mode " + d.Host.BusMode, m.sd * overclock(d, m)}
	case device.Bus == "mmc" && m.mmc > 0:
		found = bus{"the eMMC bus in the mode " + d.Host.BusMode, m.mmc * overclock(d, m)}
	}
	// A USB card reader may pass the card on to the mmc layer. Then the data cross both buses.
	if usb := device.USB; usb != nil && usb.SpeedMbitPerS > 0 {
		if link := usbLink(usb.SpeedMbitPerS); found.mbPerS == 0 || link.mbPerS < found.mbPerS {
			found = link
		}
	}
	return found
}

// BusMBPerS returns the most that the bus carries in the mode that the host shows, in 10^6 bytes per second. It returns
// 0 if the host shows no mode.
func BusMBPerS(d *result.Document) float64 {
	if b := busOf(d); d.Imported == nil && d.Stack == nil && b != fastest[d.Identity.Bus] {
		return b.mbPerS
	}
	return 0
}

// overclock returns the ratio of the clock that the kernel reported to the standard's, at least 1 and at most
// mostOverclock. A slower clock lowers no bound: not every driver knows its real clock.
func overclock(d *result.Document, m mode) float64 {
	return min(max(float64(d.Host.BusClockHz)/float64(m.clockHz), 1), mostOverclock)
}

// busClock compares the clock of the bus with that of its mode, unless both changed and may be of different moments.
func busClock(d *result.Document, add report) {
	m, known := modes[d.Host.BusMode]
	if known && d.Host.BusClockHz > mostOverclock*m.clockHz && !slices.Contains(d.Spoilers, result.BusChanged) {
		add("The clock of the bus was %.4g MHz, which is more than %d times the %.4g MHz of the mode %s.",
			float64(d.Host.BusClockHz)/1e6, mostOverclock, float64(m.clockHz)/1e6, d.Host.BusMode)
	}
}

// usbLink returns what a USB link of mbitPerS can carry in bulk transfers. At full speed, a frame of 1 ms holds 19
// packets of 64 bytes; at high speed, a microframe of 125 µs holds 13 of 512 (USB 2.0, tables 5-9 and 5-10). Above that
// it is the symbol rate less the line code: 8b/10b at 5 Gbit/s, 128b/132b from 10 Gbit/s on (USB 3.2).
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
	}
	return bus{"USB at 20 Gbit/s", 2424.2} // the kernel knows no faster one, not even through USB4
}

const (
	// mostOverclock is how many times the clock of its mode a slot is run at: that of a Raspberry Pi at 100 MHz in place
	// of 50, which is the most that its parameter sd_overclock is used for.
	mostOverclock = 2
	// busMargin allows for the difference between the clocks of bus and computer.
	busMargin = 1.05
	// No overclocking reaches impossibleTimes the rate of the bus.
	impossibleTimes = 4
	// tickNS is the coarsest clock known: /proc/uptime, which flashdex.sh reads, and kernels at 100 Hz.
	tickNS = 10_000_000
)

// rateAbove reports a test whose rate, overall or in one interval, is above from times the rate of the bus and at most
// to times. The module's cache is behind the bus, so no interval may be faster, not even the first.
func rateAbove(from, to float64) func(d *result.Document, t *result.Test, add report) {
	return func(d *result.Document, t *result.Test, add report) {
		b := busOf(d)
		if b.mbPerS == 0 {
			return
		}
		ticks := 1
		if d.Method == result.MethodDD1 { // dd timed each interval separately
			ticks = len(t.Intervals)
		}
		rate, when := mbPerS(t.MovedBytes(), t.DurationNS, ticks), ""
		if rate <= b.mbPerS*from && t.Direct { // otherwise the page cache may answer until the flush
			for _, v := range t.Intervals {
				if r := mbPerS(v.Bytes-v.FailedOps*t.BlockBytes, v.NS, 1); r > rate {
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

// mbPerS returns the lowest rate that bytes in ns can mean, if the clock may have ticked at both ends of each
// measurement.
func mbPerS(bytes, ns int64, measurements int) float64 {
	return float64(bytes) * 1e3 / float64(ns+tickNS*int64(measurements))
}
