package spool_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/spool"
)

// Tries that are too old to count are forgotten. Tries from a clock that ran far ahead don't count. A damaged file
// holds no tries.
func TestTriesOfAMonth(t *testing.T) {
	t.Parallel()
	s, tag, month := spool.Spool{Dir: t.TempDir()}, strings.Repeat("a", 32), 30*24*time.Hour
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	keep := func(at time.Time) {
		t.Helper()
		if err := s.KeepTry(tag, at.Add(-month), at); err != nil {
			t.Fatal(err)
		}
	}
	is := func(what string, want ...time.Time) {
		t.Helper()
		if got := s.Tries(tag, now.Add(-month), now); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	is("at first")
	first, second := now.Add(-month-time.Hour), now.Add(-time.Hour)
	keep(first)
	keep(second)
	is("one is of the month before", second)
	keep(now)
	is("two", second, now)
	if other := s.Tries(strings.Repeat("b", 32), now.Add(-month), now); len(other) > 0 {
		t.Errorf("another unit's: %v", other)
	}
	keep(now.AddDate(10, 0, 0))
	is("a clock ten years ahead, which took the others for old")
	keep(now)
	is("after that", now)
	if err := os.WriteFile(filepath.Join(s.Dir, tag+".tries"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	is("damaged")
	keep(now)
	is("written over", now)
}
