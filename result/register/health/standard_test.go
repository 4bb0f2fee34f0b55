package health_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"flashdex/result/register/health"

	"github.com/google/go-cmp/cmp"
)

func TestLifetimeOfEMMC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b, preEOL byte
		want, refuse string
	}{
		{a: 0, b: 0, preEOL: 0, refuse: "defines neither"},
		{a: 0, b: 0, preEOL: 1, want: "- normal"},
		{a: 1, b: 1, preEOL: 1, want: "0-10 normal"},
		{a: 1, b: 3, preEOL: 1, want: "20-30 normal"},
		{a: 10, b: 2, preEOL: 2, want: "90-100 warning"},
		{a: 2, b: 11, preEOL: 3, want: "100- urgent"},
		{a: 12, b: 1, preEOL: 1, refuse: "0x0c and 0x01"},
		{a: 1, b: 1, preEOL: 4, refuse: "0x04"},
	} {
		register := make([]byte, 512)
		register[192], register[267], register[268], register[269] = 8, c.preEOL, c.a, c.b
		h, err := health.ExtCSD(register)
		shown, shownErr := health.Sysfs(fmt.Sprintf("0x%02x 0x%02x\n", c.a, c.b), fmt.Sprintf("0x%02x", c.preEOL))
		if diff := cmp.Diff(h, shown); diff != "" || fmt.Sprint(err) != fmt.Sprint(shownErr) {
			t.Errorf("%+v: %v and %v: %s", c, err, shownErr, diff)
		}
		got := "-"
		if r := h.UsedPercent; r != nil {
			if got = fmt.Sprintf("%v-", r.AtLeast); r.AtMost != nil {
				got += fmt.Sprint(*r.AtMost)
			}
		}
		if got += " " + h.PreEOL; c.refuse == "" && (err != nil || got != c.want) {
			t.Errorf("%+v: %q, %v", c, got, err)
		} else if c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	old := make([]byte, 512)
	old[192] = 6
	if _, err := health.ExtCSD(old); err == nil || !strings.Contains(err.Error(), "revision 6") {
		t.Error(err)
	}
	for _, shown := range [][2]string{{}, {"0x01", "0x01"}, {"0x01 0x02 0x03", "0x01"}, {"0x01 0x100", "0x01"}, {"1 b", "1"}} {
		if h, err := health.Sysfs(shown[0], shown[1]); err == nil {
			t.Errorf("%q is %+v", shown, h)
		}
	}
}

// An eMMC's tenth of life is never taken for more than it says: 0x08 is 70 to 80 %.
func TestStageOfAModule(t *testing.T) {
	t.Parallel()
	for told, want := range map[[2]string]string{
		{"0x08 0x01", "0x01"}: "0 true",
		{"0x00 0x00", "0x01"}: "0 true",
		{"0x09 0x01", "0x01"}: "1 true",
		{"0x01 0x0a", "0x01"}: "1 true",
		{"0x0b 0x01", "0x01"}: "2 true",
		{"0x01 0x01", "0x02"}: "2 true",
		{"0x01 0x01", "0x03"}: "2 true",
	} {
		h, err := health.Sysfs(told[0], told[1])
		if stage, known := h.Stage(); err != nil || fmt.Sprint(stage, known) != want {
			t.Errorf("%q: stage %d, %t, want %s, %v", told, stage, known, want, err)
		}
	}
	if _, known := (health.Health{}).Stage(); known {
		t.Error("a module that tells neither its life nor its spare blocks has a stage")
	}
	left := 453.0
	if stage, _ := (health.Health{UsedPercent: &health.Range{AtLeast: left, AtMost: &left}}).Stage(); stage != 2 {
		t.Errorf("453 %% used: stage %d", stage)
	}
}

