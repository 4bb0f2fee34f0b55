package device

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// CPU is processor time since the computer started.
type CPU struct {
	All   time.Duration // of all processors, idle time included
	Other time.Duration // of programs other than this one and its children, other virtual machines included
}

// Since returns the processor time after earlier.
func (c CPU) Since(earlier CPU) CPU {
	return CPU{All: c.All - earlier.All, Other: c.Other - earlier.Other}
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every platform of the client.
const tick = 10 * time.Millisecond

// CPU reads the processor time. Interrupts and kernel threads don't count as other programs: on a slow computer they
// serve the module.
func (k Kernel) CPU() CPU {
	line, _, _ := strings.Cut(text(k.Proc, "stat"), "\n")
	var c CPU
	for i, field := range strings.Fields(line) { // cpu user nice system idle iowait irq softirq steal guest guest_nice
		if i < 1 || i > 8 {
			continue
		}
		n, _ := strconv.ParseInt(field, 10, 64)
		c.All += time.Duration(n) * tick
		if i <= 3 || i == 8 {
			c.Other += time.Duration(n) * tick
		}
	}
	c.Other -= k.kernelThreads()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			c.Other -= time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return c
}

// kernelThreads adds up the time of all kernel threads.
func (k Kernel) kernelThreads() time.Duration {
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
		}
	}
	return time.Duration(ticks) * tick
}
