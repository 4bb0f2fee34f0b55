package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// longestTime is the most that --time allows. A module that has not settled by then varies too much for any interval,
// and the reference profile writes every block.
const longestTime = time.Hour

// Rates of a recorder in MB/s.
const leastRate, mostRate = 0.1, 400

const linearAndRandom = "written linearly, overwritten at random, and read both ways"

// profiles holds the profiles by name.
var profiles = map[string]struct {
	plan   func(memoryAvailable int64) measure.Plan
	tests  string // what they do with the file
	takes  string // in words, beside the limit
	noTime string // why --time doesn't go with it
}{
	result.ProfileQuick:     {measure.Quick, linearAndRandom, "", "quick ends when its minute is over"},
	result.ProfileStandard:  {measure.Standard, linearAndRandom, ", typically 2 to 3", ""},
	result.ProfileReference: {measure.Reference, linearAndRandom, "", "reference ends when every block is written"},
	result.ProfileSustained: {measure.Sustained, "written linearly, over and over again, and read in the same way", "",
		"sustained has times of its own"},
	result.ProfileSweep: {measure.Sweep, "written and read linearly and at random, for two seconds with each record " +
		"size from 512 B to 16 MiB", "", "sweep has times of its own"},
	result.ProfileIozone: {measure.Iozone, "written and read linearly, twice each, and at random, all with records of " +
		"4 KiB and then of 512 KiB", ", typically 2 to 5; each test ends after 4 minutes, enough for 54 operations of " +
		"4 KiB a second", "iozone has times of its own"},
	result.ProfileStartup: {measure.Startup, "", "", "startup has times of its own"},
	result.ProfileFiles: {measure.Files, "at last; it is made to hold 100, 250 and 500 KiB, written and read as a whole " +
		"with each record size from 512 B to 128 KiB, through the page cache and past it", ", typically 1",
		"files has times of its own"},
	result.ProfileRecording: {measure.Recording, "written at 4, 10 and 30 MB/s, as a camera does, for two minutes each",
		", typically 6", "recording has times of its own"},
	result.ProfileRecorder: {measure.Recorder, "are written at one rate, in blocks of 1 MiB and then of 4 KiB, the " +
		"oldest file deleted for each new one", ", typically 8", "recorder has times of its own"},
	result.ProfileSaturate: {measure.Saturate, "written in a line, and then at random until the rate is steady", "",
		"saturate ends when the rate is steady"},
	result.ProfileMixed: {measure.Mixed, "written once, then read and written in turn at random, and written after " +
		"rests of 1, 10 and 60 seconds", ", typically 9", "mixed has times of its own"},
	result.ProfileEndure: {measure.Endure, "written and read back, again and again, until it is dead", "",
		"endure ends when the module is dead"},
	result.ProfileQueue: {measure.Queue, "written once, then read and written at random with 1 to 32 operations at " +
		"once; parts of it are discarded, and the rest is read back and compared",
		", typically 3 to 4", "queue has times of its own"},
	result.ProfileStructure: {measure.Structure, "written once and then asked for its inside, by the times of writes of " +
		"4 KiB to more and more places", ", typically 3 to 8", "structure has times of its own"},
}

