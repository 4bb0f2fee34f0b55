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
			register.SSR{SpeedClass: 10, UHSSpeedGrade: 3, VideoSpeedClass: 30, ApplicationClass: 2, AUBytes: 4 << 20,
				UHSAUBytes: 4 << 20, VideoAUBytes: 8 << 20,
				EraseAUs: 1, EraseTimeoutS: 6, EraseOffsetS: 3, QueueDepth: 32, Cache: true, Discard: true, FullUserAreaErase: true,
				BusWidth: 1},
			[]string{"Class 10", "U3", "V30", "A2"}},
		{"SanDisk SC16G", "0000000004000000 04 00 90 000f 05 1a 00 0000 00000001 00 0000",
			register.SSR{SpeedClass: 10, UHSSpeedGrade: 1, ApplicationClass: 1, AUBytes: 4 << 20, UHSAUBytes: 8 << 20,
				EraseAUs: 15, EraseTimeoutS: 1, EraseOffsetS: 1, BusWidth: 1},
			[]string{"Class 10", "U1", "A1"}},
		{"every field at its end", strings.Repeat("ff", 25),
			register.SSR{UHSSpeedGrade: 15, VideoSpeedClass: 255, ApplicationClass: 15, AUBytes: 64 << 20, UHSAUBytes: 64 << 20,
				VideoAUBytes: 1023 << 20, MoveMBPerS: 255,
				EraseAUs: 65535, EraseTimeoutS: 63, EraseOffsetS: 3, QueueDepth: 32, Cache: true, Discard: true,
				FullUserAreaErase: true},
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
