package submission_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flashdex/api/submission"
)

// crowd returns one result each of n contributors, some minutes apart. Nothing connects the results until change does.
func crowd(n int, minutes time.Duration, change func(i int, r *submission.Recent)) (recent []submission.Recent) {
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for i := range n {
		at := noon.Add(time.Duration(i) * minutes * time.Minute)
		of := func(what string) string { return fmt.Sprint(what, i) }
		r := submission.Recent{Result: of("result"), State: submission.Accepted, Module: of("module"),
			Contributor: of("contributor"), FirstSeen: at, ReceivedAt: at, Client: of("client"), Host: of("host"),
			Kernel: of("kernel"), Bus: of("bus"), Networks: []string{of("house"), of("net"), of("isp")}}
		change(i, &r)
		recent = append(recent, r)
	}
	return recent
}

func TestGroupsAreOfContributorsWhoResembleEachOther(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		recent []submission.Recent
		want   string
	}{
		"nothing in common": {crowd(9, 1, func(int, *submission.Recent) {}), ""},
		"one provider":      {crowd(9, 1, func(_ int, r *submission.Recent) { r.Networks[2] = "isp" }), ""},
		"one household": {crowd(3, 600, func(_ int, r *submission.Recent) { r.Networks[0] = "house" }),
			"3 sent from one household on one day"},
		"two of a household":      {crowd(2, 1, func(_ int, r *submission.Recent) { r.Networks[0] = "house" }), ""},
		"four of an organization": {crowd(4, 1, func(_ int, r *submission.Recent) { r.Networks[1] = "net" }), ""},
		"five of an organization": {crowd(5, 1, func(_ int, r *submission.Recent) { r.Networks[1] = "net" }),
			"5 sent from one organization’s network on one day"},
		"one contributor": {crowd(9, 1, func(_ int, r *submission.Recent) {
			r.Networks[0], r.Contributor, r.Module = "house", "me", "one"
		}), ""},
		"one machine": {crowd(3, 30, func(_ int, r *submission.Recent) {
			r.Client, r.Host, r.Kernel, r.Bus = "c", "h", "k", "b"
		}), "3 came within an hour, with the same client, board, kernel and bus"},
		"one machine, another kernel": {crowd(3, 30, func(i int, r *submission.Recent) { r.Client, r.Host, r.Bus = "c", "h", "b" }),
			""},
		"one machine, over three hours": {crowd(3, 61, func(_ int, r *submission.Recent) {
			r.Client, r.Host, r.Kernel, r.Bus = "c", "h", "k", "b"
		}), ""},
		"one module": {crowd(4, 5, func(_ int, r *submission.Recent) { r.Module = "one" }),
			"4 came within an hour, and have results of exactly the same modules"},
		"networks that aren't known": {crowd(4, 5, func(_ int, r *submission.Recent) { r.Networks = nil }), ""},
	} {
		var got []string
		for _, g := range submission.Groups(of.recent) {
			got = append(got, fmt.Sprint(g.Contributors, " ", g.Rule))
			if len(g.Results) != len(of.recent) || g.States[submission.Accepted] != len(g.Results) ||
				!g.From.Equal(of.recent[0].ReceivedAt) || !g.To.Equal(of.recent[len(of.recent)-1].ReceivedAt) {
				t.Errorf("%s: %+v", name, g)
			}
		}
		if text := strings.Join(got, "; "); text != of.want {
			t.Errorf("%s: %q, want %q", name, text, of.want)
		}
	}
}

// Contributors who also send results of other modules don't hide the module that all of them lie about.
func TestContributorsOfOneModuleAreAGroupWhateverElseTheyMeasure(t *testing.T) {
	t.Parallel()
	for contributors, want := range map[int]string{4: "", 5: "5 came within an hour, and have results of one module"} {
		all := crowd(contributors, 5, func(int, *submission.Recent) {})
		for _, r := range all {
			r.Result += " of one"
			r.Module = "one"
			all = append(all, r)
		}
		var got []string
		for _, g := range submission.Groups(all) {
			got = append(got, fmt.Sprint(g.Contributors, " ", g.Rule))
			if len(g.Results) != contributors {
				t.Errorf("%d contributors: %v", contributors, g.Results)
			}
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%d contributors: %q, want %q", contributors, text, want)
		}
	}
}

func TestWhatEverybodySeesOfAContributorFitsMany(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 10, 31, 23, 59, 0, 0, time.UTC)
	for _, of := range []struct {
		units, modules int
		want           string
	}{
		{0, 0, "since October 2026, without an accepted result so far"},
		{1, 1, "since October 2026, with 1 unit of 1 module"},
		{2, 1, "since October 2026, with 2 to 5 units of 1 module"},
		{5, 2, "since October 2026, with 2 to 5 units of 2 to 5 modules"},
		{6, 6, "since October 2026, with 6 to 20 units of 6 to 20 modules"},
		{21, 20, "since October 2026, with more than 20 units of 6 to 20 modules"},
	} {
		facts := submission.ContributorFacts{Since: since, Units: of.units, Modules: of.modules}
		if got := facts.InWords(); got != of.want {
			t.Errorf("%d, %d: %q, want %q", of.units, of.modules, got, of.want)
		}
	}
	for n, want := range map[int]string{0: "0", 1: "1", 2: "2-5", 5: "2-5", 6: "6-20", 20: "6-20", 21: "21+", 999: "21+"} {
		if got := submission.Coarse(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
