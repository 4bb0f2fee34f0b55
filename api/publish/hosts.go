package publish

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/markup"
	"flashdex/result"
)

const (
	// maxHostPages is how many models of hosts have a page: those with the most units. Anybody can make up names of hosts.
	maxHostPages = 200
	// minHostUnits is how many units must have been measured in a model of host before it has a page.
	minHostUnits = 3
)

// hostPage is one model of host. What a module's summaries hold are the figures of a class of hosts: where this host is the only one of its
// class that a module was measured in, they are the host's own.
type hostPage struct {
	Slug         string     `json:"slug"`
	Name         string     `json:"name"`
	Units        int        `json:"units"` // counting a unit in each class
	ModulesTotal int        `json:"modules_total"`
	Classes      []hostBus  `json:"classes"`
	Best         []hostBest `json:"best"`              // the most that modules showed, of the host's own figures
	Modules      []hostRow  `json:"modules,omitempty"` // the quickest at 4K random writes first; at most a page's rows

	rows  []hostRow
	buses map[string]*hostBus
}

// hostBus is one way in which the host reaches modules.
type hostBus struct {
	Class  string `json:"class"` // as one reads it
	Path   string `json:"path"`  // of its ranking
	MBPerS string `json:"mb_per_s,omitempty"`
	Units  int    `json:"units"`

	mbPerS float64
}

// hostRow is a module in the host, in one class of hosts.
type hostRow struct {
	Slug       string      `json:"slug"`
	Name       string      `json:"name"`
	Form       string      `json:"form"`
	Class      string      `json:"class"`
	Units      int         `json:"units"`       // measured in this host
	ClassUnits int         `json:"class_units"` // that the figures are of
	Own        bool        `json:"own"`         // the figures are of this host alone
	Cells      markup.HTML `json:"cells_html"`  // of mainKeys

	figures   figure.Set
	busMBPerS float64
}

// hostBest is the most that any module showed of a figure.
type hostBest struct {
	Key        string  `json:"key"`
	Value      float64 `json:"value"`
	Text       string  `json:"text"`
	Slug       string  `json:"slug"`
	Name       string  `json:"name"`
	BusPercent float64 `json:"bus_percent,omitempty"` // of what the bus carries, of a linear figure
}

// reArchitecture is what a result says of its host where that shows no model.
var reArchitecture = regexp.MustCompile(`^[a-z0-9_]{1,16}$`)

// hosts are the models of hosts that have a page, those with the most units first.
func (s *site) hosts() []*hostPage {
	modules := map[string]catalogue.Module{}
	for _, m := range s.snapshot.Modules {
		modules[m.Slug] = m
	}
	byName := map[string]*hostPage{}
	for i := range s.snapshot.Summaries {
		sum := &s.snapshot.Summaries[i]
		m, shown := modules[sum.ModuleSlug]
		if !shown || sum.Method != result.MethodFlashdex1 {
			continue
		}
		for _, b := range sum.ByBoard {
			if reArchitecture.MatchString(b.Board) {
				continue
			}
			if byName[b.Board] == nil {
				byName[b.Board] = &hostPage{Name: b.Board, Classes: []hostBus{}, Best: []hostBest{}, buses: map[string]*hostBus{}}
			}
			byName[b.Board].add(m, sum, b.Units)
		}
	}
	all := []*hostPage{}
	for _, h := range byName {
		if h.Units >= minHostUnits {
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b *hostPage) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Name, b.Name))
	})
	all = all[:min(len(all), maxHostPages)]
	taken := map[string]bool{}
	for _, h := range all {
		h.Slug = catalogue.SlugOf([]string{h.Name}, func(slug string) bool { return taken[slug] })
		taken[h.Slug] = true
		h.finish(s.pageRows)
	}
	return all
}

func (h *hostPage) add(m catalogue.Module, sum *figure.Summary, units int) {
	own := sum.Boards == 1
	row := hostRow{m.Slug, m.Name(), m.Form, figure.HostClassLabel(sum.HostClass), units, sum.Units, own, cells(mainKeys, sum.Figures), sum.Figures, sum.BusMBPerS}
	h.rows = append(h.rows, row)
	h.Units += units
	if h.buses[sum.HostClass] == nil {
		h.buses[sum.HostClass] = &hostBus{Class: row.Class, Path: "/in/" + sum.HostClass + "/"}
	}
	bus := h.buses[sum.HostClass]
	bus.Units += units
	if own {
		bus.mbPerS = max(bus.mbPerS, sum.BusMBPerS)
	}
}

// finish sorts what add gathered, keeps the most rows of a page, and notes the best of all.
func (h *hostPage) finish(most int) {
	for _, class := range figure.HostClasses {
		if bus := h.buses[class.Key]; bus != nil {
			if bus.mbPerS > 0 {
				bus.MBPerS = result.Number(bus.mbPerS)
			}
			h.Classes = append(h.Classes, *bus)
		}
	}
	slices.SortFunc(h.rows, func(a, b hostRow) int {
		return cmp.Or(cmp.Compare(b.figures[figure.RandWriteIOPS].Value, a.figures[figure.RandWriteIOPS].Value), strings.Compare(a.Name, b.Name), strings.Compare(a.Slug, b.Slug), strings.Compare(a.Class, b.Class))
	})
	for _, key := range mainKeys {
		best := hostBest{Key: key}
		for i := range h.rows {
			r := &h.rows[i]
			v := r.figures[key].Value
			if !r.Own || v <= best.Value {
				continue
			}
			best = hostBest{Key: key, Value: v, Text: result.Number(v), Slug: r.Slug, Name: r.Name}
			if linear := key == figure.SeqWriteMBPerS || key == figure.SeqReadMBPerS; linear && r.busMBPerS > 0 {
				best.BusPercent = 100 * v / r.busMBPerS
			}
		}
		if best.Value > 0 {
			h.Best = append(h.Best, best)
		}
	}
	h.ModulesTotal = len(h.rows)
	h.Modules = h.rows[:min(len(h.rows), most)]
}

// writeHostPages writes the page of each model of host, and the list of hosts.
func (s *site) writeHostPages() (pages []dataPage, err error) {
	list := []hostPage{}
	for _, h := range s.hosts() {
		p := dataPage{Path: "/hosts/" + h.Slug + "/", Title: h.Name, File: "hosts/" + h.Slug + ".json"}
		if err := s.writePage(p, h); err != nil {
			return nil, err
		}
		brief := *h
		brief.Modules = nil
		list = append(list, brief)
		pages = append(pages, p)
	}
	return pages, s.writeFile("hosts.json", list)
}
