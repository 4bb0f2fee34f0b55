package health

import (
	"errors"
	"fmt"
)

// Dialects of the answer to CMD56. The SD standard lets each maker use this command as it likes.
const (
	SanDisk   = "sandisk"   // SanDisk and Western Digital
	TwoStep   = "two-step"  // Apacer, Kingston, Longsys and others: one command prepares the answer, another gets it
	ADATA     = "adata"     // Silicon Motion's controllers under ADATA and Transcend
	Transcend = "transcend" // Silicon Motion's controllers under Transcend
	Swissbit  = "swissbit"
	Micron    = "micron"
)

var (
	busWidths  = map[int64]string{0: "1", 0x10: "4"}
	speedModes = map[int64]string{0: "default", 1: "high speed", 0x10: "SDR12", 0x11: "SDR25", 0x12: "SDR50",
		0x14: "DDR50", 0x18: "SDR104"}
	speedClasses = map[int64]string{0: "0", 1: "2", 2: "4", 3: "6", 4: "10"}
	uhsGrades    = map[int64]string{0: "less than 10 MB/s", 1: "10 MB/s and higher", 3: "30 MB/s and higher"}
)

// layout describes the answers of a dialect.
type layout struct {
	signatures []string // the first two bytes; none: it has no signature
	fields     []field
	tell       func(h *Health) error // fills in what the fields tell, or says why they can't be true
}

