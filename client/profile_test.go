package main

import (
	"strings"
	"testing"
	"time"

	"flashdex/result"
)

func TestProfileAndTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arguments []string
		profile   string
		mib       int64
		takes     string
		limit     time.Duration
	}{
		{nil, result.ProfileStandard, 256, "at most 6 minutes, typically 2 to 3", 4 * time.Minute},
		{[]string{"--profile", "standard", "--time", "10m"}, result.ProfileStandard, 256,
			"at most 12 minutes; random writes alone take 150 seconds at least, or until every block is written", 10 * time.Minute},
		{[]string{"--profile", "reference"}, result.ProfileReference, 512,
			"as long as the module needs: linear writes 4 minutes at 10 MB/s and 43 seconds at 50 MB/s; writes of 4 KiB, " +
				"twice in a line and once at random, each time 36 hours at 1 IOPS, 109 minutes at 20, 22 minutes at 100 and 2 " +
				"minutes at 1,000; a trial of 10 seconds shows how fast the random ones are", 0},
		{[]string{"--profile", "sustained"}, result.ProfileSustained, 256, "at most 8 minutes", 0},
		{[]string{"--profile", "recording"}, result.ProfileRecording, 256, "at most 8 minutes, typically 6", 0},
		{[]string{"--profile", "sweep"}, result.ProfileSweep, 256, "at most 5 minutes", 0},
		{[]string{"--profile", "iozone"}, result.ProfileIozone, 50,
			"at most 50 minutes, typically 2 to 5; each test ends after 4 minutes, enough for 54 operations of 4 KiB a second",
			0},
		{[]string{"--profile=quick"}, result.ProfileQuick, 64, "at most 60 seconds", 20 * time.Second},
	} {
		o, err := parse(append(c.arguments, "/mnt"))
		if err != nil {
			t.Fatal(err)
		}
		plan := o.plan(1 << 30)
		if plan.Profile != c.profile || plan.AreaBytes != c.mib<<20 || takes(plan, nil) != c.takes ||
			plan.RandWriteLimit() != c.limit {
			t.Errorf("%v: %s, %d bytes, %s, limit %s", c.arguments, plan.Profile, plan.AreaBytes, takes(plan, nil),
				plan.RandWriteLimit())
		}
	}
	for _, c := range []struct{ arguments, says string }{
		{"--profile full", "none of quick, standard, sustained, recording, recorder, structure, queue, saturate, " +
			"mixed, endure, sweep, iozone, startup, files, reference"},
		{"--profile reference --time 10m", "goes with the standard profile"},
		{"--filesystem ext4", "--filesystem goes with --profile reference"},
		{"--profile reference --filesystem ext4", "--filesystem goes with --profile reference --device PATH --erase"},
		{"--profile reference --device /dev/sdx --erase --filesystem vfat", "is not ext4"},
		{"--profile sweep --time 10m", "sweep has times of its own"},
		{"--profile files --device /dev/sdx --erase", "goes with a directory"},
		{"--time 2m", "would lower"},
		{"--profile recorder --rate 0.01", "0.1 to 400 MB/s, such as 10MB/s"},
		{"--profile recorder --rate NaN", "0.1 to 400 MB/s, such as 10MB/s"},
		{"--profile recorder --rate 10Mbit/s", "0.1 to 400 MB/s, such as 10MB/s"},
		{"--rate 10MB/s", "--rate goes with --profile recorder"},
		{"--profile recorder --device /dev/x", "not with --device"},
		{"--profile endure", "takes a whole one: --device PATH --erase"},
		{"--profile endure --device /dev/x --erase --time 1h", "endure ends when the module is dead"},
		{"--end gone", "--end goes with resume"},
		{"--time 2h", "more than 60 minutes"},
		{"--time -1s", "would lower"},
		{"--time long", "is not a duration, such as 10m"},
		{"--time 10", "is not a duration, such as 10m"},
		{"--profile quick --time 10m", "goes with the standard profile"},
		{"--profile startup --time 10m", "startup has times of its own"},
		{"--json --print-payload", "choose one"},
	} {
		if _, err := parse(append(strings.Fields(c.arguments), "/mnt")); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.arguments, err, c.says)
		}
	}
}
