package spool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Site is the server that results are uploaded to.
type Site struct {
	URL  string
	Log  func(message string)                                 // called before each further try; may be nil
	Wait func(ctx context.Context, delay time.Duration) error // between tries; nil sleeps
}

// RefusedError is a problem document (RFC 9457). The site understood the request and refuses it, so trying again is no
// use.
type RefusedError struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Errors []struct {
		Pointer string `json:"pointer"`
		Detail  string `json:"detail"`
	} `json:"errors"`
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("the site refused it (%d): %s", e.Status, Clean(e.Title))
	if e.Detail != "" {
		text += ". " + Clean(e.Detail)
	}
	for _, problem := range e.Errors {
		text += "\n  " + Clean(problem.Pointer) + ": " + Clean(problem.Detail)
	}
	return text
}

// Refused returns the status with which the site refused, or 0 if err is no *RefusedError.
func Refused(err error) (status int) {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		status = refused.Status
	}
	return status
}

const (
	largestAnswer    = 1 << 20
	timeOfOneTry     = 60 * time.Second
	triesUnreachable = 4               // at a site that can't be reached: an offline user should not wait long
	triesBusy        = 8               // at a site that answers that it is busy: a restart takes a minute
	firstCeiling     = 2 * time.Second // of the first delay; it doubles
	highestCeiling   = 30 * time.Second
	longestWait      = time.Minute // that a site can ask for
)

var client = &http.Client{
	Timeout: timeOfOneTry,
	// A redirect would turn the PUT into a GET, or send the secret elsewhere.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// retry says how a request may be sent again. The zero retry says that it may not.
type retry struct {
	tries int           // after which the client gives up
	after time.Duration // as the site asked
}

// do sends an idempotent request until the site answers or the client gives up. *RefusedError is final. Before each
// further try it waits as long as the site asked for, plus a random time. The random time has a ceiling that doubles,
// so that clients don't return together ("full jitter", M. Brooker, Exponential Backoff and Jitter, 2015).
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

// try sends a request once, and says whether it may be sent again. It sends no empty secret.
func (s Site) try(
	ctx context.Context, method, path, secret string, body []byte,
) (answer []byte, again retry, err error) {
	base, err := s.Address()
	if err != nil {
		return nil, retry{}, err
	}
	request, err := http.NewRequestWithContext(ctx, method, base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, retry{}, err
	}
	if secret != "" {
		request.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("User-Agent", "flashdex")
	response, err := client.Do(request)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if err != nil {
		return nil, retry{tries: triesUnreachable}, fmt.Errorf("the site can't be reached (%w)", err)
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return nil, retry{tries: triesUnreachable}, fmt.Errorf("the site's answer broke off (%w)", err)
	}
	status := response.StatusCode
	switch {
	case status == http.StatusOK || status == http.StatusCreated || status == http.StatusNoContent:
		return answer, retry{}, nil
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		again = retry{triesBusy, retryAfter(response.Header)}
		return nil, again, fmt.Errorf("the site is busy or in trouble (%d)", status)
	case status >= 300 && status < 400:
		return nil, retry{}, fmt.Errorf("the site has moved (%d); try again with --site and its new address %s",
			status, Clean(response.Header.Get("Location")))
	}
	refused := RefusedError{Title: http.StatusText(status)}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "application/problem+json" {
		if err := json.Unmarshal(answer, &refused); err != nil {
			refused.Detail = "The reason can't be read."
		}
	}
	refused.Status = status
	return nil, retry{}, &refused
}

// retryAfter reads Retry-After (RFC 9110, section 10.2.3), which is in seconds or a date. It takes a date by the site's
// own clock.
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

// Address returns the site's address, or an error if it isn't valid.
func (s Site) Address() (*url.URL, error) {
	base, err := url.Parse(s.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("the site %q is not an address like https://example.org", Clean(s.URL))
	}
	if strings.ContainsFunc(base.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, fmt.Errorf("the site %q has letters that this client can't look up: write its name as xn--…",
			Clean(s.URL))
	}
	return base, nil
}

// Exposed reports whether the secret travels to the site through a network without encryption.
func (s Site) Exposed() bool {
	base, err := s.Address()
	if err != nil || base.Scheme == "https" {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(base.Hostname()), ".")
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host != "localhost" && !strings.HasSuffix(host, ".localhost") // RFC 6761, section 6.3
	}
	return !address.Unmap().IsLoopback()
}

// Clean drops all characters that could control a terminal, except those to keep.
func Clean(s string, keep ...rune) string {
	return strings.Map(func(r rune) rune {
		if (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) && !slices.Contains(keep, r) {
			return -1
		}
		return r
	}, s)
}