// general is a page of general information with these extensions. Each has 48 bytes.
func general(codes ...uint16) []byte {
	page := make([]byte, 512)
	page[2], page[4] = byte(16+48*len(codes)), byte(len(codes))
	for i, code := range codes {
		one := page[16+48*i:]
		binary.LittleEndian.PutUint16(one, code)
		copy(one[6:], "Maker")
		copy(one[22:], fmt.Sprintf("Function %d", i))
		if i < len(codes)-1 {
			binary.LittleEndian.PutUint16(one[40:], uint16(16+48*(i+1)))
		}
		one[42] = 1
		binary.LittleEndian.PutUint32(one[44:], uint32(i+1)<<18|uint32(i)<<9|5)
	}
	return page
}

func TestFunctionsOfSD6(t *testing.T) {
	t.Parallel()
	all, err := health.Functions(general(1, 2, 0))
	want := []health.Function{{1, "Function 0", "Maker", 5, 1}, {2, "Function 1", "Maker", 1<<9 | 5, 2},
		{0, "Function 2", "Maker", 2<<9 | 5, 3}}
	if diff := cmp.Diff(want, all); err != nil || diff != "" {
		t.Error(err, diff)
	}
	loop := general(1, 2)
	binary.LittleEndian.PutUint16(loop[16+40:], 16)
	many := general(1, 2)
	many[4] = 200
	for at := 16; at+50 < len(many); at += 2 {
		binary.LittleEndian.PutUint16(many[at+40:], uint16(at+2))
	}
	outside := general(1, 2)
	binary.LittleEndian.PutUint16(outside[16+40:], 480)
	later, long := general(1), general(1)
	later[0], long[3] = 1, 3
	for _, page := range [][]byte{nil, make([]byte, 512), loop, many, outside, later, long} {
		if all, err := health.Functions(page); err == nil {
			t.Errorf("%.80x lists %+v", page, all)
		}
	}
	registers := make([]byte, 512)
	registers[1], registers[2], registers[4], registers[6] = 0x11, 2, 1, 31
	power, err := health.Abilities(health.PowerManagement, registers)
	if diff := cmp.Diff(map[string]any{"power_off_notification": true, "power_sustenance": false, "power_down_mode": false},
		power); err != nil || diff != "" {
		t.Error(err, diff)
	}
	performance, err := health.Abilities(health.PerformanceEnhancement, registers)
	if diff := cmp.Diff(map[string]any{"event_notification": true, "card_maintenance": false, "host_maintenance": true,
		"cache": true, "queue_depth": int64(32)}, performance); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := health.Abilities(0, registers); err == nil {
		t.Error("a function that isn't public was read")
	}
}

// smart is the answer to SMART READ DATA with these attributes: id, value and count.
func smart(attributes ...[3]int) []byte {
	data := make([]byte, 512)
	data[0] = 1
	for i, a := range attributes {
		one := data[2+12*i:]
		one[0], one[3] = byte(a[0]), byte(a[1])
		binary.LittleEndian.PutUint32(one[5:], uint32(a[2]))
	}
	for _, b := range data[:511] {
		data[511] -= b
	}
	return data
}

