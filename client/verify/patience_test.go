package verify

import (
	"syscall"
	"testing"
	"time"
)

// A slow module isn't one that hangs: what 256 KiB/s and a second explain doesn't count.
func TestPatience(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bytes int
		took  time.Duration
		err   error
		most  int // reads or writes that it takes
	}{
		"slow errors":      {4096, 30 * time.Second, syscall.EIO, 20},
		"quick errors":     {4096, time.Millisecond, syscall.EIO, 600_000},
		"a slow card":      {1 << 20, 5 * time.Second, nil, 1_000_000},
		"one that hangs":   {1 << 20, 65 * time.Second, nil, 10},
		"slow blocks":      {4096, time.Second, nil, 1_000_000},
		"blocks that hang": {4096, 3 * time.Second, nil, 302},
	} {
		var w waiting
		n := 0
		for ; n < 1_000_000 && w.add(c.bytes, c.took, c.err) == nil; n++ {
		}
		if n != c.most {
			t.Errorf("%s: it took %d, want %d", name, n, c.most)
		}
	}
}
