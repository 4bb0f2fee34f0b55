package chart

import (
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// ofFiles returns a test of whole files of 100 and 250 KiB at these rates in MB/s.
func ofFiles(name string, recordBytes int64, mbPerS ...float64) result.Test {
	t := result.Test{Name: name, BlockBytes: recordBytes}
	for i, rate := range mbPerS {
		size := []int64{100 << 10, 250 << 10}[i]
		ns := int64(float64(size) * 1e3 / rate)
		t.Intervals = append(t.Intervals, result.Interval{FileBytes: size, Bytes: size, NS: ns})
	}
	return t
}

// One heat map shows writes, another reads, each as multiples of its slowest cell.
func TestFilesAreAHeatMap(t *testing.T) {
	t.Parallel()
	tests := []result.Test{
		ofFiles(result.BufferedWrite, 512, 4, 8), ofFiles(result.SeqWrite, 512, 0.5, 0.25),
		ofFiles(result.BufferedRead, 512, 20, 20), ofFiles(result.SeqRead, 512, 2, 2),
		ofFiles(result.BufferedWrite, 128<<10, 5, 10), ofFiles(result.SeqWrite, 128<<10, 12, 25),
		ofFiles(result.SeqRead, 128<<10, 60),
	}
	p := ProfileOf(result.MethodFiles1, "x-", []Profiled{{Label: "this run", Class: Main, Tests: tests}})
	if len(p.Charts) != 2 {
		t.Fatalf("%+v", p)
	}
	write, read := p.Charts[0], p.Charts[1]
	want := [][]string{
		{"512 B", "4 (×16)", "8 (×32)", "0.5 (×2)", "0.25 (×1)"}, {"128 KiB", "5 (×20)", "10 (×40)", "12 (×48)", "25 (×100)"},
	}
	if diff := cmp.Diff(want, write.Numbers.Rows); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"128 KiB", "", "", "60 (×30)", ""}, read.Numbers.Rows[1]); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		`class="heat-0"`, `class="heat-5"`, ">×100<", ">128 KiB<", ">record<", `>250<tspan class="unit"> KiB<`,
		"The slowest is a file of 250 KiB with records of 512 B past",
	} {
		if !strings.Contains(write.SVG, part) {
			t.Errorf("the map of writes lacks %s:\n%s", part, write.SVG)
		}
	}
	if n := strings.Count(read.SVG, "<rect"); n != 5 { // cells that nobody measured stay empty
		t.Errorf("%d cells of reads", n)
	}
}

func TestShadesGoFromTheSlowestToAHundredTimes(t *testing.T) {
	t.Parallel()
	for times, want := range map[float64]int{1: 0, 2: 0, 2.2: 1, 10: 3, 99: 5, 100: 5, 5000: 5} {
		if got := shade(times); got != want {
			t.Errorf("%g times: %d, want %d", times, got, want)
		}
	}
}