func TestSMARTOfCompactFlash(t *testing.T) {
	t.Parallel()
	data := smart([3]int{9, 100, 1234}, [3]int{12, 99, 56}, [3]int{5, 98, 7}, [3]int{229, 100, 3})
	h, err := health.SMART(data)
	want := map[string]any{"power_on_hours": int64(1234), "power_on_hours_value": int64(100), "power_cycles": int64(56),
		"power_cycles_value": int64(99), "reallocated_sectors": int64(7), "reallocated_sectors_value": int64(98),
		"attribute_229": int64(3), "attribute_229_value": int64(100)}
	if diff := cmp.Diff(want, h.Fields); err != nil || diff != "" || *h.PowerCycles != 56 || *h.NewBadBlocks != 7 {
		t.Error(err, diff)
	}
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		if _, err := health.SMART(data); err == nil {
			t.Errorf("bit %d was flipped, and nobody saw it", bit)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	if _, err := health.SMART(smart()); err == nil {
		t.Error("a table without attributes was taken")
	}
}

func TestLogOfSDExpress(t *testing.T) {
	t.Parallel()
	log := make([]byte, 512)
	log[0], log[1], log[2], log[3], log[4], log[5] = 4, 0x36, 1, 97, 10, 3 // 310 K
	for at, n := range map[int]uint64{32: 10, 48: 2000, 112: 17, 128: 99, 144: 5, 160: 1} {
		binary.LittleEndian.PutUint64(log[at:], n)
	}
	h, err := health.NVMeLog(log)
	want := map[string]any{"critical_warning": int64(4), "composite_temperature_c": int64(37),
		"available_spare_percent": int64(97), "available_spare_threshold_percent": int64(10), "percentage_used": int64(3),
		"data_units_read": int64(10), "data_units_written": int64(2000), "power_cycles": int64(17), "power_on_hours": int64(99),
		"unsafe_shutdowns": int64(5), "media_errors": int64(1)}
	if diff := cmp.Diff(want, h.Fields); err != nil || diff != "" || *h.WrittenBytes != 2000*512000 || *h.PowerCycles != 17 ||
		h.UsedPercent.AtLeast != 3 || *h.UsedPercent.AtMost != 3 || *h.SparePercent != 97 {
		t.Error(err, diff)
	}
	log[5], log[56] = 255, 1
	if h, err := health.NVMeLog(log); err != nil || h.UsedPercent.AtMost != nil || h.WrittenBytes != nil {
		t.Errorf("%+v, %v", h, err)
	}
	if log[3] = 101; err == nil {
		if h, err := health.NVMeLog(log); err == nil {
			t.Errorf("%+v", h)
		}
	}
}

// NVMe's own alarm goes before what it tells of its life. Heat is no wear, and neither is a fault of the memory that
// saves data from power cuts.
func TestAlarmOfSDExpress(t *testing.T) {
	t.Parallel()
	const spare, unreliable, readOnly = "its spare blocks are below its maker's threshold", "it is no longer reliable",
		"it takes no more writes"
	for warning, want := range map[byte]string{0: "", 1: spare, 2: "", 4: unreliable, 8: readOnly, 16: "",
		1 | 8: spare + ", " + readOnly} {
		log := make([]byte, 512)
		log[0], log[3], log[4], log[5] = warning, 5, 10, 3
		stage := health.StageNone
		if want != "" {
			stage = health.StageChange
		}
		h, err := health.NVMeLog(log)
		if got, known := h.Stage(); err != nil || h.Alarm != want || got != stage || !known {
			t.Errorf("warning %#x: %q, stage %d, %v", warning, h.Alarm, got, err)
		}
	}
	log := make([]byte, 512)
	log[5] = 3
	if h, err := health.NVMeLog(log); err != nil || h.SparePercent != nil {
		t.Errorf("a module without a threshold has spare blocks: %+v, %v", h, err)
	}
}

func FuzzStandardAnswers(f *testing.F) {
	for _, seed := range [][]byte{nil, make([]byte, 512), general(1, 2, 0), smart([3]int{9, 1, 2})} {
		f.Add(seed, "0x01 0x02", "0x01")
	}
	f.Fuzz(func(t *testing.T, answer []byte, lifeTime, preEOL string) {
		shown := func([]byte) (health.Health, error) { return health.Sysfs(lifeTime, preEOL) }
		for _, decode := range []func([]byte) (health.Health, error){health.ExtCSD, health.SMART, health.NVMeLog, shown} {
			if h, err := decode(answer); err == nil && sane(h) != nil {
				t.Fatal(sane(h))
			}
		}
		if all, err := health.Functions(answer); err == nil {
			for _, one := range all {
				if one.Number > 15 || one.Address >= 1<<17 {
					t.Fatalf("%+v", one)
				}
			}
		}
		for code := range 3 {
			_, _ = health.Abilities(code, answer)
		}
	})
}
