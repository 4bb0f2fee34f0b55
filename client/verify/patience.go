package verify

import (
	"errors"
	"time"
)

// patience is how long reads and writes may fail or hang, all together. The kernel may try each for half a minute, a
// probe makes thousands, and a test of free space hundreds of thousands.
const patience = 10 * time.Minute

var errStopped = errors.New("it failed, or kept the test waiting, for too long")

// waiting is the time that went by in reads and writes that failed or hung.
type waiting time.Duration

// add counts a read or write of so many bytes. It returns errStopped if the test must end. One that fails counts in
// full, and any other from where it takes longer than on a very slow module: a second, and more below 256 KiB/s.
func (w *waiting) add(bytes int, took time.Duration, err error) error {
	if err == nil {
		took = max(took-time.Second-time.Duration(bytes)*time.Second/(256<<10), 0)
	}
	if *w += waiting(took); time.Duration(*w) > patience {
		return errStopped
	}
	return nil
}
