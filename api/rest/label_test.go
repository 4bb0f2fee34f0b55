package rest

import (
	"testing"
	"testing/synctest"
	"time"
)

// A label tells networks apart for a day and in one process. It tells nobody anything else.
func TestLabelsOfNetworksLastADay(t *testing.T) {
	t.Parallel()
	var one, other dayKey
	midnight := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	of := func(k *dayKey, at time.Time) sender {
		_, key := k.at(at)
		return key.sender([]byte("198.51.100.7"))
	}
	evening := of(&one, midnight.Add(-time.Second))
	if evening != of(&one, midnight.Add(-20*time.Hour)) {
		t.Error("a day has two labels for one network")
	}
	if evening == of(&other, midnight.Add(-time.Second)) {
		t.Error("two processes have one key")
	}
	morning := of(&one, midnight)
	if morning == evening || morning == of(&one, midnight.Add(-time.Second)) {
		t.Error("the key of a day is used on another")
	}
}

func TestTheKeyOfADayIsGoneOnceTheDayEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var k dayKey
		time.Sleep(23 * time.Hour)
		id, key := k.at(time.Now())
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if again, same := k.at(time.Now()); again != id || same != key {
			t.Error("a second before midnight it is another key")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if k.key != (senderKey{}) {
			t.Error("at midnight the key is still there, though nobody asks for another")
		}
	})
}
