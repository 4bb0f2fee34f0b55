package speedclass

import (
	"math"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// OfQueue judges the printed classes that need a command queue by a run of result.MethodQueue1. The run says nothing
// about other classes. notCounted says why the run doesn't count; empty: it does.
func OfQueue(
	classes []catalogue.SpeedClass, m catalogue.Module, run figure.ProfiledRun, notCounted []string,
) []Verdict {
	var figures []result.Figures
	seconds := math.Inf(1)
	for i := range run.Tests {
		t := &run.Tests[i]
		figures = append(figures, t.Figures())
		asPromised := t.AreaBytes == result.StandardAreaBytes && t.QueueDepth == result.MostDepth && t.Direct
		if !result.Queued(t.Name) {
			continue
		}
		if !asPromised {
			notCounted = append(notCounted,
				"the "+t.Name+" test was not of 32 operations at once in 256 MiB, past the page cache")
		}
		seconds = min(seconds, t.SecondsAt(result.MostDepth))
	}
	for _, code := range run.Queue.Spoilers {
		if code == result.KernelErrors || code == result.QueueRecovery {
			notCounted = append(notCounted, result.SpoilerText(code))
		}
	}
	return Of(classes, m.Classes, figure.OfQueue(figures), Conditions{
		Method: result.MethodQueue1, NotRanked: notCounted, BusMBPerS: run.BusMBPerS,
		Reader:       run.Reader != "" && m.Form != "usb",
		CommandQueue: run.Queue.HostUses == result.QueueOn && run.Target.WriteCache == "write back",
		QueueSeconds: seconds,
	})
}
