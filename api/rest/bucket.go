package rest

import (
	"container/list"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

// Rate is how much one sender may ask for: Burst at once, and PerSecond lastingly. PerSecond 0 is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// maxSenders is how many senders a set of buckets knows at once, in about 10 MB. Whoever is forgotten starts anew with
// a full bucket: where memory ends, the limit does, and never the service.
const maxSenders = 1 << 16

// sender stands for an address or a contributor.
type sender [16]byte

// senderKey makes senders of one process that nobody can turn back into addresses, who has only its memory's dump or
// compares it with another's.
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

// buckets limit senders by the generic cell rate algorithm (ITU-T I.371), which is a token bucket kept as one time:
// that at which the bucket will be full again. It knows the senders of the last requests, in the order of their last
// request.
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

// take takes one token. If there is none, it takes nothing and returns how long it will be until there is one.
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
