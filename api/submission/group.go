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

// How many contributors who resemble each other make a group, and within what time all of them must have been first
// seen.
const (
	minAlike     = 3
	minNeighbors = 5
	alikeWithin  = time.Hour
)

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
	network := func(level int) func(Recent) string {
		return func(r Recent) string {
			if level >= len(r.Networks) {
				return ""
			}
			return r.Networks[level]
		}
	}
	for _, by := range []struct {
		rule   string
		least  int
		within time.Duration // 0: any time
		key    func(Recent) string
	}{
		{"sent from one household on one day", minAlike, 0, network(0)},
		{"sent from one organization’s network on one day", minNeighbors, 0, network(1)},
		{"came within an hour, with the same client, board, kernel and bus", minAlike, alikeWithin, Recent.environment},
		{"came within an hour, and have results of exactly the same modules", minAlike, alikeWithin,
			func(r Recent) string { return strings.Join(modules[r.Contributor], " ") }},
		{"came within an hour, and have results of one module", minNeighbors, alikeWithin,
			func(r Recent) string { return r.Module }},
	} {
		groups = append(groups, alike(recent, by.rule, by.least, by.within, by.key)...)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return b.Contributors - a.Contributors })
	return groups
}

// alike returns groups of enough contributors whose results have the same key, unless it is empty. If within is set, a
// group ends that long after its first contributor was first seen, and the next group begins.
func alike(recent []Recent, rule string, least int, within time.Duration, key func(Recent) string) (groups []Group) {
	recent = slices.Clone(recent)
	slices.SortStableFunc(recent, func(a, b Recent) int {
		if within == 0 {
			return strings.Compare(key(a), key(b))
		}
		return cmp.Or(strings.Compare(key(a), key(b)), a.FirstSeen.Compare(b.FirstSeen))
	})
	for len(recent) > 0 {
		first, n := recent[0], 1
		for n < len(recent) && key(recent[n]) == key(first) &&
			(within == 0 || recent[n].FirstSeen.Sub(first.FirstSeen) <= within) {
			n++
		}
		if group := groupOf(rule, recent[:n]); key(first) != "" && group.Contributors >= least {
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
