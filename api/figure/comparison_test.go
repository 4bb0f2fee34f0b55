package figure_test

import (
	"testing"
	"time"

	"flashdex/api/figure"
)

// Missing returns what Vouched still needs. VouchedAt is the day of the last contributor that was needed, however many
// came later.
func TestWhatAModuleLacksToBeRanked(t *testing.T) {
	t.Parallel()
	from := func(day, hour int, network string) figure.Arrival {
		return figure.Arrival{At: time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC), Network: network}
	}
	for _, c := range []struct {
		name               string
		first              []figure.Arrival
		contributors, days int
		vouchedOn          int // day of the month; 0: not yet
	}{
		{"nobody", nil, 3, 2, 0},
		{"one", []figure.Arrival{from(1, 1, "key1a")}, 2, 1, 0},
		{"two of one day", []figure.Arrival{from(1, 1, "key1a"), from(1, 2, "key1b")}, 1, 1, 0},
		{"three of one day", []figure.Arrival{from(1, 1, "key1a"), from(1, 2, "key1b"), from(1, 3, "key1c")}, 0, 1, 0},
		{"two of two days", []figure.Arrival{from(1, 1, "key1a"), from(2, 2, "key2b")}, 1, 0, 0},
		{"three days, whatever their order", []figure.Arrival{
			from(5, 1, "key5a"), from(1, 1, "key1a"), from(3, 1, "key3a")}, 0, 0, 5},
		{"more that came later", []figure.Arrival{
			from(9, 1, "key9a"), from(1, 1, "key1a"), from(3, 1, "key3a"), from(5, 1, "key5a"), from(1, 2, "key1a")}, 0, 0, 5},
	} {
		var s figure.Summary
		var of []figure.Contributed
		for _, a := range c.first {
			of = append(of, figure.Contributed{First: a, Values: []float64{100, 100}})
		}
		s.SetEvidence(of)
		contributors, days := s.Missing()
		if contributors != c.contributors || days != c.days || s.Vouched() != (c.vouchedOn > 0) ||
			s.VouchedAt.IsZero() != (c.vouchedOn == 0) || c.vouchedOn > 0 && s.VouchedAt.Day() != c.vouchedOn {
			t.Errorf("%s: %d contributors and %d days are missing, vouched for at %v; want %d, %d, day %d", c.name, contributors,
				days, s.VouchedAt, c.contributors, c.days, c.vouchedOn)
		}
	}
}
