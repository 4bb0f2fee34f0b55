package spool

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"
)

const (
	triesSuffix = ".tries" // when watch began to measure a unit, after the unit's tag
	toldSuffix  = ".told"  // what watch said last of how the unit changes, after the unit's tag
)

type tries struct {
	Began []time.Time `json:"began"` // oldest first
}

// Tries returns the times since a time at which watch began to measure the tag's unit, oldest first. It leaves out
// times of more than a day after now: a clock that ran far ahead wrote them, and they would count for years.
func (s Spool) Tries(tag string, since, now time.Time) []time.Time {
	var kept tries
	readJSON(filepath.Join(s.Dir, tag+triesSuffix), &kept) // a file that can't be read holds no tries
	return slices.DeleteFunc(kept.Began, func(at time.Time) bool {
		return at.Before(since) || at.After(now.AddDate(0, 0, 1))
	})
}

// KeepTry notes that watch begins to measure the tag's unit now. It forgets the tries before since.
func (s Spool) KeepTry(tag string, since, now time.Time) error {
	data, err := json.Marshal(tries{append(s.Tries(tag, since, now), now.UTC().Truncate(time.Second))})
	if err != nil {
		return err
	}
	return put(filepath.Join(s.Dir, tag+triesSuffix), append(data, '\n'))
}

// Told returns what watch said last of how the unit with a tag changes; empty: nothing.
func (s Spool) Told(tag string) (says string) {
	readJSON(filepath.Join(s.Dir, tag+toldSuffix), &says)
	return says
}

// KeepTold keeps what watch says of how the unit with a tag changes.
func (s Spool) KeepTold(tag, says string) error {
	data, _ := json.Marshal(says) // a string can't fail
	return put(filepath.Join(s.Dir, tag+toldSuffix), append(data, '\n'))
}
