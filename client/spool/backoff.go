package spool

import (
	"context"
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

// retry says how a request may be sent again; the zero retry, that it may not.
type retry struct {
	tries int           // after which the client gives up
	after time.Duration // as the site asked
}

// do sends a request until the site answers, or until the client gives up. Before each further try it waits for the
// time that the site asked for, plus a random time up to a ceiling that doubles, so that clients which failed together
// don't return together ("full jitter", M. Brooker, Exponential Backoff and Jitter, 2015).
func (s Site) do(ctx context.Context, method, path, secret string, body []byte) ([]byte, error) {
	for tries := 1; ; tries++ {
		answer, again, err := s.try(ctx, method, path, secret, body)
		switch {
		case again.tries == 0 || ctx.Err() != nil:
			return answer, err
		case again.after > longestWait:
			return nil, fmt.Errorf("%w and asks to be left alone for %v, longer than this client waits (%v)",
				err, again.after.Round(time.Second), longestWait)
		case tries >= again.tries:
			return nil, fmt.Errorf("%w, after %d tries", err, tries)
		}
		delay := again.after + rand.N(min(firstCeiling<<(tries-1), highestCeiling)+1)
		if s.Log != nil {
			s.Log(fmt.Sprintf("%v; trying again in %.0f s", err, delay.Seconds()))
		}
		if s.Wait == nil {
			s.Wait = sleep
		}
		if err := s.Wait(ctx, delay); err != nil {
			return nil, err
		}
	}
}

func sleep(ctx context.Context, delay time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(delay):
		return nil
	}
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
