package result_test

import (
	"testing"

	"flashdex/result"
)

// However many passes a life has, a document has at most MaxIntervals of them, and nothing is lost. The pass with the
// first error is still exact.
func TestPassesJoinWithoutLosingTheFirstError(t *testing.T) {
	t.Parallel()
	const blocks, passes, bad = 3, 7919, 5003
	p := result.Passes{Ops: blocks}
	for pass := 1; pass <= passes; pass++ {
		for block := range blocks {
			v := result.Interval{Ops: 1, Bytes: 1 << 20, NS: 1000}
			if pass >= bad && block == 0 {
				v.WrongOps = 1
			}
			p.Add(v)
		}
	}
	sum := result.SumIntervals(p.Intervals)
	if len(p.Intervals) > result.MaxIntervals || len(p.Intervals) < result.MaxIntervals/2 || sum != p.Sum ||
		sum.Ops != blocks*passes || sum.WrongOps != passes-bad+1 {
		t.Errorf("%d intervals, %+v of %+v", len(p.Intervals), sum, p.Sum)
	}
	write := result.Test{Name: result.EndureWrite, BlockBytes: 1 << 20, AreaBytes: blocks << 20, Bytes: sum.Bytes}
	read := write
	read.Name, read.Intervals = result.EndureRead, p.Intervals
	life, ok := result.LifeOf([]result.Test{write, read})
	width := float64(sum.Ops) / float64(len(p.Intervals)) / blocks * 4 // of the interval with the first error
	if !ok || life.Cycles != passes || life.Dead || life.FirstError < bad || life.FirstError > bad+width {
		t.Errorf("%+v, want the first error in pass %d", life, bad)
	}
	clean := int64(0)
	for _, v := range p.Intervals {
		if v.WrongOps > 0 {
			break
		}
		clean += v.Ops
	}
	if clean != blocks*(bad-1) {
		t.Errorf("%d operations before the first interval with an error, want %d passes", clean, bad-1)
	}
}

// If the operations of a pass fail after half a minute each, the pass has several intervals, since one holds at most 26
// days.
func TestAPassOfManyDays(t *testing.T) {
	t.Parallel()
	p := result.Passes{Ops: 100_000}
	for range p.Ops {
		p.Add(result.Interval{Ops: 1, Bytes: 1 << 20, NS: 30_000_000_000, FailedOps: 1})
	}
	if len(p.Intervals) != 2 || p.Sum.NS != 3_000_000_000_000_000 {
		t.Errorf("%d intervals, %+v", len(p.Intervals), p.Sum)
	}
	for _, v := range p.Intervals {
		if v.NS > 2_300_000_000_000_000 {
			t.Errorf("%+v", v)
		}
	}
}
