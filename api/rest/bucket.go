package rest

import (
	"sync"
	"time"
)

// Rate limits one sender: Burst requests at once, and PerSecond in the long run. PerSecond 0 is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// maxSenders is how many of the last senders a set of buckets remembers; at most it remembers twice as many, in about
// 10 MB. A forgotten sender starts again with a full bucket, so that a flood of senders ends the limit and never the
// service.
const maxSenders = 1 << 16

// buckets limit senders by the generic cell rate algorithm (ITU-T I.371): a token bucket that is stored as the time at
// which it will be full again. They remember the senders of the last requests.
type buckets struct {
	rate          Rate
	max           int // of recent
	mu            sync.Mutex
	recent, older map[sender]time.Time
}

func newBuckets(rate Rate, max int) *buckets {
	return &buckets{rate: rate, max: max, recent: map[sender]time.Time{}}
}

// take takes one token. If there is none, it returns how long it takes until there is one.
func (b *buckets) take(from sender, now time.Time) (wait time.Duration) {
	if b.rate.PerSecond <= 0 {
		return 0
	}
	each := time.Duration(float64(time.Second) / b.rate.PerSecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	fullAt, known := b.recent[from]
	if !known {
		fullAt = b.older[from]
		if len(b.recent) >= b.max {
			b.recent, b.older = map[sender]time.Time{}, b.recent
		}
	}
	if fullAt.Before(now) {
		fullAt = now
	}
	if wait = fullAt.Add(each).Sub(now) - each*time.Duration(max(1, b.rate.Burst)); wait <= 0 {
		fullAt = fullAt.Add(each)
	}
	b.recent[from] = fullAt
	return max(0, wait)
}
