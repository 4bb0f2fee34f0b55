package rest

import (
	"encoding/binary"
	"testing"
	"time"
)

func TestBucketFillsUpAgain(t *testing.T) {
	t.Parallel()
	b := newBuckets(Rate{PerSecond: 2, Burst: 3}, 10)
	alice, bob := sender{1}, sender{2}
	now := time.Now()
	for i := range 3 {
		if wait := b.take(alice, now); wait != 0 {
			t.Errorf("request %d of the burst waits %v", i, wait)
		}
	}
	for range 2 { // who is refused is not set back by it
		if wait := b.take(alice, now); wait != 500*time.Millisecond {
			t.Errorf("beyond the burst: %v", wait)
		}
	}
	if wait := b.take(bob, now); wait != 0 {
		t.Errorf("somebody else waits %v", wait)
	}
	now = now.Add(500 * time.Millisecond)
	if wait := b.take(alice, now); wait != 0 {
		t.Errorf("after the wait: %v more", wait)
	}
	if wait := b.take(alice, now); wait != 500*time.Millisecond {
		t.Errorf("one token came, and another: %v", wait)
	}
	now = now.Add(time.Hour)
	for i := range 4 {
		if wait := b.take(alice, now); (wait != 0) != (i == 3) {
			t.Errorf("after an hour, request %d waits %v", i, wait)
		}
	}
	if wait := newBuckets(Rate{}, 10).take(alice, now); wait != 0 {
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
		if b.take(key.sender(id[:]), now) != 0 {
			t.Fatalf("sender %d is refused at first", i)
		}
		if b.take(key.sender([]byte("busy")), now); len(b.recent) > 100 || len(b.older) > 100 {
			t.Fatalf("%d and %d senders are known", len(b.recent), len(b.older))
		}
	}
	if b.take(key.sender([]byte("busy")), now) == 0 {
		t.Error("who asks all the time was forgotten")
	}
	if b.take(key.sender(id[:]), now) == 0 {
		t.Error("the newest was forgotten")
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
