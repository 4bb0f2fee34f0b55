package device

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// CPU is processor time since the computer started.
type CPU struct {
	All   time.Duration // of all processors, idle time included
	Other time.Duration // what programs other than this one and its children took, other virtual machines included
}

// Since returns the processor time after earlier.
func (c CPU) Since(earlier CPU) CPU {
	return CPU{All: c.All - earlier.All, Other: c.Other - earlier.Other}
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every platform that the client is built for.
const tick = 10 * time.Millisecond

// CPU reads the processor time. Interrupts and the kernel's own threads are not other programs: on a slow computer it
// is they who serve the module.
func (k Kernel) CPU() CPU {
	line, _, _ := strings.Cut(text(k.Proc, "stat"), "\n")
	var c CPU
	for i, field := range strings.Fields(line) { // cpu user nice system idle iowait irq softirq steal guest guest_nice
		n, _ := strconv.ParseInt(field, 10, 64)
		spent := time.Duration(n) * tick
		switch i {
		case 1, 2, 3, 8:
			c.Other += spent
			c.All += spent
		case 4, 5, 6, 7:
			c.All += spent
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

// kernelThreads adds up the time of all processes that the kernel marks as its own threads.
func (k Kernel) kernelThreads() time.Duration {
	const kernelThread = 0x00200000 // PF_KTHREAD
	entries, _ := os.ReadDir(k.Proc)
	var ticks int64
	for _, entry := range entries {
		if entry.Name()[0] < '0' || entry.Name()[0] > '9' {
			continue
		}
		stat := text(k.Proc, filepath.Join(entry.Name(), "stat"))
		_, rest, _ := strings.Cut(stat, ") ")
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
