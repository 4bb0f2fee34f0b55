package register_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result/register"
)

func TestYearOfAnMMC(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ code, revision, want int }{
		{0, 0, 1997}, {0, 4, 1997}, {0, 5, 2013}, {12, 4, 2009}, {12, 8, 2025}, {13, 4, 2010}, {13, 8, 2010}, {15, 3, 2012}, {15, 8, 2012},
	} {
		if got := (register.MMCCID{YearCode: tc.code}).Year(tc.revision); got != tc.want {
			t.Errorf("code %d at revision %d is %d, want %d", tc.code, tc.revision, got, tc.want)
		}
	}
}

func TestSmallMMCHasItsCapacityInTheCSD(t *testing.T) {
	t.Parallel()
	// C_SIZE 0xefe, C_SIZE_MULT 7, READ_BL_LEN 9: (3838 + 1) * 512 * 512 bytes.
	got, err := register.ParseMMCCSD("902f002a1f5983bfbfdbffef8e404000")
	if err != nil {
		t.Fatal(err)
	}
	if got.CapacityBytes != 3839*512*512 || got.TransferHz != 20e6 || got.Structure != 2 {
		t.Errorf("%+v", got)
	}
}

// The bytes that are read, of the register of an eMMC 5.1 of 62.5 GB as titron.github.io prints it (2023-04-07).
var extCSD = map[int]string{
	168: "20", 184: "01", 192: "08", 196: "57", 212: "00c04707", 223: "32", 224: "08", 226: "40", 249: "00100000",
	265: "2020", 267: "010100", 307: "1f01",
}

func extCSDDigits(bytes map[int]string) string {
	text := []byte(strings.Repeat("0", 1024))
	for at, digits := range bytes {
		copy(text[2*at:], digits)
	}
	return string(text)
}

func TestExtCSD(t *testing.T) {
	t.Parallel()
	got, err := register.ParseExtCSD(extCSDDigits(extCSD))
	if err != nil {
		t.Fatal(err)
	}
	want := register.ExtCSD{
		Revision: 8, SpecVersion: "5.1", CapacityBytes: 62537072640,
		Modes:      []string{"HS26", "HS52", "DDR52 1.8 V or 3 V", "HS200 1.8 V", "HS400 1.8 V", "HS400 enhanced strobe"},
		CacheBytes: 4 << 20, QueueDepth: 32, EraseBytes: 4 << 20, EraseTimeoutMS: 15000, BootBytes: 8 << 20, RPMBBytes: 4 << 20,
		OptimalReadBytes: 128 << 10, OptimalWriteBytes: 128 << 10, LifeUsedPercentA: 10, EndOfLife: "normal",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	worn, err := register.ParseExtCSD(extCSDDigits(map[int]string{192: "04", 267: "030b0c"}))
	if err != nil || worn.LifeUsedPercentA != 110 || worn.LifeUsedPercentB != 0 || worn.EndOfLife != "urgent" || worn.SpecVersion != "reserved (4)" {
		t.Errorf("%+v, %v", worn, err)
	}
}
