package chart

import (
	"fmt"
	"math"
	"strings"

	"flashdex/result"
)

// endure shows the rate of each pass over a module's life, and how the life ended.
func (p *Profile) endure(prefix string, runs []Profiled) {
	p.Charts.Add(Passes(prefix+"passes", runs))
	table := Numbers{
		Title: "How long it lasted",
		Note: "All of the module is written, read back and compared, again and again. A pass writes all of it once. A " +
			"block of 1 MiB is wrong if it doesn’t come back as it was written, and failed if it could not be written or " +
			"read. “More than”: it still worked when its owner stopped.",
		Head: []string{"Run", "First error in pass", "Lasted, passes", "Written, TB", "Wrong blocks", "Failed", "Ended"},
	}
	for _, r := range runs {
		life, ok := result.LifeOf(r.Tests)
		if !ok {
			continue
		}
		written := testOf(r.Tests, result.EndureWrite)
		first, lasted := "none seen", "more than "+result.Number(life.Cycles)
		if life.FirstError > 0 {
			first = result.Count(int(math.Ceil(life.FirstError)))
		}
		if life.Dead {
			lasted = result.Number(life.Cycles)
		}
		ended := map[result.Ended]string{result.Dead: "dead", result.Gone: "no host can use it any more",
			result.Stopped: "stopped", result.TimeLimit: "at the limit"}
		table.Rows = append(table.Rows, []string{r.label(), first, lasted, result.Number(float64(written.Bytes) / 1e12),
			result.Count(int(life.WrongOps)), result.Count(int(life.FailedOps)), ended[written.Ended]})
	}
	p.tabulate(table)
}

// endureTests are the tests of a life, with the texts at the ends of their lines.
var endureTests = []struct{ test, name, end string }{
	{result.EndureWrite, "write", "w"}, {result.EndureRead, "read", "r"},
}

// Passes draws the rates of writes and reads over the passes of a life. ok is false if no run has two passes.
func Passes(id string, runs []Profiled) (c Chart, ok bool) {
	var lines []Line
	most, fastest := 0.0, 0.0
	for i := range runs {
		r := &runs[i]
		for k, of := range endureTests {
			t := testOf(r.Tests, of.test)
			if t == nil || t.AreaBytes <= 0 {
				continue
			}
			l := Line{Label: r.label() + ", " + of.name, Class: r.classOf(k), End: r.endOf(of.end)}
			passed := int64(0)
			for _, v := range t.Intervals {
				if passed += v.Bytes; v.NS > 0 {
					moved := float64(v.Bytes - v.FailedOps*t.BlockBytes)
					l.At = append(l.At, point{float64(passed) / float64(t.AreaBytes), moved * 1e3 / float64(v.NS)})
					fastest, most = max(fastest, l.At[len(l.At)-1].y), max(most, l.At[len(l.At)-1].x)
				}
			}
			if len(l.At) > 1 {
				lines = append(lines, l)
			}
		}
	}
	if len(lines) == 0 || fastest == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{Title: "Rate over its life", Numbers: Numbers{Head: []string{"Run", "Passes", "MB/s"}}},
		id:    id, plot: linePlot, y: linearScale("MB/s", fastest),
		x: scale{0, most, false}.labelled("passes over all of it", linearScale("", most).ticks),
	}
	d.list(lines)
	return d.draw(lines, func(l Line) string {
		first, last := l.At[0], l.At[len(l.At)-1]
		return fmt.Sprintf("%s: from %s MB/s to %s in %s passes.", strings.TrimSpace(l.Label), result.Number(first.y),
			result.Number(last.y), result.Number(last.x))
	})
}
