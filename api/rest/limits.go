package rest

import (
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"flashdex/api/problem"
)

// Limits keep one sender, or all of them together, from blocking the server for others. A zero is no limit.
type Limits struct {
	Reads          Rate           // GET and HEAD, by network
	Writes         Rate           // other methods, by network
	Contributor    Rate           // the same, by contributor
	Daily          Daily          // what a sender may add, by nested networks
	InFlight       int            // requests that use the database at once; four times as many may be sending their bodies
	BodyTimeout    time.Duration  // how long the largest body may take, and no body may be slower
	ExportTimeout  time.Duration  // how long an export may take
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
}

// guard holds a server's limits and their counters.
type guard struct {
	Limits
	key                         senderKey
	reads, writes, contributors *buckets
	working, receiving          *room
	exporting                   *room         // streamed tables
	exportReads                 chan struct{} // the database connections of these
	warned                      sync.Once     // about a proxy that names no sender
	daily                       quotas
	signIns                     *buckets // failed sign-ins
	labelKey                    dayKey
	checking                    chan struct{} // documents being validated, each with a processor and up to 50 MB
}

func newGuard(l Limits) *guard {
	g := &guard{
		Limits: l, key: newSenderKey(), reads: newBuckets(l.Reads, maxSenders), writes: newBuckets(l.Writes, maxSenders),
		contributors: newBuckets(l.Contributor, maxSenders), daily: newQuotas(l.Daily), exporting: newRoom(maxExports),
		exportReads: make(chan struct{}, maxExportReads),
		signIns:     newBuckets(Rate{PerSecond: 1. / 60, Burst: 10}, maxSenders),
		checking:    make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	if l.InFlight > 0 {
		g.working, g.receiving = newRoom(l.InFlight), newRoom(4*l.InFlight)
	}
	return g
}

// address finds the sender's address. It is the socket's, or, if that is a trusted proxy's, the last address in
// X-Forwarded-For that is not a trusted proxy's.
func (g *guard) address() func(http.Handler) http.Handler {
	if len(g.TrustedProxies) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	var trusted []string
	for _, p := range g.TrustedProxies {
		trusted = append(trusted, p.String())
	}
	return middleware.ClientIPFromXFF(trusted...)
}

// limit refuses senders who ask for more than their share. It lets the probes of a load balancer through, which would
// otherwise take the server for dead.
func (s *server) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			err = s.guard.take(r)
		}
		if s.guard.unnamed(r) {
			s.guard.warned.Do(func() {
				s.Log.Warn("a trusted proxy passes on a request and names no other address, as a network without IPv6 does to " +
					"all who use it: all such visitors are one sender (docs/operations.md, In front of it)")
			})
		}
		if err != nil {
			s.refuse(w, r, err)
		} else {
			next.ServeHTTP(w, r)
		}
	})
}

// unnamed reports whether a proxy passed a request on, but the request seems to come from a trusted proxy itself.
func (g *guard) unnamed(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") == "" {
		return false
	}
	from := senderAddress(r).Unmap()
	return slices.ContainsFunc(g.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(from) })
}

func (g *guard) take(r *http.Request) error {
	now := time.Now()
	from := g.key.senders(networksOf(r))
	requests := g.writes
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		requests = g.reads
	}
	if wait, level := requests.take(now, from[:]...); wait > 0 {
		return tooMany([len(from)]string{"address", "network", "provider"}[level], wait)
	}
	if secret, err := contributor(r); err == nil && requests == g.writes {
		if wait, _ := g.contributors.take(now, g.key.sender(secret[:])); wait > 0 {
			return tooMany("contributor", wait)
		}
	}
	return nil
}

func tooMany(whose string, wait time.Duration) error {
	return &problem.Problem{
		Kind: problem.TooMany, RetryAfter: wait,
		Detail: fmt.Sprintf("More requests came from this %s than one may send. Nothing was changed. "+
			"Send the same request again after the seconds that Retry-After says.", whose),
	}
}

// refuse answers a refused request: with a page for a browser, else with a problem document.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.message(w, r, problem.Of(err))
		return
	}
	s.fail(w, r, err)
}
