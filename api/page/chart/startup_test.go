package chart

import (
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// starting returns a test with these starts of a program, in seconds. Half of each is the program's own processor time,
// and a tenth the kernel's. Each start read 2 MB.
func starting(seconds ...float64) []result.Test {
	t := result.Test{Name: result.Startup, BlockBytes: 512}
	for _, s := range seconds {
		ns := int64(s * 1e9)
		t.Intervals = append(t.Intervals, result.Interval{Bytes: 2_000_000, NS: ns, UserNS: ns / 2, SystemNS: ns / 10})
	}
	return []result.Test{t}
}

// java returns a run of a version of Java with one configuration in a host.
func java(letter, module, version, configuration string, bytes int64, host string, tests []result.Test) Profiled {
	return Profiled{Letter: letter, Label: "run " + letter, Class: Several(0), Module: module, Board: host, Tests: tests,
		Target: result.Target{Program: "java", ProgramSum: version, Configuration: configuration, ProgramBytes: bytes}}
}

// Starts of another program, version, configuration or host are no baseline, nor are starts of an unknown version.
func TestStartsAreHeldAgainstTheSameAlone(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		java("A", "", "v1", "cp1", 10_800_000, "slow", starting(9, 11)),
		java("B", "", "v1", "cp1", 10_800_000, "quick", starting(1, 1)),
		java("C", "", "v2", "cp1", 10_900_000, "slow", starting(7, 7)),
		java("D", "", "", "cp1", 0, "slow", starting(7, 7)),
		java("E", "", "v1", "cp2", 15_100_000, "slow", starting(8, 8)),
		{Letter: "F", Class: Several(5), Board: "slow", Target: result.Target{Program: "perl", ProgramSum: "v1",
			Configuration: "cp1"}, Tests: starting(2, 2)},
		java("G", "", "v1", "cp1", 10_800_000, "slow", starting(5, 5)),
		java("H", "", "", "cp1", 0, "slow", starting(8, 8)),
		java("I", "", "v3", "cp1", 10_800_000, "", starting(4, 4)), // two boards without a name may be different ones
		java("J", "", "v3", "cp1", 10_800_000, "", starting(2, 2)),
		java("K", "", "v3", "cp2", 15_100_000, "", starting(3, 3)),
	}
	p := ProfileOf(result.MethodStartup1, "x-", runs)
	if len(p.Tables) != 3 || len(p.Tables[0].Rows) != len(runs) {
		t.Fatalf("%+v", p.Tables)
	}
	for i, want := range map[int][]string{
		0: {"A java, cp1", "2", "10", "1.41", "9", "11", "5", "1", "10.8", "2"},
		3: {"D java, cp1", "2", "7", "0", "7", "7", "3.5", "0.7", "", "2"},
	} {
		if diff := cmp.Diff(want, p.Tables[0].Rows[i]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want := [][]string{{"G java, cp1", "A java, cp1", "−50 %", "−50 %", "−50 %"}} // A is the slowest
	if diff := cmp.Diff(want, p.Tables[1].Rows); diff != "" {
		t.Errorf("against the same (-want +got):\n%s", diff)
	}
	want = [][]string{{"E java, cp2", "G java, cp1", "+60 %", "+60 %", "+60 %"}}
	if diff := cmp.Diff(want, p.Tables[2].Rows); diff != "" {
		t.Errorf("by configuration (-want +got):\n%s", diff)
	}
	if len(p.Charts) != 1 || len(drawn(t, p.Charts[0]).Dots) != 2*len(runs) {
		t.Errorf("%+v", p.Charts)
	}
}

// There are two configurations on two cards. Each start is compared with the slowest card, whichever is the baseline of
// the comparison, and with the smallest configuration on its own card.
func TestStartsByCardAndByConfiguration(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		java("A", "slow-card", "v1", "cp1", 10_800_000, "pi", starting(10)),
		java("A", "slow-card", "v1", "cp2", 15_100_000, "pi", starting(12)),
		java("B", "other-card", "v1", "cp1", 10_800_000, "pi", starting(9)),
		java("B", "other-card", "v1", "cp2", 15_100_000, "pi", starting(9.9)),
	}
	p := ProfileOfModules(result.MethodStartup1, "x-", runs, 2)
	want := [][]string{
		{"B java, cp1", "A run A", "−10 %", "−10 %", "−10 %"}, {"B java, cp2", "A run A", "−17.5 %", "−17.5 %", "−17.5 %"},
	}
	if diff := cmp.Diff(want, p.Tables[1].Rows); diff != "" || p.Tables[1].Title != "By card" {
		t.Errorf("%s (-want +got):\n%s", p.Tables[1].Title, diff)
	}
	want = [][]string{
		{"A java, cp2", "A java, cp1", "+20 %", "+20 %", "+20 %"}, {"B java, cp2", "B java, cp1", "+10 %", "+10 %", "+10 %"},
	}
	if diff := cmp.Diff(want, p.Tables[2].Rows); diff != "" || p.Tables[2].Title != "By configuration" {
		t.Errorf("%s (-want +got):\n%s", p.Tables[2].Title, diff)
	}
}

// A configuration on another unit is no baseline, because the cards would differ, too.
func TestConfigurationsAreComparedOnOneUnit(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		java("A", "", "v1", "cp2", 15_100_000, "pi", starting(12)),
		java("B", "", "v1", "cp2", 15_100_000, "pi", starting(9)),
		java("C", "", "v1", "cp1", 10_800_000, "pi", starting(10)),
	}
	runs[0].Unit, runs[2].Unit, runs[1].Unit = "one", "one", "other"
	p := ProfileOf(result.MethodStartup1, "x-", runs)
	last := p.Tables[len(p.Tables)-1]
	want := [][]string{{"A java, cp2", "C java, cp1", "+20 %", "+20 %", "+20 %"}}
	if diff := cmp.Diff(want, last.Rows); diff != "" || last.Title != "By configuration" {
		t.Errorf("%s (-want +got):\n%s", last.Title, diff)
	}
}

