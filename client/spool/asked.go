package spool

import (
	"os"
	"path/filepath"
	"time"
)

const askedSuffix = ".asked" // a module is being asked for its health, after what its unit is called

// KeepAsked keeps that a unit is being asked for its health. It is on the disk before the question is sent, since a
// system card that vanishes takes the computer with it.
func (s Spool) KeepAsked(unit string) error { return put(filepath.Join(s.Dir, unit+askedSuffix), nil) }

// Asked returns when a unit was asked that hasn't answered since; zero: none.
func (s Spool) Asked(unit string) time.Time {
	info, err := os.Stat(filepath.Join(s.Dir, unit+askedSuffix))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// ForgetAsked notes that a unit answered, or is there and knows no answer.
func (s Spool) ForgetAsked(unit string) error { return s.forget(unit + askedSuffix) }
