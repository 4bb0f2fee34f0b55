package figure

import (
	"slices"

	"flashdex/result"
)

// ProfiledMethods are the methods whose results are never ranked and enter no figure of a module. Pages show their runs
// one by one.
var ProfiledMethods = []string{
	result.MethodSustained1, result.MethodSweep1, result.MethodIozone50M, result.MethodStartup1,
}

// Profiled reports whether a method is one of ProfiledMethods.
func Profiled(method string) bool { return slices.Contains(ProfiledMethods, method) }

// MaxProfiledRuns limits how many runs of a module by one such method are shown: more could not be told apart in a
// chart.
const MaxProfiledRuns = 6

// ProfiledRun is a run by one of ProfiledMethods.
type ProfiledRun struct {
	SampledRun
	Method  string
	Program string // result.Target.Program
}