// Two runs of one unit are of one card, so they aren't compared by card. Another card is compared with the slower one.
func TestAUnitIsNotComparedWithItselfByCard(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		java("A", "", "v1", "cp1", 10_800_000, "pi", starting(10)),
		java("B", "", "v1", "cp1", 10_800_000, "pi", starting(8)),
	}
	runs[0].Unit, runs[1].Unit = "one", "one"
	if p := ProfileOf(result.MethodStartup1, "x-", runs); len(p.Tables) != 1 {
		t.Errorf("a table compares a card with itself: %+v", p.Tables[1:])
	}
	runs = append(runs, java("C", "", "v1", "cp1", 10_800_000, "pi", starting(5)))
	runs[2].Unit = "other"
	p := ProfileOf(result.MethodStartup1, "x-", runs)
	want := [][]string{{"C java, cp1", "A java, cp1", "−50 %", "−50 %", "−50 %"}}
	if len(p.Tables) != 2 || cmp.Diff(want, p.Tables[1].Rows) != "" {
		t.Errorf("with another card: %+v, want %v", p.Tables[1:], want)
	}
}

// In a comparison a module has one letter, so a start shows its host or version if another start has the same name.
func TestStartsOfOneNameSayWhatTellsThemApart(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		java("A", "a", "0123456789", "cp1", 10_800_000, "Pi 5", starting(10)),
		java("A", "a", "0123456789", "cp1", 10_800_000, "Pi 4", starting(20)),
		java("A", "a", "9876543210", "cp1", 10_800_000, "Pi 4", starting(30)),
		java("A", "a", "0123456789", "cp2", 15_100_000, "Pi 4", starting(40)),
		java("B", "b", "0123456789", "cp1", 10_800_000, "Pi 4", starting(15)),
	}
	p := ProfileOfModules(result.MethodStartup1, "x-", runs, 0)
	var names []string
	for _, row := range p.Tables[0].Rows {
		names = append(names, row[0])
	}
	want := []string{
		"A java, cp1, version 01234567, Pi 5", "A java, cp1, version 01234567, Pi 4", "A java, cp1, version 98765432, Pi 4",
		"A java, cp2", "B java, cp1",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rows := [][]string{{"B java, cp1", "A run A, version 01234567, Pi 4", "−25 %", "−25 %", "−25 %"}}
	if diff := cmp.Diff(rows, p.Tables[1].Rows); diff != "" {
		t.Errorf("by card (-want +got):\n%s", diff)
	}
}

// A run by an older client has no processor time and no version: it stands alone.
func TestStartsOfAnOlderClient(t *testing.T) {
	t.Parallel()
	tests := starting(9, 11)
	for i := range tests[0].Intervals {
		tests[0].Intervals[i].UserNS, tests[0].Intervals[i].SystemNS = 0, 0
	}
	p := ProfileOf(result.MethodStartup1, "x-", []Profiled{
		{Class: Main, Target: result.Target{Program: "jre8"}, Tests: tests},
	})
	want := [][]string{{"jre8", "2", "10", "1.41", "9", "11", "", "", "", "2"}}
	if len(p.Tables) != 1 || cmp.Diff(want, p.Tables[0].Rows) != "" {
		t.Errorf("%+v", p.Tables)
	}
}
