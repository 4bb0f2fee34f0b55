package figure

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Arrival tells when a result was received and from which network: a label, as submission.Origin has it. The first
// bytes of a label are the id of its key. Labels of one key can be compared, labels of different keys can't.
type Arrival struct {
	At      time.Time // zero: nothing arrived
	Network string    // empty: not known
}

// networkKeyBytes is the length of the id of a label's key.
const networkKeyBytes = 4

// Before orders arrivals by time, then by label, so that simultaneous arrivals always come in the same order.
func (a Arrival) Before(b Arrival) bool {
	return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Network, b.Network)) < 0
}

// leastDay is the least length of a day. Whatever arrives within it after a day's first arrival belongs to that day, so
// midnight alone doesn't begin a second day.
const leastDay = 12 * time.Hour

// Independent counts how many contributors are independent, and on how many days they came. A day is a date, UTC, that
// lasts for leastDay. first holds the first arrival of each. Contributors are independent if they came on different
// days, or from different networks on one day. So each day counts as many contributors as it has different labels of
// one key, and at least one. Somebody who comes back under three secrets on three days counts as three.
func Independent(first []Arrival) (contributors, days int) {
	var begun time.Time // when the last arrival's day began
	var most int        // contributors of that day
	var labels map[string]bool
	of := map[string]int{} // different labels of the day, by key
	for _, a := range slices.SortedFunc(slices.Values(first), func(a, b Arrival) int { return a.At.Compare(b.At) }) {
		if days == 0 || !SameDay(begun, a.At) {
			contributors, days = contributors+most, days+1
			begun, most, labels = a.At, 1, map[string]bool{}
			clear(of)
		}
		if len(a.Network) > networkKeyBytes && !labels[a.Network] {
			key := a.Network[:networkKeyBytes]
			labels[a.Network] = true
			of[key]++
			most = max(most, of[key])
		}
	}
	return contributors + most, days
}

// SameDay reports whether a later moment belongs to the day that began at an earlier one.
func SameDay(begun, at time.Time) bool {
	return at.Sub(begun) < leastDay || at.UTC().Format(time.DateOnly) == begun.UTC().Format(time.DateOnly)
}

// RankedDays is on how many days independent contributors must have come before a module is ranked. One person with
// many networks needs more than one day.
const RankedDays = 2