// The offsets are facts from Ognian/sdmon (src/sdmon.c at 94cda42) and from the dumps in data/health_dumps.csv. sdmon's
// users checked its offsets against their makers' papers.
var layouts = map[string]layout{
	SanDisk: {[]string{"44 53", "44 57"}, []field{
		{name: "manufacture_yymmdd", at: 2, bytes: 6, form: text}, {name: "health_status_percent_used", at: 8, bytes: 1},
		{name: "feature_revision", at: 11, bytes: 1, form: digits}, {name: "generation_identifier", at: 14, bytes: 1},
		{name: "power_on_times", at: 24, bytes: 3}, {name: "product_string", at: 49, bytes: 32, form: text},
	}, sanDisk},
	TwoStep: {nil, []field{
		{name: "flash_id", at: 0, bytes: 9, form: digits}, {name: "ic_version", at: 9, bytes: 2, form: digits},
		{name: "fw_version", at: 11, bytes: 2, form: pair}, {name: "ce_number", at: 14, bytes: 1, form: digits},
		{name: "spare_block_count", at: 16, bytes: 2}, {name: "initial_bad_block_count", at: 32, bytes: 32, form: sum},
		{name: "good_block_rate_percent", at: 64, bytes: 2, form: hundredths}, {name: "total_erase_count", at: 80, bytes: 4},
		{name: "endurance_remain_life_percent", at: 96, bytes: 2, form: hundredths},
		{name: "avg_erase_count", at: 98, bytes: 2, form: split}, {name: "min_erase_count", at: 100, bytes: 2, form: split},
		{name: "max_erase_count", at: 102, bytes: 2, form: split}, {name: "power_up_count", at: 112, bytes: 4},
		{name: "abnormal_power_off_count", at: 128, bytes: 2}, {name: "total_refresh_count", at: 160, bytes: 2},
		{name: "product_marker", at: 176, bytes: 8, form: digits},
		{name: "later_bad_block_count", at: 184, bytes: 32, form: sum},
	}, twoStep},
	ADATA: {[]string{"09 41"}, []field{
		{name: "factory_bad_block_cnt", at: 24, bytes: 2}, {name: "grown_bad_block_cnt", at: 26, bytes: 1},
		{name: "spare_slc_block_cnt", at: 27, bytes: 1}, {name: "spare_block_cnt", at: 30, bytes: 2},
		{name: "data_area_min_erase_cnt", at: 32, bytes: 4}, {name: "data_area_max_erase_cnt", at: 36, bytes: 4},
		{name: "data_area_total_erase_cnt", at: 40, bytes: 4}, {name: "data_area_avg_erase_cnt", at: 44, bytes: 4},
		{name: "system_area_min_erase_cnt", at: 48, bytes: 4}, {name: "system_area_max_erase_cnt", at: 52, bytes: 4},
		{name: "system_area_total_erase_cnt", at: 56, bytes: 4}, {name: "system_area_avg_erase_cnt", at: 60, bytes: 4},
		{name: "raw_capacity_mb", at: 64, bytes: 4}, {name: "pe_cycle_life", at: 68, bytes: 2},
		{name: "remaining_life_percent", at: 70, bytes: 1}, {name: "power_cycle_cnt", at: 76, bytes: 4},
		{name: "flash_id", at: 80, bytes: 7, form: digits}, {name: "controller", at: 88, bytes: 6, form: text},
		{name: "tlc_read_reclaim", at: 96, bytes: 2}, {name: "slc_read_reclaim", at: 98, bytes: 2},
		{name: "firmware_block_refresh", at: 100, bytes: 2}, {name: "tlc_read_threshold", at: 104, bytes: 4},
		{name: "slc_read_threshold", at: 108, bytes: 4}, {name: "fw_version", at: 128, bytes: 6, form: text},
		// The two published values are small and were read from these two bytes.
		{name: "tlc_refresh_cnt", at: 136, bytes: 4}, {name: "slc_refresh_cnt", at: 143, bytes: 2},
	}, percentLeft("remaining_life_percent", "spare_block_cnt", "grown_bad_block_cnt", "data_area_avg_erase_cnt",
		"data_area_max_erase_cnt")},
	Transcend: {[]string{"54 72"}, []field{
		{name: "secured_mode", at: 11, bytes: 1}, {name: "bus_width", at: 16, bytes: 1, codes: busWidths},
		{name: "speed_class", at: 18, bytes: 1, codes: speedClasses},
		{name: "uhs_speed_grade", at: 19, bytes: 1, codes: uhsGrades}, {name: "new_bad_blocks", at: 26, bytes: 1},
		{name: "runtime_spare_blocks", at: 27, bytes: 1}, {name: "abnormal_power_loss", at: 28, bytes: 4, form: little},
		{name: "min_erase_cnt", at: 32, bytes: 4, form: little}, {name: "max_erase_cnt", at: 36, bytes: 4, form: little},
		{name: "avg_erase_cnt", at: 44, bytes: 4, form: little}, {name: "remaining_life_percent", at: 70, bytes: 1},
		{name: "total_write_crc_cnt", at: 72, bytes: 4}, {name: "power_cycle_cnt", at: 76, bytes: 2},
		{name: "flash_id", at: 80, bytes: 6, form: digits}, {name: "controller", at: 87, bytes: 8, form: text},
		{name: "fw_version", at: 128, bytes: 6, form: text},
	}, percentLeft("remaining_life_percent", "runtime_spare_blocks", "new_bad_blocks", "avg_erase_cnt", "max_erase_cnt")},
	Swissbit: {[]string{"53 77"}, []field{
		{name: "fw_version", at: 32, bytes: 16, form: text}, {name: "user_area_rated_cycles", at: 48, bytes: 4},
		{name: "user_area_max_cycle_cnt", at: 52, bytes: 4}, {name: "user_area_total_cycle_cnt", at: 56, bytes: 4},
		{name: "user_area_avg_cycle_cnt", at: 60, bytes: 4}, {name: "system_area_max_cycle_cnt", at: 68, bytes: 4},
		{name: "system_area_total_cycle_cnt", at: 72, bytes: 4}, {name: "system_area_avg_cycle_cnt", at: 76, bytes: 4},
		{name: "remaining_lifetime_percent", at: 80, bytes: 1}, {name: "speed_mode", at: 86, bytes: 1, codes: speedModes},
		{name: "bus_width", at: 87, bytes: 1, codes: busWidths}, {name: "user_area_spare_blocks", at: 88, bytes: 4},
		{name: "system_area_spare_blocks", at: 92, bytes: 4}, {name: "user_area_runtime_bad_blocks", at: 96, bytes: 4},
		{name: "system_area_runtime_bad_blocks", at: 100, bytes: 4}, {name: "user_area_refresh_cnt", at: 104, bytes: 4},
		{name: "system_area_refresh_cnt", at: 108, bytes: 4}, {name: "interface_crc_cnt", at: 112, bytes: 4},
		{name: "power_cycle_cnt", at: 116, bytes: 4},
	}, percentLeft("remaining_lifetime_percent", "user_area_spare_blocks", "user_area_runtime_bad_blocks",
		"user_area_avg_cycle_cnt", "user_area_max_cycle_cnt")},
	// The rest of the only published answer is cut off. It doesn't tell what a step is.
	Micron: {[]string{"4d 45"}, []field{{name: "percentage_step_utilization", at: 7, bytes: 1}},
		func(*Health) error { return nil }},
}

