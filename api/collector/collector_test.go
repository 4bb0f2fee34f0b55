package collector_test

import (
	"runtime/debug"
	"testing"

	"flashdex/api/collector"
)

func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// A snapshot of the data set may begin and end while the site is published.
func TestSoonerUntilAllAreDone(t *testing.T) {
	t.Setenv("GOGC", "")
	before := percent()
	t.Cleanup(func() { debug.SetGCPercent(before) })
	collector.Sooner()()
	if got := percent(); got != before {
		t.Errorf("%d %% where nothing was asked for, want %d", got, before)
	}
	collector.Seldom()
	site := collector.Sooner()
	files := collector.Sooner()
	for i, step := range []struct {
		do   func()
		want int
	}{{func() {}, 100}, {site, 100}, {site, 100}, {files, 200}} {
		if step.do(); percent() != step.want {
			t.Errorf("step %d: %d %%, want %d", i, percent(), step.want)
		}
	}
}

func TestVariableDecides(t *testing.T) {
	t.Setenv("GOGC", "50")
	before := percent()
	collector.Seldom()
	done := collector.Sooner()
	if got := percent(); got != before {
		t.Errorf("%d %%, want %d", got, before)
	}
	done()
}
