package device

import (
	"path/filepath"
	"strconv"
	"strings"
)

// piFlags are what a Raspberry Pi's firmware says of its power and heat: bit 0 undervoltage, 1 frequency capped, 2
// throttled, 3 soft temperature limit; bits 16 to 19 the same since it started. 0 elsewhere.
func (k Kernel) piFlags() uint64 {
	var flags uint64
	for _, file := range k.glob("devices/platform/soc*/soc*:firmware/get_throttled") {
		n, _ := strconv.ParseUint(strings.TrimPrefix(text(file), "0x"), 16, 32)
		flags |= n
	}
	return flags
}

// voltageAlarm is the Raspberry Pi's sensor of the mainline kernel.
func (k Kernel) voltageAlarm() bool {
	for _, sensor := range k.glob("class/hwmon/hwmon*") {
		if text(sensor, "name") == "rpi_volt" && number(sensor, "in0_lcrit_alarm") > 0 {
			return true
		}
	}
	return false
}

// coolsProcessor are the beginnings of the names of cooling devices that slow a processor down. Others are fans, or
// Intel's "TCC Offset", which is never 0.
var coolsProcessor = []string{"Processor", "cpufreq-", "thermal-cpufreq-", "thermal-idle-", "idle-"}

// cooling says whether the kernel slows a processor down because of heat.
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

// throttleCount is how often Intel processors slowed themselves down since the computer started, added up.
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
