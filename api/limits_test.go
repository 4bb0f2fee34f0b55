package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Sixteen learners behind one address upload an hour's results at once, ten each.
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

// Five networks begin as many uploads as their write burst allows, and send half of each body.
func TestHalfSentBodiesOfFiveNetworksKeepNobodyOut(t *testing.T) {
	t.Parallel()
	s := start(t, "--trusted-proxies", "127.0.0.0/8", "--body-timeout", "10m")
	uploads := 0
	half := func(sender string) (refused bool) {
		uploads++
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "PUT /v1/results/x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\n"+
			"Authorization: Bearer %064x\r\nContent-Type: application/json\r\nContent-Length: 14000\r\n"+
			"Expect: 100-continue\r\n\r\n", sender, uploads)
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, strings.Repeat(" ", 7000)) // nobody reads this if it was refused
		return !strings.Contains(line, "100 Continue")
	}
	for _, sender := range []string{"192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "2001:db9::1"} {
		for range 240 {
			if half(sender) {
				break
			}
		}
	}
	id, document := example(t)
	if a := s.upload(id, encode(t, document), "X-Forwarded-For", "100.64.0.1"); a.status != http.StatusCreated {
		t.Errorf("an upload of another network beside half-sent ones: %d %s", a.status, a.body)
	}
}
