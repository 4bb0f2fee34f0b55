package spool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
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

// RefusedError is a problem document (RFC 9457): the site understood the request and refuses it. A retry is no use.
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
	text := fmt.Sprintf("the site refused it (%d): %s", e.Status, clean(e.Title))
	if e.Detail != "" {
		text += ". " + clean(e.Detail)
	}
	for _, problem := range e.Errors {
		text += "\n  " + clean(problem.Pointer) + ": " + clean(problem.Detail)
	}
	return text
}

// Refused returns the *RefusedError in err, or nil if there is none.
func Refused(err error) *RefusedError {
	refused, _ := errors.AsType[*RefusedError](err)
	return refused
}

const (
	largestAnswer = 1 << 20
	timeOfOneTry  = 60 * time.Second
)

var client = &http.Client{
	Timeout: timeOfOneTry,
	// A redirect would turn the PUT into a GET, or send the secret elsewhere.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// do sends a request, again and again while the site can't be reached or is busy. It may repeat any request, since all
// requests to a site are idempotent. An empty secret is not sent. *RefusedError is final.
func (s Site) do(ctx context.Context, method, path, secret string, body []byte) (answer []byte, err error) {
	for tries := 1; ; tries++ {
		answer, err := s.try(ctx, method, path, secret, body)
		unreachable, ok := errors.AsType[*unreachableError](err)
		if !ok || ctx.Err() != nil {
			return answer, err
		}
		delay, err := unreachable.delay(tries)
		if err != nil {
			return nil, err
		}
		if s.Log != nil {
			s.Log(fmt.Sprintf("%v; trying again in %.0f s", unreachable, delay.Seconds()))
		}
		if err := s.wait(ctx, delay); err != nil {
			return nil, err
		}
	}
}

func (s Site) wait(ctx context.Context, delay time.Duration) error {
	if s.Wait != nil {
		return s.Wait(ctx, delay)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(delay):
		return nil
	}
}

func (s Site) try(ctx context.Context, method, path, secret string, body []byte) ([]byte, error) {
	base, err := s.parse()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if secret != "" {
		request.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("User-Agent", "flashdex")
	answer, err := client.Do(request)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if err != nil {
		return nil, &unreachableError{err: fmt.Errorf("the site can't be reached (%w)", err), tries: triesUnreachable}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, largestAnswer))
	if err != nil {
		return nil, &unreachableError{err: fmt.Errorf("the site's answer broke off (%w)", err), tries: triesUnreachable}
	}
	switch status := answer.StatusCode; {
	case status == http.StatusOK || status == http.StatusCreated || status == http.StatusNoContent:
		return text, nil
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		err := fmt.Errorf("the site is busy or in trouble (%d)", status)
		return nil, &unreachableError{err: err, tries: triesBusy, after: retryAfter(answer.Header)}
	case status >= 300 && status < 400:
		return nil, fmt.Errorf("the site has moved (%d); try again with --site and its new address %s",
			status, clean(answer.Header.Get("Location")))
	}
	refused := RefusedError{Title: http.StatusText(answer.StatusCode)}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == "application/problem+json" {
		if err := json.Unmarshal(text, &refused); err != nil {
			refused.Detail = "The reason can't be read."
		}
	}
	refused.Status = answer.StatusCode
	return nil, &refused
}

func (s Site) parse() (*url.URL, error) {
	base, err := url.Parse(s.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("the site %q is not an address like https://example.org", clean(s.URL))
	}
	return base, nil
}

// Check returns an error if the site's address is wrong.
func (s Site) Check() error {
	_, err := s.parse()
	return err
}

// Exposed reports whether the secret travels to the site through a network without encryption.
func (s Site) Exposed() bool {
	base, err := s.parse()
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

// clean makes a server's text safe to print on a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}
