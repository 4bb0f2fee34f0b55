package publish

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/result"
)

const (
	// maxHostPages limits the pages to the host models with the most units: anybody can make up names of hosts.
	maxHostPages = 200
	// minHostUnits is how many units must have been measured in a host model before it has a page.
	minHostUnits = 3
)

// hostPage is the page of one host model. Summaries hold the figures of a class of hosts. If a module was measured in
// no other host of the class, they are this host's own figures.
type hostPage struct {
	Slug, Name   string
	Units        int // a unit counts once in each class
	ModulesTotal int
	Classes      []hostBus
	Best         []hostBest // the highest of the host's own figures
	Modules      []tableRow // the quickest at 4K random writes first; at most a page's rows

	rows []hostRow
}

// hostBus is one way in which the host connects modules: a class of hosts and the path of its ranking.
type hostBus struct {
	Class, Path, MBPerS string
	Units               int
}

// hostRow is a module measured in the host, in one class of hosts.
type hostRow struct {
	module catalogue.Module
	class  string // label
	here   int    // units measured in this host
	boards int    // names of this host that are joined here
	*figure.Summary
}

// own reports whether the summary is of this host alone.
func (r hostRow) own() bool { return r.boards == r.Boards }

func newHostPage(name string) *hostPage {
	return &hostPage{Name: name, Classes: []hostBus{}, Best: []hostBest{}}
}

// join adds the rows of another name of the same host.
func (h *hostPage) join(rows []hostRow) {
	had := map[*figure.Summary]int{} // index of its row
	for i := range h.rows {
		had[h.rows[i].Summary] = i
	}
	for _, r := range rows {
		h.Units += r.here
		at, ok := had[r.Summary]
		if !ok {
			h.rows = append(h.rows, r)
			continue
		}
		h.rows[at].here += r.here
		h.rows[at].boards += r.boards
	}
}

// highest returns the highest of the host's own figures by a metric; 0: there is none.
func (h *hostPage) highest(key string) (most float64) {
	if h == nil {
		return 0
	}
	for _, r := range h.rows {
		if r.own() {
			most = max(most, r.Figures.At(key).Value)
		}
	}
	return most
}

// hostBest is the host's highest figure of any module. BusPercent is how much of the bus a linear figure uses.
type hostBest struct{ Key, Value, Sort, Slug, Name, BusPercent string }

// reArchitecture matches what a result calls its host if the host shows no model.
var reArchitecture = regexp.MustCompile(`^[a-z0-9_]{1,16}$`)

// boards gathers what was measured in each model of host, by its name.
func (s *site) boards() map[string]*hostPage {
	byName := map[string]*hostPage{}
	for i := range s.snapshot.Summaries {
		sum := &s.snapshot.Summaries[i]
		m, listed := s.modules[sum.ModuleSlug]
		if !listed || sum.Method != result.MethodFlashdex1 {
			continue
		}
		for _, b := range sum.ByBoard {
			if reArchitecture.MatchString(b.Board) {
				continue
			}
			if byName[b.Board] == nil {
				byName[b.Board] = newHostPage(b.Board)
			}
			h := byName[b.Board]
			h.rows = append(h.rows, hostRow{m, figure.HostClassLabel(sum.HostClass), b.Units, 1, sum})
			h.Units += b.Units
		}
	}
	return byName
}

// hosts are the models of hosts that have a page, the ones with the most units first.
func (s *site) hosts() []*hostPage {
	all := slices.SortedFunc(maps.Values(s.boards()), func(a, b *hostPage) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Name, b.Name))
	})
	all = slices.DeleteFunc(all, func(h *hostPage) bool { return h.Units < minHostUnits })
	all = all[:min(len(all), maxHostPages)]
	taken := map[string]bool{}
	for _, h := range all {
		h.Slug = catalogue.SlugOf([]string{h.Name}, func(slug string) bool { return taken[slug] })
		taken[h.Slug] = true
		h.finish(s.pageRows)
	}
	return all
}

// finish sorts the rows, makes the page's rows, and notes the buses and the best figures.
func (h *hostPage) finish(most int) {
	for _, class := range figure.HostClasses {
		bus, carries := hostBus{Class: class.Label, Path: "/in/" + class.Key + "/"}, 0.0
		for _, r := range h.rows {
			if r.HostClass != class.Key {
				continue
			}
			if bus.Units += r.here; r.own() {
				carries = max(carries, r.BusMBPerS)
			}
		}
		if carries > 0 {
			bus.MBPerS = result.Number(carries)
		}
		if bus.Units > 0 {
			h.Classes = append(h.Classes, bus)
		}
	}
	slices.SortFunc(h.rows, func(a, b hostRow) int {
		if x, y := a.Figures.At(figure.RandWriteIOPS).Value, b.Figures.At(figure.RandWriteIOPS).Value; x != y {
			return cmp.Compare(y, x)
		}
		return cmp.Or(strings.Compare(a.module.Name(), b.module.Name()), strings.Compare(a.module.Slug, b.module.Slug),
			strings.Compare(a.class, b.class))
	})
	for _, key := range figure.MainFigures {
		if best := bestOf(h.rows, key); best.Value != "" {
			h.Best = append(h.Best, best)
		}
	}
	h.ModulesTotal = len(h.rows)
	for _, r := range h.rows[:min(len(h.rows), most)] {
		h.Modules = append(h.Modules, r.tableRow(len(h.Classes) > 1))
	}
}

// bestOf finds the highest of the host's own figures by one metric. Its value is empty if there is none.
func bestOf(rows []hostRow, key string) hostBest {
	best, highest := hostBest{Key: key}, 0.0
	for _, r := range rows {
		v := r.Figures.At(key).Value
		if !r.own() || v <= highest {
			continue
		}
		highest = v
		best = hostBest{key, result.Number(v), page.Sortable(v), r.module.Slug, r.module.Name(), ""}
		if linear := key == figure.SeqWriteMBPerS || key == figure.SeqReadMBPerS; linear && r.BusMBPerS > 0 {
			best.BusPercent = fmt.Sprintf("%.0f %%", 100*v/r.BusMBPerS)
		}
	}
	return best
}

// tableRow makes a row of a host's table: figures, which hosts they come from, the form, and the class if the host has
// several.
func (r hostRow) tableRow(withClass bool) tableRow {
	of := page.Cell{Class: "medium", Value: "this host"}
	if !r.own() {
		of.Value = fmt.Sprintf("%d units of the class", r.Units)
	}
	cells := append(figureCells(figure.MainFigures, r.Figures), page.Cell{Class: "number", Value: fmt.Sprint(r.here)}, of,
		page.Cell{Value: formLabel(r.module.Form)})
	if withClass {
		cells = append(cells, page.Cell{Class: "medium", Value: r.class})
	}
	return tableRow{Slug: r.module.Slug, Name: r.module.Name(), Cells: cells}
}

// writeHostPages writes the page of each model of host, and the list of hosts.
func (s *site) writeHostPages() (pages []dataPage, err error) {
	list := s.hosts()
	for _, h := range list {
		p := dataPage{Path: "/hosts/" + h.Slug + "/", Title: h.Name, File: "hosts/" + h.Slug + ".json"}
		if err := s.writePage(p, h); err != nil {
			return nil, err
		}
		pages, h.Modules = append(pages, p), nil // the list of hosts needs no rows
	}
	return pages, s.writeFile("hosts.json", list)
}