// checkProfile checks the profile, the time limit, the rate and the file system that the user chose.
func (o *options) checkProfile(limit, rate string) (err error) {
	standard := measure.Standard(0).RandWriteLimit()
	if limit != "" {
		if o.time, err = time.ParseDuration(limit); err != nil {
			return usagef("--time %q is not a duration, such as 10m or 1h", limit)
		}
	}
	if rate != "" {
		mbPerS, err := strconv.ParseFloat(strings.TrimSuffix(rate, "MB/s"), 64)
		if o.rateBytesPerS = int64(mbPerS * 1e6); err != nil || !(mbPerS >= leastRate && mbPerS <= mostRate) {
			return usagef("--rate %q is not a rate from 0.1 to 400 MB/s, such as 10MB/s", rate)
		}
	}
	switch {
	case profiles[o.profile].plan == nil:
		return usagef("--profile %q is none of quick, standard, sustained, recording, recorder, structure, "+
			"queue, saturate, mixed, endure, sweep, iozone, startup, files, reference", o.profile)
	case o.time != 0 && o.profile != result.ProfileStandard:
		return usagef("--time goes with the standard profile; %s", profiles[o.profile].noTime)
	case o.time != 0 && o.time < standard:
		return usagef("--time %s would lower the limit of random writes, which is %s; for a shorter run, use --profile quick",
			o.time, inWords(standard))
	case o.time > longestTime:
		return usagef("--time %s is more than %s", o.time, inWords(longestTime))
	case rate != "" && o.profile != result.ProfileRecorder:
		return usagef("--rate goes with --profile recorder; %s has rates of its own, or none", o.profile)
	case o.profile == result.ProfileRecorder && o.device != "":
		return usagef("recorder writes and deletes files, so it goes with a directory on the module and not with --device")
	case o.profile == result.ProfileEndure && o.device == "":
		return usagef("endure writes until the module is dead, so it takes a whole one: --device PATH --erase, and no " +
			"directory")
	case o.profile == result.ProfileFiles && o.device != "":
		return usagef("files measures files, so it goes with a directory on the module and not with --device")
	case o.filesystem != "" && o.filesystem != "ext4":
		return usagef("--filesystem %q is not ext4, the only one that the method of the reference profile uses", o.filesystem)
	case o.filesystem != "" && (o.profile != result.ProfileReference || o.device == ""):
		return usagef("--filesystem goes with --profile reference --device PATH --erase; a directory has its file system")
	}
	return nil
}

// plan returns the plan of the profile, with the limit that the user raised.
func (o options) plan(memoryAvailable int64) measure.Plan {
	plan := profiles[o.profile].plan(memoryAvailable)
	plan.Command = o.start
	if o.rateBytesPerS > 0 {
		plan = measure.RecorderAt(o.rateBytesPerS)
	}
	if o.time > 0 {
		return plan.Raised(o.time)
	}
	return plan
}

// takes says how long a run takes. For a run without a limit, it uses the earlier result of the same module, unless
// that is nil.
func takes(plan measure.Plan, earlier *result.Document) string {
	switch {
	case plan.Profile == result.ProfileStandard && plan.RandWriteLimit() > measure.Standard(0).RandWriteLimit():
		return fmt.Sprintf("at most %s; random writes alone take %s at least, or until every block is written",
			inWords(plan.Whole), inWords(plan.RandWriteLimit()/result.MaxOverMin))
	case plan.Profile == result.ProfileEndure:
		return fmt.Sprintf("until the module is dead, days to months: a pass, written and read, %s at 10 MB/s and %s at "+
			"50 MB/s, and %d passes %s and %s", roughly(2*fillTime(plan, 10)), roughly(2*fillTime(plan, 50)), surveyedPasses,
			roughly(2*surveyedPasses*fillTime(plan, 10)), roughly(2*surveyedPasses*fillTime(plan, 50)))
	case plan.Fills:
		return fmt.Sprintf("hours: the fill %s at 10 MB/s and %s at 50 MB/s, and then 15 minutes to %s until the rate is "+
			"steady", roughly(fillTime(plan, 10)), roughly(fillTime(plan, 50)), inWords(measure.SteadyLimit))
	case plan.Whole > 0:
		return "at most " + inWords(plan.Whole) + profiles[plan.Profile].takes
	case earlier != nil:
		return fmt.Sprintf("about %s, judging by this module's result of %.10s", roughly(plan.Takes(earlier)),
			earlier.StartedAt)
	}
	at := func(amount, perS float64) string { return roughly(time.Duration(amount / perS * float64(time.Second))) }
	lines, blocks := float64(plan.LinearWriteBytes())/1e6, float64(plan.AreaBytes/4096)
	return fmt.Sprintf("as long as the module needs: linear writes %s at 10 MB/s and %s at 50 MB/s; writes of "+
		"4 KiB, twice in a line and once at random, each time %s at 1 IOPS, %s at 20, %s at 100 and %s at 1,000; a trial of "+
		"%s shows how fast the random ones are", at(lines, 10), at(lines, 50), at(blocks, 1), at(blocks, 20),
		at(blocks, 100), at(blocks, 1000), inWords(plan.Trial))
}

