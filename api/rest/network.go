package rest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"net"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5/middleware"
)

// networks are the nested networks that contain the sender of a request, the smallest first. Each limit on a sender
// also limits the networks of each size, because further addresses within one network cost nothing.
//
//	level  IPv4         IPv6  is about
//	0      the address  /56   a household: the least that it gets (RIPE-690, section 4.2)
//	1      /24          /48   an organization: what most of them get
//	2      /16          /32   a provider: the least that it gets
//
// A sender without an address, such as one behind a Unix socket, is in the zero prefix on each level.
type networks [3]netip.Prefix

var (
	networkBits4 = [len(networks{})]int{32, 24, 16}
	networkBits6 = [len(networks{})]int{56, 48, 32}
)

// independent returns the level of the network that tells independent contributors apart. For IPv6 it is 1, because the
// holder of a /56 often has the /48 around it, too.
func (n networks) independent() (level int) {
	if n[0].Addr().Is6() {
		return 1
	}
	return 0
}

// networksOf returns the networks of a request's sender.
func networksOf(r *http.Request) networks { return networksAround(senderAddress(r)) }

// senderAddress returns the address that guard.address found. If a trusted proxy doesn't name the sender, it is the
// proxy's own.
func senderAddress(r *http.Request) netip.Addr {
	address := middleware.GetClientIPAddr(r.Context())
	if !address.IsValid() {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		address, _ = netip.ParseAddr(host)
	}
	return address
}

func networksAround(address netip.Addr) (n networks) {
	address = address.Unmap().WithZone("")
	bits := networkBits6
	if address.Is4() {
		bits = networkBits4
	}
	for level := range n {
		n[level], _ = address.Prefix(bits[level]) // fails only without an address
	}
	return n
}

// sender is a keyed hash of a network or a contributor.
type sender [16]byte

// senderKey is the key for the hashes of one process. Without it, nobody can turn senders into addresses.
type senderKey [sha256.Size]byte

func newSenderKey() (k senderKey) {
	_, _ = rand.Read(k[:]) // never fails
	return k
}

func (k senderKey) sender(data []byte) sender {
	mac := hmac.New(sha256.New, k[:])
	mac.Write(data)
	return sender(mac.Sum(nil)[:len(sender{})])
}

// senders returns the sender of each level. A network and the first one within it have the same address and differ by
// their length.
func (k senderKey) senders(n networks) (senders [len(networks{})]sender) {
	for level, prefix := range n {
		senders[level] = k.sender(append(prefix.Addr().AsSlice(), byte(prefix.Bits())))
	}
	return senders
}
