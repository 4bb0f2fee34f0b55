package device

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"flashdex/result"
)

// Watch notes everything that spoils a measurement of a disk. It sees only what the kernel shows to this user.
type Watch struct {
	kernel Kernel
	disk   Disk
	log    *kernelLog

	atStart readings
	speeds  map[string]string // of the connections to each module, and of its queue, as first seen
	seen    map[string]bool
}

// readings are counters that only rise, and the Raspberry Pi's flags that stay set.
type readings struct {
	pi          uint64
	diskErrors  int64
	cpuThrottle int64
}

// Watch begins to watch.
func (k Kernel) Watch(d Disk) *Watch {
	w := &Watch{kernel: k, disk: d, log: k.openLog(d), speeds: map[string]string{}, seen: map[string]bool{}}
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
	for _, code := range w.log.read() { // often, since the kernel keeps only so many lines
		w.note(code, true)
	}
	for _, d := range w.disk.modules() {
		w.note(result.Swap, w.kernel.swapsTo(d))
		w.lookAtBus(d)
	}
}

// Without does something to the disk that is no test, such as making a file system. Errors meanwhile spoil nothing:
// many disks refuse the command to write zeroes, and the kernel then writes them itself.
func (w *Watch) Without(do func() error) error {
	w.Look()
	before := w.read().diskErrors
	err := do()
	w.log.read()
	w.atStart.diskErrors += w.read().diskErrors - before
	return err
}

// End ends the watch and returns the codes of everything it saw (result.Document.Spoilers). A second call is harmless.
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

// Seen returns the codes of everything it saw so far.
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

// lookAtBus compares the speeds of a module's connections and the use of its queue with their first values.
func (w *Watch) lookAtBus(d Disk) {
	now := map[string]string{}
	if mode, clockHz := w.kernel.busMode(d); clockHz > 0 { // otherwise the bus sleeps
		now["mode"], now["clock"] = mode, fmt.Sprint(clockHz)
	}
	now["queue"] = d.commandQueue()
	if usb, _ := w.kernel.usbAbove(d); usb != "" && number(usb, "speed") > 0 {
		now["usb"] = text(usb, "speed")
	}
	for of, speed := range now {
		first := cmp.Or(w.speeds[d.Name+of], speed)
		w.speeds[d.Name+of] = first
		w.note(result.BusChanged, speed != "" && speed != first)
	}
}

// swapsTo reports whether the disk, a partition or a file on it is swap space, be it through LVM, RAID or the like.
func (k Kernel) swapsTo(d Disk) bool {
	return slices.ContainsFunc(k.swaps(), func(name string) bool {
		dir := k.swapDevice(name)
		return dir != "" && slices.Contains(k.above(d.dir, 0), dir)
	})
}

// swapDevice finds the directory in /sys of a swap space's block device, or of the device that a swap file is on. It
// returns "" if there is none.
func (k Kernel) swapDevice(name string) string {
	if dir := k.named(name); dir != "" {
		return dir
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	if dir, err := k.block(deviceNumber(uint64(info.Sys().(*syscall.Stat_t).Dev))); err == nil {
		return dir
	}
	m, _ := k.mountOf(name) // btrfs gives its files a device number of its own
	return k.named(m.source)
}

// piFlags returns the power and heat flags of a Raspberry Pi's firmware, and 0 elsewhere. Bit 0 is undervoltage, 1
// frequency capped, 2 throttled, 3 soft temperature limit. Bits 16 to 19 are the same since the start.
func (k Kernel) piFlags() uint64 {
	var flags uint64
	for _, file := range k.glob("devices/platform/soc*/soc*:firmware/get_throttled") {
		n, _ := strconv.ParseUint(strings.TrimPrefix(text(file), "0x"), 16, 32)
		flags |= n
	}
	return flags
}

// voltageAlarm reads the sensor that the mainline kernel has for a Raspberry Pi.
func (k Kernel) voltageAlarm() bool {
	return slices.ContainsFunc(k.glob("class/hwmon/hwmon*"), func(sensor string) bool {
		return text(sensor, "name") == "rpi_volt" && number(sensor, "in0_lcrit_alarm") > 0
	})
}

// coolsProcessor lists how the types of cooling devices that slow a processor down begin. Fans and Intel's "TCC Offset"
// don't slow it down.
var coolsProcessor = []string{"Processor", "cpufreq-", "thermal-cpufreq-", "thermal-idle-", "idle-"}

// cooling reports whether the kernel slows a processor down because of heat.
func (k Kernel) cooling() bool {
	return slices.ContainsFunc(k.glob("class/thermal/cooling_device*"), func(device string) bool {
		kind := text(device, "type")
		begins := func(prefix string) bool { return strings.HasPrefix(kind, prefix) }
		return slices.ContainsFunc(coolsProcessor, begins) && number(device, "cur_state") > 0
	})
}

// throttleCount adds up how often Intel processors slowed themselves down since the computer started.
func (k Kernel) throttleCount() int64 {
	var count int64
	for _, file := range k.glob("devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count") {
		count += number(file)
	}
	return count
}

func (k Kernel) glob(pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(k.Sys, pattern))
	return files
}
