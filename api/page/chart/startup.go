package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// starts are the starts of a program, in seconds.
type starts struct {
	each         []float64
	mean, spread float64 // spread: the standard deviation between starts, 0 for one start
	user, system float64 // means of the processor time; both 0: not known
	readMB       float64 // from the module, by each start, 10^6 bytes
}

// startsOf derives the starts from tests. nil: there are none.
func startsOf(tests []result.Test) *starts {
	t := testOf(tests, result.Startup)
	if t == nil || len(t.Intervals) == 0 {
		return nil
	}
	n, sum := float64(len(t.Intervals)), result.SumIntervals(t.Intervals)
	s := &starts{
		mean: float64(sum.NS) / 1e9 / n, user: float64(sum.UserNS) / 1e9 / n, system: float64(sum.SystemNS) / 1e9 / n,
		readMB: float64(sum.Bytes) / 1e6 / n,
	}
	for _, i := range t.Intervals {
		seconds := float64(i.NS) / 1e9
		s.each = append(s.each, seconds)
		s.spread += (seconds - s.mean) * (seconds - s.mean)
	}
	s.spread = math.Sqrt(s.spread / math.Max(n-1, 1))
	return s
}

// program names the program that a run starts.
func (p *Profiled) program() string {
	name := strings.TrimSpace(p.Letter + " " + p.Target.Program)
	if p.Target.Configuration != "" {
		name += ", " + p.Target.Configuration
	}
	return name
}

// apart distinguishes a start from others of the same name among the runs: by version and board, if these differ.
func (p *Profiled) apart(runs []Profiled) string {
	version, board := "", ""
	for i := range runs {
		other := &runs[i]
		if other.program() != p.program() {
			continue
		}
		if sum := p.Target.ProgramSum; sum != other.Target.ProgramSum {
			version = ", version " + cmp.Or(sum[:min(len(sum), 8)], "not known")
		}
		if p.Board != other.Board {
			board = ", " + cmp.Or(p.Board, "board not known")
		}
	}
	return version + board
}

// startsSame reports whether two runs start the same version of a program in the same kind of host. It is false if a
// version or a board is unknown.
func (p *Profiled) startsSame(other *Profiled) bool {
	of, to := &p.Target, &other.Target
	return of.ProgramSum != "" && p.Board != "" && of.Program == to.Program && of.ProgramSum == to.ProgramSum &&
		p.Board == other.Board
}

// against compares a run's starts with a baseline's. An empty cell isn't known.
func (s *starts) against(base *starts) []string {
	user, system := "", ""
	if s.user+s.system > 0 && base.user+base.system > 0 {
		user, system = result.Change(s.user, base.user), result.Change(s.system, base.system)
	}
	return []string{result.Change(s.mean, base.mean), user, system}
}

// startup draws the starts of each run as dots. It compares the means in two ways. By card, the baseline is the slowest
// run of the same program, version, configuration and host. By configuration, the baseline is the smallest
// configuration of the same program, version, host and unit. Runs are in order of age, so of several runs of the
// smallest configuration the last one counts.
func (p *Profile) startup(prefix string, runs []Profiled) {
	table := Numbers{
		Title: "Starts",
		Note: "Wall is the time by the clock, from the start of the process to its end, and the spread is its standard " +
			"deviation between the starts. User and system are processor time: of the program’s own code and of the kernel " +
			"for it. Waiting for the module is in neither. Files: the size of the files on the module that a start uses.",
		Head: []string{
			"Run", "Starts", "Wall, s", "Spread, s", "Fastest, s", "Slowest, s", "User, s", "System, s", "Files, MB",
			"Read each, MB",
		},
	}
	head := []string{"Run", "Against", "Wall", "User", "System"}
	const so = ": so much more (+) or less (−) time for a start."
	byCard := Numbers{Title: "By card", Head: head,
		Note: "Each start against the slowest of the same program, version and configuration in the same host" + so}
	byConfiguration := Numbers{Title: "By configuration", Head: head,
		Note: "Each start against the smallest configuration of the same program and version, on the same card in the same " +
			"host" + so}
	var rows []Row
	for i := range runs {
		r := &runs[i]
		s := startsOf(r.Tests)
		if s == nil {
			continue
		}
		own := r.program() + r.apart(runs)
		table.Rows = append(table.Rows, s.row(r, own))
		rows = append(rows, Row{Label: own, Figure: figure.Figure{Value: s.mean}, Units: s.each})
		if b := slowest(runs, r); b != nil && b != r {
			name := b.label()
			if b.Module == "" { // without a module the label is a date, which doesn't distinguish starts
				name = b.program()
			}
			byCard.Rows = append(byCard.Rows, append([]string{own, name + b.apart(runs)}, s.against(startsOf(b.Tests))...))
		}
		if b := smallest(runs, r); b != nil && b.Target.Configuration != r.Target.Configuration {
			byConfiguration.Rows = append(byConfiguration.Rows,
				append([]string{own, b.program() + b.apart(runs)}, s.against(startsOf(b.Tests))...))
		}
	}
	c, ok := Rows(prefix+"starts", "Each start, and the mean of a run, seconds", "seconds", rows)
	c.Numbers.Head = []string{"Run", "Mean, seconds", "Interval", "Starts"}
	p.Charts.Add(c, ok)
	p.tabulate(table)
	p.tabulate(byCard)
	p.tabulate(byConfiguration)
}

// row is a row of the table of starts.
func (s *starts) row(r *Profiled, name string) []string {
	row := []string{name, fmt.Sprint(len(s.each))}
	for _, v := range []float64{s.mean, s.spread, slices.Min(s.each), slices.Max(s.each)} {
		row = append(row, result.Number(v))
	}
	user, system, files := "", "", ""
	if s.user+s.system > 0 {
		user, system = result.Number(s.user), result.Number(s.system)
	}
	if r.Target.ProgramBytes > 0 {
		files = result.Number(float64(r.Target.ProgramBytes) / 1e6)
	}
	return append(row, user, system, files, result.Number(s.readMB))
}

// slowest finds the baseline of r: the run with the slowest starts of the same program in the same configuration. It
// isn't another run of r's unit, which is the same card. nil: there is none.
func slowest(runs []Profiled, r *Profiled) (found *Profiled) {
	mean := 0.0
	for i := range runs {
		b := &runs[i]
		again := b != r && r.Unit != "" && b.Unit == r.Unit && b.Module == r.Module
		if again || !b.startsSame(r) || b.Target.Configuration != r.Target.Configuration {
			continue
		}
		if s := startsOf(b.Tests); s != nil && s.mean >= mean {
			found, mean = b, s.mean
		}
	}
	return found
}

// smallest finds the smallest configuration of the program that r starts, on the same unit: otherwise the cards would
// differ, too. Of configurations of equal size it takes the first by name. nil: a size or a name is unknown, so no
// configuration is known to be the smallest.
func smallest(runs []Profiled, r *Profiled) (found *Profiled) {
	for i := range runs {
		b := &runs[i]
		if b.Module != r.Module || b.Unit != r.Unit || !b.startsSame(r) || startsOf(b.Tests) == nil {
			continue
		}
		if b.Target.Configuration == "" || b.Target.ProgramBytes == 0 {
			return nil
		}
		if found == nil || cmp.Or(cmp.Compare(b.Target.ProgramBytes, found.Target.ProgramBytes),
			strings.Compare(b.Target.Configuration, found.Target.Configuration)) <= 0 {
			found = b
		}
	}
	return found
}
