package register

import "strconv"

// SSR is the SD Status of an SD card, SD 4.10.2: the maker's promises. 0 means that nothing is promised or defined.
type SSR struct {
	SpeedClass        int   `json:"speed_class"`          // SPEED_CLASS 447:440: linear writing in MB/s, 2, 4, 6 or 10
	UHSSpeedGrade     int   `json:"uhs_speed_grade"`      // UHS_SPEED_GRADE 399:396: 1 is U1, 3 is U3
	VideoSpeedClass   int   `json:"video_speed_class"`    // VIDEO_SPEED_CLASS 391:384: 30 is V30
	ApplicationClass  int   `json:"application_class"`    // APP_PERF_CLASS 339:336: 1 is A1, 2 is A2
	AUBytes           int64 `json:"au_bytes"`             // AU_SIZE 431:428, allocation unit
	UHSAUBytes        int64 `json:"uhs_au_bytes"`         // UHS_AU_SIZE 395:392
	VideoAUBytes      int64 `json:"video_au_bytes"`       // VSC_AU_SIZE 377:368, in MiB
	MoveMBPerS        int   `json:"move_mb_per_s"`        // PERFORMANCE_MOVE 439:432; 255 means without limit
	EraseAUs          int   `json:"erase_aus"`            // ERASE_SIZE 423:408: units erased within the timeout
	EraseTimeoutS     int   `json:"erase_timeout_s"`      // ERASE_TIMEOUT 407:402
	EraseOffsetS      int   `json:"erase_offset_s"`       // ERASE_OFFSET 401:400, added once
	QueueDepth        int   `json:"queue_depth"`          // PERFORMANCE_ENHANCE 335:331, plus 1; 0: no command queue
	Cache             bool  `json:"cache"`                // PERFORMANCE_ENHANCE 330
	Discard           bool  `json:"discard"`              // DISCARD_SUPPORT 313
	FullUserAreaErase bool  `json:"full_user_area_erase"` // FULE_SUPPORT 312
	BusWidth          int   `json:"bus_width"`            // DAT_BUS_WIDTH 511:510: lines in use when it was read: 1 or 4
}

// auBytes decodes AU_SIZE (table in SD 4.10.2). UHS_AU_SIZE uses the codes from 7 on.
var auBytes = [16]int64{
	0, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10,
	1 << 20, 2 << 20, 4 << 20, 8 << 20, 12 << 20, 16 << 20, 24 << 20, 32 << 20, 64 << 20,
}

// ParseSSR reads the SD Status from 128 hex digits. The error is a *LengthError.
func ParseSSR(text string) (SSR, error) {
	b, err := parse("SSR", text, 64)
	if err != nil {
		return SSR{}, err
	}
	s := SSR{
		UHSSpeedGrade:     int(b.field(399, 396)),
		VideoSpeedClass:   int(b.field(391, 384)),
		ApplicationClass:  int(b.field(339, 336)),
		AUBytes:           auBytes[b.field(431, 428)],
		UHSAUBytes:        auBytes[b.field(395, 392)],
		VideoAUBytes:      int64(b.field(377, 368)) << 20,
		MoveMBPerS:        int(b.field(439, 432)),
		EraseAUs:          int(b.field(423, 408)),
		EraseTimeoutS:     int(b.field(407, 402)),
		EraseOffsetS:      int(b.field(401, 400)),
		Cache:             b.flag(330),
		Discard:           b.flag(313),
		FullUserAreaErase: b.flag(312),
		BusWidth:          map[uint64]int{0: 1, 2: 4}[b.field(511, 510)],
	}
	if code := b.field(447, 440); code < 5 {
		s.SpeedClass = [5]int{0, 2, 4, 6, 10}[code]
	}
	if depth := int(b.field(335, 331)); depth > 0 {
		s.QueueDepth = depth + 1
	}
	return s, nil
}

// Classes returns the promises in the spelling that is printed on cards: "Class 10", "U3", "V30", "A2".
func (s SSR) Classes() []string {
	var classes []string
	for _, c := range []struct {
		prefix string
		n      int
	}{{"Class ", s.SpeedClass}, {"U", s.UHSSpeedGrade}, {"V", s.VideoSpeedClass}, {"A", s.ApplicationClass}} {
		if c.n > 0 {
			classes = append(classes, c.prefix+strconv.Itoa(c.n))
		}
	}
	return classes
}
