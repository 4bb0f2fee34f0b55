package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result"
)

// swept returns the tests of one name with records from 512 B on, each twice as large as the one before.
func swept(name string, mbPerS ...float64) (tests []result.Test) {
	for i, rate := range mbPerS {
		bytes := int64(512) << i
		tests = append(
			tests,
			result.Test{
				Name: name, BlockBytes: bytes, Ops: 1000, Bytes: 1000 * bytes,
				DurationNS: int64(math.Round(float64(1000*bytes) * 1e3 / rate)),
			},
		)
	}
	return tests
}

func TestSweepMarksTheCliffAndWhereTheRateIsLevel(t *testing.T) {
	t.Parallel()
	// 512 B to 64 KiB: a card that writes units of 16 KiB.
	tests := append(
		swept(result.RandWrite, 0.1, 0.2, 0.4, 0.8, 1.6, 8, 9.5, 10), swept(result.RandRead, 1, 2, 4, 8, 9, 9.5, 10, 10)...,
	)
	p := ProfileOf(result.MethodSweep1, "x-", []Profiled{{Label: "this run", Class: Main, Tests: tests}})
	if len(p.Charts) != 1 || len(p.Tables) != 1 {
		t.Fatalf("%d charts, %d tables", len(p.Charts), len(p.Tables))
	}
	c := p.Charts[0]
	var marks []string
	of := drawn(t, c)
	for _, text := range of.Texts {
		marks = append(marks, text.Class+" "+text.Label)
	}
	// The cliff lies at 5 of 7 steps.
	if diff := cmp.Diff(
		[]string{"cliff cliff below 16 KiB", "whole RW level from 16 KiB", "several-1 RW", "several-2 RR"}, marks,
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if of.Lines[0].Class != Cliff || of.Lines[0].X1 != 71.43 {
		t.Errorf("%+v", of.Lines)
	}
	if diff := cmp.Diff(
		[]Path{{Several(0), of.Paths[0].D}, {Several(1), of.Paths[1].D}}, of.Paths,
	); diff != "" || strings.Count(of.Paths[0].D, "L") != 7 {
		t.Errorf("%s %s", diff, of.Paths[0].D)
	}
	if diff := cmp.Diff(
		[][]string{{"RW random write", "16 KiB", "10", "16 KiB", "5"}, {"RR random read", "4 KiB", "10", "none", ""}},
		p.Tables[0].Rows,
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if row := c.Numbers.Rows[5]; len(c.Numbers.Rows) != 8 || row[0] != "16 KiB" || row[1] != "8" || row[3] != "" {
		t.Errorf("%+v", c.Numbers)
	}
	if !strings.Contains(of.Desc, "With 16 KiB it is 5 times what it is with half of that.") {
		t.Error(of.Desc)
	}
}

func TestACliffTakesMoreThanTheRecordExplains(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		rates []float64
		cliff float64
		level float64
	}{
		{"twice the record, twice the rate", []float64{1, 2, 4, 8, 8.1}, 0, 4096},
		{"a little more, as within what two seconds vary by", []float64{1, 2.4, 4.9}, 0, 2048},
		{"the steepest of two", []float64{1, 3, 18, 18}, 2048, 2048},
		{"falling", []float64{8, 4, 2}, 0, 512},
		{"one alone", []float64{8}, 0, 512},
	} {
		rates := ratesOf(swept(result.RandWrite, test.rates...), result.RandWrite)
		if got, _ := cliffOf(rates); got != test.cliff {
			t.Errorf("%s: the cliff is below %v, want %v", test.name, got, test.cliff)
		}
		if got, _ := levelOf(rates); got != test.level {
			t.Errorf("%s: level from %v, want %v", test.name, got, test.level)
		}
	}
	gap := []point{{512, 1}, {4096, 30}}
	if got, _ := cliffOf(gap); got != 0 {
		t.Errorf("sizes that weren't measured hide where the cliff is, but it is below %v", got)
	}
	if bytes, _ := levelOf(nil); bytes != 0 {
		t.Error("nothing is level")
	}
	if _, ok := Sweep("x", "", []Line{{"A", Main, "", gap[:1]}}, 0); ok {
		t.Error("one size is no line")
	}
}

func TestSweepOfModulesDrawsWhatTwoHave(t *testing.T) {
	t.Parallel()
	runs := []Profiled{
		{Letter: "A", Label: "one", Class: Several(0), Tests: swept(result.RandWrite, 1, 2, 4)},
		{
			Letter: "C", Label: "three", Class: Several(2),
			Tests: append(swept(result.RandWrite, 2, 4), swept(result.SeqWrite, 2, 4)...),
		},
	}
	p := ProfileOfModules(result.MethodSweep1, "x-", runs, 0)
	if len(p.Charts) != 1 || !strings.Contains(p.Charts[0].SVG, `id="x-records-rand-write-title"`) {
		t.Fatalf("%+v", p)
	}
	if diff := cmp.Diff([]Key{{"several-1", "A one"}, {"several-3", "C three"}}, p.Charts[0].Key); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(
		[][]string{{"512 B", "1", "2"}, {"1 KiB", "2", "4"}, {"2 KiB", "4", ""}}, p.Charts[0].Numbers.Rows,
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p = ProfileOfModules(result.MethodSweep1, "x-", runs[:1], 0); len(p.Charts)+len(p.Tables) > 0 {
		t.Errorf("one has nothing beside it: %+v", p)
	}
}
