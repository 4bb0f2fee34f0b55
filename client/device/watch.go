package device

import (
	"maps"
	"slices"

	"flashdex/result"
)

// Watch notes what spoils a measurement of a disk while it runs. What the kernel doesn't show, or not to this user, is
// not known and spoils nothing.
type Watch struct {
	kernel Kernel
	disk   Disk
	log    *kernelLog

	atStart readings
	buses   []bus // of each module, as first known
	seen    map[string]bool
}

// readings are counters that only rise, and the Raspberry Pi's flags that stay set.
type readings struct {
	pi          uint64
	diskErrors  int64
	cpuThrottle int64
}

// bus is the speed of the way to the module; a zero value is not known.
type bus struct {
	mode        string
	clockHz     int64
	usbMbitPerS int64
}

// Watch begins to watch.
func (k Kernel) Watch(d Disk) *Watch {
	w := &Watch{kernel: k, disk: d, log: k.openLog(d), buses: make([]bus, len(d.modules())), seen: map[string]bool{}}
	w.atStart = w.read()
	w.Look()
	return w
}

// Look notes the states that come and go. It takes about a millisecond, and must not be called while something is timed.
func (w *Watch) Look() {
	const undervoltage, throttled = 1 << 0, 1<<1 | 1<<2 | 1<<3 // as they are now
	pi := w.kernel.piFlags()
	w.note(result.Undervoltage, pi&undervoltage != 0 || w.kernel.voltageAlarm())
	w.note(result.Throttled, pi&throttled != 0 || w.kernel.cooling())
	w.note(result.KernelErrors, w.log.read()) // in time: the kernel keeps only so many lines
	for i, d := range w.disk.modules() {
		w.note(result.Swap, w.kernel.swapsTo(d))
		w.lookAtBus(d, &w.buses[i])
	}
}

// Without does something to the disk that is no test, such as making a file system, whose errors spoil nothing: many disks refuse the
// commands for zeroes, and then zeroes are written.
func (w *Watch) Without(do func() error) error {
	w.Look()
	before := w.read().diskErrors
	err := do()
	w.log.read()
	w.atStart.diskErrors += w.read().diskErrors - before
	return err
}

// End ends the watch and returns the codes of what was seen (result.Document.Spoilers). Ending it again is harmless.
func (w *Watch) End() []string {
	w.Look()
	w.log.close()
	const sinceBoot = 16 // by how many bits the flags that stay set are higher
	now := w.read()
	risen := now.pi &^ w.atStart.pi >> sinceBoot
	w.note(result.Undervoltage, risen&1 != 0)
	w.note(result.Throttled, risen>>1&7 != 0 || now.cpuThrottle > w.atStart.cpuThrottle)
	w.note(result.KernelErrors, now.diskErrors > w.atStart.diskErrors)
	return slices.Sorted(maps.Keys(w.seen))
}

// Seen are the codes of what was seen so far.
func (w *Watch) Seen() []string { return slices.Sorted(maps.Keys(w.seen)) }

func (w *Watch) note(code string, seen bool) {
	if seen {
		w.seen[code] = true
	}
}

func (w *Watch) read() readings {
	now := readings{pi: w.kernel.piFlags(), cpuThrottle: w.kernel.throttleCount()}
	for _, d := range w.disk.modules() {
		now.diskErrors += w.kernel.diskErrors(d)
	}
	return now
}

func (w *Watch) lookAtBus(d Disk, known *bus) {
	var now bus
	if now.mode, now.clockHz = w.kernel.busMode(d); now.clockHz == 0 {
		now.mode = "" // the bus sleeps
	}
	if usb, _ := w.kernel.usbAbove(d); usb != "" {
		now.usbMbitPerS = number(usb, "speed")
	}
	w.note(result.BusChanged, changed(&known.mode, now.mode) || changed(&known.clockHz, now.clockHz) || changed(&known.usbMbitPerS, now.usbMbitPerS))
}

// changed compares what was first known with what is known now, and keeps the first that is known.
func changed[T comparable](first *T, now T) bool {
	var unknown T
	if *first == unknown {
		*first = now
	}
	return now != unknown && now != *first
}
