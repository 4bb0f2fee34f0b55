package spool

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	triesUnreachable = 4               // of a site that can't be reached: who is offline should not wait for long
	triesBusy        = 8               // of a site that answers: it asks to be tried again, and a restart takes a minute
	firstCeiling     = 2 * time.Second // of the first delay; it doubles
	highestCeiling   = 30 * time.Second
	longestWait      = time.Minute // that a site can ask for
)

// unreachableError is worth another try.
type unreachableError struct {
	err   error
	tries int           // after which it is left for later
	after time.Duration // as the site asked
}

func (e *unreachableError) Error() string { return e.err.Error() }
func (e *unreachableError) Unwrap() error { return e.err }

// delay draws how long to wait after the given number of tries, from 1: what the site asked for, and on top anything from
// nothing to a ceiling that doubles ("full jitter", M. Brooker, Exponential Backoff and Jitter, 2015), so that clients
// which failed together don't come back together. The error says why there should not be another try.
func (e *unreachableError) delay(tries int) (time.Duration, error) {
	if e.after > longestWait {
		return 0, fmt.Errorf("%w and asks to be left alone for %v, longer than this client waits (%v)", e.err, e.after.Round(time.Second), longestWait)
	}
	if tries >= e.tries {
		return 0, fmt.Errorf("%w, after %d tries", e.err, tries)
	}
	ceiling := min(firstCeiling<<(tries-1), highestCeiling)
	return e.after + rand.N(ceiling+1), nil
}

// retryAfter reads Retry-After (RFC 9110, section 10.2.3): seconds, or a date, which is compared with the site's own
// clock, since this computer's may be wrong.
func retryAfter(header http.Header) time.Duration {
	const bits = 31 // more is clamped
	text := header.Get("Retry-After")
	seconds, err := strconv.ParseUint(text, 10, bits)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	then, err := http.ParseTime(text)
	now, dateErr := http.ParseTime(header.Get("Date"))
	if err != nil || dateErr != nil {
		return 0
	}
	return max(then.Sub(now), 0)
}
