package rest

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

// Daily limits what one household may add to the database in a day. A zero is no limit.
type Daily struct {
	Modules      int // modules that the site doesn't list
	Contributors int // contributors who never uploaded before
	Bytes        int // of documents
	Objections   int
}

// quotaFactor is how many times as much the next larger networks may add: an organization twice, a provider four times
// as much as a household.
const quotaFactor = 2

// newQuota returns buckets that take a day to fill. They are in memory, and each process has its own.
func newQuota(perDay int) *buckets {
	b := newBuckets(Rate{PerSecond: float64(perDay) / (24 * 60 * 60), Burst: perDay}, maxSenders)
	b.factor = quotaFactor
	return b
}

// addition is what one upload takes from the quotas.
type addition struct{ modules, contributors, bytes int }

// quotas are the quotas of Daily.
type quotas struct{ modules, contributors, bytes, objections *buckets }

func newQuotas(d Daily) quotas {
	return quotas{newQuota(d.Modules), newQuota(d.Contributors), newQuota(d.Bytes), newQuota(d.Objections)}
}

// add takes what an upload adds from the quotas of its networks, all of it or nothing. A negative addition gives it
// back.
func (g *guard) add(r *http.Request, a addition) error {
	now, from := time.Now(), g.key.senders(networksOf(r))
	parts := []struct {
		of   *buckets
		n    int
		what string
	}{
		{g.daily.bytes, a.bytes, "as much data"},
		{g.daily.contributors, a.contributors, "as many new contributors"},
		{g.daily.modules, a.modules, "as many modules that the site doesn't list"},
	}
	for i, part := range parts {
		if wait, _ := part.of.takeSome(now, part.n, from[:]...); wait > 0 {
			for _, taken := range parts[:i] {
				taken.of.takeSome(now, -taken.n, from[:]...)
			}
			return &problem.Problem{Kind: problem.TooMany, RetryAfter: wait, Detail: fmt.Sprintf("Today %s came from this "+
				"network as one may send in a day. Nothing was changed: keep the result, as the client does by itself, and "+
				"send it again after the seconds that Retry-After says.", part.what)}
		}
	}
	return nil
}

// object takes one objection from the quota of the sender's networks.
func (g *guard) object(r *http.Request) error {
	from := g.key.senders(networksOf(r))
	if wait, _ := g.daily.objections.take(time.Now(), from[:]...); wait > 0 {
		return &problem.Problem{Kind: problem.TooMany, RetryAfter: wait, Detail: "Today as many objections came from this " +
			"network as one may send in a day. This one was not stored: send it again tomorrow."}
	}
	return nil
}

// dayKey is a senderKey that lasts for a day, UTC. Hashes of different days can't be compared, because their keys
// differ. Nobody can find the addresses, because no key is ever stored. Its id is random and says which hashes can be
// compared.
type dayKey struct {
	mu  sync.Mutex
	day int64
	id  [4]byte
	key senderKey
}

func (k *dayKey) at(now time.Time) (id [4]byte, key senderKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if day := now.Unix() / (24 * 60 * 60); day != k.day {
		k.day, k.key = day, newSenderKey()
		_, _ = rand.Read(k.id[:]) // never fails
	}
	return k.id, k.key
}

// origin labels the sender's networks.
func (g *guard) origin(r *http.Request) (from submission.Origin) {
	networks := networksOf(r)
	id, key := g.labelKey.at(time.Now())
	for _, of := range key.senders(networks) {
		from.Networks = append(from.Networks, of[:])
	}
	from.Network = append(id[:], from.Networks[networks.independent()]...)
	return from
}
