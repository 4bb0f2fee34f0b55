package figure

import (
	"slices"

	"flashdex/result"
)

// ProfiledMethods are those whose results are never ranked and enter no figure of a module: pages show their runs themselves.
var ProfiledMethods = []string{result.MethodSustained1, result.MethodSweep1, result.MethodIozone50M, result.MethodStartup1}

// Profiled reports whether a method is one of those.
func Profiled(method string) bool { return slices.Contains(ProfiledMethods, method) }

// MaxProfiledRuns is how many runs of a module by one such method are shown: as many as can be told apart in a chart.
const MaxProfiledRuns = 6

// ProfiledRun is a run by one of ProfiledMethods.
type ProfiledRun struct {
	SampledRun
	Method  string
	Program string // result.Target.Program
}
