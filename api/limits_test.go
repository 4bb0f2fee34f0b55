package main

import (
	"bytes"
	"fmt"
	"log/slog"
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
	// One of them who doesn't stop is refused alone, before the others' share is used up.
	refused := 0
	for range 140 {
		if s.request(http.MethodDelete, "/v1/results/x", nil, "Authorization", "Bearer "+strings.Repeat("00", 32)).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("nobody is ever refused")
	}
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

func TestNetworkErrorsAreLoggedWithoutAddresses(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := newServer(nil, slog.New(slog.NewJSONHandler(&text, nil))).ErrorLog
	for _, line := range []string{
		"http: TLS handshake error from 203.0.113.7:51234: EOF", "http: panic serving [2001:db8::7]:443: x", "read tcp 192.0.2.1:80->198.51.100.9:1234: reset", "from [fe80::1%eth0]:1",
	} {
		log.Print(line)
	}
	for _, private := range []string{"203.0.113", "2001:db8", "192.0.2", "198.51", "fe80", "51234"} {
		if strings.Contains(text.String(), private) {
			t.Errorf("the log holds %s:\n%s", private, text.String())
		}
	}
	if !strings.Contains(text.String(), "TLS handshake error from (address): EOF") {
		t.Errorf("the log:\n%s", text.String())
	}
}
