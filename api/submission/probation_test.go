package submission_test

import (
	"testing"
	"time"

	"flashdex/api/submission"
)

func TestASecondDayOrASecondUnitEndsProbation(t *testing.T) {
	t.Parallel()
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	// unit has results received from first to last; with a token, measured for an hour each.
	unit := func(tag string, first, last time.Time, token bool) submission.UnitReceived {
		u := submission.UnitReceived{Tag: tag, First: first, Last: last}
		if token {
			u.ReceivedFirst, u.BegunLast = first, last.Add(-time.Hour)
		}
		return u
	}
	cases := []struct {
		name  string
		units []submission.UnitReceived
		want  string
	}{
		{"no result", nil, ""},
		{"one result", []submission.UnitReceived{unit("a", at(1, 9), at(1, 9), true)}, ""},
		{"two on one day", []submission.UnitReceived{unit("", at(1, 1), at(1, 23), false)}, ""},
		{"before and after midnight", []submission.UnitReceived{unit("", at(1, 23), at(2, 1), false)}, ""},
		{"12 hours apart over midnight", []submission.UnitReceived{unit("", at(1, 23), at(2, 11), false)}, "second day"},
		{"two units on two days", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), false), unit("", at(2, 9), at(2, 9), false)}, "second day"},
		{"two units, one after the other", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), true), unit("b", at(1, 10), at(1, 10), true)}, "second unit"},
		{"in the other order", []submission.UnitReceived{
			unit("b", at(1, 10), at(1, 10), true), unit("a", at(1, 9), at(1, 9), true)}, "second unit"},
		{"at the same time", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), true), unit("b", at(1, 9), at(1, 9), true)}, ""},
		{"one without a token", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), true), unit("b", at(1, 12), at(1, 12), false)}, ""},
		{"the first without a token", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), false), unit("b", at(1, 12), at(1, 12), true)}, ""},
		{"without a serial number", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 9), true), unit("", at(1, 12), at(1, 12), true)}, ""},
		{"one unit twice", []submission.UnitReceived{unit("a", at(1, 9), at(1, 15), true)}, ""},
		{"the first unit again, after the second", []submission.UnitReceived{
			unit("a", at(1, 9), at(1, 12), true), unit("b", at(1, 9), at(1, 9), true)}, "second unit"},
	}
	for _, c := range cases {
		if got := submission.Confirmation(c.units); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
