package device

import (
	"path/filepath"
	"strconv"
	"strings"
)

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

// voltageAlarm reads the Raspberry Pi's sensor of the mainline kernel.
func (k Kernel) voltageAlarm() bool {
	for _, sensor := range k.glob("class/hwmon/hwmon*") {
		if text(sensor, "name") == "rpi_volt" && number(sensor, "in0_lcrit_alarm") > 0 {
			return true
		}
	}
	return false
}

// coolsProcessor are the first parts of the names of cooling devices that slow a processor down. Others are fans, or
// Intel's "TCC Offset", which is never 0.
var coolsProcessor = []string{"Processor", "cpufreq-", "thermal-cpufreq-", "thermal-idle-", "idle-"}

// cooling reports whether the kernel slows a processor down because of heat.
func (k Kernel) cooling() bool {
	for _, device := range k.glob("class/thermal/cooling_device*") {
		kind := text(device, "type")
		for _, prefix := range coolsProcessor {
			if strings.HasPrefix(kind, prefix) && number(device, "cur_state") > 0 {
				return true
			}
		}
	}
	return false
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