// CMD56 decodes an SD card's answer of 512 bytes in one of the dialects. Its error says why the bytes are no answer.
func CMD56(dialect string, answer []byte) (Health, error) {
	l, known := layouts[dialect]
	if !known {
		return Health{}, fmt.Errorf("there is no dialect %q", dialect)
	}
	if err := checkAnswer(answer); err != nil {
		return Health{}, err
	}
	h := Health{Dialect: dialect, Fields: map[string]any{}}
	if l.signatures != nil {
		begins := field{bytes: 2, form: digits}.read(answer)
		h.Fields["signature"] = begins
		for i, signature := range l.signatures {
			if begins == signature {
				break
			} else if i == len(l.signatures)-1 {
				return Health{}, fmt.Errorf("the answer begins with %s instead of %s", begins, l.signatures[0])
			}
		}
	}
	for _, f := range l.fields {
		h.Fields[f.name] = f.read(answer)
	}
	if err := l.tell(&h); err != nil {
		return Health{}, err
	}
	return h, nil
}

// sanDisk: 1 stands for less than 1 % used, and 100 for 99 % and more.
func sanDisk(h *Health) error {
	if used := *h.whole("health_status_percent_used"); used >= 1 && used < 100 {
		h.UsedPercent = between(float64(used-1), float64(used))
	} else if used == 100 {
		h.UsedPercent = &Range{AtLeast: 99}
	}
	if times := h.whole("power_on_times"); *times > 0 { // older cards don't count them
		h.PowerCycles = times
	}
	return nil
}

// twoStep has no signature. Its counts must agree for the bytes to be an answer.
func twoStep(h *Health) error {
	mean, least, most := *h.whole("avg_erase_count"), *h.whole("min_erase_count"), *h.whole("max_erase_count")
	total := *h.whole("total_erase_count")
	good, left := h.Fields["good_block_rate_percent"].(float64), h.Fields["endurance_remain_life_percent"].(float64)
	switch flash := h.Fields["flash_id"].(string); {
	case flash[:2] == "00" || flash[:2] == "ff":
		return errors.New("the answer names no flash memory, so it isn't about health")
	case good == 0 || good > 100:
		return fmt.Errorf("the answer says that %.2f %% of the blocks are good, so it isn't about health", good)
	case least > mean || mean > most || most > total || most == 0 && total > 0:
		return fmt.Errorf("the answer says that blocks were erased %d times at least, %d on average, %d at most and %d in "+
			"all, so it isn't about health", least, mean, most, total)
	}
	h.UsedPercent = usedOf(left)
	// A card past its rated life told the used life instead of the life left: 453 %. Its mean of 13,590 erases is 453 %
	// of 3,000. Flash memory is rated for 100 to 100,000 erases.
	if rated := float64(mean) / (left / 100); left > 100 && rated >= 100 && rated <= 100e3 {
		h.UsedPercent = between(left, left)
	}
	h.SpareBlocks, h.NewBadBlocks = h.whole("spare_block_count"), h.whole("later_bad_block_count")
	h.MeanErases, h.MaxErases, h.PowerCycles = &mean, &most, h.whole("power_up_count")
	return nil
}

// percentLeft makes the tell function of a dialect that tells the life left. The other figures are in fields of these
// names.
func percentLeft(left, spare, bad, mean, most string) func(h *Health) error {
	return func(h *Health) error {
		h.UsedPercent = usedOf(float64(*h.whole(left)))
		h.SpareBlocks, h.NewBadBlocks, h.PowerCycles = h.whole(spare), h.whole(bad), h.whole("power_cycle_cnt")
		if *h.whole(mean) <= *h.whole(most) {
			h.MeanErases, h.MaxErases = h.whole(mean), h.whole(most)
		}
		return nil
	}
}
