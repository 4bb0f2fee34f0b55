package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Sixteen learners behind one address upload an hour's results, ten each, all at once.
func TestAClassroomIsNotRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	var learners sync.WaitGroup
	for i := range 16 {
		learners.Go(func() {
			for range 10 {
				id, document := example(t)
				if a := s.upload(id, encode(t, document), "Authorization",
					"Bearer "+strings.Repeat(fmt.Sprintf("%02x", i), 32)); a.status != http.StatusCreated {
					t.Errorf("learner %d: %d %s", i, a.status, a.body)
				}
			}
		})
	}
	learners.Wait()
	// One of them who doesn't stop is refused.
	for range 2000 {
		if s.request(http.MethodDelete, "/v1/results/x", nil, "Authorization",
			"Bearer "+strings.Repeat("00", 32)).status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("nobody is ever refused")
}

func TestFlagsAreReadFromTheEnvironmentToo(t *testing.T) {
	t.Setenv("FLASHDEX_TRUSTED_PROXIES", "10.0.0.0/8,2001:db8::/32")
	t.Setenv("FLASHDEX_BODY_TIMEOUT", "5s")
	l := parse(t, "serve", "--write-rate", "0.5").Serve.limits()
	if got := fmt.Sprint(l.TrustedProxies, l.BodyTimeout, l.Writes,
		l.InFlight); got != "[10.0.0.0/8 2001:db8::/32] 5s {0.5 240} 256" {
		t.Error(got)
	}
}

func TestZeroRatesAreNoLimits(t *testing.T) {
	t.Parallel()
	none := parse(t, "serve", "--write-rate=0", "--write-burst=0", "--max-in-flight=0").Serve.limitFlags
	if err := none.check(); err != nil {
		t.Error(err)
	}
}
