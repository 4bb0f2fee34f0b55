package ingest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// balancer passes each request to one of the servers, and looks at each answer. Below /as/N, it tells the servers the
// address of sender N, as proxies do.
type balancer struct {
	site    string
	servers []*server
	turn    atomic.Int64
	senders atomic.Int64

	mu       sync.Mutex
	statuses map[int]int
	wrong    map[string]int // answers of servers that must not be
}

func newBalancer(t *testing.T, servers []*server) *balancer {
	b := &balancer{servers: servers, statuses: map[int]int{}, wrong: map[string]int{}}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     &http.Transport{ResponseHeaderTimeout: 15 * time.Second, MaxIdleConnsPerHost: 32},
		Rewrite: func(r *httputil.ProxyRequest) {
			to, err := url.Parse(b.servers[int(b.turn.Add(1))%len(b.servers)].site)
			if err != nil {
				panic(err)
			}
			sender, path, _ := strings.Cut(strings.TrimPrefix(r.In.URL.Path, "/as/"), "/")
			number, _ := strconv.Atoi(sender)
			r.Out.URL.Path, r.Out.URL.RawPath = "/"+path, ""
			r.SetURL(to)
			r.Out.Header.Set("X-Forwarded-For", b.addressOf(number))
		},
		ModifyResponse: func(answer *http.Response) error {
			b.note(answer.StatusCode, answer.Header,
				answer.Request.Method+" "+reID.ReplaceAllString(answer.Request.URL.Path, "ID"))
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { // the server is gone or frozen
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		ErrorLog: nil,
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	b.site = s.URL
	return b
}

// note counts an answer of a server. A server's fault must be a 503 that says when to come again.
func (b *balancer) note(status int, header http.Header, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.statuses[status]++
	if after, err := strconv.Atoi(header.Get("Retry-After")); status >= 500 && (status != 503 || err != nil || after < 1) {
		b.wrong[fmt.Sprintf("%d with Retry-After %q for %s", status, header.Get("Retry-After"), what)]++
	}
}

func (b *balancer) newSender() int { return int(b.senders.Add(1)) }

// addressOf makes up a sender's address. Each address is in a network of its own; every other one is IPv6.
func (b *balancer) addressOf(sender int) string {
	if sender%2 == 0 {
		return fmt.Sprintf("2a%02x:%x::1", sender>>8&0xff, sender&0xff)
	}
	return fmt.Sprintf("%d.%d.7.1", 20+sender>>8, sender&0xff)
}
