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

// quotas are the quotas of Daily, and that of one household's objections to one result or module.
type quotas struct{ modules, contributors, bytes, objections, objectionsToOne *buckets }

// objectionsToOne is how many objections to one result or module a household may send in a day: so few that it doesn't
// use up all that may be open.
const objectionsToOne = 2

func newQuotas(d Daily) quotas {
	return quotas{newQuota(d.Modules), newQuota(d.Contributors), newQuota(d.Bytes), newQuota(d.Objections),
		newQuota(min(d.Objections, objectionsToOne))}
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

// object takes one objection from the quotas of its networks, or nothing. about is the result or module.
func (g *guard) object(r *http.Request, about string) error {
	now, from := time.Now(), g.key.senders(networksOf(r))
	toOne := g.key.sender(append(from[0][:], about...))
	wait, _ := g.daily.objectionsToOne.take(now, toOne)
	of := "objections to this came"
	if wait == 0 {
		if wait, _ = g.daily.objections.take(now, from[:]...); wait > 0 {
			g.daily.objectionsToOne.takeSome(now, -1, toOne)
		}
		of = "objections came"
	}
	if wait > 0 {
		return &problem.Problem{Kind: problem.TooMany, RetryAfter: wait, Detail: fmt.Sprintf("Today as many %s from "+
			"this network as one may send in a day. This one was not stored: send it again tomorrow.", of)}
	}
	return nil
}

// dayKey is a senderKey that lasts until the day ends, UTC. Hashes of two days can't be compared, for their keys
// differ, and nobody can find the addresses: no key is ever stored. Its id is random and says which hashes can be
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
	const seconds = 24 * 60 * 60
	if day := now.Unix() / seconds; day != k.day {
		k.day, k.key = day, newSenderKey()
		_, _ = rand.Read(k.id[:]) // never fails
		time.AfterFunc(time.Unix((day+1)*seconds, 0).Sub(now), func() { k.forget(day) })
	}
	return k.id, k.key
}

// forget throws the key of a day away.
func (k *dayKey) forget(day int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.day == day {
		k.day, k.key = 0, senderKey{}
	}
}

// origin labels the networks of a sender.
func (g *guard) origin(r *http.Request) (from submission.Origin) {
	networks := networksOf(r)
	id, key := g.labelKey.at(time.Now())
	for _, of := range key.senders(networks) {
		from.Networks = append(from.Networks, of[:])
	}
	from.Network = append(id[:], from.Networks[networks.independent()]...)
	return from
}
