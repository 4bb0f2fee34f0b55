package submission

import (
	"time"

	"flashdex/api/figure"
)

// Why a contributor's results count, besides an operator's word.
const (
	SecondDay  = "second day"
	SecondUnit = "second unit"
)

// UnitReceived sums up the accepted results of one contributor's unit.
type UnitReceived struct {
	Tag         string    // empty: it shows no serial number
	First, Last time.Time // when they were received

	// Of the results that could be ranked and have a valid token; zero: there is none.
	ReceivedFirst time.Time
	BegunLast     time.Time // when the last token was given out
}

// Confirmation returns what ends the probation of a contributor with these accepted results: SecondDay or SecondUnit;
// empty: nothing does. A second unit must have another serial number. By its token, its measurement must have begun
// after a result of the first unit was received, so that two units cost the time of two measurements.
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
	// The two units that were received first: any unit differs from at least one of them.
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