// surveyedPasses is about the median number of passes until the first error in data/endurance_survey.csv.
const surveyedPasses = 1500

// fillTime is how long a fill takes at a rate.
func fillTime(plan measure.Plan, mbPerS float64) time.Duration {
	return time.Duration(float64(plan.FillBytes) / mbPerS / 1e6 * float64(time.Second))
}

// earlier returns the latest kept result of the same module that tells how long a run without a limit takes, or nil.
func earlier(kept spool.Spool, doc *result.Document) (found *result.Document) {
	if usb := doc.Identity.USB; doc.UnitTag == "" || usb != nil && usb.Reader {
		return nil
	}
	all, _ := kept.All()
	for _, one := range all {
		if one.Result.UnitTag == doc.UnitTag && measure.CanEstimate(one.Result) {
			found = one.Result
		}
	}
	return found
}

// roughly writes an estimated duration: 36 hours, 22 minutes, 40 seconds.
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

// inWords writes a duration as people say it: 60 seconds, 6 minutes.
func inWords(d time.Duration) string {
	if d > time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}

// measuredPasses are the writes of the reference profile's tests.
const measuredPasses = "a linear one, one of zeros, zeros in pieces of 512 B (for at most 4 minutes), 4 KiB twice in " +
	"a line, and 4 KiB at random"

// writesWhat says how much a run writes, and in what order.
func writesWhat(plan measure.Plan) string {
	bytes := plan.WriteBytes()
	switch {
	case plan.Profile == result.ProfileSustained:
		limit := plan.Steps[0].Limit
		gb := func(mbPerS float64) float64 { return mbPerS * limit.Seconds() / 1e3 }
		return fmt.Sprintf("as much as the module takes in %s, %.0f GB at 10 MB/s, %.0f GB at 90 MB/s, and at most %.0f GB",
			inWords(limit), gb(10), gb(90), float64(bytes)/1e9)
	case plan.Profile == result.ProfileEndure:
		return fmt.Sprintf("%.1f GB in each pass, so %s TB in %d passes, after which half of the cards of a survey had "+
			"errors", float64(plan.FillBytes)/1e9, result.Number(surveyedPasses*float64(plan.FillBytes)/1e12), surveyedPasses)
	case plan.Fills:
		return fmt.Sprintf("%.1f GB, and then what the module takes at random until its rate is steady, 44 GB in %s at "+
			"1,000 a second", float64(bytes)/1e9, inWords(measure.SteadyLimit))
	case plan.Profile == result.ProfileRecorder:
		return fmt.Sprintf("at most %.1f GB, %s MB a second", float64(bytes)/1e9,
			result.Number(float64(plan.Steps[0].Rate)/1e6))
	case plan.DevicePasses > 0:
		return fmt.Sprintf("%.1f GB: %d passes over all of it, and %d over the test area, the last six of them measured: "+
			"%s", float64(bytes)/1e9, plan.DevicePasses, plan.AreaPasses+6, measuredPasses)
	case plan.AreaPasses > 1:
		return fmt.Sprintf("at most %d MiB: %d linear passes, then six that are measured: %s", bytes>>20, plan.AreaPasses,
			measuredPasses)
	case plan.Profile == result.ProfileSweep:
		return fmt.Sprintf("at most %d MiB; a module of 10 MB/s takes about 900 MB", bytes>>20)
	}
	return fmt.Sprintf("at most %d MiB", bytes>>20)
}
