package main

import (
	"fmt"
	"time"

	"flashdex/client/measure"
	"flashdex/client/spool"
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
func (o *options) checkProfile(limit string) (err error) {
	standard := measure.Standard(0).RandWriteLimit()
	if limit != "" {
		if o.time, err = time.ParseDuration(limit); err != nil {
			return usagef("--time %q is not a duration, such as 10m or 1h", limit)
		}
	}
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

// checkFilesystem checks whether a file system is to be made, and which.
func (o *options) checkFilesystem() error {
	switch {
	case o.filesystem == "":
		return nil
	case o.filesystem != "ext4":
		return usagef("--filesystem %q is not ext4, which is the one that the method of the reference profile makes", o.filesystem)
	case o.profile != result.ProfileReference || o.device == "":
		return usagef("--filesystem goes with --profile reference --device PATH --erase; in a directory the file system is the one that is there")
	}
	return nil
}

// takes says how long a run takes. Without a limit it says so by what the same module did earlier, if that isn't nil.
func takes(plan measure.Plan, earlier *result.Document) string {
	if plan.Whole == 0 && earlier != nil {
		return fmt.Sprintf("about %s, by what this module did on %.10s", roughly(plan.Takes(earlier)), earlier.StartedAt)
	}
	if plan.Whole == 0 {
		blocks := float64(plan.AreaBytes / 4096)
		at := func(iops float64) string { return roughly(time.Duration(blocks / iops * float64(time.Second))) }
		lines := float64(plan.WriteBytes()-plan.AreaBytes) / 1e6
		in := func(mbPerS float64) string { return roughly(time.Duration(lines / mbPerS * float64(time.Second))) }
		return fmt.Sprintf("as long as the module needs: %s at 10 MB/s, %s at 50 for what is written in a line, and for random writes %s at 1 IOPS, %s at 20, %s at 100, %s at 1,000; "+
			"first it tries for %s how fast these are", in(10), in(50), at(1), at(20), at(100), at(1000), words(plan.Trial))
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

// onFilesystem says where on a device the test area is.
func onFilesystem(plan measure.Plan) string {
	if plan.Filesystem == "" {
		return ""
	}
	return ", in a file on " + plan.Filesystem + " that is made from there to the end; the file lies where that puts it"
}

// earlier is the latest kept result of the same module that says how long a run without a limit takes, or nil.
func earlier(kept spool.Spool, doc *result.Document) (found *result.Document) {
	if usb := doc.Identity.USB; doc.UnitTag == "" || usb != nil && usb.Reader {
		return nil
	}
	all, _ := kept.All()
	for _, one := range all {
		if one.Result.UnitTag == doc.UnitTag && measure.Tells(one.Result) {
			found = one.Result
		}
	}
	return found
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
	case plan.DevicePasses > 0:
		text = fmt.Sprintf("%.1f GB: %d passes over all of it, and %d over the test area, of which one is in a line and measured, and one at random",
			float64(plan.WriteBytes())/1e9, plan.DevicePasses, plan.AreaPasses+2)
	case plan.AreaPasses > 1:
		text += fmt.Sprintf(": %d passes in a line, then one that is measured, and one at random", plan.AreaPasses)
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
