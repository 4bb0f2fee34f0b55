package spool_test

import (
	"testing"
	"time"

	"flashdex/client/spool"
)

// Who was asked and who answered is of one unit, and both may be noted twice.
func TestAskedUntilItAnswers(t *testing.T) {
	t.Parallel()
	s, begun := spool.Spool{Dir: t.TempDir()}, time.Now()
	for range 2 {
		if err := s.KeepAsked("d697"); err != nil {
			t.Fatal(err)
		}
		if at := s.Asked("d697"); at.Before(begun.Add(-time.Minute)) || at.After(time.Now().Add(time.Minute)) {
			t.Errorf("asked at %v", at)
		}
	}
	if at := s.Asked("d698"); !at.IsZero() {
		t.Errorf("another unit was asked at %v", at)
	}
	for range 2 {
		if err := s.ForgetAsked("d697"); err != nil || !s.Asked("d697").IsZero() {
			t.Errorf("after its answer: %v, %v", s.Asked("d697"), err)
		}
	}
}
