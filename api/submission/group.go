package submission

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Recent is a result of the last days, with the fields that groups are made by.
type Recent struct {
	Result, State, Module string
	Contributor           string // opaque, only for comparisons
	FirstSeen             time.Time
	ReceivedAt            time.Time
	Client, Host, Bus     string
	Kernel                string
	Networks              []string // opaque labels, the smallest network first
}

// environment returns what runs of one script on one machine have in common.
func (r Recent) environment() string {
	return strings.Join([]string{r.Client, r.Host, r.Kernel, r.Bus}, "\x00")
}

// Group is a group of contributors who resemble each other.
type Group struct {
	Rule         string // in words
	Contributors int
	From, To     time.Time // when its results were received
	Modules      []string  // slugs
	Results      []string  // ids
	States       map[string]int
}

// GroupRule says which contributors are a group.
type GroupRule struct {
	Words string // what they did
	Least int    // contributors

	withinHour bool                                    // the last was first seen so long after the first at most
	key        func(r Recent, modules []string) string // what they have in common; modules: of the contributor of r
}

// GroupRules are the rules by which Groups makes groups.
var GroupRules = []GroupRule{
	{"sent from one household on one day", 3, false, network(0)},
	{"sent from one organization’s network on one day", 5, false, network(1)},
	{"came within an hour, with the same client, board, kernel and bus", 3, true,
		func(r Recent, _ []string) string { return r.environment() }},
	{"came within an hour, and have results of exactly the same modules", 3, true,
		func(_ Recent, modules []string) string { return strings.Join(modules, " ") }},
	{"came within an hour, and have results of one module", 5, true,
		func(r Recent, _ []string) string { return r.Module }},
}

func network(level int) func(Recent, []string) string {
	return func(r Recent, _ []string) string {
		if level >= len(r.Networks) {
			return ""
		}
		return r.Networks[level]
	}
}

// Groups returns groups of contributors who resemble each other, the largest first. A result may be in several groups.
func Groups(recent []Recent) (groups []Group) {
	modules := map[string][]string{} // of each contributor
	for _, r := range recent {
		modules[r.Contributor] = append(modules[r.Contributor], r.Module)
	}
	for contributor, slugs := range modules {
		slices.Sort(slugs)
		modules[contributor] = slices.Compact(slugs)
	}
	for _, rule := range GroupRules {
		groups = append(groups, rule.groups(recent, modules)...)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return b.Contributors - a.Contributors })
	return groups
}

// groups returns the groups of enough contributors whose results have one key, which isn't empty. modules are those of
// each contributor. Where they must come within an hour, a group ends so long after its first contributor was first
// seen, and another begins.
func (rule GroupRule) groups(recent []Recent, modules map[string][]string) (groups []Group) {
	key := func(r Recent) string { return rule.key(r, modules[r.Contributor]) }
	recent = slices.Clone(recent)
	slices.SortStableFunc(recent, func(a, b Recent) int {
		if !rule.withinHour {
			return strings.Compare(key(a), key(b))
		}
		return cmp.Or(strings.Compare(key(a), key(b)), a.FirstSeen.Compare(b.FirstSeen))
	})
	for len(recent) > 0 {
		first, n := recent[0], 1
		for n < len(recent) && key(recent[n]) == key(first) &&
			(!rule.withinHour || recent[n].FirstSeen.Sub(first.FirstSeen) <= time.Hour) {
			n++
		}
		if group := groupOf(rule.Words, recent[:n]); key(first) != "" && group.Contributors >= rule.Least {
			groups = append(groups, group)
		}
		recent = recent[n:]
	}
	return groups
}

func groupOf(rule string, results []Recent) Group {
	g := Group{Rule: rule, From: results[0].ReceivedAt, To: results[0].ReceivedAt, States: map[string]int{}}
	contributors := map[string]bool{}
	for _, r := range results {
		contributors[r.Contributor] = true
		g.Results, g.Modules = append(g.Results, r.Result), append(g.Modules, r.Module)
		g.States[r.State]++
		if r.ReceivedAt.Before(g.From) {
			g.From = r.ReceivedAt
		}
		if r.ReceivedAt.After(g.To) {
			g.To = r.ReceivedAt
		}
	}
	slices.Sort(g.Modules)
	g.Modules, g.Contributors = slices.Compact(g.Modules), len(contributors)
	return g
}
