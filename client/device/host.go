package device

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"flashdex/result"
)

// Host describes the computer that the disk is in.
func (k Kernel) Host(d Disk) result.Host {
	h := result.Host{
		Board:       result.Printable(text(k.Proc, "device-tree/model"), 80),
		Arch:        runtime.GOARCH,
		Kernel:      Keep(text(k.Proc, "sys/kernel/osrelease"), Letters+Digits+".+_~-", 64),
		CPU:         k.cpuModel(),
		CPUs:        runtime.NumCPU(),
		MemoryBytes: k.memory("MemTotal"),
	}
	if h.Board == "" {
		h.Board = result.Printable(text(k.Sys, "class/dmi/id/product_name"), 80)
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
	return h
}

// cpuModel looks through the names that the architectures give the processor's model in /proc/cpuinfo.
func (k Kernel) cpuModel() string {
	data, _ := os.ReadFile(filepath.Join(k.Proc, "cpuinfo"))
	for _, key := range []string{"model name", "cpu model", "Hardware", "cpu", "uarch"} {
		for line := range strings.Lines(string(data)) {
			name, value, ok := strings.Cut(line, ":")
			if value = result.Printable(strings.TrimSpace(value), 80); ok && strings.TrimSpace(name) == key && value != "" {
				return value
			}
		}
	}
	return ""
}

// memory reads one line of /proc/meminfo in bytes; 0 if it isn't there.
func (k Kernel) memory(key string) int64 {
	data, _ := os.ReadFile(filepath.Join(k.Proc, "meminfo"))
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == key+":" {
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// AvailableBytes is the memory that can be used without swapping; 0 on kernels before 3.14, which don't say.
func (k Kernel) AvailableBytes() int64 { return k.memory("MemAvailable") }

// busMode reads the timing and clock that the mmc layer negotiated with the card. Only root can.
func (k Kernel) busMode(d Disk) (mode string, clockHz int64) {
	for _, host := range mmcHosts(d.dir) {
		data, err := os.ReadFile(filepath.Join(k.Sys, "kernel/debug", host, "ios"))
		if err != nil {
			return "", 0
		}
		for line := range strings.Lines(string(data)) {
			key, value, _ := strings.Cut(line, ":")
			switch value = strings.TrimSpace(value); key {
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
