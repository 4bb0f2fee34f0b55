package spool_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/spool"
)

// Each delay is drawn between zero and a ceiling that doubles, in addition to what the site asks for.
func TestDelaysAreDrawn(t *testing.T) {
	t.Parallel()
	const second = time.Second
	ceilings := []time.Duration{2 * second, 4 * second, 8 * second, 16 * second, 30 * second, 30 * second, 30 * second}
	for _, floor := range []time.Duration{0, 7 * second} {
		var header []string
		if floor > 0 {
			header = []string{"Retry-After", "7"}
		}
		var drawn [][]time.Duration
		for range 20 {
			_, _, _, waits, _, err := upload(t, answer(http.StatusServiceUnavailable, "", header...))
			if err == nil || len(waits) != len(ceilings) {
				t.Fatalf("%v after %v", err, waits)
			}
			for i, wait := range waits {
				if wait < floor || wait > floor+ceilings[i] {
					t.Errorf("delay %d is %v, and not from %v to %v more", i, wait, floor, ceilings[i])
				}
			}
			drawn = append(drawn, waits)
		}
		for i, ceiling := range ceilings {
			least := slices.MinFunc(drawn, func(a, b []time.Duration) int { return int(a[i] - b[i]) })[i] - floor
			most := slices.MaxFunc(drawn, func(a, b []time.Duration) int { return int(a[i] - b[i]) })[i] - floor
			// Each fails by chance once in a million times: 2^-20.
			if least > ceiling/2 || most < ceiling/2 {
				t.Errorf("delay %d was always from %v to %v, in a half of 0 to %v", i, least, most, ceiling)
			}
		}
	}
}

// If a site asks for more time than the client waits, the client gives up and tells the user.
func TestLongRetryAfterIsLeftForLater(t *testing.T) {
	t.Parallel()
	const date = "Sat, 21 Nov 2026 10:00:00 GMT"
	for _, c := range []struct {
		header []string
		says   string // "": it is tried again
	}{
		{[]string{"Retry-After", "60"}, ""},
		{[]string{"Retry-After", "999"}, "the site is busy or in trouble (429) and asks to be left alone for 16m39s, " +
			"longer than this client waits (1m0s)"},
		{[]string{"Retry-After", "99999999999999999999"}, "left alone for"},
		{[]string{"Retry-After", "-5"}, ""},
		{[]string{"Retry-After", "soon"}, ""},
		// By the site's clock, whatever this computer's clock says.
		{[]string{"Date", date, "Retry-After", "Sat, 21 Nov 2026 10:00:05 GMT"}, ""},
		{[]string{"Date", date, "Retry-After", "Sat, 21 Nov 2026 11:00:00 GMT"}, "left alone for 1h0m0s"},
		{[]string{"Date", date, "Retry-After", "Sat, 21 Nov 2020 10:00:00 GMT"}, ""},
	} {
		s, _, a, waits, _, err := upload(t, answer(http.StatusTooManyRequests, "", c.header...),
			answer(http.StatusCreated, accepted))
		var refused *spool.RefusedError
		switch {
		case c.says == "" && (err != nil || len(a.requests) != 2 || waits[0] > 62*time.Second):
			t.Errorf("%q: %v after %d tries and %v", c.header, err, len(a.requests), waits)
		case c.says != "" && (err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), c.says) ||
			len(a.requests) != 1 || pendingCount(t, s) != 1):
			t.Errorf("%q: %v after %d tries", c.header, err, len(a.requests))
		}
	}
}
