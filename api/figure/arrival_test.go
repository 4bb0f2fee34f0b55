package figure_test

import (
	"testing"
	"time"

	"flashdex/api/figure"
)

func TestIndependentContributorsCameFromOtherNetworksOrOnOtherDays(t *testing.T) {
	t.Parallel()
	from := func(day, hour int, network string) figure.Arrival {
		return figure.Arrival{At: time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC), Network: network}
	}
	cases := []struct {
		name               string
		first              []figure.Arrival
		contributors, days int
	}{
		{"nobody", nil, 0, 0},
		{"three secrets in one network on one day", []figure.Arrival{
			from(1, 1, "key1a"), from(1, 2, "key1a"), from(1, 3, "key1a")}, 1, 1},
		{"three networks on one day", []figure.Arrival{from(1, 1, "key1a"), from(1, 2, "key1b"), from(1, 3, "key1c")}, 3, 1},
		{"one network on three days, which nobody can tell", []figure.Arrival{
			from(1, 1, "key1a"), from(2, 1, "key2a"), from(3, 1, "key3a")}, 3, 3},
		{"labels of two keys on one day can't be compared", []figure.Arrival{from(1, 1, "key1a"), from(1, 2, "key2b")}, 1, 1},
		{"of several keys on one day the one with the most counts", []figure.Arrival{
			from(1, 1, "key1a"), from(1, 2, "key2b"), from(1, 3, "key2c")}, 2, 1},
		{"networks that are not known count once a day", []figure.Arrival{
			from(1, 1, ""), from(1, 2, ""), from(2, 3, "")}, 2, 2},
		{"an unknown one beside known ones adds nothing", []figure.Arrival{
			from(1, 1, ""), from(1, 2, "key1a"), from(1, 3, "key1b")}, 2, 1},
		{"a key without a label is no network", []figure.Arrival{from(1, 1, "key1"), from(1, 2, "key2")}, 1, 1},
		{"midnight alone makes no second day", []figure.Arrival{from(1, 23, "key1a"), from(2, 0, "key2a")}, 1, 1},
		{"a day lasts twelve hours", []figure.Arrival{
			from(1, 23, "key1a"), from(2, 10, "key2a"), from(2, 10, "key2b"), from(2, 11, "key2c")}, 3, 2},
		{"a date is one day", []figure.Arrival{from(1, 0, "key1a"), from(1, 23, "key1a")}, 1, 1},
		{"whatever their order", []figure.Arrival{from(3, 1, "key3a"), from(1, 1, "key1a"), from(2, 1, "key2a")}, 3, 3},
	}
	for _, c := range cases {
		if contributors, days := figure.Independent(c.first); contributors != c.contributors || days != c.days {
			t.Errorf("%s: %d on %d days, want %d on %d", c.name, contributors, days, c.contributors, c.days)
		}
	}
}
