// Package collector says how often Go's collector runs: seldom while uploads come in, and as often as Go does by itself while much is held in memory.
package collector

import (
	"os"
	"runtime/debug"
	"sync"
)

// seldom is half as often as Go does by itself. It takes some 10 MiB while nothing is published.
const (
	byItself = 100
	seldom   = 200
)

var (
	mu      sync.Mutex
	setting int // 0: Go's own, or what the variable GOGC asks for
	sooner  int // how many want it to run as often as Go does by itself
)

// Seldom has the collector run half as often, unless the variable GOGC says how often.
func Seldom() {
	mu.Lock()
	defer mu.Unlock()
	if setting = seldom; os.Getenv("GOGC") != "" {
		setting = 0
	}
	set()
}

// Sooner has the collector run as often as Go does by itself, until all who asked for it have called what it returns.
func Sooner() (done func()) {
	change := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		sooner += by
		set()
	}
	change(1)
	return sync.OnceFunc(func() { change(-1) })
}

func set() {
	switch {
	case setting == 0:
	case sooner > 0:
		debug.SetGCPercent(byItself)
	default:
		debug.SetGCPercent(setting)
	}
}
