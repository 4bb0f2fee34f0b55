package rest

import (
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

// Rate limits one sender: Burst requests at once, and PerSecond in the long run. PerSecond 0 is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// maxSenders limits how many senders a set of buckets remembers, in about 10 MB. A forgotten sender starts again with
// a full bucket, so that a flood of senders ends the limit and never the service.
const maxSenders = 1 << 16

// sender is the keyed hash of an address or a contributor.
type sender [16]byte

// senderKey is the key of one process' senders. Without it, nobody can turn senders into addresses.
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

// buckets limit senders by the generic cell rate algorithm (ITU-T I.371): a token bucket that is stored as the time at
// which it will be full again. They remember the senders of the last requests, in the order of their last request.
type buckets struct {
	rate   Rate
	max    int
	mu     sync.Mutex
	known  map[sender]*list.Element
	recent list.List // of *bucket, the newest first
}

type bucket struct {
	sender sender
	fullAt time.Time
}

func newBuckets(rate Rate, max int) *buckets {
	return &buckets{rate: rate, max: max, known: map[sender]*list.Element{}}
}

// take takes one token. If there is none, it returns how long it takes until there is one.
func (b *buckets) take(from sender, now time.Time) (wait time.Duration) {
	if b.rate.PerSecond <= 0 {
		return 0
	}
	each := time.Duration(float64(time.Second) / b.rate.PerSecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	element, ok := b.known[from]
	if !ok {
		if len(b.known) >= b.max {
			oldest := b.recent.Remove(b.recent.Back()).(*bucket)
			delete(b.known, oldest.sender)
		}
		element = b.recent.PushFront(&bucket{sender: from, fullAt: now})
		b.known[from] = element
	}
	b.recent.MoveToFront(element)
	kept := element.Value.(*bucket)
	fullAt := now
	if kept.fullAt.After(now) {
		fullAt = kept.fullAt
	}
	fullAt = fullAt.Add(each)
	if wait = fullAt.Sub(now) - each*time.Duration(max(1, b.rate.Burst)); wait > 0 {
		return wait
	}
	kept.fullAt = fullAt
	return 0
}
