package spool

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Site is the server that results are uploaded to.
type Site struct {
	URL  string
	Log  func(message string)                                 // told before each further try
	Wait func(ctx context.Context, delay time.Duration) error // between tries; nil sleeps
}

// Receipt is the site's answer to an upload.
type Receipt struct {
	ID        string `json:"id"`
	State     string `json:"state"`
	ResultURL string `json:"result_url"`
	Module    struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"module"`
}

func (r *Receipt) clean() {
	for _, text := range []*string{&r.ID, &r.State, &r.ResultURL, &r.Module.Slug, &r.Module.Name, &r.Module.URL} {
		*text = clean(*text)
	}
}

// RefusedError is a problem document (RFC 9457): the site read the result and won't have it. To send it again is no use.
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

// tries is how often an upload is tried before it is left for later.
const (
	tries          = 4
	longestWait    = 30 * time.Second
	largestAnswer  = 1 << 20
	timeOfOneTry   = 60 * time.Second
	firstWaitOfTry = 2 * time.Second
)

// unreachableError is worth another try.
type unreachableError struct {
	err   error
	after time.Duration // as the server asked
}

func (e *unreachableError) Error() string { return e.err.Error() }
func (e *unreachableError) Unwrap() error { return e.err }

// Upload sends the result in the file path, exactly as it is on disk, and keeps the answer beside it. Network errors and
// a busy server are tried again; *RefusedError is final.
func (s Spool) Upload(ctx context.Context, site Site, path string) (Receipt, error) {
	doc, data, err := Read(path)
	if err != nil {
		return Receipt{}, err
	}
	secret, err := s.Secret()
	if err != nil {
		return Receipt{}, err
	}
	target, err := site.resultURL(doc.ID)
	if err != nil {
		return Receipt{}, err
	}
	var receipt Receipt
	delay := firstWaitOfTry
	for try := 1; ; try++ {
		var answer []byte
		receipt, answer, err = put(ctx, target, hex.EncodeToString(secret), data)
		if err == nil {
			_ = os.Remove(beside(path, refusedSuffix))
			return receipt, s.put(beside(path, receiptSuffix), answer)
		}
		var refused *RefusedError
		if errors.As(err, &refused) {
			s.noteRefusal(path, refused)
		}
		var unreachable *unreachableError
		if !errors.As(err, &unreachable) || try == tries || ctx.Err() != nil {
			return Receipt{}, err
		}
		wait := min(max(delay, unreachable.after), longestWait)
		delay *= 2
		if site.Log != nil {
			site.Log(fmt.Sprintf("%v; trying again in %.0f s", err, wait.Seconds()))
		}
		if err := site.wait(ctx, wait); err != nil {
			return Receipt{}, err
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

func (s Site) resultURL(id string) (string, error) {
	base, err := url.Parse(s.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return "", fmt.Errorf("the site %q is not an address like https://example.org", clean(s.URL))
	}
	return base.JoinPath("v1/results", id).String(), nil
}

var client = &http.Client{
	Timeout: timeOfOneTry,
	// A redirect would turn the PUT into a GET, or take the secret elsewhere.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func put(ctx context.Context, target, secret string, data []byte) (Receipt, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, target, bytes.NewReader(data))
	if err != nil {
		return Receipt{}, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "flashdex")
	answer, err := client.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return Receipt{}, nil, &unreachableError{err: fmt.Errorf("the site can't be reached (%w)", err)}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, largestAnswer))
	if err != nil {
		return Receipt{}, nil, &unreachableError{err: fmt.Errorf("the site's answer broke off (%w)", err)}
	}
	switch status := answer.StatusCode; {
	case status == http.StatusOK || status == http.StatusCreated:
		var receipt Receipt
		if err := json.Unmarshal(body, &receipt); err != nil {
			return Receipt{}, nil, &unreachableError{err: fmt.Errorf("the site's answer is no receipt (%w)", err)}
		}
		receipt.clean()
		return receipt, body, nil
	case status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return Receipt{}, nil, &unreachableError{
			err:   fmt.Errorf("the site is busy or in trouble (%d)", status),
			after: time.Duration(max(seconds, 0)) * time.Second,
		}
	case status >= 300 && status < 400:
		return Receipt{}, nil, fmt.Errorf("the site has moved (%d); upload with --site and its new address %s", status, clean(answer.Header.Get("Location")))
	}
	refused := RefusedError{Title: http.StatusText(answer.StatusCode)}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == "application/problem+json" {
		if err := json.Unmarshal(body, &refused); err != nil {
			refused.Detail = "The reason can't be read."
		}
	}
	refused.Status = answer.StatusCode
	return Receipt{}, nil, &refused
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
