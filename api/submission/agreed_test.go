package submission_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/submission"
)

func TestContributorsAgreeIfEnoughOfThemAreIndependentAndHardlyAnybodySaysOtherwise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, said, want string // said: module, day and network of each contributor
	}{
		{"nobody", "", ""},
		{"three on two days", "m1a m1b m2a", "m"},
		{"two", "m1a m2a", ""},
		{"three on one day, as one person with three networks can", "m1a m1b m1c", ""},
		{"four secrets of one network on one day, and another day", "m1a m1a m1a m1a m2a", ""},
		{"one of four says otherwise", "m1a m1b m2a n3a", "m"},
		{"one of three", "m1a m2a n3a", ""},
		{"two of seven, of one network", "m1a m1b m1c m2a m2b n1d n1d", ""},
		{"two of eight", "m1a m1b m1c m2a m2b m2c n1d o1d", "m"},
		{"two parties", "m1a m1b m2a n1c n1d n2c", ""},
	} {
		said := map[string]map[string]figure.Arrival{}
		for i, one := range strings.Fields(c.said) {
			module, day, network := one[:1], int(one[1]-'0'), one[1:]
			if said[module] == nil {
				said[module] = map[string]figure.Arrival{}
			}
			said[module][fmt.Sprint(i)] = figure.Arrival{
				At: time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC), Network: "key" + network}
		}
		if got := submission.Agreed(said); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A contributor who says both, about two cards, agrees with neither side.
func TestOneContributorWhoSaysBothCountsOnBothSides(t *testing.T) {
	t.Parallel()
	at := func(day int, network string) figure.Arrival {
		return figure.Arrival{At: time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC), Network: fmt.Sprint("key", day, network)}
	}
	all := map[string]figure.Arrival{"alice": at(1, "a"), "bob": at(1, "b"), "carol": at(2, "a")}
	said := map[string]map[string]figure.Arrival{"m": all, "n": {"alice": at(1, "a"), "bob": at(1, "b")}}
	if got := submission.Agreed(said); got != "" {
		t.Errorf("%q, though two of three say otherwise, too", got)
	}
}
