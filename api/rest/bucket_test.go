package rest

import (
	"encoding/binary"
	"testing"
	"time"
)

func waits(b *buckets, now time.Time, levels ...sender) time.Duration {
	wait, _ := b.take(now, levels...)
	return wait
}

func TestBucketFillsUpAgain(t *testing.T) {
	t.Parallel()
	b := newBuckets(Rate{PerSecond: 2, Burst: 3}, 10)
	alice, bob := sender{1}, sender{2}
	now := time.Now()
	for i := range 3 {
		if wait := waits(b, now, alice); wait != 0 {
			t.Errorf("request %d of the burst waits %v", i, wait)
		}
	}
	for range 2 { // a refusal costs nothing
		if wait := waits(b, now, alice); wait != 500*time.Millisecond {
			t.Errorf("beyond the burst: %v", wait)
		}
	}
	if wait := waits(b, now, bob); wait != 0 {
		t.Errorf("somebody else waits %v", wait)
	}
	now = now.Add(500 * time.Millisecond)
	if wait := waits(b, now, alice); wait != 0 {
		t.Errorf("after the wait: %v more", wait)
	}
	if wait := waits(b, now, alice); wait != 500*time.Millisecond {
		t.Errorf("one token came, and another: %v", wait)
	}
	now = now.Add(time.Hour)
	for i := range 4 {
		if wait := waits(b, now, alice); (wait != 0) != (i == 3) {
			t.Errorf("after an hour, request %d waits %v", i, wait)
		}
	}
	if wait := waits(newBuckets(Rate{}, 10), now, alice); wait != 0 {
		t.Errorf("no limit: %v", wait)
	}
}

func TestBucketsForgetWhoWasLongestAway(t *testing.T) {
	t.Parallel()
	b := newBuckets(Rate{PerSecond: 0.001, Burst: 1}, 100)
	now := time.Now()
	var id [8]byte
	key := newSenderKey()
	for i := range 10_000 {
		binary.BigEndian.PutUint64(id[:], uint64(i))
		if waits(b, now, key.sender(id[:])) != 0 {
			t.Fatalf("sender %d is refused at first", i)
		}
		if waits(b, now, key.sender([]byte("busy"))); len(b.recent) > 100 || len(b.older) > 100 {
			t.Fatalf("%d and %d senders are known", len(b.recent), len(b.older))
		}
	}
	if waits(b, now, key.sender([]byte("busy"))) == 0 {
		t.Error("who asks all the time was forgotten")
	}
	if waits(b, now, key.sender(id[:])) == 0 {
		t.Error("the newest was forgotten")
	}
}

// Each level has four times as many tokens as the level below it. A request that one level refuses costs nothing on the
// others.
func TestAddressesOfOneNetworkShareItsLimit(t *testing.T) {
	t.Parallel()
	b := newBuckets(Rate{PerSecond: 1, Burst: 2}, 1000)
	now := time.Now()
	levels := func(address, network byte) []sender { return []sender{{0, address, network}, {1, network}, {2}} }
	for network, refused := range map[byte]byte{1: 4, 2: 4} {
		for address := range refused {
			for range 2 {
				if wait, level := b.take(now, levels(address, network)...); wait != 0 {
					t.Fatalf("address %d of network %d waits %v on level %d", address, network, wait, level)
				}
			}
			if wait, level := b.take(now, levels(address, network)...); wait != time.Second || level != 0 {
				t.Errorf("address %d of network %d, beyond its burst: %v on level %d", address, network, wait, level)
			}
		}
		for range 3 {
			if wait, level := b.take(now, levels(refused, network)...); wait != time.Second/4 || level != 1 {
				t.Errorf("network %d beyond its burst: %v on level %d", network, wait, level)
			}
		}
	}
	for network := byte(3); network < 5; network++ { // 16 of the provider's 32 are gone
		for request := range 8 {
			if wait, level := b.take(now, levels(byte(request), network)...); wait != 0 {
				t.Errorf("network %d waits %v on level %d", network, wait, level)
			}
		}
	}
	if wait, level := b.take(now, levels(0, 5)...); wait != time.Second/16 || level != 2 {
		t.Errorf("the provider beyond its burst: %v on level %d", wait, level)
	}
	if wait, level := b.take(now, levels(4, 1)...); wait != time.Second/4 || level != 1 {
		t.Errorf("who was refused: %v on level %d", wait, level)
	}
	if wait := waits(b, now, sender{0, 0, 6}, sender{1, 6}, sender{3}); wait != 0 {
		t.Errorf("another provider waits %v", wait)
	}
	// A request that higher levels refused cost nothing on its own level.
	if wait := waits(b, now.Add(time.Second), levels(4, 1)...); wait != 0 {
		t.Errorf("after a second: %v", wait)
	}
	if wait := waits(b, now.Add(time.Second), levels(4, 1)...); wait != 0 {
		t.Errorf("after a second, again: %v", wait)
	}
}

// A flood of addresses makes the buckets forget the addresses, but not the network that all of them are from.
func TestNetworkOfAFloodIsNotForgotten(t *testing.T) {
	t.Parallel()
	b := newBuckets(Rate{PerSecond: 0.001, Burst: 1}, 100)
	now, key, taken := time.Now(), newSenderKey(), 0
	var id [8]byte
	for i := range 10_000 {
		binary.BigEndian.PutUint64(id[:], uint64(i))
		if waits(b, now, key.sender(id[:]), key.sender(id[:4]), key.sender([]byte("provider"))) == 0 {
			taken++
		}
	}
	if taken != 4 {
		t.Errorf("%d requests of one network, want 4", taken)
	}
}

func TestSendersOfTwoProcessesHaveNothingInCommon(t *testing.T) {
	t.Parallel()
	address := []byte{192, 0, 2, 1}
	a, b := newSenderKey(), newSenderKey()
	first, again := a.sender(address), a.sender(address)
	if first != again || first == b.sender(address) {
		t.Error("a sender is not a keyed hash")
	}
}
