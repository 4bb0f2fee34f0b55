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
	triesUnreachable = 4               // of a site that can't be reached: a user who is offline should not wait for long
	triesBusy        = 8               // of a site that answers that it is busy: a restart takes a minute
	firstCeiling     = 2 * time.Second // of the first delay; it doubles
	highestCeiling   = 30 * time.Second
	longestWait      = time.Minute // that a site can ask for
)

// unreachableError is worth another try.
type unreachableError struct {
	err   error
	tries int           // after which the client gives up
	after time.Duration // as the site asked
}

func (e *unreachableError) Error() string { return e.err.Error() }
func (e *unreachableError) Unwrap() error { return e.err }

// delay returns how long to wait after that many tries: the time that the site asked for, plus a random time up to a
// ceiling that doubles, so that clients which failed together don't return together ("full jitter", M. Brooker,
// Exponential Backoff and Jitter, 2015). Its error says why there is no other try.
func (e *unreachableError) delay(tries int) (time.Duration, error) {
	if e.after > longestWait {
		return 0, fmt.Errorf("%w and asks to be left alone for %v, longer than this client waits (%v)",
			e.err, e.after.Round(time.Second), longestWait)
	}
	if tries >= e.tries {
		return 0, fmt.Errorf("%w, after %d tries", e.err, tries)
	}
	return e.after + rand.N(min(firstCeiling<<(tries-1), highestCeiling)+1), nil
}

// retryAfter reads Retry-After (RFC 9110, section 10.2.3): seconds, or a date. It compares a date with the site's own
// clock, since this computer's may be wrong.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	then, err := http.ParseTime(text)
	now, dateErr := http.ParseTime(header.Get("Date"))
	if err != nil || dateErr != nil {
		return 0
	}
	return max(then.Sub(now), 0)
}
