package health

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// EMMC is the dialect of eMMC's health in its EXT_CSD register.
const EMMC = "emmc"

// Lifetime decodes an eMMC's life time estimates of type A and B, and its pre-EOL information, JESD84-B51 7.4.20 to
// 7.4.22. An estimate of 1 to 10 is the tenth of its life that the memory has begun, 11 is past the end, and 0 isn't
// told. Type A is for the memory that keeps fewer bits in a cell, if the eMMC has any. The more worn memory decides.
func Lifetime(a, b, preEOL byte) (Health, error) {
	h := Health{Dialect: EMMC, Fields: map[string]any{
		"life_time_a": int64(a), "life_time_b": int64(b), "pre_eol_info": int64(preEOL),
	}}
	const past = 11
	worst := max(a, b)
	switch {
	case worst > past || preEOL > 3:
		return Health{}, fmt.Errorf("the module tells estimates of 0x%02x and 0x%02x and pre-EOL information of 0x%02x, "+
			"which eMMC doesn't define", a, b, preEOL)
	case worst == 0 && preEOL == 0:
		return Health{}, errors.New("the module defines neither its estimates nor its pre-EOL information")
	case worst == past:
		h.UsedPercent = &Range{AtLeast: 100}
	case worst > 0:
		h.UsedPercent = between(float64(worst-1)*10, float64(worst)*10)
	}
	h.PreEOL = [...]string{"", "normal", "warning", "urgent"}[preEOL]
	return h, nil
}

// ExtCSD decodes the health in an eMMC's EXT_CSD register of 512 bytes. The register has it from revision 7 (eMMC 5.0)
// on.
func ExtCSD(register []byte) (Health, error) {
	if err := checkAnswer(register); err != nil {
		return Health{}, err
	}
	const revision, preEOL, typeA, typeB, first = 192, 267, 268, 269, 7
	if register[revision] < first {
		return Health{}, fmt.Errorf("its EXT_CSD register is of revision %d; modules tell their health from %d, eMMC 5.0, on",
			register[revision], first)
	}
	return Lifetime(register[typeA], register[typeB], register[preEOL])
}

// Sysfs decodes an eMMC's health as Linux shows it: life_time ("0x01 0x02") and pre_eol_info ("0x01").
func Sysfs(lifeTime, preEOL string) (Health, error) {
	var values [3]byte
	words := append(strings.Fields(lifeTime), strings.Fields(preEOL)...)
	none := fmt.Errorf("the kernel shows a life time of %.40q and pre-EOL information of %.40q", lifeTime, preEOL)
	if len(words) != len(values) {
		return Health{}, none
	}
	for i, word := range words {
		value, err := strconv.ParseUint(word, 0, 8)
		if err != nil {
			return Health{}, none
		}
		values[i] = byte(value)
	}
	return Lifetime(values[0], values[1], values[2])
}
