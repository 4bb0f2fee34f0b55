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

// maxSenders is how many recent senders and networks a set of buckets remembers. It may remember up to twice as many,
// in about 10 MB. A forgotten sender starts again with a full bucket, so a flood of senders ends the limits on each of
// them and never the service. The senders' networks are few and stay remembered.
const maxSenders = 1 << 16

// buckets limit senders by the generic cell rate algorithm (ITU-T I.371): each token bucket is stored as the time at
// which it will be full again. They remember the senders of the last requests.
type buckets struct {
	rate          Rate
	factor        int // how many times the rate and burst of a network the next larger network has
	max           int // of recent
	mu            sync.Mutex
	recent, older map[sender]time.Time
}

func newBuckets(rate Rate, max int) *buckets {
	return &buckets{rate: rate, factor: levelFactor, max: max, recent: map[sender]time.Time{}}
}

// levelFactor is the factor of request buckets.
const levelFactor = 4

// take takes one token from each level of a sender. If a level has none, it takes no token at all, and returns how long
// it takes until all levels have one, and which level takes longest.
func (b *buckets) take(now time.Time, levels ...sender) (wait time.Duration, level int) {
	return b.takeSome(now, 1, levels...)
}

// takeSome is take for n tokens. A negative n gives tokens back.
func (b *buckets) takeSome(now time.Time, n int, levels ...sender) (wait time.Duration, level int) {
	if b.rate.PerSecond <= 0 || n == 0 {
		return 0, 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	fullAt, taken := make([]time.Time, len(levels)), make([]time.Time, len(levels))
	factor := 1
	for i, from := range levels {
		each := time.Duration(float64(time.Second) / b.rate.PerSecond / float64(factor))
		if fullAt[i] = b.of(from); fullAt[i].Before(now) {
			fullAt[i] = now
		}
		taken[i] = fullAt[i].Add(each * time.Duration(n))
		if w := taken[i].Sub(now) - each*time.Duration(factor*max(1, b.rate.Burst)); w > wait {
			wait, level = w, i
		}
		factor *= b.factor
	}
	if wait <= 0 {
		fullAt = taken
	}
	for i, from := range levels {
		b.put(from, fullAt[i])
	}
	return wait, level
}

func (b *buckets) of(from sender) time.Time {
	if fullAt, known := b.recent[from]; known {
		return fullAt
	}
	return b.older[from]
}

func (b *buckets) put(from sender, fullAt time.Time) {
	if _, known := b.recent[from]; !known && len(b.recent) >= b.max {
		b.recent, b.older = map[sender]time.Time{}, b.recent
	}
	b.recent[from] = fullAt
}
