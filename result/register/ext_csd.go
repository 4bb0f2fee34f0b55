package register

import (
	"encoding/binary"
	"fmt"
)

// ExtCSD is what the extended register of an eMMC says of size, speed and wear, JESD84-B51 7.4; the byte's number stands
// in brackets. The kernel shows it to root only, in debugfs.
type ExtCSD struct {
	Revision          int      `json:"revision"`            // EXT_CSD_REV [192]
	SpecVersion       string   `json:"spec_version"`        // by the revision: "5.1"
	CapacityBytes     int64    `json:"capacity_bytes"`      // SEC_COUNT [215:212], of 512 bytes
	Modes             []string `json:"modes"`               // DEVICE_TYPE [196] and STROBE_SUPPORT [184]: bus modes that it can do
	CacheBytes        int64    `json:"cache_bytes"`         // CACHE_SIZE [252:249], in KiB
	QueueDepth        int      `json:"queue_depth"`         // CMDQ_SUPPORT [308], CMDQ_DEPTH [307] and one; 0: no command queue
	EraseBytes        int64    `json:"erase_bytes"`         // HC_ERASE_GRP_SIZE [224], in 512 KiB
	EraseTimeoutMS    int      `json:"erase_timeout_ms"`    // ERASE_TIMEOUT_MULT [223], in 300 ms
	BootBytes         int64    `json:"boot_bytes"`          // BOOT_SIZE_MULT [226], in 128 KiB, each of two areas
	RPMBBytes         int64    `json:"rpmb_bytes"`          // RPMB_SIZE_MULT [168], in 128 KiB
	OptimalReadBytes  int64    `json:"optimal_read_bytes"`  // OPTIMAL_READ_SIZE [266], in 4 KiB
	OptimalWriteBytes int64    `json:"optimal_write_bytes"` // OPTIMAL_WRITE_SIZE [265], in 4 KiB
	LifeUsedPercentA  int      `json:"life_used_percent_a"` // DEVICE_LIFE_TIME_EST_TYP_A [268]: upper end of its tenth; 0: not told, 110: exceeded
	LifeUsedPercentB  int      `json:"life_used_percent_b"` // DEVICE_LIFE_TIME_EST_TYP_B [269]
	EndOfLife         string   `json:"end_of_life"`         // PRE_EOL_INFO [267]: normal, warning, urgent; empty: not told
}

var extCSDVersions = map[byte]string{
	0: "4.0", 1: "4.1", 2: "4.2", 3: "4.3", 5: "4.41", 6: "4.5 or 4.51", 7: "5.0 or 5.01", 8: "5.1", 9: "5.1A or 5.1B",
}

var extCSDModes = []string{"HS26", "HS52", "DDR52 1.8 V or 3 V", "DDR52 1.2 V", "HS200 1.8 V", "HS200 1.2 V", "HS400 1.8 V", "HS400 1.2 V"}

// ParseExtCSD reads the EXT_CSD from 1,024 hex digits, byte 0 first, as debugfs shows it. The error is a *LengthError. The
// maker's own bytes are left out: they may hold anything.
func ParseExtCSD(text string) (ExtCSD, error) {
	b, err := parse("EXT_CSD", text, 512)
	if err != nil {
		return ExtCSD{}, err
	}
	e := ExtCSD{
		Revision:          int(b[192]),
		SpecVersion:       extCSDVersions[b[192]],
		CapacityBytes:     int64(binary.LittleEndian.Uint32(b[212:])) * 512,
		CacheBytes:        int64(binary.LittleEndian.Uint32(b[249:])) << 10,
		EraseBytes:        int64(b[224]) << 19,
		EraseTimeoutMS:    int(b[223]) * 300,
		BootBytes:         int64(b[226]) << 17,
		RPMBBytes:         int64(b[168]) << 17,
		OptimalReadBytes:  int64(b[266]) << 12,
		OptimalWriteBytes: int64(b[265]) << 12,
		LifeUsedPercentA:  lifeUsed(b[268]),
		LifeUsedPercentB:  lifeUsed(b[269]),
		EndOfLife:         map[byte]string{1: "normal", 2: "warning", 3: "urgent"}[b[267]],
	}
	if e.SpecVersion == "" {
		e.SpecVersion = fmt.Sprintf("reserved (%d)", e.Revision)
	}
	for i, mode := range extCSDModes {
		if b[196]>>i&1 == 1 {
			e.Modes = append(e.Modes, mode)
		}
	}
	if b[184] == 1 {
		e.Modes = append(e.Modes, "HS400 enhanced strobe")
	}
	if b[308]&1 == 1 {
		e.QueueDepth = int(b[307]&31) + 1
	}
	return e, nil
}

// lifeUsed reads codes 1 to 10 as tenths of the life used up, 11 as more than all of it.
func lifeUsed(code byte) int {
	if code > 11 {
		return 0
	}
	return int(code) * 10
}
