package main

import (
	"strings"
	"testing"

	"flashdex/result"
)

// A difference is shown where it is more than chance. If two results are of different methods, the reader is warned.
func TestADifferenceBetweenResultsIsToldWhereItShows(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int64]string{100: "20 MB/s (can't tell)", 90: "22.2 MB/s (+11 %)",
		120: "16.7 MB/s (-17 %)", 50: "40 MB/s (×2)", 300: "6.67 MB/s (×0.333)"} {
		first, second := exampleResult(t), exampleResult(t)
		of := second.Test(result.SeqWrite)
		of.DurationNS = of.DurationNS * percent / 100
		for i := range of.Intervals {
			of.Intervals[i].NS = of.Intervals[i].NS * percent / 100
		}
		const warning = "measured in different ways"
		text := comparison([]*result.Document{first, second}, textColumns)
		if !strings.Contains(text, want) || strings.Contains(text, warning) {
			t.Errorf("%d %% of the time: want %q in\n%s", percent, want, text)
		}
		second.Profile = result.ProfileQuick
		if text := comparison([]*result.Document{first, second}, textColumns); !strings.Contains(text, warning) {
			t.Errorf("nobody says that the profiles differ:\n%s", text)
		}
	}
}
