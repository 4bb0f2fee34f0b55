package submission

import (
	"time"

	"flashdex/api/figure"
)

// Why a contributor's results count, beside an operator's word.
const (
	SecondDay  = "second day"
	SecondUnit = "second unit"
)

// UnitReceived sums up the accepted results of one contributor's unit.
type UnitReceived struct {
	Tag         string    // empty: it shows no serial number
	First, Last time.Time // when they were received

	// Of those that could be ranked and were measured with a valid token; zero: none was.
	ReceivedFirst time.Time
	BegunLast     time.Time // when the last token was given out
}

// Confirmation returns what ends the probation of a contributor whose accepted results these are: SecondDay or
// SecondUnit; empty: nothing does. A second unit must have another serial number, and its measurement must have begun,
// by its token, when a result of the first was there: two units then cost the time of two measurements.
func Confirmation(units []UnitReceived) string {
	var first, last time.Time
	for _, u := range units {
		if first.IsZero() || u.First.Before(first) {
			first = u.First
		}
		if u.Last.After(last) {
			last = u.Last
		}
	}
	if !figure.SameDay(first, last) {
		return SecondDay
	}
	// The two units that were there first: one of them is another than any unit.
	var earliest, next UnitReceived
	for _, u := range units {
		switch {
		case u.Tag == "" || u.ReceivedFirst.IsZero():
		case earliest.Tag == "" || u.ReceivedFirst.Before(earliest.ReceivedFirst):
			earliest, next = u, earliest
		case next.Tag == "" || u.ReceivedFirst.Before(next.ReceivedFirst):
			next = u
		}
	}
	for _, u := range units {
		other := earliest
		if u.Tag == earliest.Tag {
			other = next
		}
		if u.Tag != "" && other.Tag != "" && !u.BegunLast.IsZero() && !u.BegunLast.Before(other.ReceivedFirst) {
			return SecondUnit
		}
	}
	return ""
}
