package plausible

import "flashdex/result"

// ours reports whether the tests are those of flashdex-1, of a module or of a stack.
func ours(d *result.Document) bool {
	return d.Method == result.MethodFlashdex1 || d.Method == result.MethodStack1
}

// method holds the random tests of flashdex-1 against how the client does them: by itself, since a process for each
// operation would be part of the figure and leave no latencies, and in batches of equal size, since others would hide the
// variation that the interval is computed from. The first batch takes the remainder too.
func method(d *result.Document, add func(string, ...any)) {
	if !ours(d) {
		return
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		if !random(t) {
			continue
		}
		if t.Engine != "flashdex" {
			add("%s was done by dd; in this method the client does it itself.", testNames[t.Name])
			continue
		}
		count := min(result.BatchCount, t.Ops)
		for j, b := range t.Batches {
			if want := t.Ops / count; int64(len(t.Batches)) != count || j > 0 && b.Ops != want {
				add("%s has %d batches, of which number %d holds %d operations; this method makes %d, of %d each after the first.",
					testNames[t.Name], len(t.Batches), j+1, b.Ops, count, want)
				break
			}
		}
	}
}

// settled derives again what the client says of a random test that settled: its samples must satisfy the stopping rule.
func settled(d *result.Document, add func(string, ...any)) {
	if !ours(d) {
		return
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		if !random(t) || t.Ended != result.Converged {
			continue
		}
		rule := result.StandardRule(0) // that of the quick profile differs in its times alone
		e := result.EstimateOf(t.Batches)
		slowest, _ := extremes(t.Latency)
		share := float64(slowest) / float64(t.DurationNS)
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
}
