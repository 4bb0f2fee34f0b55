package main

import (
	"testing"

	"flashdex/client/spool"
)

func TestRankOf(t *testing.T) {
	t.Parallel()
	for want, standing := range map[string]*spool.Standing{
		"": nil,
		"4K random write: faster than 83 % of 144 measured modules (rank 25)": {Figure: "rand_write_iops", Above: 24,
			Modules: 144},
		"4K random write: no measured module is faster (rank 1 of 1)": {Figure: "rand_write_iops", Above: 0,
			Modules: 1},
		"4K random write: faster than 0 % of 144 measured modules (rank 145)": {Figure: "rand_write_iops", Above: 144,
			Modules: 144},
		"4K random write: faster than 99 % of 1,000 measured modules (rank 10)": {Figure: "rand_write_iops", Above: 9,
			Modules: 1000},
	} {
		if got := rankOf(standing); got != want {
			t.Errorf("%+v is %q, want %q", standing, got, want)
		}
	}
	if got := rankOf(&spool.Standing{Figure: "rand_write_\x1b", Modules: 1}); got != "" {
		t.Errorf("a figure that nobody knows: %q", got)
	}
}
