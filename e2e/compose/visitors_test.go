package compose

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// visitor is a computer of its own, in a network namespace, with an IPv4 and an IPv6 address.
type visitor struct {
	t      *testing.T
	name   string
	server map[string]string // the test machine's address there, by version of IP
}

// newVisitor makes a visitor in the networks 198.18.n.0/24 and 2001:db8:n::/64.
func newVisitor(t *testing.T, n int) *visitor {
	t.Helper()
	v := &visitor{t: t, name: fmt.Sprint("flashdex-", n), server: map[string]string{
		"4": fmt.Sprintf("198.18.%d.1", n), "6": fmt.Sprintf("[2001:db8:%d::1]", n),
	}}
	_ = exec.Command("ip", "netns", "delete", v.name).Run() // left by a test that was interrupted
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", v.name).Run() })
	const network = `set -e
		ip netns add $1
		ip link add $1 type veth peer name outside netns $1
		ip addr add 198.18.$2.1/24 dev $1
		ip addr add 2001:db8:$2::1/64 dev $1 nodad
		ip link set $1 up
		ip -n $1 addr add 198.18.$2.2/24 dev outside
		ip -n $1 addr add 2001:db8:$2::2/64 dev outside nodad
		ip -n $1 link set outside up
		ip -n $1 route add default via 198.18.$2.1
		ip -n $1 -6 route add default via 2001:db8:$2::1`
	if said, err := exec.Command("sh", "-c", network, "sh", v.name, fmt.Sprint(n)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return v
}

// put sends n uploads without a secret, which are refused but count, and returns the statuses of the answers.
func (v *visitor) put(ip string, n int, header ...string) []string {
	v.t.Helper()
	args := []string{"netns", "exec", v.name, "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", "-X", "PUT",
		"--resolve", "site.test:18080:" + v.server[ip], fmt.Sprintf("http://site.test:18080/v1/results/[1-%d]", n)}
	for _, h := range header {
		args = append(args, "-H", h)
	}
	said, err := exec.Command("ip", args...).Output()
	if err != nil {
		v.t.Fatalf("the visitor %s over IPv%s: %v", v.name, ip, err)
	}
	return strings.Fields(string(said))
}

const refusedForItself, refusedForTooMany = "401", "429"

func TestEachVisitorIsASenderOfTheirOwn(t *testing.T) {
	e := start(t)
	e.set("FLASHDEX_HTTP_PORT", "18080")
	e.set("FLASHDEX_HTTPS_PORT", "18443")
	e.set("FLASHDEX_PUBLIC_URL", web)
	e.build()
	e.compose("down", "--volumes", "--remove-orphans")
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := e.try("docker-compose", "logs", "--no-color", "--tail", "40")
			t.Log(logs)
		}
		e.compose("down", "--volumes", "--remove-orphans")
	})
	e.compose("up", "-d")
	e.healthy()
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := get(t, web+path); a.status != http.StatusNotFound {
			t.Errorf("%s is shown to visitors: %d", path, a.status)
		}
	}
	e.halfSentBodiesWaitOutside()
	first, second := newVisitor(t, 1), newVisitor(t, 2)
	for _, ip := range []string{"6", "4"} {
		if got := first.put(ip, 400); got[0] != refusedForItself || !slices.Contains(got, refusedForTooMany) {
			t.Errorf("400 uploads of one visitor over IPv%s: %q", ip, slices.Compact(got))
		}
		if got := second.put(ip, 1); got[0] != refusedForItself {
			t.Errorf("the first upload of another visitor over IPv%s: %q", ip, got)
		}
		if got := first.put(ip, 5, "X-Forwarded-For: 203.0.113.7"); !slices.Contains(got, refusedForTooMany) {
			t.Errorf("a visitor got through over IPv%s by naming another address: %q", ip, got)
		}
	}

	// Now the first visitor is a CDN.
	e.set("FLASHDEX_CDN", "198.18.1.0/24 2001:db8:1::/48")
	e.compose("up", "-d")
	e.healthy()
	for _, ip := range []string{"6", "4"} {
		for _, visitor := range []string{"203.0.113.1" + ip, "2001:db8:fff" + ip + "::1"} { // of other households
			header := "X-Forwarded-For: 192.0.2.1, " + visitor // a visitor may invent the first address
			got := first.put(ip, 400, header)
			if got[0] != refusedForItself || !slices.Contains(got, refusedForTooMany) {
				t.Errorf("400 uploads of %s behind a CDN on IPv%s: %q", visitor, ip, slices.Compact(got))
			}
		}
	}
	second.put("6", 400)
	if got := second.put("6", 5, "X-Forwarded-For: 203.0.113.8"); !slices.Contains(got, refusedForTooMany) {
		t.Errorf("a visitor beside the CDN got through by naming another address: %q", got)
	}
}

// halfSentBodiesWaitOutside checks that the web server holds an upload back until it has all of it.
func (e *engine) halfSentBodiesWaitOutside() {
	e.t.Helper()
	for i := range 50 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(web, "http://"))
		if err != nil {
			e.t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "PUT /v1/results/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %064x\r\n"+
			"Content-Type: application/json\r\nContent-Length: 14000\r\n\r\n%s", i, strings.Repeat(" ", 7000))
	}
	e.upload(web)
	metrics := string(get(e.t, "http://localhost:9464/metrics").body)
	if !strings.Contains(metrics, "\nflashdex_http_requests_in_flight 0\n") {
		_, line, _ := strings.Cut(metrics, "\nflashdex_http_requests_in_flight ")
		e.t.Errorf("the API waits for %.3q half-sent bodies", line)
	}
}
