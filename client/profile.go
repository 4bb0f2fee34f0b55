package main

import (
	"fmt"
	"time"

	"flashdex/client/measure"
	"flashdex/result"
)

// longestTime is the most that --time takes: what has not settled by then varies too much for any interval, and
// the reference profile goes over every block.
const longestTime = time.Hour

// plans are the profiles that there are, by the memory that is available.
var plans = map[string]func(memoryAvailable int64) measure.Plan{
	result.ProfileQuick: measure.Quick, result.ProfileStandard: measure.Standard, result.ProfileReference: measure.Reference,
	result.ProfileSustained: measure.Sustained, result.ProfileSweep: measure.Sweep, result.ProfileIozone: measure.Iozone,
	result.ProfileStartup: measure.Startup,
}

// checkProfile checks the profile and the limit that the user chose.
func (o *options) checkProfile() error {
	standard := measure.Standard(0).RandWriteLimit()
	switch {
	case plans[o.profile] == nil:
		return usagef("--profile %q is none of quick, standard, sustained, sweep, iozone, startup, reference", o.profile)
	case o.time != 0 && o.profile == result.ProfileQuick:
		return usagef("--time goes with the standard profile; quick is done when its time is over")
	case o.time != 0 && o.profile == result.ProfileReference:
		return usagef("--time goes with the standard profile; reference is done when every block was written")
	case o.time != 0 && o.profile != result.ProfileStandard:
		return usagef("--time goes with the standard profile; %s has times of its own", o.profile)
	case o.time != 0 && o.time < standard:
		return usagef("--time %s would lower the limit of random writes, which is %s; for less, there is --profile quick", o.time, words(standard))
	case o.time > longestTime:
		return usagef("--time %s is more than %s", o.time, words(longestTime))
	}
	return nil
}

// plan is the plan of the profile, with the limit that the user raised.
func (o options) plan(memoryAvailable int64) measure.Plan {
	plan := plans[o.profile](memoryAvailable)
	plan.Command = o.start
	if o.time > 0 {
		return plan.Raised(o.time)
	}
	return plan
}

// takes says how long a run takes.
func takes(plan measure.Plan) string {
	if plan.Whole == 0 {
		blocks := float64(plan.AreaBytes / 4096)
		at := func(iops float64) string { return roughly(time.Duration(blocks / iops * float64(time.Second))) }
		return fmt.Sprintf("as long as the module needs: for its random writes alone %s at 1 IOPS, %s at 20, %s at 100, %s at 1,000; how long yours needs is told once they run",
			at(1), at(20), at(100), at(1000))
	}
	text := "at most " + words(plan.Whole)
	switch plan.Profile {
	case result.ProfileStandard:
		text += ", typically 2 to 3"
	case result.ProfileIozone:
		text += ", typically 2 to 5; each test ends after 4, which takes less than 54 operations of 4 KiB a second"
	}
	return text
}

// roughly writes a duration that is only guessed: 36 hours, 22 minutes, 40 seconds.
func roughly(d time.Duration) string {
	switch {
	case d >= 5*24*time.Hour:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	case d >= 10*time.Hour:
		return fmt.Sprintf("%.0f hours", d.Hours())
	case d >= 2*time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	case d >= 2*time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}

// words writes a duration as people say it: 60 seconds, 6 minutes.
func words(d time.Duration) string {
	if d > time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}

// writesWhat says how much a run writes, and in what order.
func writesWhat(plan measure.Plan) string {
	if plan.Profile == result.ProfileSustained {
		limit := plan.Steps[0].Limit
		gb := func(mbPerS float64) float64 { return mbPerS * limit.Seconds() / 1e3 }
		return fmt.Sprintf("as much as the module takes in %s, %.0f GB at 10 MB/s, %.0f GB at 90 MB/s, and at most %.0f GB", words(limit), gb(10), gb(90), float64(plan.WriteBytes())/1e9)
	}
	text := fmt.Sprintf("at most %d MiB", plan.WriteBytes()>>20)
	switch {
	case plan.Passes > 1:
		text += fmt.Sprintf(": %d passes in a line, of which the last is measured, and one at random", plan.Passes)
	case plan.Profile == result.ProfileSweep:
		text += "; a module of 10 MB/s takes about 900 MB"
	}
	return text
}

// testWhat says what is done with a test area of so many MiB.
func testWhat(plan measure.Plan) string {
	switch plan.Profile {
	case result.ProfileSustained:
		return "written in a line, from its end on from the beginning again, and read in the same way"
	case result.ProfileSweep:
		return "written and read in a line and at random, two seconds with each record size from 512 B to 16 MiB"
	case result.ProfileIozone:
		return "written and read in a line, twice each, and at random, all with records of 4 KiB and then of 512 KiB"
	}
	return "written in a line, overwritten at random, and read both ways"
}
