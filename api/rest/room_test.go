package rest

import (
	"errors"
	"net/netip"
	"testing"
)

func TestARoomHasAPartForEachNetwork(t *testing.T) {
	t.Parallel()
	r, key := newRoom(64), newSenderKey()
	enter := func(address string) error {
		levels := key.senders(networksAround(netip.MustParseAddr(address)))
		return r.enter(levels[:]...)
	}
	for _, c := range []struct {
		address string
		want    int // how many find room
		refused error
	}{
		{"2001:db8:1:100::1", 8, errShare}, {"2001:db8:1:1ff::2", 0, errShare}, // the same household
		{"2001:db8:1:200::1", 8, errShare}, {"2001:db8:1:300::1", 0, errShare}, // another; the same organization
		{"2001:db8:2:100::1", 8, errShare}, {"2001:db8:2:200::1", 8, errShare},
		{"2001:db8:3:100::1", 0, errShare}, // the same provider
		{"192.0.2.1", 8, errShare}, {"192.0.2.2", 8, errShare}, {"192.0.2.3", 0, errShare},
		{"192.0.3.1", 8, errShare}, {"192.0.4.1", 8, errBusy},
		{"198.51.100.1", 0, errBusy},
	} {
		got := 0
		err := enter(c.address)
		for ; err == nil; err = enter(c.address) {
			got++
		}
		if got != c.want || !errors.Is(err, c.refused) {
			t.Errorf("%s: %d requests, then %v; want %d, then %v", c.address, got, err, c.want, c.refused)
		}
	}
	for _, address := range []string{"2001:db8:1:100::1", "2001:db8:1:200::1", "2001:db8:2:100::1", "2001:db8:2:200::1",
		"192.0.2.1", "192.0.2.2", "192.0.3.1", "192.0.4.1"} {
		levels := key.senders(networksAround(netip.MustParseAddr(address)))
		for range 8 {
			r.leave(levels[:]...)
		}
	}
	if r.inside != 0 || len(r.of) != 0 {
		t.Errorf("all have left: %d inside, %d networks remembered", r.inside, len(r.of))
	}
	if err := enter("2001:db8:3:100::1"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestASmallRoomAdmitsSomebody(t *testing.T) {
	t.Parallel()
	r := newRoom(1)
	if err := r.enter(sender{1}, sender{2}, sender{3}); err != nil {
		t.Error(err)
	}
	if err := r.enter(sender{4}, sender{5}, sender{6}); !errors.Is(err, errBusy) {
		t.Error(err)
	}
	var none *room
	if err := none.enter(sender{1}); err != nil {
		t.Error(err)
	}
	none.leave(sender{1})
}
