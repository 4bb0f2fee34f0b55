package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"
)

// Sixteen learners behind one address upload what they measured in an hour, ten results each, all at once.
func TestAClassroomIsNotRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	var learners sync.WaitGroup
	for i := range 16 {
		learners.Go(func() {
			for range 10 {
				id, document := example(t)
				if a := s.upload(id, encode(t, document), "Authorization", "Bearer "+strings.Repeat(fmt.Sprintf("%02x", i), 32)); a.status != http.StatusCreated {
					t.Errorf("learner %d: %d %s", i, a.status, a.body)
				}
			}
		})
	}
	learners.Wait()
	// One of them who doesn't stop is refused.
	for range 2000 {
		if s.request(http.MethodDelete, "/v1/results/x", nil, "Authorization", "Bearer "+strings.Repeat("00", 32)).status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("nobody is ever refused")
}

func TestFlagsAreReadFromTheEnvironmentToo(t *testing.T) {
	t.Setenv("FLASHDEX_TRUSTED_PROXIES", "10.0.0.0/8,2001:db8::/32")
	t.Setenv("FLASHDEX_BODY_TIMEOUT", "5s")
	var c cli
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"serve", "--write-rate", "0.5"}); err != nil {
		t.Fatal(err)
	}
	l := c.Serve.limits()
	if got := fmt.Sprint(l.TrustedProxies, l.BodyTimeout, l.Writes, l.InFlight); got != "[10.0.0.0/8 2001:db8::/32] 5s {0.5 240} 256" {
		t.Error(got)
	}
	if _, err := parser.Parse([]string{"serve", "--trusted-proxies", "proxy.example"}); err == nil {
		t.Error("a name is taken for a network")
	}
}

func TestLimitsThatAnswerNobodyAreRefused(t *testing.T) {
	t.Parallel()
	for flag, says := range map[string]string{
		"--write-rate=-1": "--write-rate must be", "--read-rate=NaN": "--read-rate must be", "--contributor-rate=Inf": "--contributor-rate must be", "--write-burst=0": "--write-burst must be",
		"--max-in-flight=-1": "--max-in-flight must be", "--body-timeout=0s": "--body-timeout must be", "--hugo=/nowhere": "there is no Hugo to publish with", "--site=/nowhere": "there is no Hugo project",
	} {
		c := parse(t, "serve", "--listen", "127.0.0.1:0", "--data-dir", t.TempDir(), "--site", "../site", "--hugo", "../bin/hugo", flag)
		if err := c.Serve.Run(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", flag, err, says)
		}
	}
	if err := parse(t, "serve", "--write-rate=0", "--write-burst=0", "--max-in-flight=0").Serve.limitFlags.check(); err != nil {
		t.Errorf("no limits: %v", err)
	}
}
