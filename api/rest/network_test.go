package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// Each case is a socket's address with X-Forwarded-For, and the network that pays for the request.
func TestOnlyTrustedProxiesSayWhoTheSenderIs(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	for _, c := range []struct {
		remote    string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:1234", nil, "192.0.2.1"},
		{"192.0.2.1:1234", []string{"198.51.100.1"}, "192.0.2.1"},
		{"10.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1234", []string{"203.0.113.9, 198.51.100.1, 10.2.3.4"}, "198.51.100.1"},
		{"10.0.0.1:1234", []string{"203.0.113.9", "198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1234", []string{"203.0.113.9, 10.0.0.7", "10.2.3.4"}, "203.0.113.9"},
		{"10.0.0.1:1234", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		{"10.0.0.1:1234", []string{"198.51.100.1:80"}, "10.0.0.1"},
		{"10.0.0.1:1234", nil, "10.0.0.1"},
		{"[::ffff:192.0.2.1]:1234", nil, "192.0.2.1"},
		{"[2001:db8:1:2ff:3::1]:1234", nil, "2001:db8:1:200::"},
		{"[2001:db8:ffff::1]:1234", []string{"2001:db8:1:2ff::5"}, "2001:db8:1:200::"},
		{"[fe80::1%eth0]:1234", nil, "fe80::"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		r.Header["X-Forwarded-For"] = c.forwarded
		var got netip.Addr
		newGuard(Limits{TrustedProxies: trusted}).address()(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = networksOf(r)[0].Addr()
		})).ServeHTTP(httptest.NewRecorder(), r)
		if got.String() != c.want {
			t.Errorf("%s for %q: %v, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "@"
	if got := networksOf(r); got != (networks{}) {
		t.Errorf("a socket without an address: %v", got)
	}
}

func TestNetworksAreNested(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.77":               "[192.0.2.77/32 192.0.2.0/24 192.0.0.0/16]",
		"::ffff:192.0.2.77":        "[192.0.2.77/32 192.0.2.0/24 192.0.0.0/16]",
		"2001:db8:1:2ff:3::1":      "[2001:db8:1:200::/56 2001:db8:1::/48 2001:db8::/32]",
		"2001:db8:1:2ff:3::1%eth0": "[2001:db8:1:200::/56 2001:db8:1::/48 2001:db8::/32]",
	} {
		if got := networksAround(netip.MustParseAddr(address)); fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", address, got, want)
		}
	}
}

// The first household of a provider has the provider's address.
func TestSendersOfEachLevelDiffer(t *testing.T) {
	t.Parallel()
	key, seen := newSenderKey(), map[sender]string{}
	for _, address := range []string{"0.0.0.0", "10.0.0.0", "2001:db8::", "::"} {
		for level, s := range key.senders(networksAround(netip.MustParseAddr(address))) {
			name := fmt.Sprint(address, " on level ", level)
			if other, taken := seen[s]; taken {
				t.Errorf("%s is the same sender as %s", name, other)
			}
			seen[s] = name
		}
	}
	near := key.senders(networksAround(netip.MustParseAddr("192.0.2.1")))
	if far := key.senders(networksAround(netip.MustParseAddr("192.0.77.1"))); near[0] == far[0] || near[1] == far[1] ||
		near[2] != far[2] {
		t.Errorf("two addresses of one /16 share levels %v %v %v", near[0] == far[0], near[1] == far[1], near[2] == far[2])
	}
}
