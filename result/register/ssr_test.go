package register_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result/register"
)

// Worked out by hand from two real cards, and one made up to hold every field at its edge.
func TestSSRFieldByField(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, digits string
		want         register.SSR
		classes      []string
	}{
		{"Kingston Canvas Go! Plus 64 GB", "0000000008000000 04 00 90 0001 1b 39 1e 0008 00000002 ff 0003",
			register.SSR{SpeedClass: 10, UHSSpeedGrade: 3, VideoSpeedClass: 30, ApplicationClass: 2, AUBytes: 4 << 20, UHSAUBytes: 4 << 20, VideoAUBytes: 8 << 20,
				EraseAUs: 1, EraseTimeoutS: 6, EraseOffsetS: 3, QueueDepth: 32, Cache: true, Discard: true, FullUserAreaErase: true, BusWidth: 1},
			[]string{"Class 10", "U3", "V30", "A2"}},
		{"SanDisk SC16G", "0000000004000000 04 00 90 000f 05 1a 00 0000 00000001 00 0000",
			register.SSR{SpeedClass: 10, UHSSpeedGrade: 1, ApplicationClass: 1, AUBytes: 4 << 20, UHSAUBytes: 8 << 20, EraseAUs: 15, EraseTimeoutS: 1, EraseOffsetS: 1, BusWidth: 1},
			[]string{"Class 10", "U1", "A1"}},
		{"every field at its end", strings.Repeat("ff", 25),
			register.SSR{UHSSpeedGrade: 15, VideoSpeedClass: 255, ApplicationClass: 15, AUBytes: 64 << 20, UHSAUBytes: 64 << 20, VideoAUBytes: 1023 << 20, MoveMBPerS: 255,
				EraseAUs: 65535, EraseTimeoutS: 63, EraseOffsetS: 3, QueueDepth: 32, Cache: true, Discard: true, FullUserAreaErase: true},
			[]string{"U15", "V255", "A15"}},
		{"nothing", "", register.SSR{BusWidth: 1}, nil},
		{"a class without a meaning", "8000000000000000 05", register.SSR{BusWidth: 4}, nil},
	} {
		digits := strings.ReplaceAll(tc.digits, " ", "")
		got, err := register.ParseSSR(digits + strings.Repeat("0", 128-len(digits)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.classes, got.Classes()); diff != "" {
			t.Errorf("%s, classes (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestSCRVersions(t *testing.T) {
	t.Parallel()
	for scr, want := range map[string]string{
		"0025000000000000": "1.0", "0125000000000000": "1.10", "0225000000000000": "2.00", "0235800000000000": "3.0x", "0235840000000000": "4.xx",
		"0235804000000000": "5.xx", "0235848000000000": "6.xx", "023584c000000000": "7.xx", "0235850000000000": "8.xx", "0235854000000000": "9.xx",
		"0335800000000000": "reserved (3)",
	} {
		if got, err := register.ParseSCR(scr); err != nil || got.SpecVersion != want {
			t.Errorf("%s: %q, %v, want %q", scr, got.SpecVersion, err, want)
		}
	}
	got, err := register.ParseSCR("02c5848f33333039")
	if err != nil {
		t.Fatal(err)
	}
	want := register.SCR{SpecVersion: "6.xx", BusWidths: []int{1, 4}, ErasedToOnes: true, Security: "SDXC", Commands: []string{"CMD20", "CMD23", "CMD48/49", "CMD58/59"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCSDByVersion(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, csd string
		want      register.CSD
	}{
		{"SanDisk 2 GB, version 1", "002600325f5a83aefefbcfff928040de",
			register.CSD{Version: 1, Family: "SDSC", CapacityBytes: 1977614336, TransferHz: 25e6, Classes: []int{0, 2, 4, 5, 6, 7, 8, 10}, EraseOneBlock: true, EraseBytes: 512, Copy: true, Checksum: "right"}},
		{"the longest of version 2, in SDHC", "400e00325b590000ffff7f800a400000",
			register.CSD{Version: 2, Family: "SDHC", CapacityBytes: 32 << 30, TransferHz: 25e6, Classes: []int{0, 2, 4, 5, 7, 8, 10}, EraseOneBlock: true, EraseBytes: 512, Checksum: "missing"}},
		{"the first SDXC", "400e00325b5900010000" + "7f800a400000",
			register.CSD{Version: 2, Family: "SDXC", CapacityBytes: 32<<30 + 512<<10, TransferHz: 25e6, Classes: []int{0, 2, 4, 5, 7, 8, 10}, EraseOneBlock: true, EraseBytes: 512, Checksum: "missing"}},
		{"SDUC of 4 TiB, version 3", "800e00325b59007fffff7f800a403000",
			register.CSD{Version: 3, Family: "SDUC", CapacityBytes: 4 << 40, TransferHz: 25e6, Classes: []int{0, 2, 4, 5, 7, 8, 10}, EraseOneBlock: true, EraseBytes: 512, Protected: true, Checksum: "missing"}},
		{"SDUC, all of it", "800e00325b5fffffffff7f800a400000",
			register.CSD{Version: 3, Family: "SDUC", CapacityBytes: 128 << 40, TransferHz: 25e6, Classes: []int{0, 2, 4, 5, 7, 8, 10}, EraseOneBlock: true, EraseBytes: 512, Checksum: "missing"}},
	} {
		got, err := register.ParseCSD(tc.csd)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
