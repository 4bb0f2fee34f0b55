package device

import (
	"maps"
	"os"
	"slices"
	"syscall"

	"flashdex/result"
)

// Watch notes everything that spoils a measurement of a disk. It sees only what the kernel shows to this user.
type Watch struct {
	kernel Kernel
	disk   Disk
	log    *kernelLog

	atStart readings
	buses   []bus // of each module, as first seen
	seen    map[string]bool
}

// readings are counters that only rise, and the Raspberry Pi's flags that stay set.
type readings struct {
	pi          uint64
	diskErrors  int64
	cpuThrottle int64
}

// bus is the speed of the connection to the module. A zero value is not known.
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

// Look notes passing states. It takes about a millisecond; don't call it while something is timed.
func (w *Watch) Look() {
	const undervoltage, throttled = 1 << 0, 1<<1 | 1<<2 | 1<<3 // at this time
	pi := w.kernel.piFlags()
	w.note(result.Undervoltage, pi&undervoltage != 0 || w.kernel.voltageAlarm())
	w.note(result.Throttled, pi&throttled != 0 || w.kernel.cooling())
	w.note(result.KernelErrors, w.log.read()) // often, since the kernel keeps only so many lines
	for i, d := range w.disk.modules() {
		w.note(result.Swap, w.kernel.swapsTo(d))
		w.lookAtBus(d, &w.buses[i])
	}
}

// Without does something to the disk that is no test, such as making a file system. Its errors spoil nothing: many
// disks refuse the command to write zeroes, and the kernel then writes them itself.
func (w *Watch) Without(do func() error) error {
	w.Look()
	before := w.read().diskErrors
	err := do()
	w.log.read()
	w.atStart.diskErrors += w.read().diskErrors - before
	return err
}

// End ends the watch and returns the codes of what it saw (result.Document.Spoilers). A second call is harmless.
func (w *Watch) End() []string {
	w.Look()
	w.log.close()
	const sinceBoot = 16 // the first of the flags that stay set
	now := w.read()
	risen := now.pi &^ w.atStart.pi >> sinceBoot
	w.note(result.Undervoltage, risen&1 != 0)
	w.note(result.Throttled, risen>>1&7 != 0 || now.cpuThrottle > w.atStart.cpuThrottle)
	w.note(result.KernelErrors, now.diskErrors > w.atStart.diskErrors)
	return slices.Sorted(maps.Keys(w.seen))
}

// Seen returns the codes of what it saw so far.
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
	w.note(result.BusChanged, changed(&known.mode, now.mode) || changed(&known.clockHz, now.clockHz) ||
		changed(&known.usbMbitPerS, now.usbMbitPerS))
}

// changed reports whether now differs from the first known value, which it keeps.
func changed[T comparable](first *T, now T) bool {
	var unknown T
	if *first == unknown {
		*first = now
	}
	return now != unknown && now != *first
}

// swapsTo reports whether swap space is on the disk: the disk itself, a partition, a file, or any of these through LVM,
// RAID, encryption or a loop device.
func (k Kernel) swapsTo(d Disk) bool {
	return slices.ContainsFunc(k.swaps(), func(name string) bool {
		dir := k.swapDevice(name)
		return dir != "" && slices.Contains(k.above(d.dir, 0), dir)
	})
}

// swapDevice finds the directory in /sys of the block device that swap space is, or that its file is on, or "".
func (k Kernel) swapDevice(name string) string {
	if dir := k.named(name); dir != "" {
		return dir
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	if dir := k.blockOf(uint64(info.Sys().(*syscall.Stat_t).Dev)); dir != "" {
		return dir
	}
	m, _ := k.mountOf(name) // btrfs gives its files a device number of its own
	return k.named(m.source)
}
