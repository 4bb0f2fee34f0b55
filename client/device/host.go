package device

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"flashdex/result"
)

// Host describes the computer that the disk is in.
func (k Kernel) Host(d Disk) result.Host {
	h := result.Host{
		Board:       result.Printable(text(k.Proc, "device-tree/model"), 80),
		Arch:        runtime.GOARCH,
		Kernel:      Keep(text(k.Proc, "sys/kernel/osrelease"), Letters+Digits+".+_~-", 64),
		CPU:         k.processor("model name", "cpu model", "Hardware", "cpu", "uarch"), // one of each architecture
		CPUs:        runtime.NumCPU(),
		MemoryBytes: k.memory("MemTotal"),
	}
	if h.Board == "" {
		h.Board = result.Printable(text(k.Sys, "class/dmi/id/product_name"), 80)
	}
	if h.Board == "" { // a container sees no device tree, but Raspberry Pi's kernels name the board here, too
		h.Board = k.processor("Model")
	}
	var names syscall.Utsname
	if syscall.Uname(&names) == nil {
		var machine strings.Builder
		for _, c := range names.Machine {
			if c == 0 {
				break
			}
			machine.WriteByte(byte(c))
		}
		h.Arch = Keep(strings.ToLower(machine.String()), lower+Digits+"_", 16)
	}
	h.BusMode, h.BusClockHz = k.busMode(d)
	h.CommandQueue = d.commandQueue()
	return h
}

// processor returns the value of the first of these names that /proc/cpuinfo has.
func (k Kernel) processor(keys ...string) string {
	for _, key := range keys {
		for name, value := range settings(k.Proc, "cpuinfo") {
			if said := result.Printable(value, 80); name == key && said != "" {
				return said
			}
		}
	}
	return ""
}

// memory reads a line of /proc/meminfo in bytes. It returns 0 if there is none.
func (k Kernel) memory(key string) int64 {
	for name, value := range settings(k.Proc, "meminfo") {
		if name == key {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(value, " kB"), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// AvailableBytes is the memory that programs can use without swapping, or 0 before Linux 3.14.
func (k Kernel) AvailableBytes() int64 { return k.memory("MemAvailable") }

// busMode reads the timing and the clock that the mmc layer negotiated with the card. Only root can.
func (k Kernel) busMode(d Disk) (mode string, clockHz int64) {
	for _, host := range numbered(d.dir, "mmc") {
		for key, value := range settings(k.Sys, "kernel/debug", host, "ios") {
			switch key {
			case "clock", "actual clock": // the actual clock comes second, and only if it is known
				if hz, _ := strconv.ParseInt(strings.TrimSuffix(value, " Hz"), 10, 64); hz > 0 {
					clockHz = hz
				}
			case "timing spec": // 2 (sd high-speed)
				if _, name, ok := strings.Cut(value, "("); ok {
					mode = result.Printable(strings.TrimSuffix(name, ")"), 80)
				}
			}
		}
	}
	return mode, clockHz
}

// commandQueue says whether the kernel uses the card's command queue. It returns "" where the kernel doesn't show that.
//
// For an eMMC, cmdq_en shows it since Linux 4.12. Only some kernels use the queue of an SD card (Raspberry Pi's since
// 6.6). For an SD card, the number of the block device's tags shows it: since Linux 4.16 the mmc layer takes as many
// tags as the card's queue is deep, at most 32, and without the queue always 64 (mmc_init_queue in
// drivers/mmc/core/queue.c). Every user may read both files.
func (d Disk) commandQueue() string {
	const tagsWithout, mostTagsWith = 64, 32
	tags := number(d.dir, "mq/0/nr_tags")
	switch enabled := text(d.dir, "device/cmdq_en"); {
	case !strings.HasPrefix(d.Name, "mmcblk"):
		return ""
	case enabled == "1" || enabled == "" && tags > 1 && tags <= mostTagsWith:
		return result.QueueOn
	case enabled == "0" || enabled == "" && tags == tagsWithout:
		return result.QueueOff
	}
	return ""
}

// CPU is processor time since the computer started.
type CPU struct {
	All   time.Duration // of all processors, idle time included
	Other time.Duration // of programs other than this one and its children, other virtual machines included
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every platform of the client.
const tick = 10 * time.Millisecond

// CPU reads the processor time. Interrupts and kernel threads serve the module, and don't count as other programs.
// Where kernel threads are hidden, as in a container, no time in the kernel counts, since their share of it isn't
// known.
func (k Kernel) CPU() CPU {
	line, _, _ := strings.Cut(text(k.Proc, "stat"), "\n")
	threads, shown := k.kernelThreads()
	var c CPU
	for i, field := range strings.Fields(line) { // cpu user nice system idle iowait irq softirq steal guest guest_nice
		if i < 1 || i > 8 {
			continue
		}
		n, _ := strconv.ParseInt(field, 10, 64)
		c.All += time.Duration(n) * tick
		if i <= 2 || i == 3 && shown || i == 8 {
			c.Other += time.Duration(n) * tick
		}
	}
	c.Other -= threads
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			c.Other -= time.Duration(usage.Utime.Nano())
			if shown {
				c.Other -= time.Duration(usage.Stime.Nano())
			}
		}
	}
	return c
}

// kernelThreads adds up the time of all kernel threads, if any is shown.
func (k Kernel) kernelThreads() (spent time.Duration, shown bool) {
	const kernelThread = 0x00200000 // PF_KTHREAD
	files, _ := filepath.Glob(filepath.Join(k.Proc, "[0-9]*/stat"))
	var ticks int64
	for _, file := range files {
		_, rest, _ := strings.Cut(text(file), ") ")
		fields := strings.Fields(rest) // from the third field of proc_pid_stat(5) on
		if len(fields) < 13 {
			continue
		}
		if flags, _ := strconv.ParseUint(fields[6], 10, 64); flags&kernelThread != 0 {
			user, _ := strconv.ParseInt(fields[11], 10, 64)
			system, _ := strconv.ParseInt(fields[12], 10, 64)
			ticks += user + system
			shown = true
		}
	}
	return time.Duration(ticks) * tick, shown
}
