package plausible

import "flashdex/result"

// isOurs reports whether the tests follow flashdex-1, on a module or a stack.
func isOurs(d *result.Document) bool {
	return d.Method == result.MethodFlashdex1 || d.Method == result.MethodStack1
}

// method checks how the random tests of flashdex-1 were run. The client must issue the operations itself: starting a
// process for each one would be part of the figure and leave no latencies. The batches must have the same size, except
// for the first, which takes the remainder: other batches would hide the variation that the interval is computed from.
func method(d *result.Document, t *result.Test, add report) {
	if !isOurs(d) || !t.IsRandom() {
		return
	}
	if t.Engine != "flashdex" {
		add("%s was done by dd; in this method the client does it itself.", testNames[t.Name])
		return
	}
	count := min(result.BatchCount, t.Ops)
	for i, b := range t.Batches {
		if want := t.Ops / count; int64(len(t.Batches)) != count || i > 0 && b.Ops != want {
			add("%s has %d batches, and number %d holds %d operations; this method makes %d batches, "+
				"with %d operations in each after the first.", testNames[t.Name], len(t.Batches), i+1, b.Ops, count, want)
			return
		}
	}
}

// settled verifies that the samples of a converged random test satisfy the stopping rule.
func settled(d *result.Document, t *result.Test, add report) {
	if !isOurs(d) || !t.IsRandom() || t.Ended != result.Converged {
		return
	}
	rule := result.StandardRule(0) // the rule of the quick profile differs only in its times
	e := result.EstimateOf(t.Batches)
	low, _ := slowest(t.Latency)
	share := float64(low) / float64(t.DurationNS)
	switch {
	case e.Ops < rule.MinOps:
		add("%s says that it settled, after %d operations; the rule asks for %d.", testNames[t.Name], e.Ops, rule.MinOps)
	case e.HalfWidth > rule.HalfWidth*(1+1e-9):
		add("%s says that it settled, but its mean is only known to within %.0f %%; the rule asks for %.0f %%.",
			testNames[t.Name], 100*e.HalfWidth, 100*rule.HalfWidth)
	case share > rule.MaxShare:
		add("%s says that it settled, but one operation took %.0f %% of its time; the rule asks for at most %.0f %%.",
			testNames[t.Name], 100*share, 100*rule.MaxShare)
	case e.Trend:
		add("%s says that it settled, but its speed rose or fell all the time.", testNames[t.Name])
	}
}
