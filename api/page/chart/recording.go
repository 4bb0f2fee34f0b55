package chart

import (
	"fmt"
	"strings"

	"flashdex/result"
)

// recording shows for each run whether the module keeps up with a camera, and what the camera needs for it.
func (p *Profile) recording(_ string, runs []Profiled) {
	table := Numbers{
		Title: "Recording as a camera does",
		Note: "The module gets so much data each second, for two minutes. A block of 1 MiB waits from the moment when all " +
			"of it has come until the module has it. Meanwhile the camera must keep what it records, so it needs at least as " +
			"much memory as comes in the longest wait. Busy: the share of the time in which the module wrote.",
		Head: []string{"Recording", "Keeps up", "Written at, MB/s", "Longest wait, s", "Memory to bridge it, MB", "Busy, %"},
	}
	for _, r := range runs {
		for _, recording := range result.Recordings {
			t := testOf(r.Tests, recording.Test)
			if t == nil {
				continue
			}
			keepsUp := "yes"
			if t.Ended != result.Complete {
				keepsUp = "no"
			}
			behind := float64(result.SumIntervals(t.Intervals).BehindNS) / 1e9
			table.Rows = append(table.Rows, []string{
				strings.TrimSpace(fmt.Sprintf("%s %d MB/s", r.Letter, recording.MBPerS)), keepsUp,
				result.Number(t.Figures().MBPerS), result.Number(behind), result.Number(behind * float64(recording.MBPerS)),
				result.Number(100 * float64(t.DurationNS) / float64(t.DurationNS+t.OverheadNS)),
			})
		}
	}
	p.tabulate(table)
}
