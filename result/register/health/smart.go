package health

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Dialects of SMART.
const (
	ATA  = "ata-smart"
	NVMe = "nvme-smart"
)

// attributes names the attributes whose meaning makers agree on, as smartmontools' database calls them for nearly all.
var attributes = map[byte]string{5: "reallocated_sectors", 9: "power_on_hours", 12: "power_cycles"}

// SMART decodes the answer to ATA's command SMART READ DATA, 512 bytes. It is a table of up to 30 attributes of 12
// bytes. ATA/ATAPI-5 8.41.5 leaves the attributes' meaning to each maker; smartmontools knows it by experience. The
// last byte makes the sum of all bytes zero.
func SMART(data []byte) (Health, error) {
	if err := checkAnswer(data); err != nil {
		return Health{}, err
	}
	var total byte
	for _, b := range data {
		total += b
	}
	if total != 0 {
		return Health{}, errors.New("the checksum of the SMART data is wrong")
	}
	const first, attributeBytes, count = 2, 12, 30
	h := Health{Dialect: ATA, Fields: map[string]any{}}
	for i := range count {
		one := data[first+i*attributeBytes:][:attributeBytes]
		if one[0] == 0 {
			continue
		}
		// These are six bytes that makers split as they like. In all attributes that are named here, the lower four are
		// the count.
		raw := int64(binary.LittleEndian.Uint32(one[5:]))
		name := attributes[one[0]]
		if name == "" {
			name = fmt.Sprintf("attribute_%d", one[0])
		}
		h.Fields[name], h.Fields[name+"_value"] = raw, int64(one[3])
	}
	if len(h.Fields) == 0 {
		return Health{}, errors.New("the SMART data list no attribute")
	}
	h.NewBadBlocks, h.PowerCycles = h.whole("reallocated_sectors"), h.whole("power_cycles")
	return h, nil
}

// alarms are the bits of NVMe's critical warning that say that a module fails, lowest first. The others are of heat and
// of a memory that only servers' modules have.
var alarms = []string{0: "its spare blocks are below its maker's threshold", 2: "it is no longer reliable",
	3: "it takes no more writes"}

// NVMeLog decodes the SMART / Health Information log of NVMe (log page 2; NVMe 1.4, 5.14.1.2), 512 bytes.
func NVMeLog(log []byte) (Health, error) {
	if err := checkAnswer(log); err != nil {
		return Health{}, err
	}
	const unitBytes = 512000 // of data read and written
	wide := func(at int) *int64 {
		low, high := binary.LittleEndian.Uint64(log[at:]), binary.LittleEndian.Uint64(log[at+8:])
		if high != 0 || low > math.MaxInt64/unitBytes {
			return nil // more than any module can do
		}
		n := int64(low)
		return &n
	}
	kelvin := int64(binary.LittleEndian.Uint16(log[1:]))
	h := Health{Dialect: NVMe, PowerCycles: wide(112), Fields: map[string]any{
		"critical_warning": int64(log[0]), "composite_temperature_c": kelvin - 273, "available_spare_percent": int64(log[3]),
		"available_spare_threshold_percent": int64(log[4]), "percentage_used": int64(log[5]),
	}}
	if log[3] > 100 || log[4] > 100 {
		return Health{}, fmt.Errorf("the log says that %d %% of the spare blocks are left, so it isn't about health", log[3])
	}
	// 255 stands for 255 and more.
	if h.UsedPercent = between(float64(log[5]), float64(log[5])); log[5] == 255 {
		h.UsedPercent.AtMost = nil
	}
	for name, at := range map[string]int{"data_units_read": 32, "data_units_written": 48, "power_cycles": 112,
		"power_on_hours": 128, "unsafe_shutdowns": 144, "media_errors": 160} {
		if n := wide(at); n != nil {
			h.Fields[name] = *n
		}
	}
	if log[3] > 0 || log[4] > 0 { // without a threshold, a module that tells 0 doesn't count them
		left := int64(log[3])
		h.SparePercent = &left
	}
	var alarm []string
	for bit, says := range alarms {
		if says != "" && log[0]>>bit&1 == 1 {
			alarm = append(alarm, says)
		}
	}
	h.Alarm = strings.Join(alarm, ", ")
	if units := wide(48); units != nil {
		written := *units * unitBytes
		h.WrittenBytes = &written
	}
	return h, nil
}
