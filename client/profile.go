package main

import (
	"fmt"
	"time"

	"flashdex/client/measure"
	"flashdex/result"
)

// longestTime is the most that --time takes: a result has room for so many seconds.
const longestTime = time.Hour

// checkProfile checks the profile and the limit that the user chose.
func (o *options) checkProfile() error {
	standard := measure.Standard(0).RandWriteLimit()
	switch {
	case o.profile != result.ProfileQuick && o.profile != result.ProfileStandard:
		return usagef("--profile %q is none of quick, standard", o.profile)
	case o.time != 0 && o.profile != result.ProfileStandard:
		return usagef("--time goes with the standard profile; quick is done when its time is over")
	case o.time != 0 && o.time < standard:
		return usagef("--time %s would lower the limit of random writes, which is %s; for less, there is --profile quick", o.time, words(standard))
	case o.time > longestTime:
		return usagef("--time %s is more than %s", o.time, words(longestTime))
	}
	return nil
}

// plan is the plan of the profile, with the limit that the user raised.
func (o options) plan(memoryAvailable int64) measure.Plan {
	if o.profile == result.ProfileQuick {
		return measure.Quick(memoryAvailable)
	}
	plan := measure.Standard(memoryAvailable)
	if o.time > 0 {
		return plan.Raised(o.time)
	}
	return plan
}

// takes says how long a run takes.
func takes(plan measure.Plan) string {
	text := "at most " + words(plan.Whole)
	if plan.Profile == result.ProfileStandard {
		text += ", typically 2 to 3"
	}
	return text
}

// words writes a duration as people say it: 60 seconds, 6 minutes.
func words(d time.Duration) string {
	if d > time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}
